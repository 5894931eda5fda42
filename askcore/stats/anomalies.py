"""Days that stand out from the days like them before: robust, past-only, for many series at once.

A day is compared with the ordinary days of the eight weeks before it: workdays with workdays, weekends with
weekends, drawn towards its own weekday; fewer than three of its type and all ordinary days count. Nothing
after the day is looked at, so that a score never changes once the day is over. A holiday is judged by the
same holiday of an earlier year, or not at all.

Amounts: z on the log scale from median and MAD. Rates: z from the binomial deviance, widened by how much
more than binomial the days before vary. Source: DOMAIN 3.6; `benchmarks/detection.py` measures it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from askcore.stats.day_types import NO_WEEKDAY, Bools, DayTypes, Floats, Ints
from askcore.stats.medians import MAD_TO_SIGMA, row_counts, row_medians

HISTORY_DAYS = 56  # eight weeks: eight of each weekday, and a level that is still today's
MIN_HISTORY = 14
"""Ordinary days with a value without which a day is not judged."""
Z_LIMIT = 3.5
MIN_DEVIATION = 0.15
"""A smaller deviation from what was expected is no news, however steady the series is."""
MIN_UNITS = 5.0
"""Orders or people that must be behind a deviation; sizes in other units have no such floor."""
_MIN_SAME_TYPE = 3
_SATURDAY = 5
_WEEKDAY_PRIOR = 4.0  # a weekday's median counts like its n days against four days of the type
_WIDEN = 1.2  # median and MAD of a few dozen days are themselves uncertain: measured, see the benchmark
_MIN_SCALE = 0.03
_MIN_HOLIDAY_SCALE = 0.10  # one earlier holiday says little about how much holidays differ
_EARLIER_DAYS = 90  # a holiday this long before is another year's, not the same days off
_OFFSET_SHARE = 0.01  # of the median: lets the log take a zero and changes nothing else
_CHI2_MEDIAN = 0.4549  # median of chi-square with one degree of freedom


@dataclass(frozen=True, kw_only=True, eq=False)
class Scores:
    """Series × days; NaN where a day was not judged."""

    expected: Floats
    """Amounts: in the metric's unit. Rates: a fraction."""
    z: Floats
    impact: Floats
    """Observed minus expected; of rates in units of the numerator."""

    @property
    def is_scored(self) -> Bools:
        """Which days were judged."""
        return ~np.isnan(self.z)

    def found(self, deviation: Floats, least: float) -> Bools:
        """Which days are anomalies: far in z, by 15 %, and by `least` units of impact."""
        with np.errstate(invalid="ignore"):
            is_far = np.abs(self.z) > Z_LIMIT
            is_large = (np.abs(deviation) >= MIN_DEVIATION) & (np.abs(self.impact) >= least)
        return is_far & is_large


