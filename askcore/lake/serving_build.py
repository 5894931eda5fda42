"""Builds one serving file: facts sorted and typed, raw fields, sync log, and what a catalog needs."""

from __future__ import annotations

# ruff: noqa: S608 - identifiers are quoted by `sql.quote`, text by `sql.literal`
import json
import os
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from askcore.base.errors import LakeError
from askcore.lake import sync_log
from askcore.lake.delivery import ALL_SCOPE
from askcore.lake.raw import build_raw
from askcore.lake.schema import DATE, DUP, RAW, SCOPE, FactSchema, is_money
from askcore.lake.sql import MONEY, QUIET, file_list, literal, names, quote
from askcore.lake.summary import build_summary
from askcore.lake.versions import VersionInfo

if TYPE_CHECKING:
    import duckdb

FORMAT = "2"  # of the serving file; another number is rebuilt
Stage = Literal["waiting", "reading", "facts", "raw", "summary", "done"]
Progress = Callable[[Stage, float], None]
"""Told what is being done and how far it is (0-1)."""
_LARGEST_EXACT = 2**53  # whole numbers up to here are exact as DOUBLE


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildJob:
    """One version to be served."""

    path: Path
    folder: Path
    """The dataset's folder in the lake."""
    info: VersionInfo
    schema: FactSchema
    files: list[str]
    threads: int
    progress: Progress


def build(job: BuildJob) -> None:
    """Write the file beside its place, then rename it there.

    Raises: LakeError when files of the version are gone.
    """
    import duckdb

    temporary = job.path.with_name(f".{job.path.stem}.{os.getpid()}.{uuid.uuid4().hex}.tmp")
    try:
        with duckdb.connect(str(temporary), config={"threads": job.threads}) as con:
            con.execute(QUIET)
            _fill(con, job)
        os.replace(temporary, job.path)  # noqa: PTH105 - atomic on every system
    except duckdb.IOException as e:
        if any(not Path(f).exists() for f in job.files):
            raise LakeError(f"snapshot expired: files of version {job.info.version} are gone") from e
        raise LakeError(f"the serving file cannot be built: {e}") from e
    except duckdb.Error as e:
        raise LakeError(f"the serving file cannot be built: {e}") from e
    finally:
        for left in (temporary, temporary.with_name(temporary.name + ".wal")):
            left.unlink(missing_ok=True)
    job.progress("done", 1.0)


def _fill(con: duckdb.DuckDBPyConnection, job: BuildJob) -> None:
    job.progress("reading", 0.0)
    source = _source(con, job)
    stats = _column_stats(con, job.schema, source)
    job.progress("facts", 0.1)
    scopes = [level.key for level in job.schema.model.levels] or [ALL_SCOPE]
    con.execute(f"CREATE TYPE scope_name AS ENUM ({', '.join(literal(s) for s in scopes)})")
    con.execute(_fact_sql(job.schema, source, stats))
    job.progress("raw", 0.6)
    build_raw(con, job.schema, source, key_dimensions=job.info.key_dimensions)
    job.progress("summary", 0.9)
    build_summary(con, job.schema)
    con.execute(f"CREATE TABLE sync_log AS {_sync_rows(job)}")
    con.execute("CREATE TABLE info (key VARCHAR, value VARCHAR)")
    con.executemany(
        "INSERT INTO info VALUES (?, ?)",
        [
            ("format", FORMAT),
            ("dataset", job.info.dataset),
            ("version", str(job.info.version)),
            ("model", job.info.model_text),
            ("key_dimensions", "1" if job.info.key_dimensions else ""),
            ("files", json.dumps([os.path.relpath(f, job.folder) for f in job.files])),
        ],
    )
    con.execute("CHECKPOINT")


def _source(con: duckdb.DuckDBPyConnection, job: BuildJob) -> str:
    """A SELECT of the lake's columns; a column that no file has is NULL."""
    if not job.files:
        raise LakeError(f"version {job.info.version} of {job.info.dataset} has no data files")
    scan = f"read_parquet({file_list(job.files)}, union_by_name=true, hive_partitioning=false)"
    present = {row[0] for row in con.execute(f"DESCRIBE SELECT * FROM {scan}").fetchall()}
    fields = []
    for column, kind in job.schema.lake_types.items():
        value = quote(column) if column in present else "NULL"
        value = f"CAST({value} AS {kind})"
        if column in job.schema.ids:
            value = f"COALESCE({value}, '')"
        fields.append(f"{value} AS {quote(column)}")
    return f"SELECT {', '.join(fields)} FROM {scan}"


def _column_stats(con: duckdb.DuckDBPyConnection, schema: FactSchema, source: str) -> dict[str, bool]:
    """Metric column -> whether every value is a whole number that a BIGINT keeps exactly."""
    columns = [m.key for m in schema.stored if not is_money(m)]
    if not columns:
        return {}
    tests = ", ".join(
        f"bool_and({quote(c)} = trunc({quote(c)}) AND abs({quote(c)}) < {_LARGEST_EXACT})" for c in columns
    )
    row = con.execute(f"SELECT {tests} FROM ({source})").fetchone()
    assert row is not None  # noqa: S101 - an aggregate without GROUP BY gives one row
    return {c: bool(whole) for c, whole in zip(columns, row, strict=True)}


def _fact_sql(schema: FactSchema, source: str, is_whole: dict[str, bool]) -> str:
    fields = [DATE, f"CAST({SCOPE} AS scope_name) AS {SCOPE}"]
    fields += [quote(c) for c in schema.text_columns]
    for metric in schema.stored:
        whole = metric.additivity.kind == "sum" and is_whole.get(metric.key, False)
        kind = MONEY if is_money(metric) else "BIGINT" if whole else "DOUBLE"
        fields.append(f"CAST({quote(metric.key)} AS {kind}) AS {quote(metric.key)}")
    order = f"CAST({SCOPE} AS scope_name), {names((DATE, *schema.ids, DUP))}"
    return f"CREATE TABLE fact AS SELECT {', '.join(fields)}, {DUP} FROM ({source}) ORDER BY {order}"


def _sync_rows(job: BuildJob) -> str:
    file = job.info.sync_file
    return sync_log.stored(job.folder, file if file and (job.folder / file).exists() else "")


__all__ = ["FORMAT", "RAW", "BuildJob", "Progress", "Stage", "build"]
