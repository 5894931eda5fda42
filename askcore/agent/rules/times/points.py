"""Recogniser of dates that are written out: days, months, quarters, years, holidays."""

# ruff: noqa: E501 - one date pattern a line

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from askcore.agent.rules.lexicon import MONEY_UNITS
from askcore.agent.rules.times import lexicon
from askcore.agent.rules.times.values import Clock, Point, PointUnit, alternation, number

_NUM = rf"(?:\d{{1,2}}|[{lexicon.HAN_DIGITS}]{{1,3}})"
_Y4 = r"(?:19|20)\d\d"
_LINK = alternation(lexicon.RANGE_LINKS)
_MONTH = "(?P<M>" + "|".join(sorted(lexicon.MONTHS, key=len, reverse=True)) + r")(?![a-z])\.?"
_PART = "|".join(lexicon.PARTS)
_YEAR_WORDS = "|".join(w for w in lexicon.YEAR_SHIFT if not w.isascii())
_NO_YEAR = "|".join(MONEY_UNITS)
# A year before a Chinese date, or after (rarely before) an English one.
_ZY = rf"(?:(?P<y>{_Y4}|(?<!\d)\d\d)\s*{lexicon.YEAR}\s*|(?P<yr>{_YEAR_WORDS}){lexicon.OF}\s*|(?P<yb>{_Y4})(?=\s*q))?"
_EY = rf"(?:\s*,?\s*(?:of\s+|in\s+)?(?:the\s+)?(?P<y>{_Y4})(?!\d)|\s*,?\s*(?:of\s+)?(?P<yr>last\s+year|this\s+year))?"
_PRE = rf"(?:(?P<y0>{_Y4})\s*-?\s*|(?P<yr0>last\s+year|this\s+year)'?s?\s+|(?P<t0>this)\s+)?"
_TH = r"(?:st|nd|rd|th)?"
_B = r"(?<![a-z0-9])"
_E = r"(?![a-z0-9])"
_CENTURY = 2000
_HOLIDAY_OF = {w: key for key, words in lexicon.HOLIDAYS.items() for w in words}
_HOLIDAY = "(?P<H>" + alternation(_HOLIDAY_OF) + ")"
_NAMED = "(?P<N>" + alternation(lexicon.NAMED_DAYS) + ")"
_TAIL = alternation(lexicon.HOLIDAY_TAILS)
_ORD = "|".join(lexicon.ORDINALS)

