"""Scores of days: by hand, past-only, without regard to units or to the order of the series."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import pytest

from askcore.semantic.calendar import day_type
from askcore.stats.anomalies import (
    HISTORY_DAYS,
    amount_scores,
    deviations,
    rate_scores,
)
from askcore.stats.day_types import DayTypes
from askcore.stats.medians import row_medians
from benchmarks.detection import ANOMALIES, measured_anomalies

FIRST = date(2026, 6, 20)  # a Saturday; no holiday until Mid-autumn 09-25


def types_from(first: date, count: int) -> DayTypes:
    days = [first + timedelta(days=n) for n in range(count)]
    kinds = [day_type(d) for d in days]
    return DayTypes.of([d.weekday() for d in days], [k.kind for k in kinds], [k.holiday for k in kinds])


def position(day: date, first: date = FIRST) -> int:
    return (day - first).days


@pytest.fixture
def noisy() -> np.ndarray:
    rng = np.random.default_rng(4)
    return rng.poisson(200, (6, 90)).astype(float)


def test_medians_leave_out_what_is_missing():
    found = row_medians(np.array([[3.0, 1.0, np.nan, 2.0], [np.nan] * 4, [1.0, 2.0, 3.0, 10.0]]))
    assert found[0] == 2 and np.isnan(found[1]) and found[2] == 2.5


def test_a_steady_count_is_judged_by_its_poisson_spread():
    """Always 99: center log 100, MAD 0. Then 24: midway 1/sqrt(25 * 100) = 0.02, z = -log 4 / sqrt(0.02)."""
    values = np.full((1, 60), 99.0)
    values[0, 59] = 24
    scores = amount_scores(values, types_from(date(2026, 7, 1), 60), is_count=True, first=59)
    assert scores.expected[0, 59] == pytest.approx(99)
    assert scores.z[0, 59] == pytest.approx(-1.3862944 / 0.1414214, rel=1e-5)
    assert scores.impact[0, 59] == pytest.approx(-75)
    assert deviations(values, scores.expected)[0, 59] == pytest.approx(-75 / 99)
    assert scores.found(deviations(values, scores.expected), 5)[0, 59]


def test_a_steady_amount_is_judged_by_the_least_scale():
    """Always 100.0, then 120.0: offset 1, z = log(121 / 101) / 0.03 = 6.02."""
    values = np.full((1, 60), 100.0)
    values[0, 59] = 120
    scores = amount_scores(values, types_from(date(2026, 7, 1), 60), is_count=False, first=59)
    assert scores.z[0, 59] == pytest.approx(6.0219, abs=1e-3)
    assert scores.expected[0, 59] == pytest.approx(100)


def test_workdays_are_compared_with_workdays_and_weekends_with_weekends():
    types = types_from(FIRST, 70)
    values = np.where(types.is_weekend, 300.0, 100.0)[None, :]
    scores = amount_scores(values, types, is_count=True, first=HISTORY_DAYS)
    assert np.allclose(scores.z[0, HISTORY_DAYS:], 0, atol=1e-9)
    assert np.allclose(scores.expected[0, HISTORY_DAYS:], values[0, HISTORY_DAYS:])


def test_an_adjusted_workday_is_compared_with_workdays():
    """2026-09-20 is a working Sunday."""
    types = types_from(FIRST, 93)
    values = np.where(types.is_weekend, 300.0, 100.0)[None, :]
    at = position(date(2026, 9, 20))
    assert amount_scores(values, types, is_count=True, first=at).expected[0, at] == pytest.approx(100)


def test_later_days_never_change_an_earlier_score(noisy):
    types = types_from(FIRST, 90)
    before = amount_scores(noisy, types, is_count=True)
    changed = noisy.copy()
    changed[:, 70:] *= 7
    after = amount_scores(changed, types, is_count=True)
    assert np.array_equal(before.z[:, :70], after.z[:, :70], equal_nan=True)
    rates = rate_scores(noisy * 0.2, noisy, types)
    others = noisy.copy()
    others[:, 70:] *= 3
    again = rate_scores(noisy * 0.2, others, types)
    assert np.array_equal(rates.z[:, :70], again.z[:, :70], equal_nan=True)


def test_days_before_the_eight_weeks_do_not_count(noisy):
    types = types_from(FIRST, 90)
    changed = noisy.copy()
    changed[:, : 80 - HISTORY_DAYS] *= 9
    one, other = (amount_scores(v, types, is_count=True, first=80).z[:, 80] for v in (noisy, changed))
    assert np.array_equal(one, other)


def test_each_series_is_judged_alone_whatever_their_order(noisy):
    types, order = types_from(FIRST, 90), [3, 0, 5, 1, 4, 2]
    whole = amount_scores(noisy, types, is_count=True)
    assert np.array_equal(whole.z[order], amount_scores(noisy[order], types, is_count=True).z, equal_nan=True)
    alone = amount_scores(noisy[2:3], types, is_count=True)
    assert np.array_equal(whole.z[2:3], alone.z, equal_nan=True)


def test_amounts_do_not_depend_on_their_unit(noisy):
    types = types_from(FIRST, 90)
    yuan, cents = (amount_scores(v, types, is_count=False) for v in (noisy, noisy * 100))
    assert np.allclose(yuan.z, cents.z, equal_nan=True)
    assert np.allclose(yuan.expected * 100, cents.expected, equal_nan=True)


def test_holidays_without_an_earlier_year_are_silent_and_count_for_nothing():
    types = types_from(FIRST, 120)  # until 2026-10-17, over Mid-autumn and National Day
    values = np.where(types.is_holiday, 900.0, 100.0)[None, :]
    scores = amount_scores(values, types, is_count=True, first=HISTORY_DAYS)
    assert np.isnan(scores.z[0, types.is_holiday]).all()
    ordinary = scores.z[0, HISTORY_DAYS:][~types.is_holiday[HISTORY_DAYS:]]
    assert np.allclose(ordinary, 0, atol=1e-9)


def test_a_holiday_is_judged_by_the_same_holiday_of_last_year():
    first = date(2025, 7, 1)
    types = types_from(first, position(date(2026, 10, 17), first) + 1)
    national = np.array([h == "national_day" for h in types.holiday])
    values = np.where(national, 200.0, 100.0)[None, :]
    bad = position(date(2026, 10, 3), first)
    values[0, bad] = 60
    start = position(date(2026, 9, 28), first)
    scores = amount_scores(values, types, is_count=False, first=start)
    found = scores.found(deviations(values, scores.expected), 0)
    assert list(np.flatnonzero(found[0])) == [bad]
    assert scores.expected[0, bad] == pytest.approx(201, abs=0.2)  # offset 1 on a usual day of 100


def test_too_little_history_is_not_judged():
    values = np.full((1, 20), 100.0)
    scores = amount_scores(values, types_from(date(2026, 7, 1), 20), is_count=True)
    assert np.isnan(scores.z[0, :14]).all() and not np.isnan(scores.z[0, 14:]).any()


def test_a_small_deviation_is_no_anomaly_however_sure():
    """114 against a steady 100: z is large, 14 % is not."""
    values = np.full((1, 60), 100_000.0)
    values[0, 59] = 114_000
    scores = amount_scores(values, types_from(date(2026, 7, 1), 60), is_count=True, first=59)
    assert scores.z[0, 59] > 3.5
    assert not scores.found(deviations(values, scores.expected), 5).any()


def test_missing_negative_and_infinite_values_are_not_judged():
    values = np.full((1, 60), 100.0)
    values[0, 57:60] = [np.nan, -5, np.inf]
    scores = amount_scores(values, types_from(date(2026, 7, 1), 60), is_count=True, first=57)
    assert np.isnan(scores.z).all()


def test_a_rate_is_judged_by_its_deviance():
    """Always 200 of 1000; then 260 of 1000: deviance 2(260 ln 1.3 + 740 ln .925) = 21.05, over 1.2."""
    top, bottom = np.full((1, 60), 200.0), np.full((1, 60), 1000.0)
    top[0, 59] = 260
    scores = rate_scores(top, bottom, types_from(date(2026, 7, 1), 60), first=59)
    assert scores.expected[0, 59] == pytest.approx(0.2)
    assert scores.z[0, 59] == pytest.approx(21.0469**0.5 / 1.2, rel=1e-3)
    assert scores.impact[0, 59] == pytest.approx(60)


def test_a_rate_that_varies_more_than_binomially_is_judged_by_its_own_spread():
    """Rates of 150 and 250 in turn: Pearson chi-square 2500/160 = 15.6 a day, so 260 is nothing new."""
    top, bottom = np.tile([150.0, 250.0], 30)[None, :].copy(), np.full((1, 60), 1000.0)
    top[0, 59] = 260
    scores = rate_scores(top, bottom, types_from(date(2026, 7, 1), 60), first=59)
    assert abs(scores.z[0, 59]) < 1


@pytest.mark.parametrize(("top", "bottom"), [(5, 0), (12, 10), (-1, 10)])
def test_what_is_no_share_is_not_judged(top, bottom):
    tops, bottoms = np.full((1, 60), 2.0), np.full((1, 60), 10.0)
    tops[0, 59], bottoms[0, 59] = top, bottom
    scores = rate_scores(tops, bottoms, types_from(date(2026, 7, 1), 60), first=59)
    assert np.isnan(scores.z[0, 59])


@pytest.mark.parametrize("size", [60, 400])
@pytest.mark.parametrize("seed", [11, 12, 13])
def test_quality_is_that_of_the_design(size, seed):
    known, found = ANOMALIES[size], measured_anomalies(size, series=120, seed=seed)
    assert found.found >= known.found - 0.06
    assert found.false <= known.false + 0.08
