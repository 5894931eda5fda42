"""Whether a change is more than the spread of days: ratios by day clusters, amounts by sign flips.

A day's visits are not independent, so the unit is the day: SE² = Σ(x - R·n)² / (D(D-1)·n̄²).
Fewer than five days a side say nothing.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from askcore.tools.compare.student import t_quantile, two_sided_p

MIN_DAYS = 5
LEVEL = 0.95
_EXACT_PAIRS = 14  # 2^14 sign patterns take 10 ms; beyond, the t distribution is close enough


@dataclass(frozen=True, slots=True, kw_only=True)
class Significance:
    """A tested change."""

    delta: float
    """Ratios: difference of fractions. Amounts: relative change from the mean log ratio."""
    low: float
    high: float
    """95 % interval of `delta`."""
    p: float
    days: tuple[int, int]
    """Days of the baseline and of the current period (pairs of days for amounts)."""
    z: float | None = None
    df: int | None = None

    @property
    def is_significant(self) -> bool:
        """Whether p is below 5 %."""
        return self.p < 1 - LEVEL


def ratio_change(
    baseline: Sequence[tuple[float, float]], current: Sequence[tuple[float, float]]
) -> Significance | None:
    """Test of Σx/Σn between two periods.

    Each day is (numerator, denominator); days without denominator do not count.
    None: fewer than five days a side, or no spread at all.
    """
    sides = [[d for d in side if d[1] > 0] for side in (baseline, current)]
    if min(len(s) for s in sides) < MIN_DAYS:
        return None
    rates, variances = [], []
    for days in sides:
        rate = sum(x for x, _ in days) / sum(n for _, n in days)
        rates.append(rate)
        variances.append(_variance(days, rate))
    se = math.sqrt(sum(variances))
    if se == 0:
        return None
    delta, df = rates[1] - rates[0], len(sides[0]) + len(sides[1]) - 2
    reach = t_quantile(LEVEL, df) * se
    return Significance(
        delta=delta,
        low=delta - reach,
        high=delta + reach,
        p=two_sided_p(delta / se, df),
        z=delta / se,
        df=df,
        days=(len(sides[0]), len(sides[1])),
    )


def _variance(days: Sequence[tuple[float, float]], rate: float) -> float:
    count = len(days)
    mean_n = sum(n for _, n in days) / count
    return sum((x - rate * n) ** 2 for x, n in days) / (count * (count - 1) * mean_n**2)


def amount_change(
    baseline: Sequence[tuple[date, float]], current: Sequence[tuple[date, float]]
) -> Significance | None:
    """Test of amounts by pairs of the same weekday: exact sign flips of the log ratios.

    None: fewer than five pairs of positive days, or all pairs change alike.
    """
    ratios = [math.log(c / b) for b, c in weekday_pairs(baseline, current) if b > 0 and c > 0]
    count = len(ratios)
    if count < MIN_DAYS:
        return None
    mean = sum(ratios) / count
    se = math.sqrt(sum((r - mean) ** 2 for r in ratios) / (count * (count - 1)))
    if se == 0:
        return None
    p = sign_flip_p(ratios) if count <= _EXACT_PAIRS else two_sided_p(mean / se, count - 1)
    reach = t_quantile(LEVEL, count - 1) * se
    return Significance(
        delta=math.expm1(mean),
        low=math.expm1(mean - reach),
        high=math.expm1(mean + reach),
        p=p,
        df=count - 1,
        days=(count, count),
    )


def weekday_pairs(
    baseline: Sequence[tuple[date, float]], current: Sequence[tuple[date, float]]
) -> list[tuple[float, float]]:
    """(baseline, current) of the first Monday with the first Monday, and so on."""
    by_weekday: dict[int, list[float]] = defaultdict(list)
    for day, value in sorted(baseline):
        by_weekday[day.weekday()].append(value)
    pairs = []
    for day, value in sorted(current):
        waiting = by_weekday[day.weekday()]
        if waiting:
            pairs.append((waiting.pop(0), value))
    return pairs


def sign_flip_p(ratios: Sequence[float]) -> float:
    """Share of the sign patterns whose sum is at least as far from 0 as the observed one."""
    sums = [0.0]
    for ratio in ratios:
        sums = [s + ratio for s in sums] + [s - ratio for s in sums]
    observed = abs(sum(ratios)) - 1e-12
    return sum(abs(s) >= observed for s in sums) / len(sums)
