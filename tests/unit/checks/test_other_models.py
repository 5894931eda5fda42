"""Datasets of another shape: no levels, one level, weekly rows, rows split by a dimension, no raw fields."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import pandas as pd
import pytest

from askcore.base.errors import BadRequest
from askcore.base.values import Period, QuerySpec, Verdict
from askcore.checks.catalogue import check_ids, resolve_ids, run_checks
from askcore.checks.used_rows import used_rows_verdicts
from askcore.semantic.model import Model
from askcore.semantic.parse import parse_model
from tests.unit.checks.memory_view import MemoryView
from tests.unit.checks.small_lake import MODEL_TEXT, facts, small_model, with_raw

METRICS = """
metrics:
- {key: sales, label: {zh: 销售, en: Sales}, unit: CNY, additivity: {kind: sum}}
- {key: orders, label: {zh: 单数, en: Orders}, unit: order, additivity: {kind: sum}}
"""
SERIES = "model: series\ndataset:\n  time: {column: date, grain: GRAIN}\n" + METRICS
STORES = (
    "model: stores\ndataset:\n  time: {column: date, grain: GRAIN}\n"
    "  levels: [{key: store, zh: 门店, en: Store, id: storeId, name: storeId}]\n"
) + METRICS
MONDAY = date(2026, 3, 2)


def check(model: Model, rows: pd.DataFrame, *ids: str, as_of: date | None = None) -> tuple[Verdict, ...]:
    view = MemoryView(model, rows)
    period = view.catalog.period
    assert period is not None
    return run_checks(
        view,  # type: ignore[arg-type]
        period=period,
        as_of=as_of or period.end + timedelta(days=1),
        lang="en",
        ids=ids or None,
    )


def series(days: list[date]) -> pd.DataFrame:
    return pd.DataFrame([{"date": d, "scope": "all", "sales": 100.0 + d.day, "orders": 5} for d in days])


def stores(days: list[date], names: tuple[str, ...] = ("S1", "S2", "S3")) -> pd.DataFrame:
    rows = [
        {"date": d, "scope": "store", "storeId": s, "sales": 100.0 + d.day, "orders": 5}
        for d in days
        for s in names
    ]
    return pd.DataFrame(rows)


def step(count: int, days: int = 1) -> list[date]:
    return [MONDAY + timedelta(days=days * n) for n in range(count)]


def status(found: tuple[Verdict, ...]) -> dict[str, str]:
    return {v.check: v.status for v in found}


def test_a_series_without_levels_passes_what_has_a_meaning_and_skips_nothing_silently() -> None:
    model = parse_model(SERIES.replace("GRAIN", "day"))
    found = status(check(model, series(step(30))))
    assert set(found) == set(check_ids(model))
    assert {k for k, s in found.items() if s == "skip"} == {"sync_log", "schema_drift", "unit_drift"}
    assert "orphans" not in found
    assert "volume" not in found


def test_a_gap_in_a_series_is_a_missing_day() -> None:
    model = parse_model(SERIES.replace("GRAIN", "day"))
    days = [d for d in step(30) if d != MONDAY + timedelta(days=9)]
    (found,) = check(model, series(days), "missing_days")
    assert (found.status, [dict(k) for k in found.keys]) == ("warn", [{"date": "2026-03-11", "scope": "all"}])


def test_weekends_without_rows_are_no_gap() -> None:
    model = parse_model(STORES.replace("GRAIN", "day"))
    days = [d for d in step(35) if d.weekday() < 5]
    (found,) = check(model, stores(days), "missing_days")
    assert (found.status, found.n_checked) == ("pass", 75)


@pytest.mark.parametrize(("lost", "expected"), [(5, "warn"), (None, "pass")])
def test_weekly_rows_are_looked_at_week_by_week(lost: int | None, expected: str) -> None:
    model = parse_model(STORES.replace("GRAIN", "week"))
    rows = stores(step(12, 7))
    week = MONDAY + timedelta(days=35)
    if lost is not None:
        rows = rows[~((rows["date"] == week) & (rows["storeId"] == "S2"))]
    found = check(model, rows, "missing_days", "freshness", as_of=MONDAY + timedelta(days=84))
    verdict = next(v for v in found if v.check == "missing_days")
    assert verdict.status == expected
    assert [k["date"] for k in verdict.keys] == ([week.isoformat()] if lost else [])
    assert status(found)["freshness"] == "pass"  # seven days after the newest week


def test_monthly_rows_may_start_on_any_day() -> None:
    model = parse_model(STORES.replace("GRAIN", "month"))
    rows = stores([date(2026, m, 1) for m in range(1, 9)])
    rows = rows[~((rows["date"] == date(2026, 4, 1)) & (rows["storeId"] == "S1"))]
    (found,) = check(model, rows, "missing_days")
    assert [(k["date"], k["storeId"]) for k in found.keys] == [("2026-04-01", "S1")]


def test_entities_that_trade_now_and_then_are_not_called_missing() -> None:
    model = parse_model(STORES.replace("GRAIN", "day"))
    rows = stores(step(40))
    keep = np.random.default_rng(4).random(len(rows)) < 0.4
    (found,) = check(model, rows[keep], "missing_days")
    assert (found.status, found.n_checked) == ("skip", 0)
    assert found.note


def test_one_layer_skips_zero_contradictions_but_warns_of_zero_rows() -> None:
    model = parse_model(STORES.replace("GRAIN", "day"))
    rows = stores(step(20))
    rows.loc[7, ["sales", "orders"]] = 0
    (found,) = check(model, rows, "all_zero_rows")
    assert (found.status, found.n_bad) == ("warn", 1)


def test_a_signed_metric_is_not_out_of_range() -> None:
    model = parse_model(STORES.replace("GRAIN", "day"))
    rows = stores(step(20))
    rows.loc[rows.index % 3 == 0, "sales"] = -50.0
    assert status(check(model, rows, "range")) == {"range": "pass"}


def test_without_raw_fields_comparisons_are_skipped_with_their_reason() -> None:
    found = check(small_model(), facts(1))
    skipped = {v.check: v.note for v in found if v.status == "skip"}
    assert set(skipped) == {
        "sync_log",
        "schema_drift",
        "unit_drift",
        "identity:rate",
        "ratio_recomputed",
        "source_delta",
    }
    assert all(skipped.values())
    assert all(v.n_checked == 0 for v in found if v.status == "skip")


def test_only_the_finest_level_delivered_skips_what_needs_two() -> None:
    rows = facts(1)
    found = status(check(small_model(), rows[rows["scope"] == "outlet"]))
    for name in ("orphans", "sum_outlet_area", "uv_bound", "ratio_recomputed", "all_zero_child"):
        assert found[name] == "skip"
    assert found["missing_days"] == "pass"


def test_a_column_that_a_whole_level_lacks_is_how_the_source_is_built() -> None:
    rows = facts(1)
    rows.loc[rows["scope"] == "area", "rating"] = None
    assert status(check(small_model(), rows, "nulls")) == {"nulls": "pass"}


def test_a_column_that_stops_is_found_in_the_later_period() -> None:
    rows = facts(1)
    rows.loc[rows["date"] >= date(2026, 3, 20), "rating"] = None
    view = MemoryView(small_model(), rows)
    period = Period(start=date(2026, 3, 20), end=date(2026, 3, 31))
    (found,) = run_checks(
        view,  # type: ignore[arg-type]
        period=period,
        as_of=date(2026, 4, 1),
        lang="en",
        ids=("nulls",),
    )
    assert (found.status, found.n_bad) == ("fail", 8 * 12)


def test_ids_take_short_and_group_names_in_any_case() -> None:
    model = small_model()
    assert resolve_ids(model, ["PARTS", "identity:rate"]) == ("identity:parts", "identity:rate")
    assert resolve_ids(model, ["identity"]) == ("identity:parts", "identity:rate", "identity:funnel")
    with pytest.raises(BadRequest) as e:
        resolve_ids(model, ["freshnes"])
    assert "freshness" in e.value.hint


def test_an_identity_without_its_column_says_which_one() -> None:
    rows = facts(1).drop(columns=["food"])
    (found,) = check(small_model(), rows, "parts")
    assert found.status == "skip"
    assert "Food" in found.note


def test_names_with_quotes_and_spaces_are_quoted() -> None:
    text = MODEL_TEXT.replace("areaId", "area 'id\"").replace("areaName", "select")
    model = parse_model(text.replace("area 'id\"", "'area \"id'"))
    rows = facts(1).rename(columns={"areaId": 'area "id', "areaName": "select"})
    found = check(model, rows)
    assert {v.status for v in found} == {"pass", "skip"}


def test_used_rows_of_a_series() -> None:
    view = MemoryView(parse_model(SERIES.replace("GRAIN", "day")), series(step(10)))
    spec = QuerySpec(metrics=("sales",), period=Period(start=MONDAY, end=MONDAY + timedelta(days=6)))
    found = used_rows_verdicts(view, spec, MONDAY + timedelta(days=10), "zh")  # type: ignore[arg-type]
    assert [(v.check, v.status, v.n_checked) for v in found] == [("used_rows", "pass", 7)]


def test_progress_goes_from_nothing_to_everything() -> None:
    view = MemoryView(small_model(), facts(1))
    told: list[float] = []
    run_checks(
        view,  # type: ignore[arg-type]
        period=Period(start=MONDAY, end=MONDAY + timedelta(days=6)),
        as_of=date(2026, 4, 1),
        lang="en",
        progress=lambda name, share: told.append(share),
    )
    assert told[0] == 0.0
    assert told[-1] == 1.0
    assert told == sorted(told)


def test_a_closed_store_of_a_single_layer_is_not_late() -> None:
    model = parse_model(STORES.replace("GRAIN", "day"))
    rows = stores(step(30))
    rows = rows[(rows["storeId"] != "S1") | (rows["date"] < MONDAY + timedelta(days=10))]
    found = check(model, rows, "freshness", "missing_days")
    assert [(v.check, v.status) for v in found] == [("freshness", "pass"), ("missing_days", "pass")]


def test_every_evaluated_check_shows_a_statement_that_runs() -> None:
    view = MemoryView(small_model(), with_raw(facts(1)))
    found = run_checks(
        view,  # type: ignore[arg-type]
        period=Period(start=MONDAY, end=MONDAY + timedelta(days=29)),
        as_of=date(2026, 4, 1),
        lang="en",
    )
    for verdict in found:
        assert verdict.sql or verdict.status == "skip"
        for statement in filter(None, verdict.sql.split(";\n")):
            view.run(statement)
