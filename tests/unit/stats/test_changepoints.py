"""Breaks of a level: exact ones, none in noise and drift, holidays and odd days left out."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest

from askcore.stats.changepoints import MIN_DAYS, change_points, threshold
from benchmarks.detection import SHIFTS, measured_shift
from tests.unit.stats.test_anomalies import FIRST, position, types_from


def noisy(count: int, level: float = 1000.0, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).poisson(level, count).astype(float)


def test_the_threshold_is_three_times_the_log_of_the_days():
    assert threshold(120) == pytest.approx(14.362, abs=1e-3)


def test_a_clean_step_is_found_on_its_day_with_its_size():
    """99 then 49: logs of 100 and 50, so the levels come back as they went in."""
    values = np.r_[np.full(30, 99.0), np.full(30, 49.0)]
    (found,) = change_points(values, types_from(FIRST, 60), is_count=True)
    assert (found.index, found.earliest, found.latest) == (30, 30, 30)
    assert (found.before, found.after) == (pytest.approx(99), pytest.approx(49))
    assert found.shift == pytest.approx(-50 / 99)


def test_the_weekday_pattern_is_no_break():
    types = types_from(FIRST, 84)
    values = noisy(84) * np.where(types.is_weekend, 1.6, 1.0)
    assert change_points(values, types, is_count=True) == ()
    values[42:] *= 0.7
    (found,) = change_points(values, types, is_count=True)
    assert found.index == 42


def test_holidays_are_masked_and_may_hide_the_day_of_the_break():
    """National Day ends on 10-07; a new level from 10-08 on may have begun on any day from 10-01."""
    types = types_from(FIRST, 120)
    values = noisy(120)
    values[types.is_holiday] *= 5
    assert change_points(values, types, is_count=True) == ()
    values[position(date(2026, 10, 8)) :] *= 0.6
    (found,) = change_points(values, types, is_count=True)
    assert found.index == position(date(2026, 10, 8))
    assert found.earliest == position(date(2026, 10, 1))


def test_one_odd_day_is_no_level():
    values = noisy(60)
    values[30] *= 4
    assert change_points(values, types_from(FIRST, 60), is_count=True) == ()


def test_slow_growth_is_no_break():
    types = types_from(FIRST, 90)
    values = noisy(90) * np.linspace(1.0, 1.12, 90)
    assert change_points(values, types, is_count=True) == ()


def test_up_and_down_are_two_breaks():
    values = noisy(90)
    values[30:60] *= 1.5
    found = change_points(values, types_from(FIRST, 90), is_count=True)
    assert [p.index for p in found] == [30, 60]
    assert found[0].shift > 0 > found[1].shift


def test_amounts_do_not_depend_on_their_unit():
    values = noisy(60)
    values[40:] *= 0.8
    types = types_from(FIRST, 60)
    yuan, cents = (change_points(v, types, is_count=False) for v in (values, values * 100))
    assert [(p.index, p.earliest, p.latest) for p in yuan] == [(p.index, p.earliest, p.latest) for p in cents]
    assert yuan[0].gain == pytest.approx(cents[0].gain)


def test_missing_days_are_left_out():
    values = noisy(70)
    values[35:] *= 0.6
    values[[5, 20, 34, 50]] = np.nan
    (found,) = change_points(values, types_from(FIRST, 70), is_count=True)
    assert found.index == 35 and found.earliest == 34  # the day before has no row


@pytest.mark.parametrize(
    "values",
    [np.full(MIN_DAYS - 1, 50.0), np.full(90, np.nan), np.zeros(90), np.full(90, -3.0)],
    ids=["short", "missing", "zero", "negative"],
)
def test_what_cannot_be_searched_has_no_break(values):
    assert change_points(values, types_from(FIRST, len(values)), is_count=False) == ()


@pytest.mark.parametrize(("size", "shift"), SHIFTS)
def test_quality_is_that_of_the_design(size, shift):
    known, found = SHIFTS[size, shift], measured_shift(size, shift, series=150, seed=21)
    assert found.found >= known.found - 0.1
    assert found.false <= known.false + 0.06
