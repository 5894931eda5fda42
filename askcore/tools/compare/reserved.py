"""Metrics that only some of the entities have: a total over them is a total over those alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askcore.base.text import say
from askcore.base.values import Note, QuerySpec
from askcore.semantic.averages import resolve, split_key
from askcore.semantic.model import Level, Model
from askcore.tools.base import ToolContext
from askcore.tools.compare.availability import joined, stored_columns
from askcore.tools.compare.target import Target

if TYPE_CHECKING:
    from askcore.lake import QueryResult

_MAX_NAMES = 5


def reserved_gaps(result: QueryResult, target: Target, ctx: ToolContext) -> tuple[Note, ...]:
    """One note a reserved metric that entities of the level read, or of the one below, do not have."""
    model = ctx.view.model
    notes = []
    for key in result.spec.metrics:
        if any(model.metric(c).reserved for c in stored_columns(model, split_key(key)[0])):
            names = _lacking(key, result, target, ctx)
            if names:
                shown = joined(ctx.lang, names[:_MAX_NAMES])
                shown += say(ctx.lang, "compare.and_more") if len(names) > _MAX_NAMES else ""
                label = resolve(model, key).label[ctx.lang]
                text = say(ctx.lang, "compare.reserved_gap", label=label, names=shown)
                notes.append(Note(code="reserved_column", text=text))
    return tuple(notes)


def _lacking(key: str, result: QueryResult, target: Target, ctx: ToolContext) -> list[str]:
    """Names of the entities without any value of the metric; () when no entity has one."""
    level = _level_below(ctx.view.model, result.scope, ctx.view.catalog.scopes)
    if level is None:
        return []
    if list(result.spec.by) == [level.key]:
        rows = result.rows
    else:
        spec = QuerySpec(
            metrics=(key,),
            period=result.spec.period,
            entity=target.entity,
            scope=level.key,
            by=(level.key,),
            filters=target.filters,
        )
        rows = ctx.view.query(spec, lang=ctx.lang).rows
    return [str(r.get(level.name) or r[level.id]) for r in rows if r.get(key) is None]


def _level_below(model: Model, scope: str, scopes: tuple[str, ...]) -> Level | None:
    """The level whose entities make up the totals: the one below the top, else the level read."""
    held = [level for level in model.levels if level.key in scopes]
    keys = [level.key for level in held]
    if scope not in keys:
        return None
    position = keys.index(scope)
    return held[position + 1] if position == 0 and len(held) > 1 else held[position]
