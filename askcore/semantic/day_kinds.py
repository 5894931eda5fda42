"""The calendar of a search as arrays: Chinese holidays for Chinese data, weekdays only for other data."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from askcore.semantic.calendar import DayType, day_type
from askcore.stats.day_types import DayTypes

_CHINESE_ZONES = frozenset({"Asia/Shanghai", "Asia/Chongqing", "Asia/Urumqi", "PRC"})


def has_calendar(timezone: str) -> bool:
    """Whether the holidays of the data's country are known."""
    return timezone in _CHINESE_ZONES


def kinds_of(days: Sequence[date], timezone: str) -> tuple[DayType, ...]:
    """The type of each day."""
    if has_calendar(timezone):
        return tuple(day_type(d) for d in days)
    return tuple(DayType(kind="weekend" if d.weekday() >= 5 else "workday") for d in days)


def day_types(days: Sequence[date], kinds: Sequence[DayType]) -> DayTypes:
    """The same for the statistics."""
    return DayTypes.of([d.weekday() for d in days], [k.kind for k in kinds], [k.holiday for k in kinds])
