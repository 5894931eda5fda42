"""Questions to the large lake: as arguments of `query_report`, and as the SQL one would write by hand.

The SQL gives what the tool gives: the rows in the same order, the totals over all of them, and their number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from benchmarks.big_lake import FIRST_DAY, LAST_DAY

MAX_ROWS = 1000  # what the tool shows at most


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """One question."""

    name: str
    args: Mapping[str, Any]
    keys: tuple[str, ...]
    """Columns of the tool's rows that the SQL groups by."""
    scope: str
    group: str
    """SELECT list of the keys, with aliases k0, k1 …."""
    sums: tuple[str, ...]
    """Aggregates that add up, with aliases s0, s1 …, of which `values` are made."""
    values: tuple[str, ...]
    """SELECT list over the sums; the totals are the same over the sums of sums."""
    where: str = "true"
    order: str = "k0"

    @property
    def metrics(self) -> tuple[str, ...]:
        """Metric keys in the order of `values`."""
        return tuple(self.args["metrics"])

    @property
    def limit(self) -> int:
        """Rows that are shown."""
        return int(self.args.get("limit", MAX_ROWS))

    @property
    def sql(self) -> str:
        """Totals first, then the rows."""
        keys = [f"k{i}" for i in range(len(self.keys))]
        sums = [f"{s} AS s{i}" for i, s in enumerate(self.sums)]
        totals = ", ".join(f"sum(s{i}) AS s{i}" for i in range(len(self.sums)))
        start, end = self.args["from"], self.args["to"]
        return f"""
WITH g AS MATERIALIZED (
  SELECT {self.group}, {", ".join(sums)} FROM fact
  WHERE scope = '{self.scope}' AND date BETWEEN DATE '{start}' AND DATE '{end}'
    AND _dup_n = 1 AND {self.where}
  GROUP BY ALL)
SELECT 0 AS t, {", ".join("NULL" for _ in keys)}, {", ".join(self.values)}, n
FROM (SELECT {totals}, count(*) AS n FROM g)
UNION ALL
SELECT * FROM (
  SELECT 1, {", ".join(keys)}, {", ".join(self.values)}, NULL FROM g
  ORDER BY {self.order} LIMIT {self.limit})"""


_FIVE = ("grossAmt", "incomeAmt", "actualPayAmt", "validOrderCnt", "orderUv")


def shapes(shop: str) -> tuple[Shape, ...]:
    """All questions; `shop` is the one whose year is read."""
    return (
        _shop_totals(),
        _trend("company trend, 365 days, 3 metrics", "company"),
        _trend("one shop, 365 days, 3 metrics", "shop", shop),
        _weeks_of_chains(),
        _visit_rates(),
        _sales(),
    )


def _shop_totals() -> Shape:
    return Shape(
        name="per-shop totals, 7 days, 5 metrics",
        args=_args(_FIVE, LAST_DAY - timedelta(days=6), by="shop", limit=MAX_ROWS),
        keys=("shopId",),
        scope="shop",
        group='"shopId" AS k0',
        sums=_sums(_FIVE),
        values=("s0::DOUBLE", "s1::DOUBLE", "s2::DOUBLE", "s3", "s4"),
    )


def _trend(name: str, scope: str, shop: str = "") -> Shape:
    """A year by day; of one shop where it is named."""
    named: dict[str, Any] = {"shops": [shop]} if shop else {}
    return Shape(
        name=name,
        args=_args(_FIVE[1:4], FIRST_DAY, by="date", scope=scope, **named),
        keys=("date",),
        scope=scope,
        group="date AS k0",
        sums=_sums(_FIVE[1:4]),
        values=("s0::DOUBLE", "s1::DOUBLE", "s2"),
        where=f"\"shopId\" = '{shop}'" if shop else "true",
    )


def _weeks_of_chains() -> Shape:
    return Shape(
        name="2 metrics by chain × week, shop rows",
        args=_args(_FIVE[2:4], FIRST_DAY, by=["week", "chain"], scope="shop"),
        keys=("week", "chainId"),
        scope="shop",
        group="date_trunc('week', date)::DATE AS k0, \"chainId\" AS k1",
        sums=_sums(_FIVE[2:4]),
        values=("s0::DOUBLE", "s1"),
        order="k0, k1",
    )


def _visit_rates() -> Shape:
    month = LAST_DAY - timedelta(days=29)
    rate = "s0::DOUBLE / NULLIF(s1, 0)"
    return Shape(
        name="visit rate by shop, 30 days, top 20",
        args=_args(("visitRate",), month, by="shop", sort="-visitRate", limit=20),
        keys=("shopId",),
        scope="shop",
        group='"shopId" AS k0',
        sums=_sums(("visitUv", "exposureUv")),
        values=(rate,),
        order=f"{rate} DESC NULLS LAST, k0",
    )


def _sales() -> Shape:
    return Shape(
        name="sales by shop, 365 days, top 20",
        args=_args(("grossAmt",), FIRST_DAY, by="shop", sort="-grossAmt", limit=20),
        keys=("shopId",),
        scope="shop",
        group='"shopId" AS k0',
        sums=_sums(("grossAmt",)),
        values=("s0::DOUBLE",),
        order="s0 DESC NULLS LAST, k0",
    )


def _sums(metrics: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f'sum("{m}")' for m in metrics)


def _args(metrics: tuple[str, ...], start: date, **more: Any) -> dict[str, Any]:
    return {"metrics": list(metrics), "from": start.isoformat(), "to": LAST_DAY.isoformat(), **more}
