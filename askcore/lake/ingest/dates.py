"""Day spellings -> days. The whole column decides how it is read; what it cannot decide is refused."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Literal

from askcore.lake.ingest.lexicon import DATE_MARKS
from askcore.lake.ingest.message import Message, Refusal, message

DateOrder = Literal["dmy", "mdy"]
Spelling = Literal["ymd", "compact", "ambiguous", "named_month", "month", "compact_month", "short_year"]

_TIME = r"(?P<time>[T ]+\d{1,2}[:.]\d{2}([:.]\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?"
_Y, _M, _D = DATE_MARKS
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH_NAME = r"(?P<name>jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*\.?"
_PATTERNS: Mapping[Spelling, tuple[re.Pattern[str], ...]] = {
    "ymd": (
        re.compile(rf"^(?P<y>\d{{4}})(?P<sep>[-/.])(?P<m>\d{{1,2}})(?P=sep)(?P<d>\d{{1,2}}){_TIME}$"),
        re.compile(rf"^(?P<y>\d{{4}}){_Y}(?P<m>\d{{1,2}}){_M}(?P<d>\d{{1,2}}){_D}?{_TIME}$"),
    ),
    "compact": (re.compile(r"^(?P<y>(19|20)\d{2})(?P<m>\d{2})(?P<d>\d{2})(?P<time>)$"),),
    "ambiguous": (
        re.compile(rf"^(?P<a>\d{{1,2}})(?P<sep>[-/.])(?P<b>\d{{1,2}})(?P=sep)(?P<y>\d{{4}}){_TIME}$"),
    ),
    "named_month": (
        re.compile(rf"^(?P<d>\d{{1,2}})[ -]{_MONTH_NAME}[ ,-]+(?P<y>\d{{4}})(?P<time>)$", re.I),
        re.compile(rf"^{_MONTH_NAME} (?P<d>\d{{1,2}}),? (?P<y>\d{{4}})(?P<time>)$", re.I),
    ),
    "month": (
        re.compile(r"^(?P<y>\d{4})[-/](?P<m>\d{1,2})(?P<time>)$"),
        re.compile(rf"^(?P<y>\d{{4}}){_Y}(?P<m>\d{{1,2}}){_M}(?P<time>)$"),
    ),
    "compact_month": (re.compile(r"^(?P<y>(19|20)\d{2})(?P<m>\d{2})(?P<time>)$"),),
    "short_year": (re.compile(r"^\d{1,2}[-/]\d{1,2}[-/]\d{2}(?P<time>)$"),),
}
_FIRST_YEAR, _LAST_YEAR = 1000, 2999  # 0001-01-01 and 9999-12-31 mean "unknown" and "never"
_MIDNIGHT = re.compile(r"^[0:.TZ +]*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class DateReading:
    """How one column of days is read."""

    days: Mapping[str, date]
    """Cell text -> day; a text that is no day is absent."""
    spelling: Message
    is_monthly: bool
    """Cells name months, each stored as its first day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cell:
    text: str
    spelling: Spelling
    match: re.Match[str]


def looks_like_date(text: str) -> bool:
    """Whether a cell is a day in any spelling but a bare number."""
    found = _classify(text)
    return found is not None and found.spelling not in ("compact_month",)


def _classify(text: str) -> _Cell | None:
    for spelling, patterns in _PATTERNS.items():
        for pattern in patterns:
            match = pattern.match(text)
            if match is not None and _is_plausible(spelling, match):
                return _Cell(text=text, spelling=spelling, match=match)
    return None


def _is_plausible(spelling: Spelling, match: re.Match[str]) -> bool:
    """A bare number is a day only where its digits are one."""
    if spelling == "compact":
        return _day(match["y"], match["m"], match["d"]) is not None
    if spelling == "compact_month":
        return 1 <= int(match["m"]) <= 12
    return True


def date_share(counts: Mapping[str, int]) -> float:
    """Share of the cells that are a day in some spelling; months as bare numbers do not count."""
    total = sum(counts.values())
    return sum(n for text, n in counts.items() if looks_like_date(text)) / total if total else 0.0


