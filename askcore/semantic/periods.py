"""Which baseline belongs to a period, and where weeks, months and quarters start.

Source: DESIGN of period comparison: previous (equal length, immediately before), mtd, yoy_date,
yoy_week (-364 days, weekday-aligned), holiday (same holiday of the year before, lengths may differ).
"""

from __future__ import annotations

import calendar
from datetime import date, timedelta
from typing import Literal

from askcore.base.errors import BadRequest
from askcore.base.values import Period
from askcore.semantic.calendar import holiday_period, holidays_in

CompareMode = Literal["previous", "mtd", "yoy_date", "yoy_week", "holiday"]
_YOY_WEEK_DAYS = 364  # 52 whole weeks: the same weekdays face each other


def baseline_of(current: Period, mode: CompareMode) -> Period:
    """The period that `current` is compared with.

    Raises: BadRequest when `mode` is "holiday" and `current` holds none, or the year is unknown.
    """
    if mode == "previous":
        return current.shift(-current.days)
    if mode == "mtd":
        return month_to_date_baseline(current)
    if mode == "yoy_week":
        return current.shift(-_YOY_WEEK_DAYS)
    if mode == "yoy_date":
        return Period(start=years_before(current.start, 1), end=years_before(current.end, 1))
    return _same_holiday(current)


def month_to_date_baseline(current: Period) -> Period:
    """Days 1..k of the month before, k clamped to that month's length."""
    first = months_before(month_start(current.start), 1)
    length = calendar.monthrange(first.year, first.month)[1]
    start = first + timedelta(days=min(current.start.day, length) - 1)
    end = first + timedelta(days=min(current.end.day, length) - 1)
    return Period(start=start, end=max(start, end))


def _same_holiday(current: Period) -> Period:
    names = holidays_in(current)
    if not names:
        raise BadRequest("the period holds no statutory holiday", hint="mode previous or yoy_week")
    found = holiday_period(names[0], current.start.year - 1)
    if found is None:
        raise BadRequest(f"the calendar does not know {names[0]} of {current.start.year - 1}")
    return found


def week_start(day: date) -> date:
    """Monday of the week."""
    return day - timedelta(days=day.weekday())


def month_start(day: date) -> date:
    """First of the month."""
    return day.replace(day=1)


def month_period(year: int, month: int) -> Period:
    """All days of one month."""
    last = calendar.monthrange(year, month)[1]
    return Period(start=date(year, month, 1), end=date(year, month, last))


def quarter_period(year: int, quarter: int) -> Period:
    """All days of one quarter (1-4)."""
    first = 3 * quarter - 2
    return Period(start=date(year, first, 1), end=month_period(year, first + 2).end)


def quarter_of(day: date) -> int:
    """1-4."""
    return (day.month + 2) // 3


def months_before(day: date, months: int) -> date:
    """The same day number `months` earlier, clamped to that month's length."""
    index = day.year * 12 + day.month - 1 - months
    year, month = divmod(index, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def years_before(day: date, years: int) -> date:
    """The same date `years` earlier; Feb 29 becomes Feb 28."""
    return months_before(day, 12 * years)


def step_end(day: date, grain: str) -> date:
    """Last day that a row of this date speaks of: a monthly row stands for its month."""
    if grain == "month":
        return month_period(day.year, day.month).end
    if grain == "quarter":
        return quarter_period(day.year, quarter_of(day)).end
    return date(day.year, 12, 31) if grain == "year" else day
