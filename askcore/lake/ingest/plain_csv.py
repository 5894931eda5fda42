"""The fast way to read a CSV: for UTF-8 files without quotes, where a line is a record.

Gives the same columns as `csv_reader` several times faster, or None when a record needs a closer look.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from askcore.lake.ingest.raw_table import clean_text

_CHUNK = 1 << 22
_WORTHWHILE = 1 << 20  # smaller files are read before this module is imported


def is_plain(path: Path, encoding: str) -> bool:
    """Whether a line is a record: UTF-8 and no quote in the whole file."""
    if encoding not in ("utf-8", "utf-8-sig") or path.stat().st_size < _WORTHWHILE:
        return False
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            if b'"' in chunk:
                return False
    return True


def read_plain(path: Path, delimiter: str, skip: int, width: int) -> Sequence[pa.ChunkedArray] | None:
    """Text columns below the first `skip` lines; None when a record is blank or of another width."""
    from pyarrow import csv

    names = [str(i) for i in range(width)]
    try:
        table = csv.read_csv(
            path,
            read_options=csv.ReadOptions(skip_rows=skip, column_names=names, block_size=_CHUNK),
            parse_options=csv.ParseOptions(delimiter=delimiter, quote_char=False, ignore_empty_lines=False),
            convert_options=csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False
            ),
        )
    except pa.ArrowInvalid:
        return None
    columns: list[Any] = [clean_text(pa.chunked_array([pa.concat_arrays(c.chunks)])) for c in table.columns]
    filled = columns[0].is_valid()
    for column in columns[1:]:
        filled = pc.or_(filled, column.is_valid())
    return columns if pc.all(filled, min_count=0).as_py() else None
