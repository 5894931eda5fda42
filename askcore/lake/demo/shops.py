"""What each shop is like: the constants behind its days, drawn once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from askcore.lake.demo import market, simpson
from askcore.lake.demo.placement import DROP_FACTOR, RANK_BEFORE, Placement
from askcore.lake.demo.roster import Roster
from askcore.lake.demo.season import Floats, ProfileName, stream

_SIMPSON_SCALE = 5  # size of the light chain when no Simpson case is planted
_DAILY_ORDERS: Mapping[ProfileName, tuple[float, float]] = {
    "hearty": (330.0, 560.0),
    "light": (220.0, 420.0),
    "noodle": (260.0, 440.0),
}
_RANK_PEERS = 69  # peers of the shop whose rank is planted (the field prints "10/69")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Traits:
    """One number per shop (roster order)."""

    exposure: Floats
    """Exposure users of an ordinary day at the demo's end."""
    visit_rate: Floats
    order_rate: Floats
    orders_per_user: Floats
    basket: Floats
    """Factor on the chain's average order value."""
    new_share: Floats
    cooking_min: Floats
    score: Floats
    open_minutes: Floats
    subsidy: Floats
    """Shares of gross: promotion subsidy, ad spend."""
    promo: Floats
    standing: Mapping[str, Floats]
    """Own value over peer mean per peer metric, on an ordinary day."""
    peers: Floats


def traits(seed: int, roster: Roster, placement: Placement | None) -> Traits:
    """Draw the constants, then bend those that a planted fact needs."""
    rng = stream(seed, "traits")
    count = len(roster.shops)

    def draw(low: float, high: float) -> Floats:
        return rng.uniform(low, high, count)

    bounds = np.array([_DAILY_ORDERS[roster.profile(s)] for s in roster.shops])
    orders = bounds[:, 0] + draw(0, 1) * (bounds[:, 1] - bounds[:, 0])
    order_rate, visit_rate, per_user = draw(0.19, 0.28), draw(0.068, 0.098), draw(1.04, 1.10)
    visits = orders / order_rate / per_user
    _bend_simpson(roster, placement, visits, order_rate)
    z = {key: np.clip(rng.normal(0.25, 0.7, count), -1.3, 1.5) for key in market.SPREAD}
    standing = {key: market.relative(z[key], spread) for key, spread in market.SPREAD.items()}
    peers = rng.integers(45, 110, count).astype(np.float64)
    _bend_rank(roster, placement, standing["exposureUv"], peers)
    return Traits(
        exposure=visits / visit_rate,
        visit_rate=visit_rate,
        order_rate=order_rate,
        orders_per_user=per_user,
        basket=draw(0.94, 1.06),
        new_share=draw(0.24, 0.36),
        cooking_min=draw(10.5, 18.5),
        score=draw(4.5, 4.85),
        open_minutes=rng.choice(np.array([660.0, 720.0, 780.0, 840.0]), count),
        subsidy=draw(0.135, 0.175),
        promo=draw(0.018, 0.030),
        standing=standing,
        peers=peers,
    )


def _bend_simpson(roster: Roster, placement: Placement | None, visits: Floats, order_rate: Floats) -> None:
    """The Simpson chain's ordinary days look like its baseline week."""
    chain = (
        placement.simpson_chain if placement else next(c.id for c in roster.chains if c.profile == "light")
    )
    shops = placement.simpson_shops if placement else tuple(s.id for s in roster.shops_of(chain))
    scale = placement.simpson_scale if placement else _SIMPSON_SCALE
    for shop, daily, rate in zip(shops, simpson.daily_visits(scale), simpson.RATES[0], strict=True):
        index = roster.shop_index(shop)
        dropped = placement is not None and shop == placement.drop_shop
        visits[index] = daily / DROP_FACTOR if dropped else daily
        order_rate[index] = rate


def _bend_rank(roster: Roster, placement: Placement | None, standing: Floats, peers: Floats) -> None:
    """The shop whose rank will fall stands well before, and nobody else's peers change."""
    if placement is None:
        return
    index = roster.shop_index(placement.rank_shop)
    peers[index] = _RANK_PEERS
    standing[index] = market.standing(RANK_BEFORE, _RANK_PEERS, market.SPREAD["exposureUv"])
