"""One comparison as it was computed, before it is worded: totals, aligned days, comparable shops, tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING

from askcore.base.values import Period
from askcore.semantic.model import Level, Metric
from askcore.tools.compare.change import Change, change, number, tidy
from askcore.tools.compare.components import Components, Parts
from askcore.tools.compare.rows import Day
from askcore.tools.compare.same_store import Bridge, Rule, Shop, ShopKind, bridge, pooled
from askcore.tools.compare.steps import Steps
from askcore.tools.compare.target import Target
from askcore.tools.compare.verdicts import Missing
from askcore.tools.compare.windows import Windows

if TYPE_CHECKING:
    from askcore.lake import QueryResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Aligned:
    """A metric over the dates that both periods have."""

    change: Change
    count: int
    """Dates that are left in each period."""
    periods: tuple[Period, Period]
    """First to last of them in the baseline and in the current period."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Study:
    """Everything that was computed. Pairs are (baseline, current)."""

    windows: Windows
    target: Target
    periods: tuple[Period, Period]
    metrics: tuple[Metric, ...]
    results: tuple[QueryResult, QueryResult]
    components: Components
    steps: tuple[Steps, Steps]
    days: tuple[Day, ...]
    scope: str
    leaf: Level | None
    """The level whose entities are compared one by one; None without entities or rows of it."""
    shops: tuple[tuple[Shop, ShopKind], ...] = ()
    rule: Rule | None = None
    """What made them comparable or not; None without entities."""
    missing: tuple[Missing, ...] = ()
    expected_rows: tuple[int, int] = (0, 0)
    data: Period
    sql: tuple[str, ...] = ()
    unpaired: tuple[tuple[date, ...], tuple[date, ...]] = field(default=((), ()))
    """Dates in the asked layer that were dropped because their partner has no rows."""

    @property
    def parts(self) -> Mapping[str, Parts]:
        """Metric key -> what it is made of; absent for metrics that cannot be added up."""
        return self.components.parts

    @property
    def present(self) -> tuple[int, int]:
        """Dates with rows in the asked layer."""
        base, current = self.results
        return base.days.present, current.days.present

    def total(self, metric: Metric) -> Change:
        """The change of the layer that was asked, as it stands."""
        base, current = (number(r.totals.get(metric.key)) for r in self.results)
        return change(metric, current, base)

    def per_step(self, metric: Metric) -> Change | None:
        """Per day (week …) where the periods hold unequal numbers of them; sums only."""
        base, current = self.present
        if base == current or not base or not current or not metric.is_additive:
            return None
        total = self.total(metric)
        if total.cur is None or total.prev is None:
            return None
        return change(metric, tidy(total.cur / current), tidy(total.prev / base))

    def aligned(self, metric: Metric) -> Aligned | None:
        """Over the dates that both periods have; None when none had to be dropped."""
        parts = self.parts.get(metric.key)
        if parts is None or not any(self.unpaired):
            return None
        kept = positions_kept(self.days, self.steps)
        if not kept:
            return None
        sums = [
            [d.sums for d in self.days if d.side == side and self.steps[side].positions.get(d.date) in kept]
            for side in (0, 1)
        ]
        base, current = (_value(parts, s) for s in sums)
        ends = [Period(start=s.by_position[min(kept)], end=s.by_position[max(kept)]) for s in self.steps]
        found = change(metric, current, base)
        return Aligned(change=found, count=len(kept), periods=(ends[0], ends[1]))

    def same_store(self, metric: Metric) -> Change | None:
        """Of the comparable shops over their paired days; None without shops or for other metrics."""
        parts = self.parts.get(metric.key)
        if parts is None or not any(kind == "comparable" for _, kind in self.shops):
            return None
        names = (parts.top, parts.bottom) if parts.bottom else (parts.top,)
        sums = {name: pooled(self.shops, name) for name in names}
        base, current = (parts.value({n: s[side] for n, s in sums.items()}) for side in (0, 1))
        return change(
            metric,
            None if current is None else tidy(current),
            None if base is None else tidy(base),
        )

    def bridge(self, metric: Metric) -> Bridge | None:
        """The exact parts of the total change; sums only, people only in the shops' own layer."""
        parts, total = self.parts.get(metric.key), self.total(metric)
        if parts is None or not self.shops or total.delta is None or not metric.is_additive:
            return None
        is_bound = metric.additivity.across_entities == "upper_bound"
        if is_bound and self.leaf is not None and self.scope != self.leaf.key:
            return None
        return bridge(total.delta, self.shops, parts.top)

    def daily(self, metric: Metric, side: int) -> list[tuple[date, float, float]]:
        """(date, numerator or sum, denominator or 1) of each date with trade."""
        parts = self.parts[metric.key]
        return [
            (d.date, d.sums[parts.top], d.sums[parts.bottom] if parts.bottom else 1.0)
            for d in self.days
            if d.side == side and d.traded
        ]


def _value(parts: Parts, days: Sequence[Mapping[str, float]]) -> float | None:
    names = (parts.top, parts.bottom) if parts.bottom else (parts.top,)
    found = parts.value({name: sum(d[name] for d in days) for name in names})
    return None if found is None else tidy(found)


def positions_kept(days: Sequence[Day], steps: tuple[Steps, Steps]) -> frozenset[int]:
    """Positions that have trade in both periods."""
    base, current = (
        {steps[side].positions.get(d.date) for d in days if d.side == side and d.traded} for side in (0, 1)
    )
    return frozenset(p for p in base & current if p is not None)
