"""Answers are worded by faults of the rows they used, and by nothing else."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import pandas as pd
import pytest

from askcore.base.values import Period, QuerySpec, Verdict
from askcore.checks.used_rows import used_rows_verdicts
from tests.unit.checks.memory_view import MemoryView
from tests.unit.checks.small_lake import (
    AS_OF,
    END,
    PEOPLE,
    START,
    SUMS,
    facts,
    small_model,
    sync_log,
    with_raw,
)
from tests.unit.checks.test_mutations import at

MODEL = small_model()
DAY = START + timedelta(days=10)
WEEK = Period(start=DAY - timedelta(days=3), end=DAY + timedelta(days=3))


def view_of(rows: pd.DataFrame) -> MemoryView:
    return MemoryView(MODEL, rows, sync=sync_log())


def ask(view: MemoryView, *metrics: str, as_of: date = AS_OF, **spec: object) -> tuple[Verdict, ...]:
    asked = QuerySpec(metrics=metrics, **{"period": WEEK, "scope": "outlet", **spec})  # type: ignore[arg-type]
    return used_rows_verdicts(view, asked, as_of, "en")  # type: ignore[arg-type]


def bad(found: tuple[Verdict, ...]) -> list[tuple[str, str]]:
    return [(v.check, v.status) for v in found if v.status in ("warn", "fail")]


def test_clean_rows_give_one_pass_that_names_what_was_checked() -> None:
    (found,) = ask(view_of(with_raw(facts(1))), "sales")
    assert (found.check, found.status, found.n_checked) == ("used_rows", "pass", 42)  # 6 outlets x 7 days
    for title in ("Missing days", "All-zero rows", "Duplicate rows", "Nulls"):
        assert title in found.note


@pytest.mark.parametrize(("outlet", "found"), [("O11", [("missing_days", "fail")]), ("O12", [])])
def test_a_missing_day_counts_only_for_the_entity_asked(outlet: str, found: list[tuple[str, str]]) -> None:
    rows = with_raw(facts(1))
    view = view_of(rows[~at(rows, DAY, "O11")])
    verdicts = ask(view, "sales", filters={"outlet": (outlet,)})
    assert bad(verdicts) == found
    if found:
        assert "1 of the 7 rows used" in verdicts[0].note


def test_a_missing_day_outside_the_period_does_not_count() -> None:
    rows = with_raw(facts(1))
    assert bad(ask(view_of(rows[~at(rows, START, "O11")]), "sales")) == []


def test_an_all_zero_row_fails_and_says_how_many_rows_it_concerns() -> None:
    rows = facts(1)
    rows.loc[at(rows, DAY, "O11"), [*SUMS, *PEOPLE]] = 0
    found = ask(view_of(with_raw(rows)), "sales", filters={"outlet": ("O11",)})
    assert bad(found) == [("all_zero_rows", "fail")]
    assert "1 of the 7 rows used" in found[0].note


def test_a_closed_day_that_the_level_above_confirms_is_no_fault() -> None:
    rows = facts(1)
    closed, area = at(rows, DAY, "O11"), at(rows, DAY, "A1")
    for column in (*SUMS, *PEOPLE):
        share = 1.0 if column in SUMS else 0.95
        rows.loc[area, column] -= rows.loc[closed, column].iloc[0] * share
    rows.loc[closed, [*SUMS, *PEOPLE]] = 0
    assert bad(ask(view_of(with_raw(rows)), "sales", filters={"outlet": ("O11",)})) == []


def test_a_total_is_doubted_less_than_the_parts_that_miss_it() -> None:
    rows = facts(1)
    rows.loc[at(rows, DAY, "O11"), "food"] -= 300.0
    view = view_of(with_raw(rows))
    only = {"outlet": ("O11",)}
    assert bad(ask(view, "food", filters=only, period=Period(start=DAY, end=DAY))) == [
        ("identity:parts", "fail")
    ]
    assert bad(ask(view, "sales", filters=only, period=Period(start=DAY, end=DAY))) == [
        ("identity:parts", "warn")
    ]
    assert bad(ask(view, "orders", filters=only, period=Period(start=DAY, end=DAY))) == []


def test_a_doubled_row_warns() -> None:
    rows = with_raw(facts(1))
    found = ask(view_of(pd.concat([rows, rows[at(rows, DAY, "O11")]])), "sales")
    assert bad(found) == [("dup_keys", "warn")]
    assert found[-1].n_checked == 42


def test_nulls_of_another_metric_do_not_matter() -> None:
    rows = facts(1)
    rows.loc[at(rows, DAY, "O11"), "rating"] = np.nan
    view = view_of(with_raw(rows))
    assert bad(ask(view, "sales")) == []
    assert bad(ask(view, "rating")) == [("nulls", "warn")]


def test_a_drifted_source_rate_warns_that_ours_is_recomputed() -> None:
    rows = with_raw(facts(1))
    rows["raw"] = [
        {**raw, "src.conversion": raw["src.conversion"] * 100} if hit else raw
        for raw, hit in zip(rows["raw"], at(rows, DAY, "O11"), strict=True)
    ]
    found = ask(view_of(rows), "conversion")
    assert bad(found) == [("unit_drift", "warn")]
    assert "recomputed" in found[0].note


def test_children_that_do_not_add_up_only_call_for_care_when_their_own_fault_explains_it() -> None:
    rows = with_raw(facts(1))
    view = view_of(rows[~at(rows, DAY, "O11")])
    found = ask(view, "sales", scope="area", filters={"area": ("A1",)})
    assert bad(found) == [("sum_outlet_area", "warn")]
    assert "Outlet 11 03-12" in found[0].note
    assert [k["areaId"] for k in found[0].keys] == ["A1"]


def test_a_level_that_disagrees_for_no_known_reason_fails() -> None:
    rows = facts(1)
    rows.loc[at(rows, DAY, "A1"), ["sales", "food"]] *= 2
    found = ask(view_of(with_raw(rows)), "sales", scope="area")
    assert ("sum_outlet_area", "fail") in bad(found)


@pytest.mark.parametrize(
    ("days_late", "end", "found"),
    [
        (1, END, []),
        (3, END, [("freshness", "warn")]),
        (3, END - timedelta(days=5), []),
        (400, END, []),
    ],
)
def test_age_matters_only_where_the_period_reaches_the_end(
    days_late: int, end: date, found: list[tuple[str, str]]
) -> None:
    period = Period(start=end - timedelta(days=6), end=end)
    view = view_of(with_raw(facts(1)))
    assert bad(ask(view, "sales", period=period, as_of=END + timedelta(days=days_late))) == found


def test_averages_are_checked_by_their_metric() -> None:
    rows = with_raw(facts(1))
    assert bad(ask(view_of(rows[~at(rows, DAY, "O11")]), "sales@day")) == [("missing_days", "fail")]
