"""A file as it was read: named columns of text (or Parquet's own types) with their row numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from askcore.lake.ingest.message import Message

MAX_LISTED = 200  # skipped rows listed per file; the rest is counted in one line


@dataclass(frozen=True, slots=True, kw_only=True)
class SkippedRow:
    """A row that is not loaded. `row` counts from 1 as a spreadsheet shows it."""

    row: int
    why: Message


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RawTable:
    """One file, or one sheet, below its header."""

    path: str
    names: tuple[str, ...]
    columns: tuple[pa.ChunkedArray, ...]
    """Same order as `names`; text where the format has no types, "" never (it is null)."""
    rows: pa.Array
    """int64: the row number of each record."""
    encoding: str | None = None
    sheet: str | None = None
    header_row: int = 1
    title: str = ""
    """Text above the header: may name the money unit."""
    delimiter: str = ""
    skipped: tuple[SkippedRow, ...] = ()
    """Records that cannot belong to the table, e.g. with too few cells."""
    decisions: tuple[Message, ...] = ()
    warnings: tuple[Message, ...] = ()

    @property
    def row_count(self) -> int:
        """Records that are here, without `skipped`."""
        return len(self.rows)

    def column(self, name: str) -> pa.ChunkedArray:
        """The column called `name`."""
        return self.columns[self.names.index(name)]


@dataclass(slots=True)
class TextColumns:
    """Collects records into text columns, a chunk at a time, so that memory stays near the data's size."""

    width: int
    chunks: list[list[pa.Array]] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.chunks = [[] for _ in range(self.width)]

    def add(self, records: Sequence[Sequence[str]], rows: Sequence[int]) -> None:
        """Append records that all have `width` cells."""
        if not records:
            return
        for chunk, cells in zip(self.chunks, zip(*records, strict=True), strict=True):
            chunk.append(clean_text(pa.array(cells, pa.string())))
        self.rows.extend(rows)

    def columns(self) -> tuple[pa.ChunkedArray, ...]:
        """The columns so far, each in one piece; the pieces are given up on the way."""
        found = []
        for chunks in self.chunks:
            whole = pa.concat_arrays(chunks) if chunks else pa.array([], pa.string())
            chunks.clear()
            found.append(pa.chunked_array([whole]))
        return tuple(found)

    def row_numbers(self) -> pa.Array:
        """Their row numbers."""
        return pa.array(self.rows, pa.int64())


def clean_text(cells: Any) -> Any:
    """Trimmed; an empty cell is null, never 0."""
    trimmed = pc.utf8_trim_whitespace(cells)
    return pc.if_else(pc.equal(trimmed, ""), pa.scalar(None, pa.string()), trimmed)
