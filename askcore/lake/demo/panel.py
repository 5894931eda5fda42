"""All base numbers of each shop and day: orders, money, quality. Money is whole cents until delivered."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from askcore.lake.demo.roster import Roster
from askcore.lake.demo.season import COVERED, Floats, basket, stream
from askcore.lake.demo.shops import Traits
from askcore.lake.demo.traffic import Traffic

MONEY = (
    "grossAmt",
    "incomeAmt",
    "expenseAmt",
    "actualPayAmt",
    "activitySubsidyAmt",
    "serviceFeeAmt",
    "promoSpendAmt",
    "promoOrderAmt",
)
PEOPLE = ("exposureUv", "visitUv", "orderUv", "newOrderUv", "oldOrderUv")
ORDERS = ("validOrderCnt", "invalidOrderCnt", "overtimeOrderCnt", "badReviewCnt")
WEIGHTED = {"shopScore": 2, "cookingMin": 1}
"""Per-order means and the decimals they are delivered with."""

Panel = Mapping[str, Floats]
"""Metric key -> entities x days, NaN where an entity has no row."""


def panel(seed: int, roster: Roster, traits: Traits, traffic: Traffic) -> Panel:
    """The shops' numbers; every identity of the model holds in each cell."""
    rng = stream(seed, "panel")
    shape = traffic.orders.shape
    people = _people(rng, traits, traffic)
    users = traits.orders_per_user[:, None] * np.exp(rng.normal(0, 0.004, shape))
    valid = np.maximum(np.rint(traffic.orders * users), traffic.orders)
    prices = np.stack([basket(roster.profile(s)) for s in roster.shops])
    noise = np.exp(rng.normal(0, 0.012, shape))
    gross = np.rint(valid * prices * traits.basket[:, None] * noise * 100)
    quality = _quality(rng, traits, valid)
    return {**people, "validOrderCnt": valid, **_money(rng, traits, gross), **quality}


def _people(rng: np.random.Generator, traits: Traits, traffic: Traffic) -> dict[str, Floats]:
    share = traits.new_share[:, None] * np.exp(rng.normal(0, 0.05, traffic.orders.shape))
    new = np.rint(traffic.orders * share)
    return {
        "exposureUv": traffic.exposure,
        "visitUv": traffic.visits,
        "orderUv": traffic.orders,
        "newOrderUv": new,
        "oldOrderUv": traffic.orders - new,
    }


def _money(rng: np.random.Generator, traits: Traits, gross: Floats) -> dict[str, Floats]:
    """Cents. Expense = subsidy + fees + ads + refunds and the rest; income = gross - expense, exactly."""
    shape = gross.shape

    def part(share: Floats | float, sigma: float) -> Floats:
        found: Floats = np.rint(gross * share * np.exp(rng.normal(0, sigma, shape)))
        return found

    # Fees crept up over the year, so that the take-home rate of a September is below the one before.
    fee_share = 0.172 + 0.012 * np.arange(COVERED.days) / COVERED.days
    subsidy = part(traits.subsidy[:, None], 0.03)
    fees = part(fee_share[None, :], 0.01)
    ads = part(traits.promo[:, None], 0.08)
    rest = part(0.022, 0.10)
    expense = subsidy + fees + ads + rest
    return {
        "grossAmt": gross,
        "incomeAmt": gross - expense,
        "expenseAmt": expense,
        "actualPayAmt": gross - subsidy - part(0.055, 0.05),
        "activitySubsidyAmt": subsidy,
        "serviceFeeAmt": fees,
        "promoSpendAmt": ads,
        "promoOrderAmt": np.rint(ads * rng.uniform(5.2, 6.8, shape)),
    }


def _quality(rng: np.random.Generator, traits: Traits, valid: Floats) -> dict[str, Floats]:
    shape = valid.shape
    filled = np.nan_to_num(valid)
    is_open = ~np.isnan(valid)
    drift = np.cumsum(rng.normal(0, 0.006, shape), axis=1)
    score = np.clip(traits.score[:, None] + drift - drift[:, -1:], 4.2, 4.95)
    cooking = traits.cooking_min[:, None] * np.exp(rng.normal(0, 0.035, shape))
    late = np.minimum(rng.poisson(filled * 0.028 * cooking / 14), filled)
    found = {
        "invalidOrderCnt": rng.poisson(filled * 0.021),
        "shopScore": np.round(score, WEIGHTED["shopScore"]),
        "cookingMin": np.round(cooking, WEIGHTED["cookingMin"]),
        "overtimeOrderCnt": late,
        "badReviewCnt": rng.poisson(filled * 0.0045),
        "openMinutes": traits.open_minutes[:, None] - rng.integers(0, 16, shape),
    }
    return {key: np.where(is_open, values, np.nan) for key, values in found.items()}