def deviations(observed: Floats, expected: Floats) -> Floats:
    """Observed against expected as a fraction; infinite where nothing was expected and something came."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(observed == expected, 0.0, (observed - expected) / np.abs(expected))


def amount_scores(values: Floats, types: DayTypes, *, is_count: bool, first: int = 0) -> Scores:
    """Judge the days from position `first` on; earlier ones are history only.

    values: series × days, NaN = no row or not to be used; negative values are not judged. is_count: whole
    numbers that vary at least as Poisson does; else any scale (money, quotients): the result does not
    depend on the unit.
    """
    known = np.where(np.isfinite(values) & (values >= 0), values, np.nan)
    expected, z = np.full(values.shape, np.nan), np.full(values.shape, np.nan)
    for day in range(first, types.count):
        center, scale, offset = _reference(known, types, day, is_count=is_count)
        observed = np.log(known[:, day] + offset)
        if is_count:
            scale = _count_scale(scale, observed, center)
        expected[:, day] = np.exp(center) - offset
        z[:, day] = (observed - center) / scale
    expected = np.where(np.isnan(z), np.nan, np.maximum(expected, 0))
    return Scores(expected=expected, z=z, impact=known - expected)


def _reference(known: Floats, types: DayTypes, day: int, *, is_count: bool) -> tuple[Floats, Floats, Floats]:
    """(expected log, its scale, what is added before the log) of each series; NaN = not judged."""
    window = _ordinary(types, day)
    before = known[:, window]
    offset = np.ones(len(known)) if is_count else _OFFSET_SHARE * row_medians(before)
    offset = np.where(offset > 0, offset, np.nan)
    logs = np.log(before + offset[:, None])
    is_judged = row_counts(before) >= MIN_HISTORY
    if types.is_holiday[day]:
        center, scale = _holiday_reference(known, types, day, logs)
    else:
        center, scale = _ordinary_reference(logs, types, window, day)
    return np.where(is_judged, center, np.nan), scale, offset


def _ordinary(types: DayTypes, day: int) -> Ints:
    """Positions of the days before that are no holidays."""
    start = max(0, day - HISTORY_DAYS)
    return np.flatnonzero(~types.is_holiday[start:day]) + start


def _ordinary_reference(logs: Floats, types: DayTypes, window: Ints, day: int) -> tuple[Floats, Floats]:
    """An adjusted workday stands for some weekday, nobody knows which: its scale holds what they differ."""
    of_type = {is_weekend: _type_center(logs, types, window, is_weekend) for is_weekend in (False, True)}
    residuals, apart = np.empty_like(logs), np.zeros(len(logs))
    own = of_type[bool(types.is_weekend[day])]
    for weekday, columns in _by_weekday(types, window):
        usual = of_type[bool(types.is_weekend[window[columns[0]]])]
        center = usual if weekday == NO_WEEKDAY else _towards_type(logs[:, columns], usual)
        residuals[:, columns] = logs[:, columns] - center[:, None]
        if weekday == types.weekday[day]:
            own = center
        if weekday < _SATURDAY:
            apart = np.fmax(apart, np.abs(center - usual))
    scale = np.maximum(_WIDEN * MAD_TO_SIGMA * row_medians(np.abs(residuals)), _MIN_SCALE)
    return own, np.hypot(scale, apart) if types.weekday[day] == NO_WEEKDAY else scale


def _by_weekday(types: DayTypes, window: Ints) -> Iterator[tuple[int, Ints]]:
    """(weekday, positions in the window) of the weekdays that it holds."""
    weekdays = types.weekday[window]
    for weekday in np.unique(weekdays):
        yield int(weekday), np.flatnonzero(weekdays == weekday)


def _type_center(logs: Floats, types: DayTypes, window: Ints, is_weekend: bool) -> Floats:
    """Median of the days of one type; of all where a series has fewer than three."""
    same = logs[:, types.is_weekend[window] == is_weekend]
    return np.where(row_counts(same) >= _MIN_SAME_TYPE, row_medians(same), row_medians(logs))


def _towards_type(of_weekday: Floats, of_type: Floats) -> Floats:
    """A weekday's median, drawn to its type's the more, the fewer days it has."""
    count, median = row_counts(of_weekday), row_medians(of_weekday)
    drawn = (count * np.nan_to_num(median) + _WEEKDAY_PRIOR * of_type) / (count + _WEEKDAY_PRIOR)
    return np.where(count > 0, drawn, of_type)


def _count_scale(scale: Floats, observed: Floats, center: Floats) -> Floats:
    """At least the Poisson spread, taken midway between expected and observed.

    On the log scale a low count is spread wider than a high one; without this, most false alarms were lows.
    """
    poisson = np.exp(-center)
    midway = np.exp(-(observed + center) / 2)
    excess = np.maximum(scale**2 - poisson, 0)
    widened: Floats = np.maximum(np.sqrt(excess + midway), _MIN_SCALE)
    return widened


def _earlier_holidays(types: DayTypes, day: int) -> list[int]:
    """Positions of the same holiday in earlier years."""
    name = types.holiday[day]
    return [d for d in range(max(0, day - _EARLIER_DAYS)) if types.holiday[d] == name]


def _holiday_reference(known: Floats, types: DayTypes, day: int, logs: Floats) -> tuple[Floats, Floats]:
    """What an ordinary day was lately, times what the holiday made of it in earlier years."""
    lifts = np.full((len(known), 0), np.nan)
    for earlier in _earlier_holidays(types, day):
        before = known[:, _ordinary(types, earlier)]
        usual = np.where(row_counts(before) >= MIN_HISTORY, row_medians(before), np.nan)
        with np.errstate(divide="ignore", invalid="ignore"):
            lift = np.log(known[:, earlier] / usual)
        lifts = np.column_stack([lifts, np.where(np.isfinite(lift), lift, np.nan)])
    median = np.where(row_counts(lifts) >= _MIN_SAME_TYPE, row_medians(lifts), np.nan)
    usual = row_medians(logs)
    spread = np.maximum(
        row_medians(np.abs(lifts - median[:, None])), row_medians(np.abs(logs - usual[:, None]))
    )
    return usual + median, np.maximum(_WIDEN * MAD_TO_SIGMA * spread, _MIN_HOLIDAY_SCALE)


def rate_scores(numerators: Floats, denominators: Floats, types: DayTypes, *, first: int = 0) -> Scores:
    """Judge counts out of counts (orders of visits), 0 <= numerator <= denominator, else not judged.

    The expected rate is the median of the days of the type, z the signed root of the deviance over the
    overdispersion of those days.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        is_proper = (numerators >= 0) & (numerators <= denominators) & (denominators > 0)
        rates = np.where(is_proper, numerators / denominators, np.nan)
    expected, z = np.full(rates.shape, np.nan), np.full(rates.shape, np.nan)
    for day in range(first, types.count):
        columns = _like_days(types, day)
        p = _rate_center(rates, types, day, columns)
        spread = _overdispersion(numerators[:, columns], denominators[:, columns], rates[:, columns], p)
        deviance = _deviance(numerators[:, day], denominators[:, day], p)
        is_judged = ~np.isnan(rates[:, day]) & (p > 0) & (p < 1)
        z[:, day] = np.where(is_judged, deviance / np.sqrt(spread), np.nan)
        expected[:, day] = np.where(is_judged, p, np.nan)
    return Scores(expected=expected, z=z, impact=numerators - expected * denominators)


