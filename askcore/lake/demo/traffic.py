"""People of each shop and day: exposed, visiting, ordering; with the facts that are true of the business.

Those facts (F2 drop, F3 Simpson, F10 rank, F12 open and close) change what happened; faults of the data
are planted later, on the finished rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from askcore.base.values import Period
from askcore.lake.demo import market, simpson
from askcore.lake.demo.placement import DROP_FACTOR, RANK_BEFORE, RANK_DURING, Placement
from askcore.lake.demo.roster import Roster
from askcore.lake.demo.season import (
    BASELINE,
    COVERED,
    CURRENT,
    Floats,
    day_index,
    day_range,
    season,
    stream,
)
from askcore.lake.demo.shops import Traits

_MARKET_DAMPING = 0.8  # peers are mixed shops: their holidays count less
_RANK_MARKET = 0.86  # F10: what is left of the peers' mean while the shop's own exposure falls further
_RAMP_DAYS = 14  # a new shop reaches its ordinary traffic after two weeks


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Traffic:
    """Shops x days; NaN where a shop is not in business."""

    exposure: Floats
    visits: Floats
    orders: Floats
    is_open: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]
    market: market.Market


def traffic(seed: int, roster: Roster, traits: Traits, placement: Placement | None) -> Traffic:
    """People per shop and day, whole numbers, exposed >= visiting >= ordering."""
    rng = stream(seed, "traffic")
    shape = (len(roster.shops), COVERED.days)
    exposure = _wanted_exposure(rng, roster, traits)
    visit_rate = traits.visit_rate[:, None] * np.exp(rng.normal(0, 0.020, shape))
    order_rate = traits.order_rate[:, None] * np.exp(rng.normal(0, 0.025, shape))
    peers = _market(rng, roster, traits, placement)
    is_open = np.ones(shape, dtype=np.bool_)
    if placement is not None:
        _drop(exposure, roster, placement)
        _open_and_close(exposure, is_open, roster, placement)
        _fall_in_rank(exposure, peers, roster, placement)
    exposure = np.rint(exposure)
    visits = np.rint(exposure * visit_rate)
    orders = np.rint(visits * order_rate)
    if placement is not None:
        _plant_simpson(exposure, visits, orders, visit_rate, _simpson_rows(roster, placement))
    for values in (exposure, visits, orders):
        values[~is_open] = np.nan
    return Traffic(exposure=exposure, visits=visits, orders=orders, is_open=is_open, market=peers)


def _wanted_exposure(rng: np.random.Generator, roster: Roster, traits: Traits) -> Floats:
    """Ordinary exposure with the chain's season and the noise of chain and shop."""
    shape = (len(roster.shops), COVERED.days)
    by_chain = {c.id: season(c.profile) * np.exp(rng.normal(0, 0.025, COVERED.days)) for c in roster.chains}
    common = np.stack([by_chain[s.chain] for s in roster.shops])
    return traits.exposure[:, None] * common * np.exp(rng.normal(0, 0.045, shape))


def _market(
    rng: np.random.Generator, roster: Roster, traits: Traits, placement: Placement | None
) -> market.Market:
    """Peer means: exposure moves with the season, rates barely move."""
    shape = (len(roster.shops), COVERED.days)
    seasons = np.stack([season(roster.profile(s), damping=_MARKET_DAMPING) for s in roster.shops])
    ordinary: Mapping[str, Floats] = {
        "exposureUv": traits.exposure[:, None] * seasons,
        "visitRate": np.repeat(traits.visit_rate[:, None], COVERED.days, axis=1),
        "orderRate": np.repeat(traits.order_rate[:, None], COVERED.days, axis=1),
    }
    noise = {"exposureUv": 0.015, "visitRate": 0.006, "orderRate": 0.006}
    means = {
        key: values / traits.standing[key][:, None] * np.exp(rng.normal(0, noise[key], shape))
        for key, values in ordinary.items()
    }
    if placement is not None:
        _weaken_market(means["exposureUv"], seasons, roster, placement)
    return market.Market(means=means, counts=traits.peers)


def _weaken_market(mean: Floats, seasons: Floats, roster: Roster, placement: Placement) -> None:
    """F10: the peers of the shop lose traffic in the holiday too."""
    row, days = roster.shop_index(placement.rank_shop), day_range(placement.rank_days)
    mean[row, days] *= _RANK_MARKET / seasons[row, days]


def _drop(exposure: Floats, roster: Roster, placement: Placement) -> None:
    """F2: exposure falls for good while the peers stay."""
    exposure[roster.shop_index(placement.drop_shop), day_index(placement.drop_start) :] *= DROP_FACTOR


def _open_and_close(
    exposure: Floats,
    is_open: np.ndarray[tuple[int, ...], np.dtype[np.bool_]],
    roster: Roster,
    placement: Placement,
) -> None:
    """F12: one shop ends the day before `closed_day`, another begins on `opened_day`."""
    is_open[roster.shop_index(placement.closed_shop), day_index(placement.closed_day) :] = False
    row, first = roster.shop_index(placement.opened_shop), day_index(placement.opened_day)
    is_open[row, :first] = False
    age = np.arange(COVERED.days) - first
    exposure[row] *= np.clip(0.8 + 0.2 * age / _RAMP_DAYS, 0.8, 1.0)


def _fall_in_rank(exposure: Floats, peers: market.Market, roster: Roster, placement: Placement) -> None:
    """F10: exposure such that the rank is exactly as planted before and during the holiday."""
    row = roster.shop_index(placement.rank_shop)
    count, spread = int(peers.counts[row]), market.SPREAD["exposureUv"]
    for period, rank in ((placement.rank_before, RANK_BEFORE), (placement.rank_days, RANK_DURING)):
        days = day_range(period)
        exposure[row, days] = peers.means["exposureUv"][row, days] * market.standing(rank, count, spread)


@dataclass(frozen=True, slots=True, kw_only=True)
class _SimpsonRows:
    """Array rows of the four shops with their totals in both periods."""

    rows: tuple[int, ...]
    periods: tuple[tuple[Period, simpson.Totals], ...]


def _simpson_rows(roster: Roster, placement: Placement) -> _SimpsonRows:
    before, after = simpson.totals(placement.simpson_scale)
    return _SimpsonRows(
        rows=tuple(roster.shop_index(s) for s in placement.simpson_shops),
        periods=((BASELINE, before), (CURRENT, after)),
    )


def _plant_simpson(
    exposure: Floats, visits: Floats, orders: Floats, visit_rate: Floats, plan: _SimpsonRows
) -> None:
    """F3: the ordinary days' shape, with the planted totals; exposure follows the visits."""
    for period, totals in plan.periods:
        days = day_range(period)
        for row, visit_total, order_total in zip(plan.rows, totals.visits, totals.orders, strict=True):
            wanted_orders = orders[row, days] / visits[row, days]
            visits[row, days] = simpson.split(visit_total, visits[row, days])
            orders[row, days] = simpson.split(order_total, visits[row, days] * wanted_orders)
            exposure[row, days] = np.rint(visits[row, days] / visit_rate[row, days])