def read_dates(
    counts: Mapping[str, int], column: str, order: DateOrder | None, *, may_be_month: bool = False
) -> DateReading:
    """Read the distinct cells of a column, text -> number of cells.

    Raises: Refusal when spellings are mixed or day and month cannot be told apart.
    """
    cells = [c for text in counts if (c := _classify(text)) is not None]
    if not may_be_month:
        cells = [c for c in cells if c.spelling != "compact_month"]
    groups = _groups(cells, counts)
    if len(groups) > 1:
        (first, n1, e1), (second, n2, e2) = groups[:2]
        raise Refusal("mixed_dates", column=column, a=first, na=n1, ea=e1, b=second, nb=n2, eb=e2)
    _refuse_times(cells, column)
    spelling = cells[0].spelling if cells else "ymd"
    if spelling == "short_year":
        raise Refusal("short_year", column=column, example=cells[0].text)
    read, said = _reader(cells, column, order, spelling)
    days = {c.text: day for c in cells if (day := read(c)) is not None}
    return DateReading(days=days, spelling=said, is_monthly=spelling in ("month", "compact_month"))


def _groups(cells: Iterable[_Cell], counts: Mapping[str, int]) -> list[tuple[str, int, str]]:
    """(spelling, cells, example) of the kinds that may not be mixed, commonest first."""
    found: Counter[str] = Counter()
    examples: dict[str, str] = {}
    for cell in cells:
        name = _group(cell)
        found[name] += counts[cell.text]
        examples.setdefault(name, cell.text)
    return [(name, n, examples[name]) for name, n in found.most_common()]


def _group(cell: _Cell) -> str:
    """Year-first spellings are one group whatever the separator: they have one reading."""
    if cell.spelling in ("ymd", "compact"):
        return "yyyy-mm-dd"
    if cell.spelling == "ambiguous":
        sep = cell.match["sep"]
        return f"??{sep}??{sep}yyyy"
    return {"named_month": "dd-Mon-yyyy", "short_year": "??-??-yy"}.get(cell.spelling, "yyyy-mm")


def _refuse_times(cells: Iterable[_Cell], column: str) -> None:
    for cell in cells:
        time = cell.match["time"]
        if time and not _MIDNIGHT.match(time):
            raise Refusal("time_of_day", column=column, example=cell.text)


def _reader(
    cells: list[_Cell], column: str, order: DateOrder | None, spelling: Spelling
) -> tuple[Callable[[_Cell], date | None], Message]:
    if spelling == "ambiguous":
        decided, said = _decide_order(cells, column, order)
        return partial(_read_ordered, decided), said
    return _read_plain, message("dates_plain", example=cells[0].text if cells else "")


def _decide_order(cells: list[_Cell], column: str, hint: DateOrder | None) -> tuple[DateOrder, Message]:
    """The only order in which every cell is a day; else the hint; else a refusal."""
    over_a = next((c.text for c in cells if int(c.match["a"]) > 12), None)
    over_b = next((c.text for c in cells if int(c.match["b"]) > 12), None)
    if over_a and over_b:
        raise Refusal("dates_contradict", column=column, dmy=over_a, mdy=over_b)
    proven: DateOrder | None = "dmy" if over_a else "mdy" if over_b else None
    if proven and hint and proven != hint:
        raise Refusal("order_contradicted", column=column, hint=hint, example=over_a or over_b)
    if proven:
        return proven, message("dates_proven", order=proven, example=over_a or over_b)
    if hint:
        return hint, message("dates_hinted", order=hint)
    raise Refusal("dates_ambiguous", column=column, example=cells[0].text)


def _read_ordered(order: DateOrder, cell: _Cell) -> date | None:
    a, b, year = cell.match["a"], cell.match["b"], cell.match["y"]
    return _day(year, b, a) if order == "dmy" else _day(year, a, b)


def _read_plain(cell: _Cell) -> date | None:
    parts = cell.match.groupdict()
    name = parts.get("name")
    month = _MONTHS.index(name[:3].lower()) + 1 if name else parts["m"]
    return _day(parts["y"], month, parts.get("d") or 1)


def _day(year: str | int, month: str | int, day: str | int) -> date | None:
    if not _FIRST_YEAR <= int(year) <= _LAST_YEAR:
        return None
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None
