"""Workbooks -> `RawTable`: visible sheets of one layout, stored values only, uncomputed formulas named."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from askcore.lake.ingest.header import HEAD_ROWS, Header, find_header
from askcore.lake.ingest.message import Message, Refusal, message
from askcore.lake.ingest.raw_table import RawTable, TextColumns

_CELL = re.compile(rb'<c r="([A-Z]+)(\d+)"([^>]*?)(?:/>|>(.*?)</c>)', re.S)
_VALUE = re.compile(rb"<v[^>]*>[^<]+</v>|<is>")
_SHEET = re.compile(r"<sheet [^>]*>")
_ATTRIBUTE = re.compile(r'([\w:]+)="([^"]*)"')
NO_VALUE = "#FORMULA"
_CHUNK_ROWS = 50_000


def read_excel(path: Path, name: str) -> RawTable:
    """One workbook.

    Raises: Refusal when it is damaged, protected, empty, or its visible sheets differ in layout.
    """
    import python_calamine as calamine  # needed for workbooks only

    try:
        book = calamine.CalamineWorkbook.from_path(str(path))
        visible, hidden = _sheets(book)
        grids = {s: book.get_sheet_by_name(s).to_python(skip_empty_area=False) for s in visible}
    except calamine.PasswordError as e:
        raise Refusal("workbook_protected", path=name) from e
    except (calamine.CalamineError, OSError, ValueError) as e:
        raise Refusal("workbook_broken", path=name, problem=str(e)) from e
    filled = {s: g for s, g in grids.items() if any(any(_text(c) for c in r) for r in g)}
    if not filled:
        raise Refusal("empty_file", path=name)
    notes = [message("hidden_sheets", names=", ".join(hidden))] if hidden else []
    tables = [_table(path, name, s, g) for s, g in filled.items()]
    return _joined(tables, name, tuple(notes))


def _sheets(book: Any) -> tuple[list[str], list[str]]:
    visible: list[str] = []
    hidden: list[str] = []
    for sheet in book.sheets_metadata:
        shown = str(sheet.visible).endswith(".Visible")
        if str(sheet.typ).endswith(".WorkSheet"):
            (visible if shown else hidden).append(sheet.name)
    return visible, hidden


def _table(path: Path, name: str, sheet: str, grid: Sequence[Sequence[Any]]) -> RawTable:
    marks = _marks(path, sheet)
    where = f"{name} [{sheet}]"
    head = [_texts(r, i, marks) for i, r in enumerate(grid[:HEAD_ROWS])]
    header = find_header(head, where)
    cells = TextColumns(width=header.width)
    blank = 0
    for records, rows, empty in _records(grid, header, marks):
        cells.add(records, rows)
        blank += empty
    columns = cells.columns()
    return RawTable(
        path=name,
        names=header.names,
        columns=tuple(columns[i] for i in header.kept),
        rows=cells.row_numbers(),
        sheet=sheet,
        header_row=header.row,
        title=header.title,
        decisions=(*header.decisions, *([message("blank_rows", count=blank)] if blank else [])),
    )


def _records(
    grid: Sequence[Sequence[Any]], header: Header, marks: dict[tuple[int, int], str]
) -> Iterator[tuple[list[list[str]], list[int], int]]:
    """Chunks of (records, row numbers, blank rows) below the header."""
    for start in range(header.row, len(grid), _CHUNK_ROWS):
        records: list[list[str]] = []
        rows: list[int] = []
        blank = 0
        for i in range(start, min(start + _CHUNK_ROWS, len(grid))):
            record = _texts(grid[i], i, marks)
            if not any(record):
                blank += 1
                continue
            padded = record[: header.width] + [""] * (header.width - len(record))
            records.append(padded)
            rows.append(i + 1)
        yield records, rows, blank


def _joined(tables: list[RawTable], name: str, notes: tuple[Message, ...]) -> RawTable:
    """Sheets of one layout below each other.

    Raises: Refusal naming two sheets that differ.
    """
    first = tables[0]
    for other in tables[1:]:
        if other.names != first.names:
            raise Refusal("sheets_differ", path=name, a=first.sheet, b=other.sheet)
    if len(tables) == 1:
        joined = first
    else:
        import pyarrow as pa

        columns = tuple(
            pa.chunked_array([c for t in tables for c in t.columns[i].chunks], pa.string())
            for i in range(len(first.names))
        )
        joined = RawTable(
            path=name,
            names=first.names,
            columns=columns,
            rows=pa.concat_arrays([t.rows for t in tables]),
            sheet=", ".join(t.sheet or "" for t in tables),
            header_row=first.header_row,
            title=" ".join(dict.fromkeys(t.title for t in tables)),
            decisions=tuple(d for t in tables for d in t.decisions),
        )
    return _with_notes(joined, notes)


def _with_notes(table: RawTable, notes: tuple[Message, ...]) -> RawTable:
    return replace(table, decisions=(*table.decisions, *notes))


def _texts(row: Sequence[Any], index: int, marks: dict[tuple[int, int], str]) -> list[str]:
    found = [_text(c) for c in row]
    if marks:
        for i in range(len(found)):
            found[i] = marks.get((index, i), found[i])
    return found


def _text(cell: Any) -> str:
    """A typed cell as the text that reads back to the same value."""
    if isinstance(cell, str):
        return cell.strip()
    if isinstance(cell, bool):
        return "1" if cell else "0"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    if isinstance(cell, datetime):
        return cell.date().isoformat() if cell.time() == time() else cell.isoformat(" ")
    if isinstance(cell, date | time):
        return cell.isoformat()
    if isinstance(cell, timedelta):
        return str(cell)
    return "" if cell is None else str(cell)


def _marks(path: Path, sheet: str) -> dict[tuple[int, int], str]:
    """(row, column) from 0 -> error text or `NO_VALUE` of cells that calamine gives as empty."""
    try:
        with zipfile.ZipFile(path) as book:
            data = book.read(_sheet_file(book, sheet))
    except (zipfile.BadZipFile, KeyError, OSError):
        return {}  # xls and ods keep no such XML
    if b"<f" not in data and b't="e"' not in data:
        return {}
    found: dict[tuple[int, int], str] = {}
    for letters, row, attributes, body in _CELL.findall(data):
        place = (int(row) - 1, _column_index(letters))
        if b't="e"' in attributes:
            found[place] = re.sub(rb"<[^>]+>", b"", body.split(b"<v>")[-1]).decode("ascii", "replace")
        elif b"<f" in body and not _VALUE.search(body):
            found[place] = NO_VALUE
    return found


def _sheet_file(book: zipfile.ZipFile, sheet: str) -> str:
    """Where the workbook keeps the sheet. Raises: KeyError."""
    from html import unescape

    text = book.read("xl/workbook.xml").decode("utf-8")
    links = book.read("xl/_rels/workbook.xml.rels").decode("utf-8")
    wanted = ""
    for tag in _SHEET.findall(text):
        attributes = {k: unescape(v) for k, v in _ATTRIBUTE.findall(tag)}
        if attributes.get("name") == sheet:
            wanted = attributes.get("r:id", "")
    for tag in re.findall(r"<Relationship [^>]*>", links):
        attributes = dict(_ATTRIBUTE.findall(tag))
        if attributes.get("Id") == wanted:
            target = attributes["Target"]
            return target.lstrip("/") if target.startswith("/") else f"xl/{target}"
    raise KeyError(sheet)


def _column_index(letters: bytes) -> int:
    index = 0
    for letter in letters:
        index = index * 26 + letter - 64
    return index - 1
