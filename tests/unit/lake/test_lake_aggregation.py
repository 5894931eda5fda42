"""Every additivity kind at every grain and level, against pandas on a skewed lake with holes and doubles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from askcore.base.config import Settings
from askcore.base.values import Period, QuerySpec
from askcore.lake import Delivery, Lake, LakeView
from askcore.semantic.parse import parse_model

MODEL = """
version: 1
model: skewed
dataset:
  time: {column: day}
  levels:
  - {key: company, id: companyId, name: companyName, rollup_of: chain}
  - {key: chain, id: chainId, name: chainName, rollup_of: shop}
  - {key: shop, id: shopId, name: shopName}
metrics:
- {key: gross, unit: CNY, additivity: {kind: sum}}
- {key: orders, unit: order, additivity: {kind: sum}}
- {key: invalid, unit: order, additivity: {kind: sum}}
- {key: people, unit: person, additivity: {kind: sum, person_days: true, across_entities: upper_bound}}
- {key: visits, unit: person, additivity: {kind: sum, person_days: true, across_entities: upper_bound}}
- {key: total, unit: order, additivity: {kind: derived_sum, expr: orders + invalid}}
- {key: visitRate, unit: ratio, additivity: {kind: ratio, numerator: visits, denominator: people}}
- {key: invalidRate, unit: ratio, additivity: {kind: ratio, numerator: invalid, denominator: total}}
- {key: aov, unit: CNY, additivity: {kind: ratio, numerator: gross, denominator: orders}}
- {key: cooking, unit: minute, additivity: {kind: weighted_mean, weight: orders}}
- {key: score, unit: score, additivity: {kind: last, across_entities: weighted_mean, weight: orders}}
- {key: stock, unit: piece, additivity: {kind: last}}
- {key: rebuy, unit: ratio, additivity: {kind: last, across_entities: forbid}}
- {key: loyal, unit: person, additivity: {kind: sum, across_entities: forbid}}
- {key: minutes, unit: minute, additivity: {kind: mean_per_row}}
- {key: active, unit: shop, additivity: {kind: distinct, column: shopId, where: orders > 0}}
- {key: absent, unit: CNY, additivity: {kind: sum}, reserved: true}
"""
FIRST, DAYS = date(2025, 12, 22), 45
SHOPS = [("E1", "C1", "S1"), ("E1", "C1", "S2"), ("E1", "C2", "S3"), ("E2", "C3", "S4"), ("E2", "C3", "S5")]
METRICS = (
    "gross", "orders", "people", "total", "visitRate", "invalidRate", "aov", "cooking", "score", "stock",
    "rebuy", "loyal", "minutes", "gross@day", "gross@row", "visitRate@by:gross", "visitRate@row",
)  # fmt: skip
SCOPES_AND_LEVELS = [
    ("company", None), ("company", "company"), ("chain", None), ("chain", "company"), ("chain", "chain"),
    ("shop", None), ("shop", "company"), ("shop", "chain"), ("shop", "shop"),
]  # fmt: skip
IDS = ["companyId", "chainId", "shopId"]


def generated() -> pd.DataFrame:
    """Rows of all three scopes, drawn apart from each other, so that reading the wrong scope shows."""
    random = np.random.default_rng(7)
    rows = []
    for i in range(DAYS):
        day = FIRST + timedelta(days=i)
        entities = [("shop", ids) for ids in SHOPS]
        entities += [("chain", (*ids, "")) for ids in sorted({ids[:2] for ids in SHOPS})]
        entities += [("company", (top, "", "")) for top in ("E1", "E2")]
        for scope, ids in entities:
            if random.random() < 0.06:
                continue
            size = float(random.lognormal(3, 1.5))
            orders = int(random.poisson(size)) if random.random() > 0.1 else 0
            rows.append(
                {
                    "date": day,
                    "scope": scope,
                    **dict(zip(IDS, ids, strict=True)),
                    "gross": round(orders * random.uniform(15, 60), 2),
                    "orders": orders,
                    "invalid": int(random.poisson(2)) if random.random() > 0.2 else None,
                    "people": int(random.poisson(size * 50)) if random.random() > 0.1 else None,
                    "visits": int(random.poisson(size * 4)) if random.random() > 0.1 else None,
                    "cooking": float(random.uniform(5, 30)) if random.random() > 0.2 else None,
                    "score": float(random.uniform(3, 5)) if random.random() > 0.3 else None,
                    "stock": int(random.integers(0, 100)) if random.random() > 0.3 else None,
                    "rebuy": float(random.uniform(0, 1)) if random.random() > 0.3 else None,
                    "loyal": int(random.integers(0, 9)),
                    "minutes": float(random.integers(300, 900)) if random.random() > 0.2 else None,
                }
            )
    frame = pd.DataFrame(rows)
    doubled = frame.iloc[::17].copy()
    doubled["gross"] = doubled["gross"] + 999
    return pd.concat([frame, doubled], ignore_index=True)


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    """What a query should see: the first of every doubled key."""
    return generated().drop_duplicates(["date", "scope", *IDS], keep="first")


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LakeView]:
    lake = Lake(Settings(home=Path(tmp_path_factory.mktemp("skewed"))))
    table = pa.Table.from_pandas(generated(), preserve_index=False)
    lake.load("skewed", Delivery(table=table), parse_model(MODEL))
    with lake.open("skewed") as opened:
        yield opened


def ratio(above: pd.Series, below: pd.Series) -> float | None:
    both = above.notna() & below.notna()
    total = below[both].sum()
    return None if not both.any() or total == 0 else above[both].sum() / total


def newest(frame: pd.DataFrame, key: str) -> pd.Series:
    """Newest value of each entity."""
    known = frame[frame[key].notna()].sort_values("date")
    return known.groupby(IDS)[key].last()


def weighted_newest(frame: pd.DataFrame) -> float | None:
    values = newest(frame, "score")
    if len(values) <= 1:
        return None if values.empty else float(values.iloc[0])
    weights = frame.groupby(IDS)["orders"].sum().reindex(values.index)
    return None if weights.sum() == 0 else float((values * weights).sum() / weights.sum())


def alone(values: pd.Series) -> float | None:
    return float(values.iloc[0]) if len(values) == 1 else None


def summed(values: pd.Series) -> float | None:
    return None if values.notna().sum() == 0 else float(values.sum())


def row_ratio(frame: pd.DataFrame) -> pd.Series:
    return frame["visits"] / frame["people"].where(frame["people"] != 0)


def weighted_row_ratio(frame: pd.DataFrame) -> float | None:
    return ratio(row_ratio(frame) * frame["gross"], frame["gross"].where(row_ratio(frame).notna()))


EXPECTED: dict[str, Callable[[pd.DataFrame], float | None]] = {
    "gross": lambda f: round(f["gross"].sum(), 2),
    "orders": lambda f: summed(f["orders"]),
    "people": lambda f: summed(f["people"]),
    "total": lambda f: summed(f["orders"] + f["invalid"]),
    "visitRate": lambda f: ratio(f["visits"], f["people"]),
    "invalidRate": lambda f: ratio(f["invalid"], f["orders"] + f["invalid"]),
    "aov": lambda f: ratio(f["gross"], f["orders"]),
    "cooking": lambda f: ratio(f["cooking"] * f["orders"], f["orders"].where(f["cooking"].notna())),
    "score": weighted_newest,
    "stock": lambda f: summed(newest(f, "stock")),
    "rebuy": lambda f: alone(newest(f, "rebuy")),
    "loyal": lambda f: alone(f.groupby(IDS)["loyal"].sum()),
    "minutes": lambda f: None if f["minutes"].isna().all() else float(f["minutes"].mean()),
    "gross@day": lambda f: f["gross"].sum() / f["date"].nunique(),
    "gross@row": lambda f: float(f["gross"].mean()),
    "visitRate@by:gross": weighted_row_ratio,
    "visitRate@row": lambda f: None if row_ratio(f).isna().all() else float(row_ratio(f).mean()),
}


def bucket(day: date, grain: str) -> str:
    stamp = pd.Timestamp(day)
    return {
        "date": lambda: day.isoformat(),
        "week": lambda: (day - timedelta(days=day.isoweekday() - 1)).isoformat(),
        "month": lambda: stamp.strftime("%Y-%m"),
        "quarter": lambda: f"{stamp.year}-Q{stamp.quarter}",
        "year": lambda: str(stamp.year),
    }[grain]()


def grouped(frame: pd.DataFrame, grain: str | None, level: str | None) -> dict[tuple, pd.DataFrame]:
    keys = []
    if grain is not None:
        keys.append(frame["date"].map(lambda d: bucket(d, grain)))
    if level is not None:
        keys.append(frame[f"{level}Id"])
    if not keys:
        return {(): frame}
    return dict(iter(frame.groupby(keys)))


def close(found: float | None, expected: float | None) -> bool:
    if found is None or expected is None:
        return found is None and expected is None
    return found == pytest.approx(expected, rel=1e-9, abs=1e-9)


WHOLE = Period(start=FIRST + timedelta(days=2), end=FIRST + timedelta(days=DAYS - 3))


@pytest.mark.parametrize(("scope", "level"), SCOPES_AND_LEVELS)
@pytest.mark.parametrize("grain", [None, "date", "week", "month", "quarter", "year"])
@pytest.mark.parametrize("entity", [None, "E1"])
def test_every_kind_at_every_grain_and_level(view, rows, scope, level, grain, entity):
    by = tuple(k for k in (grain, level) if k is not None)
    spec = QuerySpec(metrics=METRICS, period=WHOLE, by=by, scope=scope, entity=entity, limit=1000)
    result = view.query(spec)

    frame = rows[(rows["scope"] == scope) & (rows["date"] >= WHOLE.start) & (rows["date"] <= WHOLE.end)]
    if entity is not None:
        frame = frame[frame["companyId"] == entity]
    expected = grouped(frame, grain, level)
    found = {
        tuple(row[k] for k in (grain, f"{level}Id" if level else None) if k is not None): row
        for row in result.rows
    }
    assert set(found) == set(expected)
    assert (result.row_count, result.scanned) == (len(expected), len(frame))
    wrong = [
        (key, metric, found[key][metric], EXPECTED[metric](group))
        for key, group in expected.items()
        for metric in METRICS
        if not close(found[key][metric], EXPECTED[metric](group))
    ]
    assert wrong == []
    totals = [m for m in METRICS if not close(result.totals[m], EXPECTED[m](frame))]
    assert totals == []


@pytest.mark.parametrize("grain", [None, "date", "month"])
@pytest.mark.parametrize("scope", ["company", "chain", "shop"])
def test_shops_are_counted_on_shop_rows_whatever_the_scope(view, rows, grain, scope):
    by = () if grain is None else (grain,)
    metrics = ("gross", "active", "gross@shop")
    result = view.query(QuerySpec(metrics=metrics, period=WHOLE, by=by, scope=scope))
    inside = (rows["date"] >= WHOLE.start) & (rows["date"] <= WHOLE.end)
    shops = rows[(rows["scope"] == "shop") & inside]
    own = grouped(rows[(rows["scope"] == scope) & inside], grain, None)
    for key, frame in grouped(shops, grain, None).items():
        row = next(r for r in result.rows if not key or r[grain] == key[0])
        assert row["active"] == frame[frame["orders"] > 0]["shopId"].nunique()
        assert row["gross@shop"] == pytest.approx(frame["gross"].sum() / frame["shopId"].nunique())
        assert row["gross"] == pytest.approx(own[key]["gross"].sum())
    assert ("rolled_up" in result.flags.get("active", ())) == (scope != "shop")


def test_money_is_exact_to_the_cent(view, rows):
    result = view.query(QuerySpec(metrics=("gross",), period=WHOLE, scope="shop", by=("shop",)))
    inside = (rows["date"] >= WHOLE.start) & (rows["date"] <= WHOLE.end) & (rows["scope"] == "shop")
    cents = (rows[inside]["gross"] * 100).round().astype("int64").groupby(rows["shopId"]).sum()
    assert {r["shopId"]: r["gross"] for r in result.rows} == {k: v / 100 for k, v in cents.items()}
    assert result.totals["gross"] == cents.sum() / 100


def test_counts_are_integers(view):
    result = view.query(QuerySpec(metrics=("orders", "total"), period=WHOLE, by=("month",)))
    assert all(type(r[k]) is int for r in result.rows for k in ("orders", "total"))


@hypothesis_settings(
    max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(cuts=st.sets(st.integers(min_value=1, max_value=DAYS - 1), max_size=6))
def test_any_split_of_the_days_gives_the_same_ratio(view, cuts):
    """Σ over the pieces of numerator and denominator is what the whole gives."""
    edges = [0, *sorted(cuts), DAYS]
    visits = people = 0
    whole = Period(start=FIRST, end=FIRST + timedelta(days=DAYS - 1))
    spec = QuerySpec(metrics=("visitRate", "orders", "gross"), period=whole, scope="shop")
    orders, gross = 0, 0.0
    for start, end in pairwise(edges):
        piece = Period(start=FIRST + timedelta(days=start), end=FIRST + timedelta(days=end - 1))
        both = view.run(
            "SELECT sum(visits), sum(people) FROM fact WHERE scope = 'shop' AND _dup_n = 1 "
            "AND visits IS NOT NULL AND people IS NOT NULL AND date BETWEEN ? AND ?",
            [piece.start, piece.end],
        ).rows[0]
        visits, people = visits + (both[0] or 0), people + (both[1] or 0)
        totals = view.query(QuerySpec(metrics=spec.metrics, period=piece, scope="shop")).totals
        orders, gross = orders + totals["orders"], gross + totals["gross"]
    found = view.query(spec).totals
    assert found["visitRate"] == pytest.approx(visits / people, rel=1e-12)
    assert found["orders"] == orders
    assert found["gross"] == pytest.approx(gross, abs=0.005)


@pytest.mark.parametrize("by", [(), ("date",), ("week",), ("shop",), ("date", "shop")])
@pytest.mark.parametrize(
    "metrics", [("gross",), ("score",), ("active",), ("gross@day", "score"), ("rebuy", "gross")]
)
def test_days_with_rows_are_counted_under_filters(view, rows, by, metrics):
    spec = QuerySpec(metrics=metrics, period=WHOLE, by=by, filters={"chain": ("C3",)}, scope="shop")
    result = view.query(spec)
    inside = (rows["date"] >= WHOLE.start) & (rows["date"] <= WHOLE.end)
    frame = rows[inside & (rows["scope"] == "shop") & (rows["chainId"] == "C3")]
    assert (result.days.first, result.days.last) == (frame["date"].min(), frame["date"].max())
    assert result.days.present == frame["date"].nunique()
    assert result.scanned == len(frame)
    for metric in metrics:
        if metric != "active":
            assert close(result.totals[metric], EXPECTED[metric](frame))