def _like_days(types: DayTypes, day: int) -> Ints:
    if types.is_holiday[day]:
        return np.array(_earlier_holidays(types, day), dtype=np.int64)
    return _ordinary(types, day)


def _rate_center(rates: Floats, types: DayTypes, day: int, columns: Ints) -> Floats:
    known = rates[:, columns]
    if types.is_holiday[day]:
        return np.where(row_counts(known) >= _MIN_SAME_TYPE, row_medians(known), np.nan)
    center = _type_center(known, types, columns, bool(types.is_weekend[day]))
    return np.where(row_counts(known) >= MIN_HISTORY, center, np.nan)


def _overdispersion(x: Floats, n: Floats, rates: Floats, p: Floats) -> Floats:
    """How much more than binomially the days vary: median of Pearson's chi-square over its own, >= 1."""
    share = p[:, None]
    with np.errstate(invalid="ignore", divide="ignore"):
        pearson = (x - n * share) ** 2 / (n * share * (1 - share))
    pearson = np.where(np.isnan(rates) | ~np.isfinite(pearson), np.nan, pearson)
    return _WIDEN**2 * np.maximum(np.nan_to_num(row_medians(pearson)) / _CHI2_MEDIAN, 1.0)


def _deviance(x: Floats, n: Floats, p: Floats) -> Floats:
    """Signed root of the binomial deviance of x out of n against the rate p."""
    with np.errstate(invalid="ignore", divide="ignore"):
        above = np.where(x > 0, x * np.log(x / (n * p)), 0.0)
        below = np.where(x < n, (n - x) * np.log((n - x) / (n * (1 - p))), 0.0)
        signed: Floats = np.sign(x - n * p) * np.sqrt(np.maximum(2 * (above + below), 0.0))
    return signed
