"""Rows that are missing where nothing is restored: below people and means, and in the total's own layer.

Told by the orders (or whatever tells a trading day): they add up to the level above, so a row that is not
there, or holds zeros, while that level knows of trade, is missing.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date

from askcore.semantic.model import Level
from askcore.tools.base import ToolContext
from askcore.tools.compare.components import components, core_metric
from askcore.tools.compare.keys import row_key
from askcore.tools.compare.rows import Reader
from askcore.tools.compare.target import Target
from askcore.tools.explain.asked import Asked, Layers, members
from askcore.tools.explain.layers_below import mend, must_agree
from askcore.tools.explain.read import Store, side_of
from askcore.tools.explain.segments import LevelSplit, Segment

_POOR = 0.2  # more missing in a period, and the two cannot be compared


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingRows:
    """What was not delivered."""

    below: tuple[Segment, ...] = ()
    """In layers below the total: the parts are of fewer rows than the total."""
    own: tuple[Segment, ...] = ()
    """In the layer of the total: the total itself lacks them."""
    is_poor: bool = False
    """More than a fifth of the total's rows are missing in a period."""


def missing_rows(
    store: Store, asked: Asked, layers: Layers, levels: Sequence[LevelSplit], ctx: ToolContext
) -> MissingRows:
    """Both kinds; none where rows are narrowed by something that the levels above may not know."""
    if any(k in store.model.dimensions_by_key for k in asked.target.filters):
        return MissingRows()
    own = _own(store, asked, layers, ctx)
    counts = [0, 0]
    for segment in own:
        for day in segment.days:
            counts[side_of(day, asked.periods)] += 1
    n_entities = len(members(asked.target, layers.model, layers.catalog, layers.scope))
    is_poor = any(n > _POOR * n_entities * p.days for n, p in zip(counts, asked.periods, strict=True))
    return MissingRows(
        below=_below(store, asked, layers, levels, ctx), own=own, is_poor=bool(own) and is_poor
    )


def _below(
    store: Store, asked: Asked, layers: Layers, levels: Sequence[LevelSplit], ctx: ToolContext
) -> tuple[Segment, ...]:
    own = {x.layer for x in levels if not x.of_total}
    steps = max((layers.steps(layer) for layer in own), key=len, default=())
    return _lacking(store, asked, layers, asked.target, steps, own, ctx)


def _own(store: Store, asked: Asked, layers: Layers, ctx: ToolContext) -> tuple[Segment, ...]:
    """Against the level above the total, read for the parents of the entities asked about."""
    keys = [x.key for x in layers.held]
    at = keys.index(layers.scope) if layers.scope in keys else 0
    if at == 0:
        return ()
    upper, lower = layers.held[at - 1], layers.held[at]
    wanted = members(asked.target, layers.model, layers.catalog, lower.key)
    parents = tuple(sorted({e.parents.get(upper.key, "") for e in wanted}))
    above = {x.key for x in layers.model.levels[: layers.model.levels.index(upper)]}
    kept = {k: v for k, v in asked.target.filters.items() if k in above}
    target = replace(asked.target, filters=kept | {upper.key: parents})
    found = _lacking(store, asked, layers, target, ((upper, lower),), {lower.key}, ctx)
    ids = {e.id for e in wanted}
    return tuple(s for s in found if s.id in ids)


def _lacking(
    store: Store,
    asked: Asked,
    layers: Layers,
    target: Target,
    steps: Sequence[tuple[Level, Level]],
    wanted: Collection[str],
    ctx: ToolContext,
) -> tuple[Segment, ...]:
    """Entities of the wanted layers with the days they lack."""
    core = core_metric(store.model, layers.catalog)
    if core is None or not steps or not must_agree(store.model, core, steps):
        return ()
    comps = components(store.model, layers.catalog, (core.key,))
    reader = Reader(view=ctx.view, target=target, periods=asked.periods, components=comps)
    orders = Store(reader=reader, lang=ctx.lang, sql=store.sql)
    held = layers.catalog.period
    last = asked.periods[1].end if held is None else held.end
    found: dict[tuple[str, str], set[date]] = {}
    for step in mend(orders, steps, (comps.parts[core.key].top,), last):
        spots = [(r.child, r.spot.day) for r in step.restored]
        spots += [(c, x.spot.day) for x in step.left if x.kind == "undelivered" for c in x.children]
        for child, day in spots if step.level.key in wanted else ():
            found.setdefault((step.level.key, child), set()).add(day)
    return tuple(_segment(level, child, sorted(days), ctx) for (level, child), days in found.items())


def _segment(level: str, child: str, days: Sequence[date], ctx: ToolContext) -> Segment:
    model, catalog = ctx.view.model, ctx.view.catalog
    entity = catalog.entity(level, child)
    name = child if entity is None else entity.name
    return Segment(
        id=child,
        name=catalog.spoken(model.levels_by_key[level], name, child, ctx.lang),
        kind="undelivered",
        days=tuple(days),
        keys=tuple(row_key(model, catalog, day=d, scope=level, entity=child) for d in days),
    )
