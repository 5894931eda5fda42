"""Delimited text -> `RawTable`, a chunk at a time; broken quoting and ragged rows are named, not patched."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TextIO

import numpy as np
import pyarrow as pa

from askcore.lake.ingest.encoding import PROVEN, detect_encoding, magic_of
from askcore.lake.ingest.header import HEAD_ROWS, Header, find_header
from askcore.lake.ingest.message import Message, Refusal, message
from askcore.lake.ingest.plain_csv import is_plain, read_plain
from askcore.lake.ingest.raw_table import RawTable, SkippedRow, TextColumns

DELIMITERS = (",", ";", "\t", "|")
_CHUNK_ROWS = 50_000
_MAX_RAGGED = 0.5


@dataclass(slots=True)
class _Tally:
    """What was met on the way."""

    blank: int = 0
    ragged: int = 0
    skipped: list[SkippedRow] | None = None


def read_csv(path: Path, name: str) -> RawTable:
    """One CSV, TSV, `;` or `|` file.

    Raises: Refusal naming the place when it is binary, empty, badly quoted or has no clear header.
    """
    if path.stat().st_size == 0:
        raise Refusal("empty_file", path=name)
    magic = magic_of(path)
    if magic is not None:
        raise Refusal("wrong_kind", path=name, kind=magic)
    encoding = detect_encoding(path, name)
    delimiter, head = _sniff(path, encoding, name)
    header = find_header(head, name)
    columns, rows, tally = _records(path, encoding, delimiter, header, name)
    return RawTable(
        path=name,
        names=header.names,
        columns=tuple(columns[i] for i in header.kept),
        rows=rows,
        encoding=encoding,
        header_row=header.row,
        title=header.title,
        delimiter=delimiter,
        skipped=tuple(tally.skipped or ()),
        decisions=(*header.decisions, *_blank_note(tally)),
        warnings=() if encoding in PROVEN else (message("encoding_guessed", encoding=encoding),),
    )


def _records(
    path: Path, encoding: str, delimiter: str, header: Header, name: str
) -> tuple[Sequence[pa.ChunkedArray], pa.Array, _Tally]:
    """Columns, row numbers and what was left out, the fast way where every line is a good record."""
    if is_plain(path, encoding):
        columns = read_plain(path, delimiter, header.row, header.width)
        if columns is not None and len(columns[0]):
            first = header.row + 1
            return columns, pa.array(np.arange(first, first + len(columns[0]))), _Tally()
    cells, tally = _read(path, encoding, delimiter, header, name)
    return cells.columns(), cells.row_numbers(), tally


def _blank_note(tally: _Tally) -> tuple[Message, ...]:
    return (message("blank_rows", count=tally.blank),) if tally.blank else ()


def _open(path: Path, encoding: str) -> TextIO:
    return path.open(encoding=encoding, newline="")


def _sniff(path: Path, encoding: str, name: str) -> tuple[str, list[list[str]]]:
    """The delimiter that gives the widest regular rows, and the first records read with it."""
    best: tuple[int, str, list[list[str]]] | None = None
    problem: Exception | None = None
    for delimiter in DELIMITERS:
        try:
            with _open(path, encoding) as file:
                head = list(islice(_reader(file, delimiter), HEAD_ROWS))
        except csv.Error as e:
            problem = problem or e
            continue
        score = _regular_width(head)
        if best is None or score > best[0]:
            best = (score, delimiter, head)
    if best is None or (best[0] == 0 and problem is not None):
        raise Refusal("csv_broken", path=name, row="?", problem=str(problem)) from problem
    if not any(any(c.strip() for c in r) for r in best[2]):
        raise Refusal("empty_file", path=name)
    return best[1], best[2]


def _reader(file: TextIO, delimiter: str) -> Iterator[list[str]]:
    return csv.reader(file, delimiter=delimiter, strict=True)


def _regular_width(head: Sequence[Sequence[str]]) -> int:
    """Records of the commonest width times that width; 0 when nothing is split."""
    widths = [len(r) for r in head if len(r) > 1]
    if not widths:
        return 0
    common = max(set(widths), key=widths.count)
    return widths.count(common) * common


def _read(path: Path, encoding: str, delimiter: str, header: Header, name: str) -> tuple[TextColumns, _Tally]:
    cells = TextColumns(width=header.width)
    tally = _Tally(skipped=[])
    row = 0
    with _open(path, encoding) as file:
        reader = _reader(file, delimiter)
        try:
            for _ in range(header.row):
                row += 1
                next(reader)
            while chunk := list(islice(reader, _CHUNK_ROWS)):
                _take(chunk, row + 1, cells, tally)
                row += len(chunk)
        except (csv.Error, UnicodeDecodeError) as e:
            raise Refusal("csv_broken", path=name, row=row + 1, problem=str(e)) from e
    if tally.ragged > _MAX_RAGGED * max(1, len(cells.rows) + tally.ragged):
        raise Refusal("ragged", path=name, count=tally.ragged, width=header.width)
    return cells, tally


def _take(chunk: list[list[str]], first: int, cells: TextColumns, tally: _Tally) -> None:
    """Sort records into good, blank and ragged ones."""
    width = cells.width
    if all(len(r) == width for r in chunk) and all(any(r) for r in chunk):
        cells.add(chunk, range(first, first + len(chunk)))
        return
    good: list[list[str]] = []
    rows: list[int] = []
    for number, record in enumerate(chunk, first):
        fitted = _fit(record, width)
        if not any(c.strip() for c in record):
            tally.blank += 1
        elif fitted is None:
            tally.ragged += 1
            why = message("ragged_row", cells=len(record), width=width)
            if tally.skipped is not None:
                tally.skipped.append(SkippedRow(row=number, why=why))
        else:
            good.append(fitted)
            rows.append(number)
    cells.add(good, rows)


def _fit(record: list[str], width: int) -> list[str] | None:
    """The record at the table's width; empty cells may be cut, a lone note line is kept to be named."""
    if len(record) == width:
        return record
    if len(record) > width and not any(c.strip() for c in record[width:]):
        return record[:width]
    if len(record) == 1:
        return record + [""] * (width - 1)
    return None
