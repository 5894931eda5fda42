"""A second reader: plain statements over the lake's own files, past serving file and query builder."""

from __future__ import annotations

# ruff: noqa: S608 - file names are quoted by `sql.literal`; the statement is its caller's own
import re
import threading
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from askcore.base.values import Period
from askcore.lake.schema import MONTH
from askcore.lake.sql import QUIET, file_list

if TYPE_CHECKING:
    import duckdb

TABLE = "stored"
_MONTH_OF = re.compile(rf"[/\\]{MONTH}=(\d{{4}}-\d{{2}})[/\\]")
_LOCK = threading.Lock()


def files_of_period(files: Sequence[str], period: Period) -> tuple[str, ...]:
    """The data files whose month touches the period; files without a month in their path are all kept."""
    first, last = f"{period.start:%Y-%m}", f"{period.end:%Y-%m}"
    kept = []
    for file in files:
        month = _MONTH_OF.search(file)
        if month is None or first <= month[1] <= last:
            kept.append(file)
    return tuple(kept)


def with_stored(sql: str, files: Sequence[str]) -> str:
    """The statement with the table `stored`: all rows of the files, doubled ones included."""
    scan = f"read_parquet({file_list(files)}, union_by_name=true, hive_partitioning=false)"
    return f"WITH {TABLE} AS (SELECT * FROM {scan}) {sql}"


def cursor() -> duckdb.DuckDBPyConnection:
    """A cursor of the process's one instance for files; it holds no data of its own."""
    with _LOCK:
        return _instance().cursor()


@cache
def _instance() -> duckdb.DuckDBPyConnection:
    import duckdb

    con = duckdb.connect(config={"threads": 2, "memory_limit": "512MB"})
    con.execute(QUIET)
    con.execute("SET parquet_metadata_cache = true")  # a lake's files are written once
    return con
