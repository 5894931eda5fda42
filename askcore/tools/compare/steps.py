"""The rows that a period should have: days, weeks or whatever step the data goes in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property

from askcore.base.values import Period
from askcore.semantic.model import TimeGrain
from askcore.semantic.periods import months_before

STEP_DAYS: Mapping[str, int] = {"day": 1, "week": 7}
_STEP_MONTHS = {"month": 1, "quarter": 3, "year": 12}
_REGULAR_SHARE = 0.8  # a daily file with rows on fewer of its days has days without trade, not gaps


@dataclass(frozen=True, kw_only=True)
class Steps:
    """The expected dates of one period, in order.

    A date's position counts from the start of the period that was asked for, so that positions of two
    periods face each other even when the data begins inside one of them.
    """

    dates: tuple[date, ...]
    first_position: int = 0

    @property
    def count(self) -> int:
        """Number of expected dates."""
        return len(self.dates)

    @cached_property
    def positions(self) -> Mapping[date, int]:
        """Date -> position."""
        return {d: i for i, d in enumerate(self.dates, start=self.first_position)}

    @cached_property
    def by_position(self) -> Mapping[int, date]:
        """Position -> date."""
        return {i: d for d, i in self.positions.items()}


def expected_steps(
    period: Period,
    grain: TimeGrain,
    present: Sequence[date],
    *,
    asked: Period,
    anchor: date,
    is_regular: bool,
) -> Steps:
    """The dates that a complete period holds.

    present: dates of the dataset inside the period, any order. asked: the period before it was cut to the
    data. anchor: a date that has rows; weekly data is expected every seven days from it. Irregular data is
    expected where it is present.
    """
    dates = regular_dates(period, grain, anchor) if is_regular else None
    if dates is None:
        return Steps(dates=tuple(sorted({d for d in present if period.contains(d)})))
    lost = regular_dates(asked, grain, anchor) or ()
    return Steps(dates=dates, first_position=sum(d < period.start for d in lost))


def regular_dates(period: Period, grain: TimeGrain, anchor: date) -> tuple[date, ...] | None:
    """Every day, or every seventh day in step with `anchor`; None for longer steps."""
    length = STEP_DAYS.get(grain)
    if length is None:
        return None
    offset = (anchor - period.start).days % length
    return tuple(period.start + timedelta(days=i) for i in range(offset, period.days, length))


def next_step(day: date, grain: TimeGrain) -> date:
    """When the row after the one of `day` is due."""
    if grain in STEP_DAYS:
        return day + timedelta(days=STEP_DAYS[grain])
    return months_before(day, -_STEP_MONTHS[grain])


def is_regular(grain: TimeGrain, held: Period, date_count: int) -> bool:
    """Whether the data has a row date at nearly every step of its range."""
    length = STEP_DAYS.get(grain)
    return length is not None and date_count >= _REGULAR_SHARE * ((held.days - 1) // length + 1)
