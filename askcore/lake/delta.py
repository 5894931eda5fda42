"""The Delta table of a dataset: its files at a version, and one atomic commit a load.

`to_pyarrow_*` and `to_pandas` of deltalake abort the interpreter at exit; rows are read by DuckDB from
`file_uris()`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from askcore.base.errors import LakeError
from askcore.lake.schema import MONTH
from askcore.lake.sql import MONEY
from askcore.lake.versions import COMMIT_KEY, commit_numbers

if TYPE_CHECKING:
    import pyarrow as pa
    from deltalake import DeltaTable

_TO_SQL = {"string": "VARCHAR", "double": "DOUBLE", "date": "DATE", "integer": "INTEGER"}


class CommitConflict(LakeError):
    """Another writer committed to the same months first."""


@contextmanager
def delta_errors(action: str) -> Iterator[None]:
    """Translate the driver's errors."""
    from deltalake.exceptions import CommitFailedError, DeltaError

    try:
        yield
    except CommitFailedError as e:
        raise CommitConflict(f"{action}: another load was faster") from e
    except (DeltaError, OSError) as e:
        raise LakeError(f"{action} failed: {e}") from e


def exists(path: Path) -> bool:
    """Whether there is a table, perhaps still empty."""
    return bool(commit_numbers(path))


def open_table(path: Path, version: int | None = None) -> DeltaTable:
    """The table at `version`, or at its newest. Raises: LakeError when it is not there."""
    from deltalake import DeltaTable

    with delta_errors("opening the lake table"):
        return DeltaTable(str(path), version=version)


def create_table(path: Path, types: Mapping[str, str], retention_days: int) -> DeltaTable:
    """An empty table (version 0), partitioned by month."""
    from deltalake import DeltaTable

    if any(c in "%*?[]" for c in str(path)):
        raise LakeError(f"the lake cannot live under {path}: the path has one of % * ? [ ]")
    keep = f"interval {retention_days} days"
    with delta_errors("creating the lake table"):
        return DeltaTable.create(
            str(path),
            schema=_arrow_schema(types),
            mode="ignore",
            partition_by=[MONTH],
            configuration={
                "delta.logRetentionDuration": keep,
                "delta.deletedFileRetentionDuration": keep,
            },
        )


def _arrow_schema(types: Mapping[str, str]) -> pa.Schema:
    import pyarrow as pa

    to_arrow = {
        "VARCHAR": pa.string(),
        "DOUBLE": pa.float64(),
        "DATE": pa.date32(),
        "INTEGER": pa.int32(),
        MONEY: pa.decimal128(18, 4),
    }
    fields = [pa.field(name, to_arrow[kind]) for name, kind in types.items()]
    return pa.schema([*fields, pa.field(MONTH, pa.string())])


def column_types(table: DeltaTable) -> dict[str, str]:
    """Column -> DuckDB type of everything but the partition column."""
    found = {}
    for field in table.schema().fields:
        if field.name != MONTH:
            kind = str(getattr(field.type, "type", field.type))
            found[field.name] = _TO_SQL.get(kind) or kind.upper()
    return found


def files_of(table: DeltaTable, months: Sequence[str] | None = None) -> list[str]:
    """Local paths of the data files, of some months or of all."""
    if months is None:
        uris = table.file_uris()
    elif not months:
        return []
    else:
        uris = table.file_uris(file_pruning_predicate=[(MONTH, "in", list(months))])
    return [_local(uri) for uri in uris]


def _local(uri: str) -> str:
    """A path for DuckDB; existing paths are left alone, file URIs are decoded."""
    if Path(uri).exists():
        return uri
    return unquote(uri.removeprefix("file://"))


def commit(
    table: DeltaTable,
    rows: pa.RecordBatchReader,
    *,
    months: Sequence[str],
    entry: str,
) -> int:
    """Replace the given months by `rows` in one commit; entry: our metadata as JSON text.

    Returns: the new version. Raises: CommitConflict when another writer was faster.
    """
    from deltalake import CommitProperties, write_deltalake

    listed = ", ".join(f"'{m}'" for m in months)  # YYYY-MM, made from dates
    properties: Any = CommitProperties(custom_metadata={COMMIT_KEY: entry}, max_commit_retries=0)
    with delta_errors("writing the lake table"):
        write_deltalake(
            table,
            rows,
            mode="overwrite",
            predicate=f"{MONTH} IN ({listed})",
            schema_mode="merge",
            commit_properties=properties,
        )
    return int(table.version())
