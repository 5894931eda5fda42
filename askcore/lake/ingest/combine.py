"""Files of one delivery as one table of text columns; each record remembers its file and row."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from askcore.lake.ingest.message import Message, Refusal, message
from askcore.lake.ingest.numbers import NumberReading, read_numbers
from askcore.lake.ingest.raw_table import MAX_LISTED, RawTable, SkippedRow
from askcore.lake.ingest.words import normal

Mask = npt.NDArray[np.bool_]


@dataclass(eq=False)
class Records:
    """All records of a delivery, as text."""

    columns: Mapping[str, pa.ChunkedArray]
    """Header name -> cells; all of the same length."""
    rows: npt.NDArray[np.int64]
    files: npt.NDArray[np.int64]
    """Index of the file of each record."""
    title: str = ""
    comma_suspect: bool = False
    _numbers: dict[str, NumberReading] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Header names in order."""
        return tuple(self.columns)

    def numbers(self, name: str) -> NumberReading:
        """The column read as numbers, once."""
        if name not in self._numbers:
            self._numbers[name] = read_numbers(self.columns[name], comma_suspect=self.comma_suspect)
        return self._numbers[name]

    def counts(self, name: str) -> dict[str, int]:
        """Distinct cells of a column and how often each occurs."""
        found = pc.value_counts(self.columns[name].drop_null())
        values, counts = found.field(0).to_pylist(), found.field(1).to_pylist()
        return dict(zip(values, counts, strict=True))

    def keep(self, mask: Mask) -> Records:
        """The records where `mask` is true."""
        if mask.all():
            return self
        chosen = pa.array(mask)
        return Records(
            columns={n: c.filter(chosen) for n, c in self.columns.items()},
            rows=self.rows[mask],
            files=self.files[mask],
            title=self.title,
            comma_suspect=self.comma_suspect,
        )


@dataclass(eq=False)
class Ledger:
    """Which records are left out, and why."""

    skipped: dict[int, list[SkippedRow]] = field(default_factory=dict)
    """File index -> rows, at most `MAX_LISTED` a file."""
    totals: dict[int, int] = field(default_factory=dict)
    rejected: dict[int, int] = field(default_factory=dict)

    def drop(
        self, records: Records, mask: Mask, why: Callable[[int], Message], *, is_total: bool = False
    ) -> Records:
        """The records without those of `mask`, which are noted with their reason."""
        if not mask.any():
            return records
        counts = self.totals if is_total else self.rejected
        for index in np.flatnonzero(mask):
            file = int(records.files[index])
            counts[file] = counts.get(file, 0) + 1
            listed = self.skipped.setdefault(file, [])
            if len(listed) < MAX_LISTED:
                listed.append(SkippedRow(row=int(records.rows[index]), why=why(int(index))))
        return records.keep(~mask)

    def left_out(self, file: int) -> int:
        """Records of one file that are not loaded."""
        return self.totals.get(file, 0) + self.rejected.get(file, 0)


def combine(tables: Sequence[RawTable], *, may_differ: bool) -> tuple[Records, tuple[Message, ...]]:
    """All tables below each other, by header name.

    may_differ: a known model decides what each file holds, so a column that one file lacks is null there.
    Raises: Refusal when the headers differ otherwise, or no table has a record.
    """
    if not any(t.row_count for t in tables):
        raise Refusal("no_rows", path=", ".join(t.path for t in tables))
    names, notes = _names(tables, may_differ)
    columns = {n: _stacked(tables, n) for n in names}
    return Records(
        columns=columns,
        rows=np.concatenate([t.rows.to_numpy() for t in tables]),
        files=np.repeat(np.arange(len(tables)), [t.row_count for t in tables]),
        title=" ".join(t.title for t in tables if t.title),
        comma_suspect=any(t.delimiter == ";" for t in tables),
    ), notes


def _names(tables: Sequence[RawTable], may_differ: bool) -> tuple[dict[str, None], tuple[Message, ...]]:
    first = {normal(n): n for n in tables[0].names}
    found = dict.fromkeys(tables[0].names)
    notes: list[Message] = []
    for table in tables[1:]:
        own = {normal(n): n for n in table.names}
        if own.keys() == first.keys():
            continue
        odd = [own.get(k, first.get(k, k)) for k in sorted(own.keys() ^ first.keys())]
        if not may_differ:
            raise Refusal("files_differ", a=tables[0].path, b=table.path, names=", ".join(odd))
        notes.append(message("columns_differ", a=tables[0].path, b=table.path, names=", ".join(odd)))
        for key, name in own.items():
            if key not in first:
                first[key] = name
                found[name] = None
    return found, tuple(notes)


def _stacked(tables: Sequence[RawTable], name: str) -> pa.ChunkedArray:
    key = normal(name)
    chunks: list[pa.Array] = []
    for table in tables:
        own = next((n for n in table.names if normal(n) == key), None)
        if own is None:
            chunks.append(pa.nulls(table.row_count, pa.string()))
        else:
            chunks.extend(table.column(own).chunks)
    whole = chunks[0] if len(chunks) == 1 else pa.concat_arrays(chunks)
    return pa.chunked_array([whole])
