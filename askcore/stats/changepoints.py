"""When a daily series changed its level for good: binary segmentation of weekday-adjusted logs.

Holidays and days without a value are left out. A break counts when it lowers the squared deviations by more
than 3·ln n times the day-to-day variance, which is taken from the differences of neighbouring days, so that
the break itself does not hide in it. Source: DOMAIN 3.7; `benchmarks/detection.py` measures it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from askcore.stats.day_types import Bools, DayTypes, Floats, Ints
from askcore.stats.medians import MAD_TO_SIGMA, row_medians

MIN_SEGMENT = 7  # days: every weekday once
MIN_DAYS = 4 * MIN_SEGMENT
"""Ordinary days with a value without which a series is not searched."""
GAIN_PER_LOG_DAYS = 3.0
MIN_SHIFT = 0.08
"""A smaller change of level is no news, however steady the series is."""
_NEAR_BEST = 2.0  # dates whose gain is this close to the best are as likely
_MIN_SIGMA = 0.01  # a series without noise must not make every cent a break
_STEP_ADVANTAGE = (
    0.05  # of what two levels explain; a break in the middle has a quarter, a drift less than none
)
_CLIP = 3.0  # sigmas from the running median: one odd day is an anomaly, not a level
_OFFSET_SHARE = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangePoint:
    """A new level from a day on; positions count the days of the series."""

    index: int
    """Most likely first day of the new level."""
    earliest: int
    latest: int
    before: float
    """Level of a typical day in the stretch before, in the unit of the values."""
    after: float
    gain: float
    """Evidence in units of the day-to-day variance; above `threshold` of as many days."""

    @property
    def shift(self) -> float:
        """Change of the level as a fraction."""
        return self.after / self.before - 1


def threshold(days: int) -> float:
    """Gain that a break must exceed in a series of so many days."""
    return GAIN_PER_LOG_DAYS * float(np.log(days))


def usable(values: Floats, types: DayTypes) -> Bools:
    """Days that take part: ordinary ones with a value."""
    return np.isfinite(values) & (values >= 0) & ~types.is_holiday


def change_points(values: Floats, types: DayTypes, *, is_count: bool) -> tuple[ChangePoint, ...]:
    """The breaks of one series in order of time; () also when it has fewer than `MIN_DAYS` usable days.

    values: one a day, NaN = no row or not to be used. is_count: see `anomalies.amount_scores`.
    """
    kept = np.flatnonzero(usable(values, types))
    if len(kept) < MIN_DAYS:
        return ()
    offset = 1.0 if is_count else _OFFSET_SHARE * float(np.median(values[kept]))
    if offset <= 0:
        return ()
    logs = _weekday_adjusted(np.log(values[kept] + offset), types, kept)
    sigma = _sigma(logs)
    logs = _clipped(logs, sigma)
    limit = threshold(len(kept)) * sigma**2
    cuts = _settled(logs, _segmented(logs, 0, len(kept), limit), limit)
    edges = [0, *cuts, len(kept)]
    return tuple(
        _change_point(logs, kept, start, cut, end, sigma, offset)
        for start, cut, end in zip(edges, edges[1:], edges[2:], strict=False)
    )


def _weekday_adjusted(logs: Floats, types: DayTypes, kept: Ints) -> Floats:
    """Without what is usual on each weekday, told from the week around each day, whatever its level."""
    around = logs - np.pad(_weeks(logs).mean(axis=1), MIN_SEGMENT // 2, mode="edge")
    weekday = types.weekday[kept]
    effects = {int(d): float(np.median(around[weekday == d])) for d in np.unique(weekday) if d >= 0}
    of_workdays = [e for d, e in effects.items() if d < 5]
    usual = float(np.mean(of_workdays)) if of_workdays else 0.0
    center = float(np.mean(list(effects.values())))
    adjusted: Floats = logs - np.array([effects.get(int(d), usual) - center for d in weekday])
    return adjusted


def _weeks(logs: Floats) -> Floats:
    """The seven days around each day but the outermost three."""
    weeks: Floats = np.ascontiguousarray(np.lib.stride_tricks.sliding_window_view(logs, MIN_SEGMENT))
    return weeks


def _sigma(logs: Floats) -> float:
    """Day-to-day spread from the differences of neighbours."""
    spread = MAD_TO_SIGMA * float(np.median(np.abs(np.diff(logs)))) / np.sqrt(2)
    return max(float(spread), _MIN_SIGMA)


def _clipped(logs: Floats, sigma: float) -> Floats:
    middle = np.pad(row_medians(_weeks(logs)), MIN_SEGMENT // 2, mode="edge")
    return np.clip(logs, middle - _CLIP * sigma, middle + _CLIP * sigma)


def _gains(logs: Floats, start: int, end: int) -> Floats:
    """How much a cut before each allowed position lowers the squared deviations; position 0 = start + 7."""
    part = logs[start:end] - logs[start:end].mean()
    total = np.cumsum(part)[MIN_SEGMENT - 1 : len(part) - MIN_SEGMENT]
    left = np.arange(MIN_SEGMENT, MIN_SEGMENT + len(total))
    gains: Floats = total**2 * (1 / left + 1 / (len(part) - left))
    return gains


def _best(logs: Floats, start: int, end: int) -> tuple[int, float]:
    """(position of the best cut, its gain); gain 0 when the stretch is too short to cut."""
    if end - start < 2 * MIN_SEGMENT:
        return start, 0.0
    gains = _gains(logs, start, end)
    best = int(np.argmax(gains))
    return start + MIN_SEGMENT + best, float(gains[best])


def _segmented(logs: Floats, start: int, end: int, limit: float) -> list[int]:
    cut, gain = _best(logs, start, end)
    if gain <= limit:
        return []
    return [*_segmented(logs, start, cut, limit), cut, *_segmented(logs, cut, end, limit)]


def _settled(logs: Floats, cuts: list[int], limit: float) -> list[int]:
    """Each cut moved to the best place between its neighbours; the weakest dropped until all hold."""
    cuts = list(cuts)
    while cuts:
        edges = [0, *cuts, len(logs)]
        moved = [_best(logs, a, b) for a, b in zip(edges, edges[2:], strict=False)]
        weakest = min(range(len(cuts)), key=lambda i: moved[i][1])
        drifting = [i for i in range(len(cuts)) if not _is_step(logs, edges[i], moved[i][0], edges[i + 2])]
        if moved[weakest][1] > limit and not drifting:
            return [cut for cut, _ in moved]
        del cuts[weakest if moved[weakest][1] <= limit else min(drifting, key=lambda i: moved[i][1])]
    return []


def _is_step(logs: Floats, start: int, cut: int, end: int) -> bool:
    """Whether two levels fit clearly better than one straight line, by a change that matters."""
    before, after = logs[start:cut], logs[cut:end]
    if abs(np.expm1(after.mean() - before.mean())) < MIN_SHIFT:
        return False
    steps = float(((before - before.mean()) ** 2).sum() + ((after - after.mean()) ** 2).sum())
    part = logs[start:end] - logs[start:end].mean()
    place = np.arange(len(part)) - (len(part) - 1) / 2
    line = float((part**2).sum() - (part @ place) ** 2 / (place @ place))
    return line - steps > _STEP_ADVANTAGE * (float((part**2).sum()) - steps)


def _change_point(
    logs: Floats, kept: Ints, start: int, cut: int, end: int, sigma: float, offset: float
) -> ChangePoint:
    """With the dates that are as likely; a masked day just before the earliest may be the first as well."""
    gains = _gains(logs, start, end) / sigma**2
    best = float(gains.max())
    near = np.flatnonzero(gains >= best - _NEAR_BEST) + start + MIN_SEGMENT
    return ChangePoint(
        index=int(kept[cut]),
        earliest=int(kept[near[0] - 1]) + 1,
        latest=int(kept[near[-1]]),
        before=float(np.exp(logs[start:cut].mean()) - offset),
        after=float(np.exp(logs[cut:end].mean()) - offset),
        gain=best,
    )
