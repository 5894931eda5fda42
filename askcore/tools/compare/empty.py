"""Why a query gave no row: nothing loaded, outside the data, an entity that was not there, truly none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askcore.base.text import say
from askcore.base.values import Note, Period
from askcore.tools.base import ToolContext

if TYPE_CHECKING:
    from askcore.lake import QueryResult


def empty_notes(result: QueryResult, asked: Period, ctx: ToolContext) -> tuple[Note, ...]:
    """One note with the reason and, where it helps, the days that do exist."""
    held = ctx.view.catalog.period
    if held is None:
        return (Note(code="empty", text=say(ctx.lang, "compare.empty_not_loaded")),)
    if result.empty_reason == "outside_coverage" or asked.start > held.end or asked.end < held.start:
        text = say(
            ctx.lang,
            "compare.outside_coverage",
            start=asked.start.isoformat(),
            end=asked.end.isoformat(),
            first=held.start.isoformat(),
            last=held.end.isoformat(),
        )
        return (Note(code="outside_coverage", text=text),)
    absent = _absent_entities(result, ctx)
    if absent:
        return (Note(code="empty", text=" ".join(absent)),)
    return (Note(code="empty", text=say(ctx.lang, "compare.empty_no_rows")),)


def _absent_entities(result: QueryResult, ctx: ToolContext) -> list[str]:
    """Filtered entities whose rows all lie outside the period."""
    period, found = result.spec.period, []
    for level, ids in result.spec.filters.items():
        for entity_id in ids:
            entity = ctx.view.catalog.entity(level, entity_id)
            if entity is None or not entity.first_day:
                continue
            if entity.last_day < period.start.isoformat() or entity.first_day > period.end.isoformat():
                found.append(
                    say(
                        ctx.lang,
                        "compare.empty_entity",
                        name=entity.name,
                        first=entity.first_day,
                        last=entity.last_day,
                    )
                )
    return found