_PATTERNS: tuple[tuple[str, PointUnit], ...] = (
    (rf"(?<!\d)(?P<y>{_Y4})\s*[-/.]\s*(?P<m>\d{{1,2}})\s*[-/.]\s*(?P<d>\d{{1,2}})(?!\d)", "day"),
    (rf"(?<!\d)(?P<y>{_Y4})(?P<m>0[1-9]|1[0-2])(?P<d>[0-3]\d)(?!\d)", "day"),
    (rf"{_ZY}(?<!\d)(?P<m>{_NUM})\s*{lexicon.MONTH}\s*(?P<d>{_NUM})\s*{lexicon.DAY}{lexicon.NOT_SHOP}", "day"),
    (rf"{_ZY}(?<!\d)(?P<m>{_NUM})\s*{lexicon.MONTH}\s*(?P<d>\d{{1,2}})(?=\s*{_LINK}\s*\d{{1,2}}\s*{lexicon.DAY_OR_MONTH})", "day"),
    (rf"{_B}{_MONTH}\s*(?P<d>\d{{1,2}}){_TH}(?!\d|:)(?![a-z]){_EY}", "day"),
    (rf"(?<!\d)(?<!\d[./-])(?P<d>\d{{1,2}}){_TH}\s*(?:of\s+)?{_MONTH}(?!\s+\d{{1,2}}(?!\d)){_EY}", "day"),
    (rf"{_B}{_MONTH}\s*\d{{1,2}}{_TH}\s*{_LINK}\s*(?P<at>(?P<d>\d{{1,2}}){_TH})(?![\da-z./]){_EY}", "day_only"),
    (r"(?<![\d/.])(?P<m>\d{1,2})/(?P<d>\d{1,2})(?![\d/.%])", "day"),
    (rf"(?<![\d/.\-])(?P<m>\d{{1,2}})\.(?P<d>\d{{1,2}})(?=\s*{_LINK}\s*\d{{1,2}}\.\d{{1,2}}(?![\d/.%]))", "day"),
    (rf"(?<=\d\.\d{lexicon.RANGE_SIGNS})(?P<m>\d{{1,2}})\.(?P<d>\d{{1,2}})(?![\d/.%])", "day"),
    (rf"(?<=\.\d\d{lexicon.RANGE_SIGNS})(?P<m>\d{{1,2}})\.(?P<d>\d{{1,2}})(?![\d/.%])", "day"),
    (r"(?<![\d/.\-])(?P<m>\d\d)-(?P<d>\d\d)(?![\d/.\-])", "day"),
    (rf"(?<!\d)(?P<y>{_Y4})[-/.](?P<m>0?[1-9]|1[0-2])(?!\d|[-/.]\d)", "month"),
    (r"(?<!\d)(?P<y>20\d\d)(?P<m>0[1-9]|1[0-2])(?!\d)", "month"),
    (rf"{_ZY}(?<!\d)(?P<m>{_NUM})\s*{lexicon.MONTH}(?P<part>{_PART})?", "month"),
    (rf"{_ZY}(?<!\d)(?P<m>{_NUM})(?=\s*{_LINK}\s*{_NUM}\s*{lexicon.MONTH_SIGN})", "month"),
    (rf"{_B}{_PRE}{_MONTH}(?![a-z0-9]){_EY}", "month"),
    (rf"{_ZY}(?:{lexicon.NTH}\s*(?P<q>{lexicon.QUARTERS})\s*{lexicon.QUARTER_NTH}|(?P<q2>{lexicon.QUARTERS})\s*{lexicon.QUARTER})", "quarter"),
    (rf"{_ZY}\s*(?<![a-z])q(?P<q>[1-4]){_E}", "quarter"),
    (rf"{_B}q(?P<q>[1-4]){_E}{_EY}", "quarter"),
    (rf"{_B}{_PRE}(?:the\s+)?(?P<q>{_ORD})\s+quarter{_E}{_EY}", "quarter"),
    (rf"{_ZY}{lexicon.HALF}", "half"),
    (rf"{_B}{_PRE}h(?P<h>[12]){_E}{_EY}", "half"),
    (rf"{_B}(?:the\s+)?(?P<h>first|second)\s+half(?:\s+of\s+the\s+year)?{_E}{_EY}", "half"),
    (rf"{_ZY}{lexicon.NOT_MONTH}{lexicon.NTH}\s*(?P<n>{_NUM})\s*{lexicon.WEEK_SIGN}", "week"),
    (rf"{_B}week\s+(?:no\.?\s*|#\s*)?(?P<n>\d{{1,2}}){_E}{_EY}", "week"),
    (rf"{_B}(?P<y0>{_Y4})\s*-?\s*w(?P<n>\d{{1,2}}){_E}", "week"),
    (rf"{_ZY}{_NAMED}", "day"),
    (rf"{_B}{_PRE}{_NAMED}{_EY}", "day"),
    (rf"{_ZY}{_HOLIDAY}{_TAIL}?", "holiday"),
    (rf"{_PRE}{_HOLIDAY}(?:\s+{_TAIL})?{_EY}", "holiday"),
    (rf"(?<![\d.a-z])(?P<y>{_Y4})\s*{lexicon.YEAR_ALONE}", "year"),
    (rf"(?<![\d.a-z])(?P<y>{_Y4})(?![\d.]\d|[a-z0-9%])(?!\s*(?:{_NO_YEAR}|yuan|rmb|orders))",
     "year"),
    (rf"(?<![\d{lexicon.MONTH_SIGN}.])(?P<d>\d{{1,2}})\s*{lexicon.DAY}{lexicon.NOT_SHOP}", "day_only"),
)  # fmt: skip
_COMPILED = tuple((re.compile(pattern), unit) for pattern, unit in _PATTERNS)
_MAY_BEFORE = re.compile(r"(?:in|for|of|since|until|till|from|to|during|by|and|-|this|vs\.?|between)\s*$")


