"""A small clean lake with names of its own: 2 areas, 3 outlets each, 30 days, source-side fields.

    area  = sum of its outlets for sales, food, other, orders; people: 95 % of that sum
    sales = food + other; conversion = buyers / visitors; ticket = sales / orders (the source delivers both)

Every outlet's figures are drawn from the seed; money is in whole cents and people fit the rates, so that
all rules hold exactly and every finding is a mutation's.
"""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import pandas as pd

from askcore.base.views import SyncRow
from askcore.semantic.model import Model
from askcore.semantic.parse import parse_model
from askcore.semantic.shape import Shape

START = date(2026, 3, 2)
DAYS = 30
END = START + timedelta(days=DAYS - 1)
AS_OF = END + timedelta(days=1)
AREAS = {"A1": ("O11", "O12", "O13"), "A2": ("O21", "O22", "O23")}

MODEL_TEXT = """
version: 1
model: kiosks
dataset:
  time: {column: date, settlement_lag_days: 1}
  levels:
  - {key: area, zh: 片区, en: Area, id: areaId, name: areaName, rollup_of: outlet}
  - {key: outlet, zh: 网点, en: Outlet, id: outletId, name: outletName}
  raw_suffixes: {last_period_diff: '{key}__last_period_diff'}
metrics:
- {key: sales, label: {zh: 销售, en: Sales}, unit: CNY, additivity: {kind: sum}}
- {key: food, label: {zh: 食品, en: Food}, unit: CNY, additivity: {kind: sum}}
- {key: other, label: {zh: 其他, en: Other}, unit: CNY, additivity: {kind: sum}}
- {key: orders, label: {zh: 单数, en: Orders}, unit: order, additivity: {kind: sum}}
- {key: visitors, label: {zh: 来客, en: Visitors}, unit: person,
   additivity: {kind: sum, person_days: true, across_entities: upper_bound}}
- {key: buyers, label: {zh: 买家, en: Buyers}, unit: person,
   additivity: {kind: sum, person_days: true, across_entities: upper_bound}}
- {key: conversion, label: {zh: 转化, en: Conversion}, unit: ratio,
   additivity: {kind: ratio, numerator: buyers, denominator: visitors}}
- {key: ticket, label: {zh: 客单, en: Ticket}, unit: CNY,
   additivity: {kind: ratio, numerator: sales, denominator: orders}}
- {key: rating, label: {zh: 评分, en: Rating}, unit: score,
   additivity: {kind: last, across_entities: weighted_mean, weight: orders}}
- {key: adSpend, label: {zh: 广告, en: Ad spend}, unit: CNY, reserved: true, additivity: {kind: sum}}
identities:
- {id: parts, left: food + other, right: sales, row_tol: {abs: 0.01}, warn: 0.001, fail: 0.2}
- {id: rate, left: buyers / visitors, right: src.conversion, row_tol: {abs: 0.0005}, warn: 0.001, fail: 0.2,
   guard: visitors > 0, unit_probe: [1, 100]}
- {id: funnel, kind: inequality, expr: visitors >= buyers}
cross_layer:
- {id: sum_outlet_area, lower: outlet, upper: area, warn: 0.005, fail: 0.02, abs_floor: 1.0}
- {id: uv_bound}
- {id: ratio_recomputed, warn: 0.001, fail: 0.005}
- {id: all_zero_child}
source_delta:
  abs_tol: {CNY: 0.05, order: 0.5, person: 0.5, ratio: 0.0005}
  rel_tol: 0.005
"""
SUMS = ("sales", "food", "other", "orders")
PEOPLE = ("visitors", "buyers")


def small_model() -> Model:
    return parse_model(MODEL_TEXT)


def days() -> list[date]:
    return [START + timedelta(days=n) for n in range(DAYS)]


def facts(seed: int) -> pd.DataFrame:
    """Clean rows of both levels, without raw fields."""
    rng = np.random.default_rng(seed)
    rows = []
    for day in days():
        for area, outlets in AREAS.items():
            mine = [_outlet(rng, day, area, outlet) for outlet in outlets]
            total = {k: round(sum(r[k] for r in mine), 2) for k in SUMS}
            people = {k: round(sum(r[k] for r in mine) * 0.95) for k in PEOPLE}
            rating = round(sum(r["rating"] * r["orders"] for r in mine) / total["orders"], 3)
            rows.append({**_key(day, "area", area, ""), **total, **people, "rating": rating})
            rows += mine
    return pd.DataFrame(rows)


def _outlet(rng: np.random.Generator, day: date, area: str, outlet: str) -> dict[str, object]:
    visitors = int(rng.integers(10, 30)) * 100
    food, other = (int(rng.integers(50_000, 90_000)) / 100 for _ in range(2))
    return {
        **_key(day, "outlet", area, outlet),
        "sales": round(food + other, 2),
        "food": food,
        "other": other,
        "orders": int(rng.integers(40, 90)),
        "visitors": visitors,
        "buyers": visitors * int(outlet[-1]) // 10,
        "rating": 4.0 + int(outlet[-1]) / 10,
    }


def _key(day: date, scope: str, area: str, outlet: str) -> dict[str, object]:
    return {
        "date": day,
        "scope": scope,
        "areaId": area,
        "areaName": f"Area {area[1]}",
        "outletId": outlet,
        "outletName": f"Outlet {outlet[1:]}" if outlet else "",
    }


def with_raw(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows with the source's own rates and changes, made from the rows as they are.

    An area's rates are its outlets' Σ numerator / Σ denominator.
    """
    found = rows.copy()
    below = rows[rows["scope"] == "outlet"].groupby(["date", "areaId"])[[*SUMS, *PEOPLE]].sum()
    before = {_identity(r): r for _, r in rows.iterrows()}
    raws = []
    for _, row in rows.iterrows():
        base = below.loc[(row["date"], row["areaId"])] if row["scope"] == "area" else row
        raw = {
            "src.conversion": base["buyers"] / base["visitors"] if base["visitors"] else None,
            "src.ticket": base["sales"] / base["orders"] if base["orders"] else None,
        }
        earlier = before.get((row["date"] - timedelta(days=1), *_identity(row)[1:]))
        raw["sales__last_period_diff"] = None if earlier is None else row["sales"] - earlier["sales"]
        raws.append(raw)
    found["raw"] = raws
    return found


def _identity(row: pd.Series) -> tuple[object, ...]:
    return (row["date"], row["scope"], row["areaId"], row["outletId"])


def shapes() -> tuple[Shape, Shape]:
    """Two loads that delivered the same: the newest, then the one before."""
    columns = dict.fromkeys(("areaId", "outletId"), "text") | dict.fromkeys(SUMS, "money")
    columns |= dict.fromkeys((*PEOPLE, "rating"), "number")
    before = Shape(version=1, columns=columns, extra=("raw.src.conversion", "raw.src.ticket"))
    return Shape(version=2, columns=columns, extra=before.extra), before


def sync_log() -> list[SyncRow]:
    """A good sync every morning after a day."""
    return [
        SyncRow(time=f"{day + timedelta(days=1)} 06:10:00", entity=area, state="success", rows=4, message="")
        for day in days()
        for area in AREAS
    ]
