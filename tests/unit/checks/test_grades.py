"""The grades alone: numbers in, status out; expected values worked out by hand."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from askcore.base.errors import BadRequest
from askcore.base.views import SyncRow
from askcore.checks import (
    all_zero_rows,
    freshness,
    identity,
    layer_sum,
    missing_days,
    nulls,
    ratio_recomputed,
    source_delta,
    sync_log,
    unit_drift,
    uv_bound,
    value_range,
    volume,
)
from askcore.checks.finding import Finding, grade_findings
from askcore.checks.limits import PATH, Limits, load_limits
from askcore.checks.sql import Binder, Expressions, MissingInput, readable
from askcore.semantic.model import Additivity, Identity, Metric
from tests.unit.checks.small_lake import small_model

KEY = {"date": "2026-03-02", "scope": "outlet", "areaId": "A1", "outletId": "O11"}


@pytest.mark.parametrize(
    ("lag", "status"), [(0, "pass"), (1, "pass"), (2, "warn"), (3, "fail"), (400, "fail")]
)
def test_daily_data_is_on_time_up_to_one_day(lag: int, status: str) -> None:
    found = freshness.grade(lag, step_days=1, settlement_lag_days=1, warn_steps=1)
    assert found.status == status


@pytest.mark.parametrize(("lag", "status"), [(7, "pass"), (8, "pass"), (15, "warn"), (16, "fail")])
def test_weekly_data_is_measured_in_weeks(lag: int, status: str) -> None:
    found = freshness.grade(lag, step_days=7, settlement_lag_days=1, warn_steps=1)
    assert found.status == status


def sync(day: int, state: str, rows: int | None = 4) -> SyncRow:
    return SyncRow(time=f"2026-03-{day:02d} 06:00:00", entity="A1", state=state, rows=rows, message="")


def test_a_failed_sync_is_recovered_by_the_next_good_one() -> None:
    found = sync_log.troubles(
        [sync(2, "success"), sync(3, "failed", 0), sync(4, "失败", 0), sync(5, "success")]
    )
    assert [(t.day.day, t.recovered) for t in found] == [(4, date(2026, 3, 5)), (3, date(2026, 3, 5))]
    assert sync_log.grade(found).status == "warn"


def test_a_sync_without_rows_stays_open_until_one_brings_some() -> None:
    found = sync_log.troubles([sync(2, "success"), sync(3, "success", 0), sync(4, "running", None)])
    assert [(t.day.day, t.recovered) for t in found] == [(3, None)]
    assert sync_log.grade(found).status == "fail"


def test_another_entity_does_not_recover_a_sync() -> None:
    other = SyncRow(time="2026-03-04 06:00:00", entity="A2", state="success", rows=4, message="")
    assert sync_log.troubles([sync(3, "error", 0), other])[0].recovered is None


RULE = Identity(id="parts", kind="equality", left="a", right="b", warn=0.001, fail=0.01)


@pytest.mark.parametrize(
    ("n_checked", "n_bad", "gap", "status"),
    [
        (1000, 0, 0.0, "pass"),
        (1000, 1, 5.0, "warn"),  # 0.1 % of rows, 0.005 % of the amount
        (1000, 10, 5.0, "fail"),  # 1 % of rows
        (1000, 1, 1000.0, "fail"),  # 1 % of the amount
    ],
)
def test_identity_by_share_of_rows_and_weighted_gap(
    n_checked: int, n_bad: int, gap: float, status: str
) -> None:
    found = identity.grade(RULE, n_checked=n_checked, n_bad=n_bad, gap=gap, base=100_000.0)
    assert found.status == status


def test_an_inequality_has_the_severity_of_its_model() -> None:
    soft = Identity(id="x", kind="inequality", expr="a >= b", severity="warn")
    hard = Identity(id="x", kind="inequality", expr="a >= b")
    assert identity.grade(soft, n_checked=9, n_bad=9).status == "warn"
    assert identity.grade(hard, n_checked=900, n_bad=1).status == "fail"


def test_the_level_above_decides_about_zero_rows() -> None:
    parent, children = {"sales": 900.0, "orders": 30.0}, {"sales": 600.0, "orders": 20.0}
    assert all_zero_rows.contradiction(parent, children, 0.005, 1.0) == ("sales", 300.0)
    assert all_zero_rows.contradiction({"sales": 600.5}, {"sales": 600.0}, 0.005, 1.0) is None
    assert all_zero_rows.contradiction({"sales": None}, {"sales": None}, 0.005, 1.0) is None


def test_sum_gap_ignores_what_is_below_the_floor() -> None:
    assert layer_sum.gap_of(75.0, 100.0, 1.0) == 0.25
    assert layer_sum.gap_of(99.5, 100.0, 1.0) == 0.0


def test_people_lie_between_the_largest_child_and_the_sum() -> None:
    assert uv_bound.outside(60.0, 90.0, 100.0, 0.005) == 0.0
    assert uv_bound.outside(60.0, 100.5, 100.0, 0.005) == 0.0
    assert uv_bound.outside(60.0, 103.5, 100.0, 0.005) == pytest.approx(0.03)
    assert uv_bound.outside(60.0, 45.0, 100.0, 0.005) == pytest.approx(0.25)


def test_a_delivered_rate_that_is_the_plain_mean_is_told() -> None:
    assert ratio_recomputed.is_unweighted(0.20, 0.25, 0.2005)
    assert not ratio_recomputed.is_unweighted(0.30, 0.25, 0.20)
    assert not ratio_recomputed.is_unweighted(0.30, 0.25, None)


def test_rates_differ_in_points_and_amounts_relatively() -> None:
    rate = Metric(key="r", label={}, unit="ratio", additivity=Additivity(kind="ratio"))
    money = Metric(key="m", label={}, unit="CNY", additivity=Additivity(kind="ratio"))
    assert ratio_recomputed.gap_of(rate, 0.22, 0.20) == pytest.approx(0.02)
    assert ratio_recomputed.gap_of(money, 22.0, 20.0) == pytest.approx(0.1)


def test_reported_change_is_measured_in_tolerances() -> None:
    assert source_delta.gap_of(110.0, 100.0, 10.04, 0.05, 0.005) == pytest.approx(0.04 / 0.0502)
    assert source_delta.gap_of(110.0, 100.0, 98.0, 0.05, 0.005) == pytest.approx(88 / 0.49)


@pytest.mark.parametrize(
    ("ours", "theirs", "factor"),
    [(0.0887, 8.87, 100.0), (0.0887, 887.0, 10000.0), (0.5, 0.005, 0.01), (0.0887, 0.2, None)],
)
def test_unit_factor(ours: float, theirs: float, factor: float | None) -> None:
    assert unit_drift.factor_of(ours, theirs, 0.02) == factor


def test_reserved_columns_inform_and_ordinary_ones_fail_by_share() -> None:
    def gap(reserved: bool, empty: int) -> nulls.Gap:
        return nulls.Gap(
            column="c", scope="outlet", source="A1", empty=empty, filled=100 - empty, reserved=reserved
        )

    assert nulls.grade([], 0.5).status == "pass"
    assert (nulls.grade([gap(True, 100)], 0.5).status, nulls.grade([gap(True, 100)], 0.5).severity) == (
        "warn",
        "info",
    )
    assert nulls.grade([gap(False, 49)], 0.5).status == "warn"
    assert nulls.grade([gap(False, 50)], 0.5).status == "fail"


def test_a_metric_that_is_often_negative_is_signed() -> None:
    profit = Metric(key="p", label={}, unit="CNY", additivity=Additivity(kind="sum"))
    count = Metric(key="c", label={}, unit="order", additivity=Additivity(kind="sum"))
    assert value_range.is_signed(profit, 20, 1000, 0.01)
    assert not value_range.is_signed(profit, 2, 1000, 0.01)
    assert not value_range.is_signed(count, 500, 1000, 0.01)


def test_trading_entities_follow_openers_and_closers() -> None:
    d = [date(2026, 3, n) for n in range(1, 6)]
    spans = [(d[0], d[4]), (d[0], d[1]), (d[3], d[4])]
    assert volume.trading(spans, d) == [2, 2, 1, 2, 2]


def test_days_nobody_has_count_only_on_business_weekdays() -> None:
    weekdays = [date(2026, 3, n) for n in range(2, 28) if date(2026, 3, n).weekday() < 5]
    lost = date(2026, 3, 11)
    found = missing_days.uncovered(
        [d for d in weekdays if d != lost],
        first=date(2026, 3, 2),
        last=date(2026, 3, 27),
        grain_days=1,
        share=0.5,
    )
    assert found == [lost]


def test_a_missing_row_fails_only_where_the_level_above_has_values() -> None:
    assert grade_findings([Finding(key=KEY)]).status == "warn"
    assert grade_findings([Finding(key=KEY), Finding(key=KEY, is_fail=True)]).status == "fail"


def test_the_shipped_thresholds_are_the_defaults() -> None:
    assert load_limits() == Limits()
    assert PATH.name == "checks.yaml"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sum_wran: 0.1", "sum_wran"),
        ("sum_warn: abc", "number"),
        ("closed_steps: 1.5", "whole"),
        ("sum_warn: 0.5", "sum_fail"),
        ("min_fill: 2", "between 0 and 1"),
    ],
)
def test_thresholds_are_validated(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "checks.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadRequest, match=message):
        load_limits(path)


def test_expressions_quote_names_and_protect_divisions() -> None:
    found = Expressions(model=small_model(), columns=frozenset({"buyers", "visitors"}))
    assert (
        found.row("buyers / visitors")
        == 'CAST(f."buyers" AS DOUBLE) / NULLIF(CAST(f."visitors" AS DOUBLE), 0)'
    )
    assert found.row("coalesce(adSpend, 0) + buyers").startswith("COALESCE(CAST(NULL AS DOUBLE), 0)")
    with pytest.raises(MissingInput):
        found.row("adSpend + buyers")
    with pytest.raises(MissingInput):
        found.row("src.conversion")


def test_readable_sql_holds_literals() -> None:
    bind = Binder()
    day = date(2026, 3, 2)
    sql = f"SELECT 1 WHERE a = {bind(day)} AND b = {bind(chr(39))} AND c = {bind(day)}"
    assert readable(sql, bind.values) == (
        "SELECT 1 WHERE a = DATE '2026-03-02' AND b = '''' AND c = DATE '2026-03-02'"
    )
