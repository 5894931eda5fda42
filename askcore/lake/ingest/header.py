"""Where the table starts. A layout that is no plain table (wide, merged header, none) is refused by name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from askcore.lake.ingest.dates import looks_like_date
from askcore.lake.ingest.message import Message, Refusal, message

HEAD_ROWS = 60
MAX_COLUMNS = 2_000  # a row with more cells is no record but a whole file on one line
_MIN_FILLED = 0.6  # a header names most columns; a title or a merged row does not
_MAX_UNNAMED = 1 / 3
_WIDE_DATES = 3
_NUMBER = re.compile(r"^[-+]?[\d,]*\.?\d+%?$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The header row and the columns that have a name."""

    row: int
    """Number of the row, from 1."""
    names: tuple[str, ...]
    kept: tuple[int, ...]
    """Position of each name among the cells of a record."""
    width: int
    """Cells of a record."""
    title: str
    """What stands above."""
    decisions: tuple[Message, ...]


def find_header(head: Sequence[Sequence[str]], path: str) -> Header:
    """The header among the first records.

    Raises: Refusal when there is none or the layout is wide or has merged cells.
    """
    widest = max(len(r) for r in head)
    if widest > MAX_COLUMNS:
        raise Refusal("too_many_columns", path=path, count=widest, most=MAX_COLUMNS)
    at = _header_index(head, path)
    cells = [c.strip() for c in head[at]]
    below = [r for r in head[at + 1 :] if any(c.strip() for c in r)]
    width = max([len(cells), *(_used(r) for r in below[:20])]) if below else len(cells)
    width = len(cells) if width <= len(cells) else width
    cells += [""] * (width - len(cells))
    _refuse_layout(cells, below, path, at + 1)
    above = [" ".join(c.strip() for c in r if c.strip()) for r in head[:at]]
    title = " ".join(a for a in above if a)
    kept = tuple(i for i, c in enumerate(cells) if c)
    names = tuple(_one_line(cells[i]) for i in kept)
    _refuse_doubles(names, path)
    return Header(
        row=at + 1,
        names=names,
        kept=kept,
        width=width,
        title=title,
        decisions=_said(cells, at + 1, title, below),
    )


def _used(record: Sequence[str]) -> int:
    """Cells up to the last one that is filled."""
    filled = [i for i, c in enumerate(record) if c.strip()]
    return filled[-1] + 1 if filled else 0


def _one_line(name: str) -> str:
    return " ".join(name.split())


def _filled(record: Sequence[str]) -> int:
    return sum(1 for c in record if c.strip())


def _header_index(head: Sequence[Sequence[str]], path: str) -> int:
    """First record that fills most of the table's width."""
    counts = [_filled(r) for r in head]
    many = [c for c in counts if c >= 2]
    if not many:
        raise Refusal("no_table", path=path)
    usual = max(set(many), key=lambda c: (many.count(c), c))
    return next(i for i, c in enumerate(counts) if c >= 2 and c >= _MIN_FILLED * usual)


def _refuse_layout(cells: Sequence[str], below: Sequence[Sequence[str]], path: str, row: int) -> None:
    dates = [c for c in cells if c and looks_like_date(c)]
    if len(dates) >= _WIDE_DATES:
        raise Refusal("wide_layout", path=path, row=row, count=len(dates), example=dates[0])
    named = [c for c in cells if c]
    if len(cells) - len(named) > _MAX_UNNAMED * len(cells):
        raise Refusal("merged_header", path=path, row=row, unnamed=len(cells) - len(named))
    values = [c for c in named if _NUMBER.match(c) or looks_like_date(c)]
    if values:
        raise Refusal("no_header", path=path, row=row, example=values[0])
    if below and _is_second_header(cells, below):
        raise Refusal("merged_header", path=path, row=row, unnamed=len(cells) - len(named))


def _is_second_header(cells: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """The next row names the cells that the header leaves empty, where later rows hold numbers."""
    unnamed = [i for i, c in enumerate(cells) if not c]
    first, rest = below[0], below[1:10]
    named_below = [i for i in unnamed if i < len(first) and first[i].strip()]
    texts = [i for i in named_below if not _NUMBER.match(first[i].strip())]
    numbers = [i for i in texts if any(i < len(r) and _NUMBER.match(r[i].strip() or "x") for r in rest)]
    return bool(numbers)


def _refuse_doubles(names: Sequence[str], path: str) -> None:
    lowered = Counter(n.casefold() for n in names)
    doubled = sorted({n for n in names if lowered[n.casefold()] > 1})
    if doubled:
        raise Refusal("doubled_names", path=path, names=", ".join(doubled))


def _said(cells: Sequence[str], row: int, title: str, below: Sequence[Sequence[str]]) -> tuple[Message, ...]:
    found: list[Message] = []
    if row > 1:
        found.append(message("header_found", row=row, title=title or "-"))
    for i, cell in enumerate(cells):
        if cell:
            continue
        has_values = any(i < len(r) and r[i].strip() for r in below)
        found.append(message("unnamed_values" if has_values else "unnamed_column", number=i + 1))
    return tuple(found)
