"""Dimensions and loads: unknown values, splits that shift, what a delivery looked like."""

from __future__ import annotations

from datetime import date, timedelta

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from askcore.base.config import Settings
from askcore.base.values import Period, Verdict
from askcore.checks.catalogue import check_ids, resolve_ids, run_checks
from askcore.checks.schema_drift import compare
from askcore.checks.share_shift import psi, windows
from askcore.lake import Delivery, Lake
from askcore.semantic.model import Model
from askcore.semantic.parse import parse_model
from askcore.semantic.shape import Shape
from tests.unit.checks.memory_view import MemoryView

MODEL_TEXT = """
version: 1
model: channels
dataset:
  time: {column: date}
  levels:
  - {key: store, zh: 门店, en: Store, id: storeId, name: storeId}
  dimensions:
  - {key: channel, label: {zh: 渠道, en: Channel}, column: channel VALUES}
  - {key: holiday, label: {zh: 假日, en: Holiday}, column: holiday}
metrics:
- {key: sales, label: {zh: 销售, en: Sales}, unit: CNY, additivity: {kind: sum}}
- {key: orders, label: {zh: 单数, en: Orders}, unit: order, additivity: {kind: sum}}
"""
START = date(2026, 3, 2)
DAYS = 70
END = START + timedelta(days=DAYS - 1)
LISTED = ", values: {app: {zh: 应用, en: App}, web: {zh: 网页, en: Web}}"


def model(values: str = "") -> Model:
    return parse_model(MODEL_TEXT.replace(" VALUES", values))


def facts(seed: int) -> pd.DataFrame:
    """Six stores, three a channel; a holiday is one for everybody."""
    rng = np.random.default_rng(seed)
    rows = [
        {
            "date": START + timedelta(days=n),
            "scope": "store",
            "storeId": f"S{store}",
            "channel": "app" if store < 3 else "web",
            "holiday": "1" if n >= DAYS - 10 else "0",
            "sales": int(rng.integers(9_000, 11_000)) / 100,
            "orders": int(rng.integers(8, 12)),
        }
        for n in range(DAYS)
        for store in range(6)
    ]
    return pd.DataFrame(rows)


def loads(*values: str) -> tuple[Shape, Shape]:
    """The newest load and one before it that had these channels."""
    columns = {"sales": "money", "orders": "number"}
    before = Shape(version=1, columns=columns, values={"channel": values, "holiday": ("0", "1")})
    return Shape(version=2, columns=columns, values=before.values), before


def check(view: MemoryView, *ids: str) -> Verdict:
    (found,) = run_checks(
        view,  # type: ignore[arg-type]
        period=Period(start=START, end=END),
        as_of=END + timedelta(days=1),
        lang="en",
        ids=ids,
    )
    return found


@pytest.mark.parametrize("seed", (1, 2, 3))
@pytest.mark.parametrize(
    ("values", "shapes"), [(LISTED, ()), ("", loads("app", "web"))], ids=["listed", "seen before"]
)
def test_an_unknown_value_warns_at_exactly_its_rows(
    seed: int, values: str, shapes: tuple[Shape, ...]
) -> None:
    rows = facts(seed)
    rng = np.random.default_rng(seed)
    clean = check(MemoryView(model(values), rows, shapes=shapes), "enum")
    assert (clean.status, clean.n_checked, clean.keys) == ("pass", len(rows), ())
    rows.loc[rng.choice(len(rows), 4, replace=False), "channel"] = "apq"
    con = duckdb.connect()
    con.register("delivered", rows)
    expected = con.execute(
        "SELECT CAST(date AS VARCHAR)[:10], storeId FROM delivered WHERE channel NOT IN ('app', 'web')"
    ).fetchall()
    found = check(MemoryView(model(values), rows, shapes=shapes), "enum")
    assert (found.status, found.n_bad) == ("warn", 4)
    assert {(k["date"], k["storeId"]) for k in found.keys} == set(expected)
    assert "Channel apq" in found.note
    assert "ingest" in found.remedy


def test_without_a_list_or_an_earlier_load_no_value_is_unknown() -> None:
    found = check(MemoryView(model(), facts(1)), "enum")
    assert (found.status, found.n_checked) == ("skip", 0)
    assert found.note


def test_a_dimension_of_many_values_is_no_list() -> None:
    rows = facts(1)
    rows["channel"] = [f"c{n}" for n in range(len(rows))]
    assert check(MemoryView(model(), rows, shapes=loads("c1")), "enum").status == "pass"  # holiday is known
    assert "Channel" not in check(MemoryView(model(), rows, shapes=loads("c1")), "enum").note


