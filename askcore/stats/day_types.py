"""Kinds of days as arrays, one entry a day, so that whole panels of series are judged at once.

Who knows the calendar fills them; the statistics only ask which days are alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

NO_WEEKDAY = -1
"""Of an adjusted workday: a working Saturday trades like a workday, but like none in particular."""


@dataclass(frozen=True, kw_only=True, eq=False)
class DayTypes:
    """Consecutive days, oldest first."""

    weekday: Ints
    """0 Monday … 6 Sunday; NO_WEEKDAY for adjusted workdays."""
    is_weekend: Bools
    """A Saturday or Sunday that is free; holidays by their weekday."""
    is_holiday: Bools
    holiday: tuple[str, ...]
    """Name of the holiday that the day belongs to; "" for ordinary days."""

    @property
    def count(self) -> int:
        """Number of days."""
        return len(self.weekday)

    @classmethod
    def of(cls, weekdays: Sequence[int], kinds: Sequence[str], holidays: Sequence[str]) -> DayTypes:
        """From the calendar's kinds: workday, weekend, holiday, adjusted_workday."""
        weekday, kind = np.array(weekdays, dtype=np.int64), np.array(kinds, dtype=np.str_)
        adjusted = kind == "adjusted_workday"
        is_holiday = kind == "holiday"
        return cls(
            weekday=np.where(adjusted, NO_WEEKDAY, weekday),
            is_weekend=(weekday >= 5) & ~adjusted,
            is_holiday=is_holiday,
            holiday=tuple(h if on else "" for h, on in zip(holidays, is_holiday, strict=True)),
        )
