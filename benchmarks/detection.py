"""How well anomalies and change points are found: the synthetic shop-days of DOMAIN 3.6 and 3.7, anew.

Poisson days with a weekday pattern, 8 % day noise and the calendar of 2026 with its holidays. A goal is what
was measured for DOMAIN with 60 series, less (recall, hits) or plus (false alarms) two standard errors of
60 series: a figure inside is no different from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np

from askcore.semantic.calendar import day_type
from askcore.stats.anomalies import HISTORY_DAYS, MIN_UNITS, amount_scores, deviations
from askcore.stats.changepoints import change_points
from askcore.stats.day_types import DayTypes, Floats
from benchmarks.bench import Bench
from benchmarks.measure import Spread
from benchmarks.report import Line

_SERIES = 300  # five times as many as DOMAIN's, so that ours is the steadier figure
_SEEDS = range(5)
_DOMAIN_SERIES = 60
_WEEKDAYS = np.array([0.93, 0.92, 0.94, 0.97, 1.06, 1.12, 1.06])
_FRIDAY = 4
_HOLIDAY_FACTOR = 1.45
_DAY_NOISE = 0.08
_PLANTED = (0.5, 0.6, 1.6)
_LENGTH = 120
_CUT = 60
_NEAR = 3  # days between a hit and the truth, holidays not counted: they are masked
_YEAR = [date(2026, 1, 1) + timedelta(days=n) for n in range(365)]
_KINDS = [day_type(d) for d in _YEAR]


@dataclass(frozen=True, kw_only=True)
class _Figures:
    """Shares of what was planted, and false finds."""

    found: float
    false: float


ANOMALIES = {60: _Figures(found=0.43, false=0.14), 400: _Figures(found=0.84, false=0.32)}
"""Daily orders -> DOMAIN 3.6, row 1: recall, false alarms per 100 days."""
SHIFTS = {
    (60, -0.10): _Figures(found=0.32, false=0.35),
    (60, -0.20): _Figures(found=0.87, false=0.13),
    (60, -0.35): _Figures(found=1.00, false=0.02),
    (400, -0.20): _Figures(found=0.97, false=0.03),
    (60, 0.0): _Figures(found=0.0, false=0.013),
}
"""(daily orders, shift) -> DOMAIN 3.7: hits within three days, spurious ones a series."""


def run(bench: Bench) -> Iterator[Line]:
    """Anomalies by size, then change points by size and shift."""
    for size, known in ANOMALIES.items():
        yield _anomaly_line(size, known, [measured_anomalies(size, seed=seed) for seed in _SEEDS])
    for (size, shift), known in SHIFTS.items():
        ours = [measured_shift(size, shift, seed=seed) for seed in _SEEDS]
        yield _shift_line(size, shift, known, ours)
    yield from _ruptures()


def day_types(first: int = 0, count: int = 365) -> DayTypes:
    """A stretch of 2026."""
    days = slice(first, first + count)
    return DayTypes.of(
        [d.weekday() for d in _YEAR[days]],
        [k.kind for k in _KINDS[days]],
        [k.holiday for k in _KINDS[days]],
    )


def rates(rng: np.random.Generator, series: int, size: float) -> Floats:
    """Expected orders of each day of 2026 with day noise."""
    weekday = [
        _FRIDAY if k.kind == "adjusted_workday" else d.weekday() for d, k in zip(_YEAR, _KINDS, strict=True)
    ]
    lift = np.where([k.kind == "holiday" for k in _KINDS], _HOLIDAY_FACTOR, 1.0)
    noise: Floats = np.exp(rng.normal(0, _DAY_NOISE, (series, len(_YEAR))))
    return size * _WEEKDAYS[weekday] * lift * noise


def measured_anomalies(size: float, *, series: int = _SERIES, seed: int = 0) -> _Figures:
    """Recall of three planted days a series, and false alarms per 100 judged days."""
    rng = np.random.default_rng(seed)
    types, expected = day_types(), rates(rng, series, size)
    is_planted = np.zeros(expected.shape, dtype=np.bool_)
    places = np.flatnonzero(~types.is_holiday[HISTORY_DAYS:]) + HISTORY_DAYS
    for row in range(series):
        at = rng.choice(places, len(_PLANTED), replace=False)
        expected[row, at] *= _PLANTED
        is_planted[row, at] = True
    values = rng.poisson(expected).astype(np.float64)
    scores = amount_scores(values, types, is_count=True, first=HISTORY_DAYS)
    found = scores.found(deviations(values, scores.expected), MIN_UNITS)
    ordinary = scores.is_scored & ~is_planted & ~types.is_holiday
    return _Figures(
        found=float(found[is_planted].mean()), false=100 * float((found & ordinary).sum() / ordinary.sum())
    )


def measured_shift(size: float, shift: float, *, series: int = _SERIES, seed: int = 0) -> _Figures:
    """Share of series whose break is found within three days, and other breaks a series."""
    hits = spurious = 0
    for types, values, cut in shifted(size, shift, series=series, seed=seed):
        places = [p.index for p in change_points(values, types, is_count=True)]
        is_hit = shift != 0 and any(_apart(types, place, cut) <= _NEAR for place in places)
        hits += is_hit
        spurious += len(places) - is_hit
    return _Figures(found=hits / series, false=spurious / series)


def shifted(size: float, shift: float, *, series: int, seed: int) -> Iterator[tuple[DayTypes, Floats, int]]:
    """(days, values, position of the break) of stretches that begin anywhere in the year."""
    rng = np.random.default_rng(seed)
    for _ in range(series):
        first = int(rng.integers(0, len(_YEAR) - _LENGTH))
        types = day_types(first, _LENGTH)
        cut = _CUT + int(np.argmin(types.is_holiday[_CUT:]))
        expected = rates(rng, 1, size)[0, first : first + _LENGTH]
        expected[cut:] *= 1 + shift
        yield types, rng.poisson(expected).astype(np.float64), cut


def _apart(types: DayTypes, one: int, other: int) -> int:
    low, high = sorted((one, other))
    return int((~types.is_holiday[low:high]).sum())


def _anomaly_line(size: int, known: _Figures, ours: Sequence[_Figures]) -> Line:
    found, false = _spreads(ours)
    days = _DOMAIN_SERIES * (len(_YEAR) - HISTORY_DAYS) / 100
    least = known.found - _two_errors(known.found, _DOMAIN_SERIES * len(_PLANTED))
    most = known.false + 2 * (known.false / days) ** 0.5
    return Line(
        name=f"anomalies, {size} orders a day",
        figures=f"recall {found.text()}, false {false.text()} per 100 days"
        f" (DOMAIN {known.found:.2f}, {known.false:.2f})",
        goal=f"≥ {least:.2f}, ≤ {most:.2f}",
        is_held=found.median >= least and false.median <= most,
    )


def _shift_line(size: int, shift: float, known: _Figures, ours: Sequence[_Figures]) -> Line:
    found, false = _spreads(ours)
    least = known.found - _two_errors(known.found, _DOMAIN_SERIES)
    most = known.false + 2 * (known.false / _DOMAIN_SERIES) ** 0.5
    name = f"shift {shift:+.0%}" if shift else "no shift"
    return Line(
        name=f"change points, {name}, {size} orders a day",
        figures=f"hit {found.text()}, spurious {false.text(3)} a series"
        f" (DOMAIN {known.found:.2f}, {known.false:.3f})",
        goal=f"≥ {least:.2f}, ≤ {most:.3f}",
        is_held=found.median >= least and false.median <= most,
    )


def _spreads(ours: Sequence[_Figures]) -> tuple[Spread, Spread]:
    """(found, false) over the seeds."""
    return Spread.of([one.found for one in ours]), Spread.of([one.false for one in ours])


def _two_errors(share: float, count: int) -> float:
    """Two standard errors of a share; of 0 and 1 those of one case in `count`."""
    near = min(max(share, 1 / count), 1 - 1 / count)
    return 2 * float((near * (1 - near) / count) ** 0.5) if share else 0.0


def _ruptures() -> Iterator[Line]:
    """The same series through PELT with an l2 cost, where the package is installed."""
    try:
        import ruptures
    except ImportError:
        return
    for size, shift in SHIFTS:
        hits = spurious = 0
        for types, values, cut in shifted(size, shift, series=_DOMAIN_SERIES, seed=0):
            places = _pelt(ruptures, types, values)
            is_hit = shift != 0 and any(_apart(types, place, cut) <= _NEAR for place in places)
            hits += is_hit
            spurious += len(places) - is_hit
        figures = f"hit {hits / _DOMAIN_SERIES:.2f}, spurious {spurious / _DOMAIN_SERIES:.3f} a series"
        yield Line(name=f"ruptures PELT, shift {shift:+.0%}, {size} orders a day", figures=figures)


def _pelt(ruptures: object, types: DayTypes, values: Floats) -> list[int]:
    """Breaks of the weekday-adjusted logs, holidays left out as in ours."""
    kept = np.flatnonzero(~types.is_holiday)
    logs = np.log1p(values[kept])
    for weekday in np.unique(types.weekday[kept]):
        of_day = types.weekday[kept] == weekday
        logs[of_day] -= np.median(logs[of_day])
    spread = 1.4826 * np.median(np.abs(np.diff(logs))) / np.sqrt(2)
    search = ruptures.Pelt(model="l2", min_size=7, jump=1).fit(logs / spread)  # type: ignore[attr-defined]
    return [int(kept[cut]) for cut in search.predict(pen=3 * np.log(len(kept)))[:-1]]
