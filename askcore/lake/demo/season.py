"""The demo's calendar: which days it covers and how busy each kind of restaurant is on them."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from askcore.base.values import Period
from askcore.semantic.calendar import DayType, day_type, days_of

Floats = NDArray[np.float64]
ProfileName = Literal["hearty", "light", "noodle"]

COVERED = Period(start=date(2025, 8, 1), end=date(2026, 10, 17))
AS_OF = date(2026, 10, 18)
CURRENT = Period(start=date(2026, 10, 11), end=date(2026, 10, 17))
"""The last seven settled days: what "last 7 days" reads on the demo clock."""
BASELINE = CURRENT.shift(-7)


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What kind of restaurant a chain runs."""

    weekdays: tuple[float, ...]
    """Traffic factor Monday to Sunday, mean 1."""
    holiday: float
    """Traffic factor on statutory holidays."""
    spring_festival: float
    yearly_growth: float
    aov_yuan: float


# Hearty and noodle shops live from evenings and holidays, light food from office days: the week after
# National Day is therefore weaker for the first two and flat for the third.
PROFILES: Mapping[ProfileName, Profile] = {
    "hearty": Profile(
        weekdays=(0.93, 0.92, 0.94, 0.97, 1.06, 1.12, 1.06),
        holiday=1.45,
        spring_festival=0.66,
        yearly_growth=0.06,
        aov_yuan=41.0,
    ),
    "light": Profile(
        weekdays=(1.10, 1.10, 1.08, 1.07, 1.03, 0.80, 0.82),
        holiday=0.80,
        spring_festival=0.45,
        yearly_growth=0.08,
        aov_yuan=34.0,
    ),
    "noodle": Profile(
        weekdays=(1.00, 0.99, 1.00, 1.00, 1.02, 1.00, 0.99),
        holiday=1.32,
        spring_festival=0.60,
        yearly_growth=0.04,
        aov_yuan=27.0,
    ),
}
HOLIDAY_AOV = 0.955  # discounts on statutory holidays: the basket is smaller while traffic is larger
YEARLY_PRICE_RISE = 0.03


def stream(seed: int, tag: str) -> np.random.Generator:
    """A random stream of its own for each purpose, so that one part never shifts another."""
    return np.random.Generator(np.random.PCG64([seed, zlib.crc32(tag.encode())]))


@cache
def all_days() -> tuple[date, ...]:
    """Every day of the demo, oldest first."""
    return tuple(days_of(COVERED))


def day_index(day: date) -> int:
    """Position of a day on the time axis of every array."""
    return (day - COVERED.start).days


def day_range(period: Period) -> slice:
    """Positions of a period's days."""
    return slice(day_index(period.start), day_index(period.end) + 1)


def season(profile: ProfileName, *, damping: float = 1.0) -> Floats:
    """Traffic factor of each day, about 1 at the end of the demo.

    damping: 1 = as the profile says; below 1 the holidays count less (a market of mixed shops).
    """
    kind = PROFILES[profile]
    weekly = np.array([kind.weekdays[_pattern_weekday(d, t)] for d, t in _typed_days()])
    lift = np.array([_holiday_factor(kind, t) for _, t in _typed_days()])
    return weekly * (1 + (lift - 1) * damping) * _trend(kind.yearly_growth)


def basket(profile: ProfileName) -> Floats:
    """Average order value in yuan of each day."""
    on_holiday = np.array([t.kind == "holiday" for _, t in _typed_days()])
    prices = PROFILES[profile].aov_yuan * _trend(YEARLY_PRICE_RISE, swing=0.0)
    return prices * np.where(on_holiday, HOLIDAY_AOV, 1.0)


@cache
def _typed_days() -> tuple[tuple[date, DayType], ...]:
    return tuple((d, day_type(d)) for d in all_days())


def _pattern_weekday(day: date, kind: DayType) -> int:
    """The weekday a day trades like: an adjusted workday like the Friday it stands for."""
    return 4 if kind.kind == "adjusted_workday" else day.weekday()


def _holiday_factor(profile: Profile, kind: DayType) -> float:
    if kind.kind != "holiday":
        return 1.0
    return profile.spring_festival if kind.holiday == "spring_festival" else profile.holiday


def _trend(yearly_growth: float, *, swing: float = 0.03) -> Floats:
    """Growth to the demo's end, with a mild yearly swing."""
    days_left = np.arange(COVERED.days, dtype=np.float64)[::-1]
    growth: Floats = (1 + yearly_growth) ** (-days_left / 365)
    return growth * (1 + swing * np.sin(2 * np.pi * days_left / 365))


def week_before(day: date) -> Period:
    """The seven days that end one week before `day`: a baseline clear of a break at `day`."""
    return Period(start=day - timedelta(days=14), end=day - timedelta(days=8))
