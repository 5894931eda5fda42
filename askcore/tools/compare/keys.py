"""The key of a row as verdicts name it."""

from __future__ import annotations

from datetime import date

from askcore.semantic.catalog import Catalog
from askcore.semantic.model import Model


def row_key(model: Model, catalog: Catalog, *, day: date, scope: str, entity: str = "") -> dict[str, str]:
    """{date, scope, id of every level}; "" for levels that a row of `scope` does not carry.

    entity: id at the level `scope`; its parents come from the catalogue.
    """
    key = {"date": day.isoformat(), "scope": scope} | {level.id: "" for level in model.levels}
    level = model.levels_by_key.get(scope)
    if level is None or not entity:
        return key
    found = catalog.entity(scope, entity)
    for name, parent in ({} if found is None else found.parents).items():
        key[model.levels_by_key[name].id] = parent
    return key | {level.id: entity}
