"""The change of a total by the factors whose product it is."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from askcore.base.errors import BadRequest
from askcore.base.text import say
from askcore.semantic.averages import resolve
from askcore.semantic.model import Metric
from askcore.stats.contributions import ChainSplit, ChainSum, add_chains, split_chain
from askcore.tools.base import ToolContext
from askcore.tools.compare.components import Parts
from askcore.tools.explain.asked import Asked
from askcore.tools.explain.read import Store, Sums
from askcore.tools.explain.segments import LevelSplit

_EXACT = 1e-9  # relative; what sums of floats leave of an identity


@dataclass(frozen=True, slots=True, kw_only=True)
class DriverSplit:
    """The factors of the total."""

    factors: tuple[Metric, ...]
    before: tuple[float | None, ...]
    """Each factor's value in the baseline, over the rows that have all of them."""
    after: tuple[float | None, ...]
    chain: ChainSplit
    incomplete: float
    """Change of rows that lack a value of some factor: no factor can carry it."""

    @property
    def parts_change(self) -> float:
        """Σ of all parts."""
        return math.fsum((*self.chain.effects, self.chain.bucket, self.incomplete))

    @property
    def n_parts(self) -> int:
        """Factors, and the bucket and the incomplete rows where they hold something."""
        return len(self.factors) + bool(self.chain.bucket) + bool(self.incomplete)


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentDrivers:
    """The factors' effects summed over the segments of a level; `left` by segment."""

    key: str
    total: ChainSum
    by_segment: Mapping[str, ChainSplit]
    left: Mapping[str, float]
    """Segment -> change that its factors cannot carry: opened, closed, zero, restored or incomplete rows."""


class _Chain:
    """The factors over summed components."""

    def __init__(self, parts: Mapping[str, Parts], metric: str, factors: Sequence[str]) -> None:
        self._y = parts[metric]
        self._factors = [parts[f] for f in factors]

    def product(self, sums: Sums) -> tuple[float, float]:
        """The metric over the rows that have all factors, (baseline, current)."""
        return self._value(self._y, sums, 0) or 0.0, self._value(self._y, sums, 1) or 0.0

    def values(self, sums: Sums, side: int) -> tuple[float | None, ...]:
        """Each factor in one period."""
        return tuple(self._value(p, sums, side) for p in self._factors)

    def split(self, sums: Sums) -> ChainSplit:
        """The factors' effects."""
        return split_chain(self.values(sums, 0), self.values(sums, 1), self.product(sums))

    def multiplies(self, sums: Sums) -> bool:
        """Whether the factors' product is the metric, in both periods where all are defined."""
        for side, y in enumerate(self.product(sums)):
            values = self.values(sums, side)
            if all(values) and abs(math.prod(v or 0.0 for v in values) - y) > _EXACT * abs(y):
                return False
        return True

    @staticmethod
    def _value(parts: Parts, sums: Sums, side: int) -> float | None:
        names = [n for n in (parts.top, parts.bottom) if n]
        return parts.value({n: sums.whole[n][side] for n in names})


def split_drivers(
    store: Store, asked: Asked, total: Sums, change: float, ctx: ToolContext
) -> DriverSplit | None:
    """The factors of the total; None when none are asked for.

    Raises: BadRequest when their product is not the metric.
    """
    if not asked.drivers:
        return None
    factors = tuple(resolve(store.model, key) for key in asked.drivers)
    chain = _Chain(store.reader.components.parts, asked.metric.key, asked.drivers)
    if not chain.multiplies(total):
        known = next((d.factors for d in store.model.decompositions if d.metric == asked.metric.key), ())
        labels = " × ".join(f.label[ctx.lang] for f in factors)
        raise BadRequest(
            say(ctx.lang, "explain.no_product", label=asked.metric.label[ctx.lang], labels=labels),
            hint=", ".join(known),
        )
    found = chain.split(total)
    incomplete = change - found.change
    size = max(abs(found.before), abs(found.after), abs(change))
    return DriverSplit(
        factors=factors,
        before=chain.values(total, 0),
        after=chain.values(total, 1),
        chain=found,
        incomplete=0.0 if abs(incomplete) <= _EXACT * size else incomplete,
    )


def segment_drivers(store: Store, asked: Asked, split: LevelSplit) -> SegmentDrivers | None:
    """Every segment's own factors, and their sums; only where segments add up."""
    if not asked.drivers or not asked.is_sum:
        return None
    chain = _Chain(store.reader.components.parts, asked.metric.key, asked.drivers)
    known = {s.id: chain.split(s) for s in split.sums}
    empty = ChainSplit(before=0.0, after=0.0, effects=(0.0,) * len(asked.drivers), bucket=0.0, kind="zero")
    by_segment = {p.key: known.get(p.key, empty) for p in split.split.parts}
    left = {p.key: p.contribution - math.fsum(by_segment[p.key].effects) for p in split.split.parts}
    size = max(abs(split.split.before), abs(split.split.after))
    left = {k: v for k, v in left.items() if abs(v) > _EXACT * size}
    effects = add_chains(tuple(by_segment.values()), len(asked.drivers)).effects
    total = ChainSum(effects=effects, bucket=math.fsum(left.values()))
    return SegmentDrivers(key=split.key, total=total, by_segment=by_segment, left=left)
