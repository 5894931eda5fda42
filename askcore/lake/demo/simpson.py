"""The Simpson case (F3): every shop's order rate rises while the chain's falls, as exact period totals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from askcore.lake.demo.season import Floats

# Per shop, baseline -> current: visits move to the shop with the lowest rate.
VISITS = ((2000, 4000, 1500, 1500), (4600, 2600, 1300, 1300))
RATES = ((0.180, 0.300, 0.240, 0.260), (0.186, 0.306, 0.245, 0.266))


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """Visits and ordering users of the four shops over one period."""

    visits: tuple[int, ...]
    orders: tuple[int, ...]

    @property
    def rate(self) -> float:
        """The chain's order rate, sum over sum."""
        return sum(self.orders) / sum(self.visits)


def totals(scale: int) -> tuple[Totals, Totals]:
    """Baseline and current totals, all multiplied by `scale`; half an ordering user rounds up."""
    baseline, current = (
        Totals(
            visits=tuple(v * scale for v in visits),
            orders=tuple(int(v * scale * r + 0.5 + 1e-9) for v, r in zip(visits, rates, strict=True)),
        )
        for visits, rates in zip(VISITS, RATES, strict=True)
    )
    return baseline, current


def daily_visits(scale: int) -> tuple[float, ...]:
    """Visits of an ordinary day of each shop: the baseline week is an ordinary one."""
    return tuple(v * scale / 7 for v in VISITS[0])


def split(total: int, weights: Floats) -> Floats:
    """Whole parts in proportion to `weights` that add up to `total` exactly (largest remainder)."""
    exact = total * weights / weights.sum()
    parts: Floats = np.floor(exact)
    short = int(total - parts.sum())
    parts[np.argsort(parts - exact, kind="stable")[:short]] += 1
    return parts


@dataclass(frozen=True, slots=True, kw_only=True)
class Effects:
    """Kitagawa midpoint split of one rate change; fractions (0.0059 = 0.59 pp)."""

    rate: tuple[float, ...]
    mix: tuple[float, ...]


def effects(before: Totals, after: Totals) -> Effects:
    """What each shop's own rate and its share of visits contribute; together exactly the change."""
    visits0, visits1 = np.array(before.visits), np.array(after.visits)
    rates0, rates1 = np.array(before.orders) / visits0, np.array(after.orders) / visits1
    shares0, shares1 = visits0 / visits0.sum(), visits1 / visits1.sum()
    middle = (before.rate + after.rate) / 2
    rate = (shares0 + shares1) / 2 * (rates1 - rates0)
    mix = (shares1 - shares0) * ((rates0 + rates1) / 2 - middle)
    return Effects(rate=tuple(rate.tolist()), mix=tuple(mix.tolist()))
