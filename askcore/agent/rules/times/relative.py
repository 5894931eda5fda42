"""Recogniser of times that move with the clock: yesterday, last week, the last N days, the week before."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta

from askcore.agent.rules.times import lexicon
from askcore.agent.rules.times.values import (
    Clock,
    RefUnit,
    Role,
    TimeRef,
    alternation,
    number,
    to_date,
    window,
)
from askcore.agent.rules.times.weekdays import weekday_refs
from askcore.base.values import Period
from askcore.semantic.periods import (
    month_period,
    month_start,
    months_before,
    quarter_of,
    quarter_period,
    step_end,
    week_start,
    years_before,
)

_Made = tuple[Period, RefUnit]
_NUM = rf"(?:\d{{1,4}}|[{lexicon.HAN_DIGITS}]{{1,3}})"
_EN_NUM = r"(?:\d{1,4}|" + "|".join(w for w in lexicon.NUMERALS if w.isascii()) + ")"
_HEADS = "|".join(lexicon.WINDOW_HEADS)
_UNITS = "|".join(u for u in (*lexicon.DAYS, *lexicon.MONTHS_PER) if not u.isascii())
_TAILS = "|".join(lexicon.WINDOW_TAILS)
_N_ZH = re.compile(
    rf"(?P<h>{_HEADS})\s*(?P<n>{_NUM}|{lexicon.HALF_SIGN})\s*{lexicon.WHOLE_SIGN}?(?P<c>{lexicon.COUNTED})?\s*"
    rf"(?P<u>{_UNITS})(?:{_TAILS})?(?!{lexicon.RATE_SIGN})"
)
_N_EN = re.compile(
    r"(?<![a-z0-9])(?:(?:in|over|during|for)\s+)?(?:the\s+)?"
    r"(?:last|past|previous|prior|preceding|most\s+recent|recent|latest|trailing|rolling)"
    rf"[\s-]+(?P<n>{_EN_NUM})[\s-]*(?P<u>day|week|month|year|quarter)s?(?![a-z])"
)
_ONE_EN = re.compile(
    r"(?<![a-z0-9])(?:(?:in|over|during|for)\s+)?(?:the\s+)?past\s+(?P<u>day|week|month|year|quarter)(?![a-z])"
)
_AGO = re.compile(rf"(?P<n>{_NUM})\s*{lexicon.DAYS_AGO}|(?<![a-z0-9])(?P<e>{_EN_NUM})\s+days?\s+ago(?![a-z])")
_BEFORE_N = re.compile(
    rf"{lexicon.BEFORE_HEADS}\s*(?P<n>{_NUM})\s*(?P<u>{lexicon.BEFORE_UNITS})|"
    rf"{lexicon.BEFORE_ONE}\s*(?P<n1>{_NUM})\s*(?P<u1>{lexicon.BEFORE_ONE_UNITS})|"
    rf"(?<![a-z0-9])(?:the\s+)?(?P<n2>{_EN_NUM})\s+(?:(?P<u2>day|week)s?\s+)?(?:before|prior|preceding|earlier)"
    r"(?:\s+(?:that|those|it|them|then))?(?![a-z])|"
    rf"(?<![a-z0-9])the\s+(?P<n3>{_EN_NUM})\s+(?:preceding|previous|prior)\s+(?P<u3>day|week)s?(?![a-z])"
)
_YEAR_AGO_TODAY = re.compile(alternation(lexicon.SAME_DAY_A_YEAR_AGO))
_HALF_MONTH = 15


def _day(offset: int) -> Callable[[Clock], _Made]:
    def made(clock: Clock) -> _Made:
        day = clock.as_of - timedelta(days=offset)
        return Period(start=day, end=day), "day"

    return made


def _week(back: int) -> Callable[[Clock], _Made]:
    def made(clock: Clock) -> _Made:
        monday = week_start(clock.as_of) - timedelta(days=7 * back)
        if back == 0:
            return to_date(monday, clock), "week"
        return Period(start=monday, end=monday + timedelta(days=6)), "week"

    return made


def _month(back: int) -> Callable[[Clock], _Made]:
    def made(clock: Clock) -> _Made:
        first = months_before(month_start(clock.as_of), back)
        if back == 0:
            return to_date(first, clock), "month"
        return month_period(first.year, first.month), "month"

    return made


def _quarter(back: int) -> Callable[[Clock], _Made]:
    def made(clock: Clock) -> _Made:
        day = months_before(month_start(clock.as_of), 3 * back)
        found = quarter_period(day.year, quarter_of(day))
        return (to_date(found.start, clock) if back == 0 else found), "quarter"

    return made


def _year(back: int) -> Callable[[Clock], _Made]:
    def made(clock: Clock) -> _Made:
        year = clock.as_of.year - back
        if back == 0:
            return to_date(date(year, 1, 1), clock), "year"
        return Period(start=date(year, 1, 1), end=date(year, 12, 31)), "year"

    return made


def _all(clock: Clock) -> _Made:
    return clock.data or Period(start=clock.last, end=clock.last), "all"


_FIXED: tuple[tuple[re.Pattern[str], Callable[[Clock], _Made], bool], ...] = tuple(
    (re.compile(alternation(words)), make, running)
    for words, make, running in (
        (lexicon.TODAY, _day(0), False),
        (lexicon.YESTERDAY, _day(1), False),
        (lexicon.DAY_BEFORE, _day(2), False),
        (lexicon.THREE_DAYS_AGO, _day(3), False),
        (lexicon.WEEK_BEFORE_LAST, _week(2), False),
        (lexicon.LAST_WEEK, _week(1), False),
        (lexicon.THIS_WEEK, _week(0), True),
        (lexicon.MONTH_BEFORE_LAST, _month(2), False),
        (lexicon.LAST_MONTH, _month(1), False),
        (lexicon.THIS_MONTH, _month(0), True),
        (lexicon.LAST_QUARTER, _quarter(1), False),
        (lexicon.THIS_QUARTER, _quarter(0), True),
        (lexicon.YEAR_BEFORE_LAST, _year(2), False),
        (lexicon.LAST_YEAR, _year(1), False),
        (lexicon.THIS_YEAR, _year(0), True),
        (lexicon.ALL_TIME, _all, False),
    )
)
_ROLES: tuple[tuple[re.Pattern[str], Role], ...] = (
    (re.compile(alternation(lexicon.PREVIOUS)), "previous"),
    (re.compile(alternation(lexicon.YEAR_AGO)), "year_ago"),
    (re.compile(alternation(lexicon.MONTH_AGO)), "month_ago"),
    (re.compile(alternation(lexicon.WEEK_AGO)), "week_ago"),
)


def relative_refs(text: str, clock: Clock) -> Iterator[TimeRef]:
    """Every relative time in the normalised text; they may overlap."""
    for pattern, make, running in _FIXED:
        for match in pattern.finditer(text):
            period, unit = make(clock)
            yield TimeRef(
                start=match.start(),
                end=match.end(),
                unit=unit,
                period=period,
                relative=unit != "all",
                to_date=running,
            )
    for pattern, role in _ROLES:
        for match in pattern.finditer(text):
            yield TimeRef(start=match.start(), end=match.end(), unit="window", relative=True, role=role)
    for match in _YEAR_AGO_TODAY.finditer(text):
        day = years_before(clock.as_of, 1)
        yield TimeRef(start=match.start(), end=match.end(), unit="day", period=Period(start=day, end=day))
    yield from _windows(text, clock)
    yield from _single_days(text, clock)


def _windows(text: str, clock: Clock) -> Iterator[TimeRef]:
    for pattern in (_N_ZH, _N_EN, _ONE_EN):
        for match in pattern.finditer(text):
            groups = match.groupdict()
            if (
                groups["u"] == lexicon.MONTH_SIGN
                and not groups.get("c")
                and groups.get("h") in lexicon.VAGUE_HEADS
            ):
                continue
            count = groups.get("n", "1")
            made = _window(count, groups["u"], bool(groups.get("c")), clock)
            if made is not None:
                period, vague = made
                yield TimeRef(
                    start=match.start(),
                    end=match.end(),
                    unit="window",
                    period=period,
                    relative=True,
                    vague_length=vague,
                )
    for match in _BEFORE_N.finditer(text):
        yield TimeRef(start=match.start(), end=match.end(), unit="window", relative=True, role="previous")


def _window(count: str, unit: str, counted: bool, clock: Clock) -> tuple[Period, bool] | None:
    if count == lexicon.HALF_SIGN:
        if unit == lexicon.MONTH_SIGN and counted:
            found = window(_HALF_MONTH, clock)
            return None if found is None else (found, True)
        return (_months_window(6, clock), True) if unit == lexicon.YEAR_SIGN else None
    n = number(count)
    if not n:
        return None
    if unit in lexicon.DAYS:
        found = window(n * lexicon.DAYS[unit], clock)
        return None if found is None else (found, False)
    months = n * lexicon.MONTHS_PER[unit]
    return None if months > 600 else (_months_window(months, clock), True)


def _months_window(months: int, clock: Clock) -> Period:
    if clock.grain in lexicon.COARSE_GRAINS:
        newest = step_end(clock.anchor, clock.grain)
        return Period(start=months_before(month_start(newest), months - 1), end=newest)
    return Period(start=months_before(clock.last, months) + timedelta(days=1), end=clock.last)


def _single_days(text: str, clock: Clock) -> Iterator[TimeRef]:
    for match in _AGO.finditer(text):
        n = number(match["n"] or match["e"])
        if n:
            day = clock.as_of - timedelta(days=n)
            yield TimeRef(
                start=match.start(),
                end=match.end(),
                unit="day",
                period=Period(start=day, end=day),
                relative=True,
            )
    yield from weekday_refs(text, clock)