def points(text: str, clock: Clock) -> Iterator[Point]:
    """Every date as written in the normalised text; they may overlap."""
    for pattern, unit in _COMPILED:
        for match in pattern.finditer(text):
            point = _point(match, unit, clock)
            if point is not None and not _is_modal_may(match, text):
                yield point


def _is_modal_may(match: re.Match[str], text: str) -> bool:
    """As in "may" is the month only beside a day, a year or a preposition."""
    groups = match.groupdict()
    if groups.get("M") != "may" or any(groups.get(k) for k in ("d", "y", "yr", "y0", "yr0", "t0")):
        return False
    return _MAY_BEFORE.search(text[: match.start()]) is None


def _point(match: re.Match[str], unit: PointUnit, clock: Clock) -> Point | None:
    groups = match.groupdict()
    year = _year(groups, clock)
    start, end = match.span()
    if groups.get("at"):
        start = match.start("at")
    make = _MAKERS[unit]
    found = make(groups)
    if found is None:
        return None
    first, day, name = found
    return Point(start=start, end=end, unit=unit, year=year, first=first, day=day, name=name)


def _year(groups: dict[str, str | None], clock: Clock) -> int | None:
    text = groups.get("y") or groups.get("y0") or groups.get("yb")
    if text:
        value = int(text)
        return value + _CENTURY if value < 100 else value
    word = groups.get("yr") or groups.get("yr0") or groups.get("t0")
    return None if not word else clock.as_of.year + lexicon.YEAR_SHIFT[" ".join(word.split())]


_Parts = tuple[int, int, str]


def _day(g: dict[str, str | None]) -> _Parts | None:
    if name := g.get("N"):
        month, day = lexicon.NAMED_DAYS[" ".join(name.split())]
        return (month, day, "")
    first = lexicon.MONTHS[name] if (name := g.get("M")) else number(g.get("m") or "")
    second = number(g.get("d") or "")
    if not first or not second:
        return None
    is_date = bool(g.get("y")) or (
        first <= 12 and second <= 31
    )  # with a year it is a date, be it a wrong one
    return (first, second, "") if is_date else None


def _month(g: dict[str, str | None]) -> _Parts | None:
    month = lexicon.MONTHS[name] if (name := g.get("M")) else number(g.get("m") or "")
    return None if not month or (month > 12 and not g.get("y")) else (month, 0, g.get("part") or "")


def _quarter(g: dict[str, str | None]) -> _Parts | None:
    text = g.get("q") or g.get("q2") or ""
    value = lexicon.ORDINALS.get(text) or number(text)
    return None if not value else (value, 0, "")


def _half(g: dict[str, str | None]) -> _Parts | None:
    return (lexicon.HALF_SIGNS[g["h"] or ""], 0, "")


def _week(g: dict[str, str | None]) -> _Parts | None:
    value = number(g["n"] or "")
    return None if not value or value > 53 else (value, 0, "")


def _holiday(g: dict[str, str | None]) -> _Parts | None:
    return (0, 0, _HOLIDAY_OF[" ".join((g["H"] or "").split())])


def _year_only(g: dict[str, str | None]) -> _Parts | None:
    return (0, 0, "")


def _day_only(g: dict[str, str | None]) -> _Parts | None:
    day = number(g["d"] or "")
    return None if not day or day > 31 else (0, day, "")


_MAKERS: dict[PointUnit, Callable[[dict[str, str | None]], _Parts | None]] = {
    "day": _day,
    "month": _month,
    "quarter": _quarter,
    "half": _half,
    "week": _week,
    "holiday": _holiday,
    "year": _year_only,
    "day_only": _day_only,
}
