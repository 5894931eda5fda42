"""Which shops are comparable, and the exact bridge from the total change to theirs.

Ours, stated on every card: a shop is comparable when it traded on at least 80 % of the expected days of
both periods and for the first time at least 28 days before the baseline (against the year before: 13
months before the current period). A shop that traded on the first day of the data counts as old: its
age is unknown, not small.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Literal

from askcore.base.values import Period
from askcore.semantic.periods import months_before

MIN_PRESENT = 0.8
MIN_AGE_DAYS = 28
MIN_AGE_MONTHS = 13
_DUST = 1e-12  # sums of floats differ in the last digits by the order they are added in
_LATE_STEPS = 3  # rows may come two days late: a shop that is quiet for less is not closed
ShopKind = Literal["comparable", "opener", "closer", "partial"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shop:
    """One leaf entity in both periods. `sums`: component -> (baseline, current) over all its days."""

    id: str
    name: str
    first: date | None
    last: date | None
    """First and last day with trade in the whole dataset."""
    present: tuple[frozenset[int], frozenset[int]]
    """Positions with trade in the baseline and in the current period."""
    sums: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    paired: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """The same over the positions that both periods have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What decides whether a shop is comparable."""

    baseline: Period
    current: Period
    expected: tuple[int, int]
    """Expected dates of the baseline and of the current period."""
    data: Period
    """First to last day of the data."""
    is_year_apart: bool
    step_days: int = 1

    @property
    def newest_start(self) -> date:
        """The latest first day of trade that still counts as old."""
        if self.is_year_apart:
            return months_before(self.current.start, MIN_AGE_MONTHS)
        return self.baseline.start - timedelta(days=MIN_AGE_DAYS)

    def is_closed(self, shop: Shop) -> bool:
        """Whether a shop has been quiet for so long that its rows are not merely late."""
        quiet_since = self.data.end - timedelta(days=_LATE_STEPS * self.step_days)
        return shop.last is not None and shop.last <= quiet_since


def shop_kind(shop: Shop, rule: Rule) -> ShopKind:
    """Comparable, new, closed, or with too many days missing."""
    if shop.first is None or (shop.first > rule.newest_start and shop.first > rule.data.start):
        return "opener"
    is_full = [
        len(present) >= MIN_PRESENT * expected
        for present, expected in zip(shop.present, rule.expected, strict=True)
    ]
    if all(is_full):
        return "comparable"
    if not is_full[1] and rule.is_closed(shop) and shop.last and shop.last <= rule.current.end:
        return "closer"
    return "partial"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bridge:
    """total = same_store + openers - closers + partial + dropped_days + layer_gap, exactly."""

    total: float
    same_store: float
    """Change of the comparable shops over the days that both periods have."""
    openers: float
    """What new shops added."""
    closers: float
    """What closed shops took away, positive when sales were lost."""
    partial: float
    """Change of shops with too many missing days."""
    dropped_days: float
    """Change of comparable shops on days whose partner is missing."""
    layer_gap: float
    """Change in the layer that was asked minus change in its shops."""

    def as_json(self) -> dict[str, float]:
        """All parts by name."""
        names = self.__slots__
        return {name: float(getattr(self, name)) for name in names}


def bridge(total: float, shops: Sequence[tuple[Shop, ShopKind]], component: str) -> Bridge:
    """The parts of a total change of an additive metric."""
    zero = (0.0, 0.0)
    changes = dict.fromkeys(("comparable", "opener", "closer", "partial"), 0.0)
    paired = 0.0
    for shop, kind in shops:
        prev, cur = shop.sums.get(component, zero)
        changes[kind] += cur - prev
        if kind == "comparable":
            prev, cur = shop.paired.get(component, zero)
            paired += cur - prev
    size = abs(total) + sum(abs(c) for c in changes.values()) + abs(paired)
    kept = {kind: clean(value, size) for kind, value in changes.items()}
    return Bridge(
        total=total,
        same_store=clean(paired, size),
        openers=kept["opener"],
        closers=-kept["closer"] + 0.0,
        partial=kept["partial"],
        dropped_days=clean(changes["comparable"] - paired, size),
        layer_gap=clean(total - sum(changes.values()), size),
    )


def clean(value: float, size: float) -> float:
    """A part of a sum of this size without the dust of adding floats."""
    return 0.0 if abs(value) <= size * _DUST else float(f"{value:.12g}")


def pooled(shops: Sequence[tuple[Shop, ShopKind]], component: str) -> tuple[float, float]:
    """(baseline, current) of a component over comparable shops and paired days."""
    found = [s.paired.get(component, (0.0, 0.0)) for s, kind in shops if kind == "comparable"]
    return sum(p for p, _ in found), sum(c for _, c in found)
