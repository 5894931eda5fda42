"""`explain_change` on random lakes with lost, zero, wrong and valueless rows at every level."""

from __future__ import annotations

import math
import random
from datetime import date, timedelta

import pyarrow as pa
import pytest

from askcore.base.config import Settings
from askcore.lake import Delivery, Lake
from askcore.tools import explain_change
from askcore.tools.base import ToolContext, call

DAYS = [date(2026, 10, 1) + timedelta(days=i) for i in range(8)]
SHOPS = [(f"S{i}'{{x}}\"", f"C{i % 3}") for i in range(9)]  # names that break careless text and SQL
KEYS = ("grossAmt", "validOrderCnt", "exposureUv", "visitUv", "orderUv", "incomeAmt")
ASKED = (
    {"metric": "grossAmt"},
    {"metric": "incomeAmt", "by": "shop"},
    {"metric": "aov"},
    {"metric": "orderRate"},
    {"metric": "validOrderCnt", "chains": ["C1"]},
    {"metric": "grossAmt", "shops": [SHOPS[0][0]]},
    {"metric": "exposureUv"},
)


def line(day, scope, values, chain="", shop=""):
    names = {"companyName": "公司", "chainName": chain, "shopName": shop}
    ids = {"companyId": "E01", "chainId": chain, "shopId": shop}
    return {"date": day, "scope": scope} | ids | names | dict(zip(KEYS, values, strict=True))


def true_values(rng):
    orders, exposure = rng.randint(0, 30), rng.randint(100, 900)
    visits = rng.randint(0, exposure)
    gross = round(orders * rng.uniform(20, 40), 2)
    return (gross, orders, exposure, visits, rng.randint(0, visits), round(gross * 0.6, 2))


def spoilt(values, rng):
    """The row as delivered; None: lost."""
    fate = rng.random()
    if fate < 0.1:
        return None
    if fate < 0.2:
        return (0.0, 0, 0, 0, 0, 0.0)
    if fate > 0.95:
        return (round(values[0] + 7, 2), *values[1:])
    return (*values[:2], None, *values[3:]) if fate > 0.9 else values


def lake_rows(rng):
    opened = {s: rng.choice(DAYS[:6]) if rng.random() < 0.3 else DAYS[0] for s, _ in SHOPS}
    for day in DAYS:
        true = {s: true_values(rng) for s, _ in SHOPS if day >= opened[s]}
        for chain in ("C0", "C1", "C2"):
            mine = [true[s] for s, c in SHOPS if c == chain and s in true]
            if mine and rng.random() > 0.1:
                yield line(day, "chain", [sum(x) for x in zip(*mine, strict=True)], chain)
        if rng.random() > 0.05:
            yield line(day, "company", [sum(x) for x in zip(*true.values(), strict=True)])
        for shop, chain in SHOPS:
            values = spoilt(true[shop], rng) if shop in true else None
            if values is not None:
                yield line(day, "shop", values, chain, shop)


@pytest.mark.parametrize("seed", range(6))
def test_every_split_adds_up_whatever_is_lost(seed, tmp_path, takeaway_model):
    rows = list(lake_rows(random.Random(seed)))  # noqa: S311
    lake = Lake(Settings(home=tmp_path))
    lake.load("r", Delivery(table=pa.table({n: [r[n] for r in rows] for n in rows[0]})), takeaway_model)
    company = [
        math.fsum(r["grossAmt"] for r in rows if r["scope"] == "company" and (r["date"] >= DAYS[4]) == later)
        for later in (False, True)
    ]
    with lake.open("r") as view:
        ctx = ToolContext(view=view, lang="en", as_of=date(2026, 10, 9), viewer="u", entity="E01")
        for args in ASKED:
            period = {"from": "2026-10-05", "to": "2026-10-08"}
            result = call(explain_change.TOOL, args | {"current": period}, ctx)
            assert result.ok, (args, result.error)
            found = next(v for v in result.verdicts if v.check == "attribution_sum")
            assert found.status in ("pass", "skip"), (args, result.facts["sums"])
            for part, level in result.facts["segments"].items():
                moved = [r["contribution"] for r in result.table.rows if r["part"] == part]
                whole = level["total"]
                size = max(abs(whole["baseline"]), abs(whole["current"]))
                assert math.fsum(moved) == pytest.approx(whole["change"], abs=1e-9 * size)
                if args == {"metric": "grossAmt"}:
                    assert [whole["baseline"], whole["current"]] == pytest.approx(company, rel=1e-9)
    lake.close()
