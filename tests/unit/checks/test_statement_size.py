"""What a check sends must not grow with the entities: a condition for each would be tried on every row."""

from __future__ import annotations

from datetime import date, timedelta

import pandas as pd
import pytest

from askcore.base.values import Verdict
from askcore.checks.catalogue import run_checks
from tests.unit.checks.memory_view import MemoryView
from tests.unit.checks.small_lake import small_model

FIRST = date(2026, 3, 2)
DAYS = 12


def faulty(areas: int) -> pd.DataFrame:
    """Every area misses a rating, an outlet's day and a whole outlet's sales, breaks an identity and its sum."""
    rows = []
    for area in range(areas):
        names = {"areaId": f"A{area:03}", "areaName": f"Area {area:03}"}
        for n in range(DAYS):
            day = FIRST + timedelta(days=n)
            own = {"sales": 30.0, "food": 20.0, "other": 10.0, "orders": 6, "visitors": 90, "buyers": 9}
            rows.append({"date": day, "scope": "area", **names, "outletId": "", "rating": 4.5} | own)
            for outlet in range(2):
                if (n, outlet) == (5, 1):
                    continue
                row = {k: v / 2 for k, v in own.items()} | {"rating": None if n == 3 else 4.5}
                row |= {"food": row["food"] + (3.0 if n == 7 else 0.0)}
                row = {k: 0.0 if n == 9 and k in own else v for k, v in row.items()}
                row |= {"orders": -1.0} if n == 10 else {}
                key = {"date": day, "scope": "outlet", "outletId": f"O{area:03}{outlet}"}
                rows.append(key | names | row | {"outletName": key["outletId"]})
                rows += [rows[-1]] if n == 8 else []
    return pd.DataFrame(rows)


def verdicts(areas: int) -> dict[str, Verdict]:
    view = MemoryView(small_model(), faulty(areas))
    period = view.catalog.period
    found = run_checks(view, period=period, as_of=period.end + timedelta(days=1), lang="en")
    return {v.check: v for v in found}


@pytest.fixture(scope="module")
def few_and_many() -> tuple[dict[str, Verdict], dict[str, Verdict]]:
    return verdicts(2), verdicts(60)


def test_every_kind_of_fault_is_found_in_every_area(few_and_many):
    few, many = few_and_many
    found = {name: v.n_bad for name, v in few.items() if v.n_bad}
    assert {"nulls", "missing_days", "dup_keys", "range", "all_zero_rows", "identity:parts"} <= set(found)
    assert {name: v.n_bad for name, v in many.items() if v.n_bad} == {k: 30 * n for k, n in found.items()}


def test_statements_are_no_longer_for_sixty_areas_than_for_two(few_and_many):
    few, many = few_and_many
    assert [name for name, v in many.items() if len(v.sql) > len(few[name].sql)] == []
