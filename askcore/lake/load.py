"""One delivery into the lake: stage, compare with the stored rows, replace the touched months atomically."""

from __future__ import annotations

# ruff: noqa: S608 - identifiers are quoted by `sql.quote`, text by `sql.literal`
import json
import os
import shutil
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from askcore.base.errors import BadRequest, LakeError
from askcore.lake import delta, shapes, sync_log
from askcore.lake.delivery import Delivery, LoadReport
from askcore.lake.lock import exclusive
from askcore.lake.schema import DATE, DUP, MONTH, SCOPE, FactSchema
from askcore.lake.sql import QUIET, file_list, names, quote, same_key
from askcore.lake.stage import Staged, stage_delivery
from askcore.lake.versions import VersionInfo, facts_dir, latest_version, read_version
from askcore.semantic.dump import dump_model

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa
    from deltalake import DeltaTable

Checkpoint = Callable[[str], None]
"""Called with "locked", "staged", "merged", "writing", "committed"; tests kill the process there."""
_ATTEMPTS = 4  # our own loads queue at a lock; only a foreign writer can be faster, and rarely twice
_MEMORY = "1GB"  # of DuckDB while it compares a delivery; beyond it, rows go to disk
_BATCH_ROWS = 100_000  # rows handed to the Delta writer at once


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadJob:
    """Everything one load needs."""

    lake_dir: Path
    dataset: str
    delivery: Delivery
    schema: FactSchema
    retention_days: int
    checkpoint: Checkpoint
    dry_run: bool

    @property
    def folder(self) -> Path:
        """The dataset's folder."""
        return self.lake_dir / self.dataset


@dataclass(frozen=True, slots=True, kw_only=True)
class _Change:
    """How the staged rows differ from the stored ones."""

    added: int
    changed: int
    unchanged: int
    removed: int
    row_count: int
    months: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        return self.added == self.changed == self.removed == 0


@dataclass(frozen=True, slots=True)
class _Written:
    """What one commit holds."""

    staged: Staged
    types: dict[str, str]
    sync: sync_log.SyncUpdate
    shape: dict[str, Any]


def load(job: LoadJob) -> LoadReport:
    """Load the delivery. Raises: BadRequest, or LakeError when others keep being faster."""
    job.schema.check()
    if job.dry_run:
        return _attempt(job)
    with exclusive(job.folder / ".load.lock"):
        job.checkpoint("locked")
        for _ in range(_ATTEMPTS):
            try:
                return _attempt(job)
            except delta.CommitConflict as e:
                conflict = e
        raise LakeError(f"loading {job.dataset} was overtaken {_ATTEMPTS} times") from conflict


def _attempt(job: LoadJob) -> LoadReport:
    import duckdb

    latest = latest_version(job.lake_dir, job.dataset)
    before = None if latest is None else read_version(job.lake_dir, job.dataset, latest)
    path = facts_dir(job.lake_dir, job.dataset)
    table = delta.open_table(path, latest) if delta.exists(path) else None
    try:
        with duckdb.connect(config=_config(job)) as con:
            con.execute(QUIET)
            staged = stage_delivery(
                con,
                job.delivery.table,
                job.schema,
                key_dimensions=before is not None and before.key_dimensions,
            )
            job.checkpoint("staged")
            types = _types(job.schema, table)
            change = _compare(con, job, staged, table, before, types)
            job.checkpoint("merged")
            report = _report(job, staged, change, before)
            sync = sync_log.merged(con, job.folder, before, job.delivery.sync_rows)
            if job.dry_run or _nothing_new(job, change, before, sync):
                return report
            shape = shapes.taken(con, job.delivery.table, job.schema, staged.ignored, before)
            return _commit(con, job, report, _Written(staged, types, sync, shape))
    except duckdb.Error as e:
        raise BadRequest(f"the delivery cannot be loaded: {e}") from e


def _config(job: LoadJob) -> dict[str, str | bool | int | float | list[str]]:
    """Large deliveries spill to the dataset's folder; what a killed load left there is removed."""
    spill = job.folder / ".spill"
    if not job.dry_run:
        shutil.rmtree(spill, ignore_errors=True)
    return {"memory_limit": _MEMORY, "temp_directory": str(spill)}


def _types(schema: FactSchema, table: DeltaTable | None) -> dict[str, str]:
    """Columns to write: those stored so far keep their type, new ones follow."""
    stored = {} if table is None else delta.column_types(table)
    return stored | {c: t for c, t in schema.lake_types.items() if c not in stored}


def _compare(
    con: duckdb.DuckDBPyConnection,
    job: LoadJob,
    staged: Staged,
    table: DeltaTable | None,
    before: VersionInfo | None,
    types: dict[str, str],
) -> _Change:
    """Fill `old` with the stored rows of the touched months and count the differences."""
    found = con.execute(f"SELECT DISTINCT strftime({DATE}, '%Y-%m') FROM stage ORDER BY 1").fetchall()
    months = tuple(row[0] for row in found)
    files = [] if table is None else delta.files_of(table, months)
    con.execute(f"CREATE TEMP TABLE old AS {_old_rows(files, types, job.schema)}")
    key = job.schema.key(with_dimensions=staged.key_dimensions)
    compared = [c for c in job.schema.lake_types if c not in (*key, DUP)]
    casts = {c: f"CAST(s.{quote(c)} AS {types[c]})" for c in compared}
    same = " AND ".join(f"{sql} IS NOT DISTINCT FROM o.{quote(c)}" for c, sql in casts.items())
    joined = f"stage s LEFT JOIN old o ON {same_key((*key, DUP), 's', 'o')}"
    added, unchanged, delivered = _row(
        con,
        f"SELECT count(*) FILTER (o.{DATE} IS NULL), "
        f"count(*) FILTER (o.{DATE} IS NOT NULL AND {same or 'true'}), count(*) FROM {joined}",
    )
    held = f"EXISTS (SELECT 1 FROM stage s WHERE {same_key(key, 's', 'o')})"
    replaced = _row(con, f"SELECT count(*) FROM old o WHERE {held}")[0]
    total = 0 if before is None else before.row_count
    return _Change(
        added=added,
        changed=delivered - added - unchanged,
        unchanged=unchanged,
        removed=replaced - (delivered - added),
        row_count=total - replaced + staged.rows,
        months=months,
    )


