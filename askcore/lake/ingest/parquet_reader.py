"""Parquet -> `RawTable`: types become text that reads back to the same value; nested columns are skipped."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from askcore.lake.ingest.message import Message, Refusal, message
from askcore.lake.ingest.raw_table import RawTable, clean_text


def read_parquet(path: Path, name: str) -> RawTable:
    """One Parquet file. Raises: Refusal when it is damaged or has no columns or rows."""
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(path, partitioning=None)
    except (pa.ArrowException, OSError) as e:
        raise Refusal("parquet_broken", path=name, problem=str(e).splitlines()[0]) from e
    if table.num_columns == 0:
        raise Refusal("empty_file", path=name)
    names: list[str] = []
    columns: list[pa.ChunkedArray] = []
    notes: list[Message] = []
    for column_name, column in zip(table.column_names, table.columns, strict=True):
        text = _as_text(column)
        if text is None:
            notes.append(message("nested_column", name=column_name, type=str(column.type)))
            continue
        names.append(column_name)
        columns.append(text)
    doubled = sorted({n for n in names if [m.casefold() for m in names].count(n.casefold()) > 1})
    if doubled:
        raise Refusal("doubled_names", path=name, names=", ".join(doubled))
    return RawTable(
        path=name,
        names=tuple(names),
        columns=tuple(columns),
        rows=pa.array(range(1, table.num_rows + 1), pa.int64()),
        header_row=0,
        warnings=tuple(notes),
    )


def _as_text(column: pa.ChunkedArray) -> pa.ChunkedArray | None:
    kind = column.type
    if pa.types.is_dictionary(kind):
        return _as_text(pc.cast(column, kind.value_type))
    if pa.types.is_timestamp(kind):
        return _days(column)
    if pa.types.is_boolean(kind):
        return pc.cast(pc.cast(column, pa.int8()), pa.string())
    if pa.types.is_nested(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        return None
    return clean_text(pc.cast(column, pa.string()))


def _days(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """ISO days, with the time of day only where there is one."""
    local = pc.local_timestamp(column) if column.type.tz else column
    seconds = pc.cast(local, pa.timestamp("s"), safe=False)
    days = pc.cast(pc.cast(seconds, pa.date32()), pa.string())
    is_midnight = pc.equal(pc.floor_temporal(local, unit="day"), local)
    return pc.if_else(is_midnight, days, pc.cast(seconds, pa.string()))
