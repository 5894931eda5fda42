"""What analyses of the demo must find, written from the generator's own numbers, before any data fault."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from askcore.base.values import Period
from askcore.lake.demo import simpson
from askcore.lake.demo.panel import Panel
from askcore.lake.demo.placement import DROP_FACTOR, Placement
from askcore.lake.demo.season import BASELINE, CURRENT, day_range, week_before
from askcore.lake.demo.world import World

_GROSS_DRIVERS = ("exposureUv", "visitRate", "orderRate", "ordersPerUser", "aov")
_ORDER_DRIVERS = _GROSS_DRIVERS[:-1]
_MONEY_KEYS = ("grossAmt",)


def expected_results(world: World) -> dict[str, Any]:
    """gross_change always; simpson and exposure_drop only where they are planted."""
    found: dict[str, Any] = {"gross_change": _gross_change(world)}
    if world.placement is not None:
        found["simpson"] = _simpson(world.placement)
        found["exposure_drop"] = _exposure_drop(world, world.placement)
    return found


def _gross_change(world: World) -> dict[str, Any]:
    """The first company's last seven days against the seven before, true and as delivered."""
    roster = world.roster
    company = roster.companies[0].id
    total = _change(world.companies, 0)
    shops = [
        {"shopId": s.id, "shopName": s.name, "chainId": s.chain}
        | _with_delivered(world, i, _change(world.shops, i))
        for i, s in enumerate(roster.shops)
        if s.company == company
    ]
    chains = [
        {"chainId": c.id, "chainName": c.name} | _change(world.chains, i)
        for i, c in enumerate(roster.chains)
        if c.company == company
    ]
    return {
        "companyId": company,
        "metric": "grossAmt",
        "period": CURRENT.as_json(),
        "baseline": BASELINE.as_json(),
        "total": total,
        "drivers": _lmdi(
            _factors(world.companies, 0, BASELINE), _factors(world.companies, 0, CURRENT), _GROSS_DRIVERS
        ),
        "chains": chains,
        "shops": shops,
    }


def _change(panel: Panel, row: int) -> dict[str, float]:
    before, after = (_sum(panel, "grossAmt", row, p) for p in (BASELINE, CURRENT))
    return {
        "baseline": before,
        "current": after,
        "contribution": round(after - before, 2),
    }


def _with_delivered(world: World, row: int, change: Mapping[str, float]) -> dict[str, float]:
    """Adds what the faulty rows show: zeros and the missing row lower a shop's delivered sums."""
    delivered = dict(change)
    placement, shop = world.placement, world.roster.shops[row].id
    lost = {}
    if placement is not None:
        lost = {placement.zero_shop: placement.zero_days, placement.missing_shop: (placement.missing_day,)}
    for day in lost.get(shop, ()):
        amount = _sum(world.shops, "grossAmt", row, Period(start=day, end=day))
        for name, period in (("baseline", BASELINE), ("current", CURRENT)):
            if period.contains(day):
                delivered[name] = round(delivered[name] - amount, 2)
    return {
        **change,
        "delivered_baseline": delivered["baseline"],
        "delivered_current": delivered["current"],
    }


def _sum(panel: Panel, key: str, row: int, period: Period) -> float:
    """Over the days of the period; money in yuan."""
    total = float(np.nansum(panel[key][row, day_range(period)]))
    return round(total / 100, 2) if key in _MONEY_KEYS else total


def _factors(panel: Panel, row: int, period: Period) -> dict[str, float]:
    """The product chain's factors over a period, each sum over sum, and the two products."""
    exposure, visits, orders, valid, gross = (
        _sum(panel, key, row, period)
        for key in ("exposureUv", "visitUv", "orderUv", "validOrderCnt", "grossAmt")
    )
    return {
        "exposureUv": exposure,
        "visitRate": visits / exposure,
        "orderRate": orders / visits,
        "ordersPerUser": valid / orders,
        "aov": gross / valid,
        "validOrderCnt": valid,
        "grossAmt": gross,
    }


def _lmdi(
    before: Mapping[str, float], after: Mapping[str, float], drivers: tuple[str, ...]
) -> list[dict[str, float | str]]:
    """LMDI-I: log-mean of the product times the log change of each factor; exact, no residual."""
    start, end = (math.prod(side[d] for d in drivers) for side in (before, after))
    weight = start if end == start else (end - start) / math.log(end / start)
    return [
        {
            "driver": d,
            "baseline": before[d],
            "current": after[d],
            "contribution": weight * math.log(after[d] / before[d]),
        }
        for d in drivers
    ]


def _simpson(placement: Placement) -> dict[str, Any]:
    before, after = simpson.totals(placement.simpson_scale)
    split = simpson.effects(before, after)
    shops = [
        {
            "shopId": shop,
            "baseline": {"visitUv": before.visits[i], "orderUv": before.orders[i]},
            "current": {"visitUv": after.visits[i], "orderUv": after.orders[i]},
            "rate_effect": split.rate[i],
            "mix_effect": split.mix[i],
        }
        for i, shop in enumerate(placement.simpson_shops)
    ]
    return {
        "chainId": placement.simpson_chain,
        "metric": "orderRate",
        "period": CURRENT.as_json(),
        "baseline": BASELINE.as_json(),
        "scale": placement.simpson_scale,
        "rate_baseline": before.rate,
        "rate_current": after.rate,
        "delta": after.rate - before.rate,
        "rate_effect": sum(split.rate),
        "mix_effect": sum(split.mix),
        "shops": shops,
    }


def _exposure_drop(world: World, placement: Placement) -> dict[str, Any]:
    """F2: orders of the shop against the week before the break, by driver, beside its peers."""
    row = world.roster.shop_index(placement.drop_shop)
    baseline = week_before(placement.drop_start)
    before, after = (_factors(world.shops, row, p) for p in (baseline, CURRENT))
    peers = [float(world.market.means["exposureUv"][row, day_range(p)].mean()) for p in (baseline, CURRENT)]
    return {
        "shopId": placement.drop_shop,
        "metric": "validOrderCnt",
        "from": placement.drop_start.isoformat(),
        "factor": DROP_FACTOR,
        "period": CURRENT.as_json(),
        "baseline": baseline.as_json(),
        "total": {
            "baseline": before["validOrderCnt"],
            "current": after["validOrderCnt"],
            "contribution": after["validOrderCnt"] - before["validOrderCnt"],
        },
        "drivers": _lmdi(before, after, _ORDER_DRIVERS),
        "peer_exposure": {"baseline": peers[0], "current": peers[1]},
    }