@pytest.mark.parametrize("seed", (1, 2, 3))
def test_a_split_by_a_dimension_that_shifts_warns(seed: int) -> None:
    rows = facts(seed)
    assert check(MemoryView(model(), rows), "dimension_share_shift").status == "pass"
    newest = rows["date"] > END - timedelta(days=28)
    moving = newest & (rows["channel"] == "web") & (rows["storeId"] != "S5")
    rows.loc[moving, "channel"] = "app"  # 1/2 : 1/2 becomes 5/6 : 1/6
    con = duckdb.connect()
    con.register("delivered", rows)
    expected = con.execute(
        """
        WITH s AS (SELECT channel, sum(sales) FILTER (date >= DATE '2026-04-13') AS a,
                          sum(sales) FILTER (date BETWEEN DATE '2026-03-16' AND DATE '2026-04-12') AS b
                   FROM delivered GROUP BY 1),
             t AS (SELECT channel, a / sum(a) OVER () AS p, b / sum(b) OVER () AS q FROM s)
        SELECT sum((p - q) * ln(p / q)) FROM t"""
    ).fetchone()
    assert expected is not None
    found = check(MemoryView(model(), rows), "dimension_share_shift")
    assert (found.status, found.kind) == ("warn", "anomaly")
    assert [(k["date"], k["channel"]) for k in found.keys] == [
        (END.isoformat(), "web"),
        (END.isoformat(), "app"),
    ]
    assert f"PSI {expected[0]:.2f}" in found.note


def test_openers_and_closers_shift_no_split() -> None:
    rows = facts(1)
    opened = (rows["storeId"] == "S5") & (rows["date"] < END - timedelta(days=20))
    closed = (rows["storeId"] == "S4") & (rows["date"] > END - timedelta(days=20))
    rows = rows[~opened & ~closed]
    found = check(MemoryView(model(), rows), "dimension_share_shift")
    assert [k for k in found.keys if k["scope"] == "store" and k["storeId"]] == []


def test_psi_by_hand() -> None:
    assert psi([50, 50], [50, 50], 0.001) == 0
    # .3 ln(.8/.5) + -.3 ln(.2/.5) = .141 + .275
    assert psi([80, 20], [50, 50], 0.001) == pytest.approx(0.4159, abs=1e-4)


@pytest.mark.parametrize(("days", "expected"), [(13, None), (14, 7), (30, 14), (56, 28), (400, 28)])
def test_windows_are_whole_weeks(days: int, expected: int | None) -> None:
    found = windows(END - timedelta(days=days - 1), END, step_days=1, most_days=28)
    assert (None if found is None else found.days) == expected
    if found is not None:
        assert (found.end, found.middle - found.start) == (END, timedelta(days=found.days))


def test_changes_between_loads() -> None:
    before = Shape(version=1, columns={"a": "money", "b": "number", "ad": "money"}, extra=("raw.x",))
    now = Shape(version=2, columns={"a": "text", "c": "number"}, extra=("note",))
    found = [(c.column, c.kind, c.is_fail) for c in compare(now, before, frozenset({"ad"}))]
    assert found == [
        ("a", "retyped", True),
        ("b", "removed", True),
        ("ad", "removed", False),
        ("c", "added", False),
        ("note", "added", False),
        ("raw.x", "removed", False),
    ]
    assert compare(now, now, frozenset()) == []


def test_a_gone_column_names_itself() -> None:
    before = loads("app")[1]
    now = Shape(version=2, columns={"sales": "money"})
    found = check(MemoryView(model(), facts(1), shapes=(now, before)), "schema_drift")
    assert (found.status, [k["column"] for k in found.keys]) == ("fail", ["orders"])
    assert "Orders is gone" in found.note


def test_the_first_load_is_not_compared() -> None:
    for shapes in ((), loads("app")[:1]):
        found = check(MemoryView(model(), facts(1), shapes=shapes), "schema_drift")
        assert (found.status, found.n_checked) == ("skip", 0)


def test_zero_child_vs_parent_names_both_checks_of_zeros() -> None:
    assert resolve_ids(model(), ["zero_child_vs_parent"]) == ("all_zero_rows",)
    assert "enum" in check_ids(model())


def test_the_lake_remembers_what_each_load_delivered(settings: Settings) -> None:
    lake, kind = Lake(settings), model()
    rows = facts(1)
    rows["raw"] = '{"src.sales": 1}'
    lake.load("c", Delivery(table=pa.Table.from_pandas(rows)), kind)
    later = rows.drop(columns=["orders"]).assign(
        channel="kiosk", memo="x", date=rows["date"] + timedelta(days=DAYS)
    )
    later["sales"] = later["sales"].astype(str)
    lake.load("c", Delivery(table=pa.Table.from_pandas(later)), kind)
    with lake.open("c") as view:
        now, before = view.shapes
        found = run_checks(
            view,
            period=Period(start=START, end=END + timedelta(days=DAYS)),
            as_of=END + timedelta(days=DAYS + 1),
            lang="en",
            ids=("schema_drift", "enum"),
        )
    with lake.open("c", 1) as first:
        assert [s.version for s in first.shapes] == [1]
    lake.close()
    assert (now.version, before.version) == (2, 1)
    assert before.columns == {
        "storeId": "text", "channel": "text", "holiday": "text", "sales": "money", "orders": "number"
    }  # fmt: skip
    assert now.columns["sales"] == "text"
    assert before.extra == ("raw.src.sales",)
    assert now.extra == ("memo", "raw.src.sales")
    assert (before.values["channel"], now.values["channel"]) == (("app", "web"), ("app", "kiosk", "web"))
    drift, values = found
    assert (drift.check, drift.status) == ("schema_drift", "fail")
    assert {k["column"] for k in drift.keys} == {"sales", "orders", "memo"}
    assert (values.check, values.status, values.n_bad) == ("enum", "warn", len(rows))
