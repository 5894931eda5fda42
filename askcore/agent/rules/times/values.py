"""The clock of a question, dates as written, and the days that they mean."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import lru_cache
from typing import Literal

from askcore.agent.rules.language import is_cjk
from askcore.agent.rules.times import lexicon
from askcore.base.values import Period
from askcore.semantic.calendar import holiday_period
from askcore.semantic.periods import month_period, quarter_period

PointUnit = Literal["day", "month", "quarter", "half", "year", "week", "holiday", "day_only"]
RefUnit = Literal[
    "day", "week", "month", "quarter", "half", "year", "window", "range", "holiday", "all", "part"
]
Role = Literal["", "previous", "year_ago", "month_ago", "week_ago", "no_such_day"]
_TENS = 10
_YEARS_BACK = 3  # a bare "Feb 29" is at most three years away from a year that has none


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """What "now" and "newest" mean for one dataset."""

    as_of: date
    last: date
    """Last day that can be settled: as_of minus the lag."""
    data: Period | None
    grain: str = "day"
    """Step of the rows: windows of monthly data are whole months."""

    @property
    def anchor(self) -> date:
        """Day up to which a date without a year is looked for."""
        return self.last if self.data is None else min(self.last, self.data.end)

    @property
    def anchor_day(self) -> date:
        """The same for a single day: today's date is today, even when it is not settled yet."""
        return self.anchor if self.is_stale else self.as_of

    @property
    def is_stale(self) -> bool:
        """Whether the data ends before the last seven settled days."""
        return self.data is not None and self.data.end < self.last - timedelta(days=6)


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A date as written; `year` None when the text gives none."""

    start: int
    end: int
    unit: PointUnit
    year: int | None = None
    first: int = 0
    """Month, quarter, half, week number or day, by unit."""
    day: int = 0
    name: str = ""
    """Holiday key, or part of a month."""

    def in_year(self, year: int) -> Period | None:
        """The days in that year; None when there are none (Feb 30, unknown holiday)."""
        try:
            return self._in_year(year)
        except ValueError:
            return None

    def _in_year(self, year: int) -> Period | None:
        if self.unit == "day":
            day = date(year, self.first, self.day)
            return Period(start=day, end=day)
        if self.unit == "month":
            return self._month(year)
        if self.unit == "quarter":
            return quarter_period(year, self.first)
        if self.unit == "half":
            return Period(
                start=quarter_period(year, 2 * self.first - 1).start,
                end=quarter_period(year, 2 * self.first).end,
            )
        if self.unit == "week":
            monday = date.fromisocalendar(year, self.first, 1)
            return Period(start=monday, end=monday + timedelta(days=6))
        if self.unit == "holiday":
            return _holiday(self.name, year)
        return Period(start=date(year, 1, 1), end=date(year, 12, 31))

    def _month(self, year: int) -> Period:
        whole = month_period(year, self.first)
        if not self.name:
            return whole
        low, high = lexicon.PARTS[self.name]
        length = calendar.monthrange(year, self.first)[1]
        return Period(start=whole.start.replace(day=low), end=whole.start.replace(day=min(high, length)))

    def newest(self, clock: Clock) -> Period | None:
        """The newest such days that begin by the anchor."""
        until = clock.anchor_day if self.unit == "day" else clock.anchor
        for year in range(until.year, until.year - _YEARS_BACK - 1, -1):
            found = self.in_year(year) if year > 0 else None
            if found is not None and found.start <= until:
                return found
        return None


@lru_cache(maxsize=128)  # walking a year of days costs milliseconds
def _holiday(name: str, year: int) -> Period | None:
    return holiday_period(name, year)


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeRef:
    """Days that a question names; `period` is None for a role that needs another period."""

    start: int
    end: int
    unit: RefUnit
    period: Period | None = None
    relative: bool = False
    """Moves with the clock."""
    assumed_year: bool = False
    vague_length: bool = False
    """A window of months or years: counted back from the last day, not whole calendar months."""
    role: Role = ""
    ends: tuple[Period, Period] | None = None
    """Both ends of a range of two months, quarters …: "from August to September"."""
    weekday: int | None = None
    """0 = Monday: the day was named by its weekday."""
    is_week_open: bool = False
    """A weekday whose week is not named: the newest one, unless another time of the question says more."""
    either: tuple[Period, ...] | None = None
    """All days that the words may mean, the first of them in `period`."""
    to_date: bool = False
    """The running week, month, quarter or year up to the last settled day."""

    def moved(self, start: int, end: int) -> TimeRef:
        """The same days, claimed over other characters."""
        return replace(self, start=start, end=end)


def to_date(start: date, clock: Clock) -> Period:
    """`start` to the last settled day; only `start` itself when nothing is settled yet."""
    return Period(start=start, end=max(start, clock.last))


def window(days: int, clock: Clock) -> Period | None:
    """The last `days` settled days."""
    if not 0 < days <= 36600:
        return None
    try:
        return Period(start=clock.last - timedelta(days=days - 1), end=clock.last)
    except OverflowError:
        return None


def number(text: str) -> int | None:
    """Value of digits, a Chinese numeral below 100, or an English number word."""
    if text.isdecimal() and text.isascii():
        return int(text)
    if text in lexicon.NUMERALS:
        return lexicon.NUMERALS[text]
    if not text or any(c not in lexicon.NUMERALS for c in text) or not is_cjk(text[0]):
        return None
    tens, ten, ones = text.partition(lexicon.TEN)
    if not ten:
        return None
    head = lexicon.NUMERALS.get(tens, 1) if tens else 1
    return head * _TENS + (lexicon.NUMERALS.get(ones, 0) if ones else 0)


def alternation(words: Iterable[str]) -> str:
    """A regex group of phrases, longest first; English ones only as whole words."""
    parts = []
    for word in sorted(set(words), key=lambda w: (-len(w), w)):
        escaped = re.sub(r"(\\ | )+", r"\\s+", re.escape(word))
        if word[0].isascii() and word[0].isalnum():
            escaped = r"(?<![a-z0-9])" + escaped
        if word[-1].isascii() and word[-1].isalnum():
            escaped += r"(?![a-z0-9])"
        parts.append(escaped)
    return "(?:" + "|".join(parts) + ")"
