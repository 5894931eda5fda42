"""What a search found and what it left out; plain values that need no numpy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from askcore.base.values import Period
from askcore.semantic.calendar import DayType
from askcore.semantic.model import Level, Metric

Mode = Literal["anomaly", "changepoint"]
SkipReason = Literal["not_daily", "not_summed", "no_rows", "short_history", "only_holidays", "outside"]
TOP = 20
"""Findings that sentences and cells name: many tests find some by chance."""
LISTED = 200
"""Findings that the table holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One entity of the level that is searched; "" for a dataset without levels."""

    id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A day that stands out, or the first day of a new level."""

    series: Series
    day: date
    observed: float
    """Change point: the level of a typical day from `day` on."""
    expected: float
    """Change point: the level of a typical day before."""
    z: float
    impact: float
    """Observed minus expected of the day (change point: of a typical day) in the unit of what is counted."""
    day_type: DayType
    earliest: date
    latest: date
    """Dates that are as likely as `day`; all the same for an anomaly."""

    @property
    def delta(self) -> float:
        """Observed minus expected in the metric's unit."""
        return self.observed - self.expected

    @property
    def pct(self) -> float | None:
        """Deviation as a fraction of what was expected; None where nothing was."""
        return self.delta / abs(self.expected) if self.expected else None

    @property
    def weight(self) -> float:
        """Rank: how sure and how large."""
        return abs(self.z) * abs(self.impact)


@dataclass(frozen=True, slots=True, kw_only=True)
class Excluded:
    """What was not judged, inside the period that was asked for."""

    zero_rows: tuple[tuple[Series, date], ...] = ()
    """Rows with every sum 0: not delivered, or closed; no business of an ordinary day."""
    missing_rows: tuple[tuple[Series, date], ...] = ()
    """Days without a row between the first and the last one of a series."""
    holidays: tuple[date, ...] = ()
    holiday_rows: int = 0
    short: tuple[Series, ...] = ()
    """Series without enough ordinary days before for a single judgement."""
    other_rows: int = 0
    """Rows without a value, with a negative one, or with too little before them."""
    smaller_series: int = 0
    """Entities beyond the largest ones that are read."""


@dataclass(frozen=True, kw_only=True)
class Search:
    """A finished search."""

    mode: Mode
    metric: Metric
    impact_unit: str
    level: Level | None
    scope: str
    period: Period
    """The days that were judged."""
    history_start: date
    findings: tuple[Finding, ...] = ()
    """Heaviest first."""
    series: int = 0
    tested_series: int = 0
    tested_days: int = 0
    """Entity-days that were judged (change points: that took part in the series searched)."""
    excluded: Excluded = Excluded()
    thresholds: Mapping[str, float] = field(default_factory=dict)
    is_calendar_known: bool = True
    rolled_up_from: Level | None = None
    skip: SkipReason | None = None
    """Why nothing could be judged."""
    sql: str = ""
    scanned: int = 0

    @property
    def shown(self) -> tuple[Finding, ...]:
        """The findings that sentences name."""
        return self.findings[:TOP]
