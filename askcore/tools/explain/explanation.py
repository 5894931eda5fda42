"""One explanation as it was computed, before it is worded."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from askcore.base.values import Period, QuerySpec
from askcore.semantic.model import Metric
from askcore.tools.base import ToolContext
from askcore.tools.compare.change import Change, change, tidy
from askcore.tools.compare.components import components
from askcore.tools.compare.rows import Reader
from askcore.tools.explain.asked import Asked, Layers, splits_of
from askcore.tools.explain.drivers import DriverSplit, SegmentDrivers, segment_drivers, split_drivers
from askcore.tools.explain.market import Market, market_of
from askcore.tools.explain.missing import MissingRows, missing_rows
from askcore.tools.explain.read import Store, Sums
from askcore.tools.explain.segments import LevelSplit, Segment, Splitter, total_of

if TYPE_CHECKING:
    from askcore.lake import QueryResult

_EXACT = 1e-9  # relative to the larger of the two totals


@dataclass(frozen=True, slots=True, kw_only=True)
class SumCheck:
    """Whether the parts of one split add up to the change they explain."""

    part: str
    """Level or dimension key, "driver" or "market"."""
    n_parts: int
    expected: float
    actual: float
    is_exact: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Explanation:
    """Everything that was computed. Pairs are (baseline, current)."""

    asked: Asked
    metric: Metric
    scope: str
    total: Change
    levels: tuple[LevelSplit, ...]
    drivers: DriverSplit | None
    by_segment: tuple[SegmentDrivers, ...]
    market: Market | None
    """None where the total is not one of leaf entities, or the model knows no peers."""
    missing: MissingRows
    results: tuple[QueryResult, QueryResult]
    """Both periods as a query gives them, for what must be said about them."""
    sql: tuple[str, ...]
    scanned: int

    @property
    def periods(self) -> tuple[Period, Period]:
        """(baseline, current)."""
        return self.asked.periods

    @property
    def restored(self) -> tuple[tuple[LevelSplit, Segment], ...]:
        """Segments whose missing or zero rows were computed from the level above."""
        return tuple((x, s) for x in self.levels for s in x.segments.values() if s.kind == "restored")

    @property
    def unrestored(self) -> tuple[Segment, ...]:
        """Named differences, each once."""
        found = {s.id: s for x in self.levels for s in x.segments.values() if s.kind in _GAPS}
        return tuple(found.values())

    @property
    def lacking(self) -> tuple[Mapping[str, str], ...]:
        """Keys of the rows that were restored or named as a difference, each once."""
        segments = [s for _, s in self.restored] + list(self.unrestored)
        keys = {tuple(sorted(k.items())): k for s in segments for k in s.keys}
        return tuple(sorted(keys.values(), key=lambda k: (k["date"], str(k))))

    @property
    def checks(self) -> tuple[SumCheck, ...]:
        """One a split."""
        return tuple(_checks(self))


_GAPS = ("undelivered", "mismatch")


def explain(asked: Asked, ctx: ToolContext) -> Explanation:
    """Run the queries. Both periods of `asked` must have data. Raises: BadRequest."""
    view, model = ctx.view, ctx.view.model
    base, current = (view.query(_spec(asked, p), lang=ctx.lang) for p in asked.periods)
    scope = current.scope if current.sql else base.scope
    comps = components(model, view.catalog, (asked.metric.key, *asked.drivers))
    reader = Reader(view=view, target=asked.target, periods=asked.periods, components=comps)
    store = Store(reader=reader, lang=ctx.lang)
    total = _total(store, scope)
    before, after = total_of(comps.parts[asked.metric.key], total)
    if asked.is_sum:
        before, after = tidy(before or 0.0), tidy(after or 0.0)
    moved = change(asked.metric, after, before)
    layers = Layers(model=model, catalog=view.catalog, scope=scope)
    splitter = Splitter(store=store, asked=asked, layers=layers, ctx=ctx)
    levels: tuple[LevelSplit, ...] = ()
    drivers, market = None, None
    if before is not None and after is not None:
        levels = tuple(
            x for key in splits_of(asked, layers, ctx.lang) if (x := splitter.split(key)) is not None
        )
        drivers = split_drivers(store, asked, total, after - before, ctx)
        leaf = model.leaf_level
        if leaf is not None and scope == leaf.key and _knows_peers(ctx) and all(total.rows):
            market = market_of(store, asked, leaf, (before, after))
    return Explanation(
        asked=asked,
        metric=asked.metric,
        scope=scope,
        total=moved,
        levels=levels,
        drivers=drivers,
        by_segment=tuple(d for x in levels if (d := segment_drivers(store, asked, x)) is not None),
        market=market,
        missing=missing_rows(store, asked, layers, levels, ctx),
        results=(base, current),
        sql=tuple(s for s in (current.sql, base.sql, *store.sql) if s),
        scanned=base.scanned + current.scanned,
    )


def _total(store: Store, scope: str) -> Sums:
    """The sums over all rows of the scope; zeros where there is none."""
    found = store.sums(scope, None)
    if found:
        return found[0]
    zeros = dict.fromkeys(store.reader.components.sql, (0.0, 0.0))
    return Sums(id="", name="", all=zeros, whole=zeros)


def _spec(asked: Asked, period: Period) -> QuerySpec:
    return QuerySpec(
        metrics=(asked.metric.key,),
        period=period,
        entity=asked.target.entity,
        scope=asked.target.scope,
        filters=asked.target.filters,
    )


def _knows_peers(ctx: ToolContext) -> bool:
    return "peer_avg" in ctx.view.model.raw.columns and bool(ctx.view.raw_fields)


def _checks(found: Explanation) -> Iterator[SumCheck]:
    total = found.total
    if total.cur is None or total.prev is None:
        return
    delta, size = total.cur - total.prev, max(abs(total.cur), abs(total.prev))
    for level in found.levels:
        split = level.split
        actual = math.fsum(p.contribution for p in split.parts)
        expected = delta if level.of_total else split.change
        scale = size if level.of_total else max(abs(split.before), abs(split.after))
        yield _check(level.key, len(split.parts), expected, actual, scale)
    for one in found.by_segment:
        whole = next(x.split for x in found.levels if x.key == one.key)
        scale = max(abs(whole.before), abs(whole.after))
        n_parts = len(found.asked.drivers) + len(one.left)
        yield _check(f"driver:{one.key}", n_parts, whole.change, one.total.change, scale)
    if found.drivers is not None:
        yield _check("driver", found.drivers.n_parts, delta, found.drivers.parts_change, size)
    if found.market is not None and found.market.split is not None:
        split_ = found.market.split
        yield _check("market", 2, delta, split_.market + split_.own, size)


def _check(part: str, n_parts: int, expected: float, actual: float, size: float) -> SumCheck:
    is_exact = abs(expected - actual) <= _EXACT * max(size, abs(expected))
    return SumCheck(part=part, n_parts=n_parts, expected=expected, actual=actual, is_exact=is_exact)
