"""The peers of each shop: how the market moves, and the rank that a shop's own value has in it.

Peers are taken as log-normal around their mean, so that rank and distance from the mean never disagree.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from askcore.lake.demo.season import Floats

SPREAD: Mapping[str, float] = {"exposureUv": 0.35, "visitRate": 0.18, "orderRate": 0.15}
"""Log standard deviation of the peers of one metric."""
_NORMAL = NormalDist()
_cdf = np.vectorize(_NORMAL.cdf, otypes=[np.float64])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Market:
    """Peer means per shop and day, and how many peers a shop has (itself included)."""

    means: Mapping[str, Floats]
    counts: Floats


def standing(rank: int, count: int, spread: float) -> float:
    """Own value over peer mean of the shop at `rank` among `count`."""
    z = _NORMAL.inv_cdf(1 - (rank - 1) / (count - 1))
    return float(np.exp(spread * z - spread**2 / 2))


def relative(z: Floats, spread: float) -> Floats:
    """Own value over peer mean at `z` standard deviations of the log."""
    found: Floats = np.exp(spread * z - spread**2 / 2)
    return found


def ranks(own: Floats, mean: Floats, counts: Floats, spread: float) -> Floats:
    """Rank 1 (best) to count of own values, all of one shape; NaN where there is none."""
    with np.errstate(divide="ignore", invalid="ignore"):
        z = (np.log(own / mean) + spread**2 / 2) / spread
    above = 1 - _cdf(np.nan_to_num(z, nan=0.0, neginf=-9.0, posinf=9.0))
    found = 1 + np.rint((counts - 1) * above)
    return np.where(np.isnan(own) | np.isnan(mean), np.nan, found)
