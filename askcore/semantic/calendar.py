"""Chinese day types, with an honest fallback where the official calendar ends.

Source: DOMAIN of Chinese statutory holidays through the `chinesecalendar` package (2004 to its last
published year); past that, weekdays only and `is_known` is False so that answers can say so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from askcore.base.values import Period

DayKind = Literal["workday", "weekend", "holiday", "adjusted_workday"]
# The package's English names -> the keys that the rest of the product and its lexicon use.
_NAMES = {
    "New Year's Day": "new_year",
    "Spring Festival": "spring_festival",
    "Tomb-sweeping Day": "qingming",
    "Labour Day": "labour_day",
    "Dragon Boat Festival": "dragon_boat",
    "National Day": "national_day",
    "Mid-autumn Festival": "mid_autumn",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DayType:
    """What kind of day it is."""

    kind: DayKind
    holiday: str = ""
    """Key of the holiday, e.g. "national_day"; set for adjusted workdays too."""
    is_known: bool = True
    """False where the official calendar has no data for the year."""


def day_type(day: date) -> DayType:
    """The type of one day."""
    import chinese_calendar  # reads its tables on import

    try:
        on_holiday, name = chinese_calendar.get_holiday_detail(day)
    except NotImplementedError:
        return DayType(kind="weekend" if day.weekday() >= 5 else "workday", is_known=False)
    key = _NAMES.get(name or "", "")
    if on_holiday and key:
        return DayType(kind="holiday", holiday=key)
    if day.weekday() >= 5 and not on_holiday:
        return DayType(kind="adjusted_workday", holiday=key)
    return DayType(kind="weekend" if on_holiday else "workday", holiday=key)


def days_of(period: Period) -> Iterator[date]:
    """Each day of the period in order."""
    for offset in range(period.days):
        yield period.start + timedelta(days=offset)


def holiday_period(holiday: str, year: int) -> Period | None:
    """The statutory days of one holiday in one year; None when the calendar does not know it.

    Another holiday that falls inside (Mid-autumn within National Day 2025) belongs to it. A holiday that
    starts in the last days of December belongs to the year it celebrates.
    """
    window = Period(start=date(year, 1, 1) - timedelta(days=5), end=date(year, 12, 31))
    runs: list[list[date]] = []
    for day in days_of(window):
        if day_type(day).kind != "holiday":
            continue
        if runs and (day - runs[-1][-1]).days == 1:
            runs[-1].append(day)
        else:
            runs.append([day])
    for run in runs:
        named = [d for d in run if day_type(d).holiday == holiday]
        if named and named[-1].year == year:
            return Period(start=named[0], end=named[-1])
    return None


def holidays_in(period: Period) -> tuple[str, ...]:
    """Keys of the statutory holidays that have a day in the period, in order."""
    found = (t.holiday for d in days_of(period) if (t := day_type(d)).kind == "holiday")
    return tuple(dict.fromkeys(found))


def is_covered(period: Period) -> bool:
    """Whether the official calendar knows every year of the period."""
    return all(day_type(date(year, 1, 4)).is_known for year in range(period.start.year, period.end.year + 1))
