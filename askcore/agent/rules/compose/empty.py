"""Why nothing was found: the entities that were asked about have their rows at another time."""

from __future__ import annotations

from datetime import date

from askcore.agent.rules.compose.wording import Words
from askcore.base.values import Period, Reading
from askcore.semantic.catalog import Entity


def own_spans(reading: Reading | None, period: Period, words: Words) -> str:
    """One sentence an entity whose rows end before the period or begin after it; "" when none does."""
    if reading is None:
        return ""
    asked = [
        entity
        for level, ids in reading.filters.items()
        for one in ids
        if (entity := words.catalog.entity(level, one)) is not None
    ]
    return words.sentences(said for entity in asked if (said := _own_span(entity, period, words)))


def _own_span(entity: Entity, period: Period, words: Words) -> str:
    if not entity.first_day or not entity.last_day:
        return ""
    first, last = date.fromisoformat(entity.first_day), date.fromisoformat(entity.last_day)
    name = words.entity_name(entity.level, entity.name, entity.id)
    if last < period.start:
        return words.say("rows_end", name=name, day=last.isoformat())
    if first > period.end:
        return words.say("rows_begin", name=name, day=first.isoformat())
    return ""
