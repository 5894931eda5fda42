"""missing_days against a plain count in Python, over random holes, grains, filters and periods."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import pandas as pd
import pytest

from askcore.base.values import Period
from askcore.checks.frame import Frame
from askcore.checks.limits import Limits
from askcore.checks.missing_days import entity_gaps
from askcore.semantic.parse import parse_model
from tests.unit.checks.memory_view import MemoryView

MODEL_TEXT = """
model: chains
dataset:
  time: {column: date, grain: GRAIN}
  levels:
  - {key: chain, zh: 连锁, en: Chain, id: chainId, name: chainId, rollup_of: store}
  - {key: store, zh: 门店, en: Store, id: storeId, name: storeId}
metrics:
- {key: sales, label: {zh: 销售, en: Sales}, unit: CNY, additivity: {kind: sum}}
"""
FIRST = date(2026, 1, 5)  # a Monday
STEP_DAYS = {"day": 1, "week": 7}
CLOSED = Limits().closed_steps


def lake(seed: int, grain: str) -> pd.DataFrame:
    """Eight stores of two chains that open late, close early, have holes and doubled rows."""
    rng = np.random.default_rng(seed)
    days = STEP_DAYS[grain]
    rows = []
    for number in range(8):
        opened, closes = sorted(rng.choice(60, 2, replace=False))
        closes = 59 if number < 4 else closes
        for n in range(int(opened), int(closes) + 1):
            if rng.random() < 0.1:
                continue
            day = FIRST + timedelta(days=n * days + (0 if grain == "day" else int(rng.integers(7))))
            key = {"date": day, "scope": "store", "chainId": f"C{number % 2}", "storeId": f"S{number}"}
            rows += [{**key, "sales": 5.0}] * (2 if rng.random() < 0.05 else 1)
    return pd.DataFrame(rows)


def step(day: date, grain: str) -> date:
    return day if grain == "day" else day - timedelta(days=day.weekday())


def by_hand(
    rows: pd.DataFrame, period: Period, as_of: date, grain: str, kept: tuple[str, ...] | None
) -> tuple[int, set[tuple[str, date]]]:
    """(expected store-steps, missing ones)."""
    steps = STEP_DAYS[grain]
    known = rows[rows["date"] <= as_of]
    calendar = sorted({step(d, grain) for d in rows["date"] if period.contains(d)})
    newest = {c: max(step(d, grain) for d in g["date"]) for c, g in known.groupby("chainId")}
    expected, missing = 0, set()
    for (chain, store), group in known.groupby(["chainId", "storeId"]):
        if kept is not None and store not in kept:
            continue
        own = {step(d, grain) for d in group["date"]}
        until = max(own) if (newest[chain] - max(own)).days >= CLOSED * steps else newest[chain]
        inside = {step(d, grain) for d in group["date"] if period.contains(d)}
        due = [s for s in calendar if min(own) <= s <= until]
        expected += len(due)
        missing |= {(store, s) for s in due if s not in inside}
    return expected, missing


@pytest.mark.parametrize("grain", ["day", "week"])
@pytest.mark.parametrize("seed", range(12))
def test_gaps_are_those_of_a_plain_count(seed: int, grain: str) -> None:
    rows = lake(seed, grain)
    view = MemoryView(parse_model(MODEL_TEXT.replace("GRAIN", grain)), rows)
    whole = view.catalog.period
    assert whole is not None
    rng = np.random.default_rng(seed)
    cut = int(rng.integers(5, 40)) * STEP_DAYS[grain]
    part = Period(start=whole.start + timedelta(days=cut), end=whole.end - timedelta(days=6))
    for period in (whole, part):
        for kept in (None, ("S1", "S4", "S5")):
            frame = Frame(
                view=view,  # type: ignore[arg-type]
                period=period,
                as_of=whole.end + timedelta(days=1),
                lang="en",
                limits=Limits(),
                filters={} if kept is None else {"store": kept},
            )
            expected, present, findings, sql = entity_gaps(frame, frame.leaf)
            due, missing = by_hand(rows, period, frame.as_of, grain, kept)
            assert (expected, present) == (due, due - len(missing))
            found = {(f.key["storeId"], step(date.fromisoformat(f.key["date"]), grain)) for f in findings}
            assert found == missing
            assert len(findings) == len(missing)
            view.run(sql)
