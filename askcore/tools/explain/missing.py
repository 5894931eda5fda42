"""Rows missing below the total where nothing can be restored: people and means say nothing of one shop."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from askcore.semantic.names import spoken_level
from askcore.tools.base import ToolContext
from askcore.tools.compare.components import components, core_metric
from askcore.tools.compare.keys import row_key
from askcore.tools.compare.rows import Reader
from askcore.tools.explain.asked import Asked, Layers
from askcore.tools.explain.layers_below import mend, must_agree
from askcore.tools.explain.read import Store
from askcore.tools.explain.segments import LevelSplit, Segment


def missing_below(
    store: Store, asked: Asked, layers: Layers, levels: Sequence[LevelSplit], ctx: ToolContext
) -> tuple[Segment, ...]:
    """Entities of the layers that need not add up, with the days on which the level above knows of trade
    that their rows do not show; told by the orders (or whatever tells a trading day), which do add up.
    """
    own = [x.layer for x in levels if not x.of_total]
    core = core_metric(store.model, layers.catalog)
    steps = max((layers.steps(layer) for layer in own), key=len, default=())
    is_narrowed = any(k in store.model.dimensions_by_key for k in asked.target.filters)
    if core is None or is_narrowed or not steps or not must_agree(store.model, core, steps):
        return ()
    comps = components(store.model, layers.catalog, (core.key,))
    reader = Reader(view=ctx.view, target=asked.target, periods=asked.periods, components=comps)
    orders = Store(reader=reader, lang=ctx.lang, sql=store.sql)
    end = layers.catalog.period
    found: dict[tuple[str, str], set[date]] = {}
    last = asked.periods[1].end if end is None else end.end
    for step in mend(orders, steps, (comps.parts[core.key].top,), last):
        if step.level.key not in own:
            continue
        spots = [(r.child, r.spot.day) for r in step.restored]
        spots += [(c, x.spot.day) for x in step.left if x.kind == "undelivered" for c in x.children]
        for child, day in spots:
            found.setdefault((step.level.key, child), set()).add(day)
    return tuple(_segment(level, child, sorted(days), ctx) for (level, child), days in found.items())


def _segment(level: str, child: str, days: Sequence[date], ctx: ToolContext) -> Segment:
    model, catalog = ctx.view.model, ctx.view.catalog
    entity = catalog.entity(level, child)
    name = child if entity is None else entity.name
    return Segment(
        id=child,
        name=spoken_level(model.levels_by_key[level], name, ctx.lang),
        kind="undelivered",
        days=tuple(days),
        keys=tuple(row_key(model, catalog, day=d, scope=level, entity=child) for d in days),
    )
