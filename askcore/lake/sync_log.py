"""The sync log of a dataset: one Parquet file a version, named by the commit that it belongs to."""

from __future__ import annotations

# ruff: noqa: S608 - identifiers are quoted by `sql.quote`, text by `sql.literal`
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from askcore.lake.delivery import SYNC_COLUMNS
from askcore.lake.sql import literal, quote
from askcore.lake.versions import VersionInfo

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

_TYPES = {
    "time": "TIMESTAMP",
    "entity": "VARCHAR",
    "state": "VARCHAR",
    "rows": "BIGINT",
    "message": "VARCHAR",
}
_FOLDER = "sync"


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncUpdate:
    """The log after a load; its rows are in the temporary table `sync`."""

    is_changed: bool
    current: str
    """File of the version before; "" when there is none."""

    def write(self, con: duckdb.DuckDBPyConnection, folder: Path) -> str:
        """Store the rows when they changed. Returns: the file, relative to the dataset's folder."""
        if not self.is_changed:
            return self.current
        name = f"{_FOLDER}/{uuid.uuid4().hex}.parquet"
        (folder / _FOLDER).mkdir(parents=True, exist_ok=True)
        con.execute(f"COPY sync TO {literal(str(folder / name))} (FORMAT parquet)")
        return name


def merged(
    con: duckdb.DuckDBPyConnection,
    folder: Path,
    before: VersionInfo | None,
    rows: pa.Table | None,
) -> SyncUpdate:
    """Fill the table `sync` with the stored rows and the delivered ones, each once."""
    current = "" if before is None else before.sync_file
    con.execute(f"CREATE TEMP TABLE sync AS {stored(folder, current)}")
    if rows is None or rows.num_rows == 0:
        return SyncUpdate(is_changed=False, current=current)
    con.register("delivered_sync", rows)
    known = {c.lower(): c for c in rows.column_names}
    fields = ", ".join(
        f"TRY_CAST({quote(known[c]) if c in known else 'NULL'} AS {t}) AS {quote(c)}"
        for c, t in _TYPES.items()
    )
    counted = con.execute("SELECT count(*) FROM sync").fetchone()
    con.execute(
        f"INSERT INTO sync SELECT * FROM (SELECT {fields} FROM delivered_sync "
        f"WHERE TRY_CAST({quote(known.get('time', 'time'))} AS TIMESTAMP) IS NOT NULL "
        f"EXCEPT SELECT * FROM sync) ORDER BY time, entity"
    )
    return SyncUpdate(
        is_changed=con.execute("SELECT count(*) FROM sync").fetchone() != counted, current=current
    )


def stored(folder: Path, file: str) -> str:
    """A SELECT over the log in `file`; no rows when `file` is ""."""
    if not file:
        empty = ", ".join(f"CAST(NULL AS {t}) AS {quote(c)}" for c, t in _TYPES.items())
        return f"SELECT {empty} WHERE false"
    columns = ", ".join(quote(c) for c in SYNC_COLUMNS)
    return f"SELECT {columns} FROM read_parquet({literal(str(folder / file))})"
