"""Calendar, periods and model files."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from askcore.base.errors import BadRequest
from askcore.base.values import Period
from askcore.semantic.averages import average_key, resolve
from askcore.semantic.calendar import day_type, holiday_period, is_covered
from askcore.semantic.dump import dump_model
from askcore.semantic.format import format_pct
from askcore.semantic.parse import load_model, parse_model
from askcore.semantic.periods import baseline_of, months_before

MODEL_FILE = Path(__file__).resolve().parents[2] / "data" / "semantic" / "takeaway_daily.yaml"


def period(start: str, end: str) -> Period:
    return Period(start=date.fromisoformat(start), end=date.fromisoformat(end))


@pytest.mark.parametrize(
    ("holiday", "year", "expected"),
    [
        ("national_day", 2026, period("2026-10-01", "2026-10-07")),
        ("national_day", 2025, period("2025-10-01", "2025-10-08")),
        ("spring_festival", 2026, period("2026-02-15", "2026-02-23")),
        ("mid_autumn", 2026, period("2026-09-25", "2026-09-27")),
        ("national_day", 2060, None),
    ],
)
def test_holiday_days_are_the_statutory_ones(holiday, year, expected):
    assert holiday_period(holiday, year) == expected


@pytest.mark.parametrize(
    ("day", "kind"),
    [
        ("2026-10-10", "adjusted_workday"),
        ("2026-09-20", "adjusted_workday"),
        ("2026-10-17", "weekend"),
        ("2026-10-16", "workday"),
        ("2026-10-03", "holiday"),
    ],
)
def test_day_types(day, kind):
    assert day_type(date.fromisoformat(day)).kind == kind


def test_a_year_past_the_calendar_falls_back_and_says_so():
    found = day_type(date(2060, 10, 1))
    assert (found.kind, found.is_known) == ("workday", False)
    assert not is_covered(period("2060-01-01", "2060-02-01"))


@pytest.mark.parametrize(
    ("mode", "current", "expected"),
    [
        ("previous", ("2026-10-11", "2026-10-17"), ("2026-10-04", "2026-10-10")),
        ("mtd", ("2026-10-01", "2026-10-17"), ("2026-09-01", "2026-09-17")),
        ("mtd", ("2026-03-01", "2026-03-31"), ("2026-02-01", "2026-02-28")),
        ("yoy_week", ("2026-10-11", "2026-10-17"), ("2025-10-12", "2025-10-18")),
        ("yoy_date", ("2024-02-29", "2024-02-29"), ("2023-02-28", "2023-02-28")),
        ("holiday", ("2026-10-01", "2026-10-07"), ("2025-10-01", "2025-10-08")),
    ],
)
def test_baselines(mode, current, expected):
    assert baseline_of(period(*current), mode) == period(*expected)


def test_months_before_clamps_the_day():
    assert months_before(date(2026, 3, 31), 1) == date(2026, 2, 28)
    assert months_before(date(2026, 1, 15), 1) == date(2025, 12, 15)


def test_the_shipped_model_survives_a_round_trip():
    model = load_model(MODEL_FILE)
    assert len(model.metrics) == 35
    assert parse_model(dump_model(model)) == model


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("numerator: incomeAmt", "numerator: incomAmt", ("unknown 'incomAmt'", "incomeAmt")),
        ("kind: weighted_mean", "kind: wieghted_mean", ("wieghted_mean", "weighted_mean")),
        ("left: incomeAmt + expenseAmt", "left: incomeAmt + expenceAmt", ("expenceAmt", "expenseAmt")),
        ("rollup_of: shop", "rollup_of: shops", ("shops", "shop")),
        ("polarity: up", "polarty: up", ("polarty", "polarity")),
    ],
)
def test_a_wrong_name_is_refused_with_line_and_near_match(old, new, expected):
    text = MODEL_FILE.read_text(encoding="utf-8")
    assert old in text
    line = text[: text.index(old)].count("\n") + 1
    with pytest.raises(BadRequest) as caught:
        parse_model(text.replace(old, new, 1))
    assert f"line {line}," in caught.value.message
    assert expected[0] in caught.value.message
    assert expected[1] in caught.value.hint


@pytest.mark.parametrize("text", ["", "[1, 2]", "a: [", "model: x", "model: x\nmodel: y"])
def test_a_file_that_is_no_model_is_refused(text):
    with pytest.raises(BadRequest):
        parse_model(text)


def test_averages_are_named_by_what_they_are_taken_over():
    model = load_model(MODEL_FILE)
    assert resolve(model, average_key("grossAmt", "day")).additivity.column == "date"
    assert resolve(model, average_key("grossAmt", "shop")).additivity.column == "shopId"
    with pytest.raises(BadRequest):
        resolve(model, average_key("visitRate", "day"))
    with pytest.raises(BadRequest):
        resolve(model, average_key("grossAmt", "moon"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("timezone: Asia/Shanghai", "timezone: Mars/Phobos"),
        ("timezone: Asia/Shanghai", "timezone: ../../etc/passwd"),
        ("left: incomeAmt + expenseAmt", "left: incomeAmt); DROP TABLE fact; --"),
        ("left: incomeAmt + expenseAmt", "left: (select 1 from read_csv('/etc/passwd'))"),
        ("left: incomeAmt + expenseAmt", f"left: {'(' * 3000}incomeAmt{')' * 3000}"),
        ("settlement_lag_days: 1", "settlement_lag_days: 1000000000000"),
        ("settlement_lag_days: 1", "settlement_lag_days: -5"),
    ],
)
def test_a_value_that_no_answer_could_work_with_is_refused_with_its_line(old, new):
    text = MODEL_FILE.read_text(encoding="utf-8")
    assert old in text
    with pytest.raises(BadRequest, match=r"^line \d+, "):
        parse_model(text.replace(old, new, 1))


def test_a_fixed_clock_at_the_end_of_the_calendar_is_refused():
    text = MODEL_FILE.read_text(encoding="utf-8")
    lag = "settlement_lag_days: 1"
    with pytest.raises(BadRequest, match="fixed_as_of"):
        parse_model(text.replace(lag, f"{lag}, fixed_as_of: 9999-12-31", 1))


@pytest.mark.parametrize(
    ("fraction", "shown"),
    [(0.02574, "2.57%"), (-0.02574, "2.57%"), (0.4235, "42.35%"), (0.00004, "0.00%"), (12.5, "1250.00%")],
)
def test_a_relative_change_is_shown_with_the_decimals_of_a_rate(fraction, shown):
    assert format_pct(fraction) == shown
