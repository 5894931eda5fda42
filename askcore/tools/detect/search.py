"""Judge every series of a panel and rank what stands out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from askcore.base.values import Period
from askcore.semantic.calendar import DayType
from askcore.stats import anomalies, changepoints
from askcore.stats.day_types import Bools, DayTypes, Floats
from askcore.tools.detect.finding import Excluded, Finding, Series
from askcore.tools.detect.measure import Measure
from askcore.tools.detect.panel import Panel

_USUAL_SHARE = 0.8  # of a weekday's dates; a shop that is closed on Mondays misses none of them


@dataclass(frozen=True, kw_only=True, eq=False)
class Judged:
    """What one mode made of a panel."""

    findings: tuple[Finding, ...]
    tested: Bools
    """Series × days that were judged."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Ground:
    """A panel with its calendar and the days that were asked for."""

    panel: Panel
    measure: Measure
    days: tuple[date, ...]
    kinds: tuple[DayType, ...]
    types: DayTypes
    period: Period

    @property
    def first(self) -> int:
        """Position of the first day that was asked for."""
        return (self.period.start - self.days[0]).days


def anomalous_days(ground: Ground) -> Judged:
    """Every day of the period against the days like it before."""
    panel, values = ground.panel, ground.panel.values()
    if ground.measure.kind == "rate" and panel.bottoms is not None:
        tops = np.where(np.isnan(values), np.nan, panel.tops)
        scores = anomalies.rate_scores(tops, panel.bottoms, ground.types, first=ground.first)
    else:
        is_count = ground.measure.kind == "count"
        scores = anomalies.amount_scores(values, ground.types, is_count=is_count, first=ground.first)
    impact = scores.impact
    if ground.measure.kind == "size" and panel.bottoms is not None:
        impact = impact * panel.bottoms
    least = 0.0 if ground.measure.kind == "size" else anomalies.MIN_UNITS
    is_found = scores.found(anomalies.deviations(values, scores.expected), least)
    found = [
        _anomaly(ground, int(row), int(day), values, scores, impact)
        for row, day in zip(*np.nonzero(is_found), strict=True)
    ]
    return Judged(findings=ranked(found), tested=scores.is_scored)


def _anomaly(
    ground: Ground, row: int, day: int, values: Floats, scores: anomalies.Scores, impact: Floats
) -> Finding:
    when = ground.days[day]
    return Finding(
        series=ground.panel.series[row],
        day=when,
        observed=float(values[row, day]),
        expected=ground.measure.neat(float(scores.expected[row, day])),
        z=float(scores.z[row, day]),
        impact=float(impact[row, day]),
        day_type=ground.kinds[day],
        earliest=when,
        latest=when,
    )


def level_changes(ground: Ground) -> Judged:
    """Every series with enough days; breaks inside the period count."""
    values = ground.panel.values()
    tested = np.zeros(values.shape, dtype=np.bool_)
    found: list[Finding] = []
    for row in range(len(values)):
        usable = changepoints.usable(values[row], ground.types)
        if usable.sum() < changepoints.MIN_DAYS:
            continue
        tested[row] = usable
        is_count = ground.measure.kind == "count"
        breaks = changepoints.change_points(values[row], ground.types, is_count=is_count)
        found += _changes(ground, row, breaks)
    return Judged(findings=ranked(found), tested=tested)


def _changes(ground: Ground, row: int, breaks: Sequence[changepoints.ChangePoint]) -> Iterator[Finding]:
    bottoms = ground.panel.bottoms
    scale = 1.0 if bottoms is None else float(np.nanmedian(bottoms[row]))
    for one in breaks:
        if one.index < ground.first:
            continue
        before, after = ground.measure.neat(one.before), ground.measure.neat(one.after)
        yield Finding(
            series=ground.panel.series[row],
            day=ground.days[one.index],
            observed=after,
            expected=before,
            z=float(np.copysign(np.sqrt(one.gain), one.after - one.before)),
            impact=(after - before) * scale,
            day_type=ground.kinds[one.index],
            earliest=ground.days[one.earliest],
            latest=ground.days[one.latest],
        )


def ranked(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Heaviest first; equal ones by day and entity, so that the order is stable."""
    return tuple(sorted(findings, key=lambda f: (-f.weight, f.day, f.series.id)))


def left_out(ground: Ground, judged: Judged) -> Excluded:
    """What of the period was not judged, and why."""
    panel = ground.panel
    inside = np.arange(len(ground.days)) >= ground.first
    rows = panel.has_row & inside
    open_rows = rows & ~judged.tested & ~panel.is_zero
    is_short: Bools = np.any(open_rows & ~ground.types.is_holiday, axis=1) & ~np.any(judged.tested, axis=1)
    on_holiday = open_rows & ground.types.is_holiday & ~is_short[:, None]
    return Excluded(
        zero_rows=_keys(ground, rows & panel.is_zero),
        missing_rows=_keys(ground, _gaps(panel.has_row, ground.types) & inside),
        holidays=tuple(ground.days[i] for i in np.flatnonzero(on_holiday.any(axis=0))),
        holiday_rows=int(on_holiday.sum()),
        short=tuple(panel.series[i] for i in np.flatnonzero(is_short)),
        other_rows=int((open_rows & ~on_holiday).sum()),
        smaller_series=max(0, panel.total_series - len(panel.series)),
    )


def _keys(ground: Ground, mask: Bools) -> tuple[tuple[Series, date], ...]:
    return tuple((ground.panel.series[i], ground.days[j]) for i, j in zip(*np.nonzero(mask), strict=True))


def _gaps(has_row: Bools, types: DayTypes) -> Bools:
    """Days without a row between the first and the last of a series, on weekdays that usually have one."""
    begun = np.maximum.accumulate(has_row, axis=1)
    going = np.maximum.accumulate(has_row[:, ::-1], axis=1)[:, ::-1]
    life = begun & going
    usual = np.zeros(has_row.shape, dtype=np.bool_)
    for weekday in np.unique(types.weekday):
        of_day = types.weekday == weekday
        lived, seen = life[:, of_day].sum(axis=1), has_row[:, of_day].sum(axis=1)
        usual[:, of_day] = (seen >= _USUAL_SHARE * lived)[:, None]
    gaps: Bools = life & ~has_row & usual
    return gaps
