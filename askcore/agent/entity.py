"""Which company a question is about when it names none."""

from __future__ import annotations

from askcore.base.errors import BadRequest, did_you_mean
from askcore.base.text import say
from askcore.base.values import Lang, Note
from askcore.semantic.catalog import Catalog
from askcore.semantic.model import Model


def resolve_entity(
    model: Model, catalog: Catalog, asked: str | None, lang: Lang
) -> tuple[str | None, tuple[Note, ...]]:
    """Id of the top-level entity and a note when it was chosen among several.

    asked: id or name; None = the dataset's default, else the only one, else the first by id.
    Raises: BadRequest when there is no such entity.
    """
    top = model.top_level
    entities = () if top is None else catalog.by_level.get(top.key, ())
    if asked is not None:
        for entity in entities:
            if asked in (entity.id, entity.name):
                return entity.id, ()
        known = [n for e in entities for n in (e.id, e.name)]
        hint = did_you_mean(asked, known) or ", ".join(known[:10])
        raise BadRequest(f"no company {asked[:80]!r}", hint=hint, error_class="unknown_name")
    if top is None or len(model.levels) < 2 or not entities or top.key not in catalog.scopes:
        return None, ()  # no rows of its own: a group of the rows below, and a question may span all
    ids = [e.id for e in entities]
    if model.default_entity in ids:
        return model.default_entity, ()
    if len(entities) == 1:
        return ids[0], ()
    note = say(
        lang,
        "service.several_entities",
        level=model.levels[0].label[lang],
        name=entities[0].name,
        others=", ".join(e.name for e in entities[1:6]),
    )
    return ids[0], (Note(code="ambiguous", text=note),)