def _old_rows(files: list[str], types: dict[str, str], schema: FactSchema) -> str:
    if not files:
        empty = ", ".join(f"CAST(NULL AS {t}) AS {quote(c)}" for c, t in types.items())
        return f"SELECT {empty} WHERE false"
    source = f"read_parquet({file_list(files)}, union_by_name=true, hive_partitioning=false)"
    return f"SELECT {_readable(files, types, schema)} FROM {source}"


def _readable(files: list[str], types: dict[str, str], schema: FactSchema) -> str:
    """Select list over old files; a column that no file has is NULL, an id that is new is ''."""
    import pyarrow.parquet as pq

    present = {name for f in files for name in pq.read_schema(f).names}
    found = []
    for column, kind in types.items():
        source = quote(column) if column in present else f"CAST(NULL AS {kind})"
        if column in schema.ids:
            source = f"COALESCE({source}, '')"
        found.append(f"{source} AS {quote(column)}")
    return ", ".join(found)


def _row(con: duckdb.DuckDBPyConnection, sql: str) -> tuple[Any, ...]:
    row = con.execute(sql).fetchone()
    assert row is not None  # noqa: S101 - an aggregate without GROUP BY gives one row
    return row


def _nothing_new(
    job: LoadJob, change: _Change, before: VersionInfo | None, sync: sync_log.SyncUpdate
) -> bool:
    return (
        before is not None
        and change.is_empty
        and not sync.is_changed
        and before.model_text == dump_model(job.schema.model)
    )


def _report(job: LoadJob, staged: Staged, change: _Change, before: VersionInfo | None) -> LoadReport:
    return LoadReport(
        dataset=job.dataset,
        version=None if before is None else before.version,
        committed=False,
        rows_added=change.added,
        rows_changed=change.changed,
        rows_unchanged=change.unchanged,
        rows_removed=change.removed,
        rows_rejected=staged.rejected,
        rows_doubled=staged.doubled,
        row_count=change.row_count,
        months=change.months,
        ignored_columns=staged.ignored,
        missing_metrics=staged.missing_metrics,
        warnings=staged.warnings,
    )


def _commit(
    con: duckdb.DuckDBPyConnection,
    job: LoadJob,
    report: LoadReport,
    written: _Written,
) -> LoadReport:
    path = facts_dir(job.lake_dir, job.dataset)
    model_text = dump_model(job.schema.model)
    staged, types = written.staged, written.types
    sync_file = written.sync.write(con, job.folder)
    entry = {
        "model": model_text,
        "row_count": report.row_count,
        "rows_added": report.rows_added,
        "rows_changed": report.rows_changed,
        "rows_unchanged": report.rows_unchanged,
        "key_dimensions": staged.key_dimensions,
        "synthetic": job.schema.model.is_synthetic,
        "sync_file": sync_file,
        "shape": written.shape,
    }
    if not delta.exists(path):
        delta.create_table(path, types, job.retention_days)
    table = delta.open_table(path, report.version)
    rows = _watched(con.sql(_merged_rows(job, staged, types)).to_arrow_reader(_BATCH_ROWS), job)
    version = delta.commit(table, rows, months=report.months, entry=json.dumps(entry, ensure_ascii=False))
    job.checkpoint("committed")
    _write_text(job.folder / "model.yaml", model_text)
    return replace(report, version=version, committed=True)


def _merged_rows(job: LoadJob, staged: Staged, types: dict[str, str]) -> str:
    """Old rows whose key is not delivered, then the delivery, sorted for readers of the Delta table."""
    key = job.schema.key(with_dimensions=staged.key_dimensions)
    columns = ", ".join(
        f"CAST(s.{quote(c)} AS {t}) AS {quote(c)}"
        if c in job.schema.lake_types
        else f"CAST(NULL AS {t}) AS {quote(c)}"
        for c, t in types.items()
    )
    kept = f"NOT EXISTS (SELECT 1 FROM stage s WHERE {same_key(key, 's', 'o')})"
    month = f"strftime({DATE}, '%Y-%m') AS {MONTH}"
    return (
        f"SELECT *, {month} FROM (SELECT {names(types, 'o')} FROM old o WHERE {kept} "
        f"UNION ALL SELECT {columns} FROM stage s) "
        f"ORDER BY {MONTH}, {names((SCOPE, DATE, *job.schema.ids, DUP))}"
    )


def _watched(reader: pa.RecordBatchReader, job: LoadJob) -> pa.RecordBatchReader:
    """The same batches, with the checkpoint "writing" before each."""
    import pyarrow as pa

    def batches() -> Iterator[pa.RecordBatch]:
        for batch in reader:
            job.checkpoint("writing")
            yield batch

    return pa.RecordBatchReader.from_batches(reader.schema, batches())


def _write_text(path: Path, text: str) -> None:
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    temporary.write_text(text, encoding="utf-8")
    os.replace(temporary, path)  # noqa: PTH105 - atomic on every system
