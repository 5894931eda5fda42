"""The key of one row as people write it -> day, level and ids."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from askcore.base.errors import BadRequest, did_you_mean
from askcore.base.text import say
from askcore.base.values import Lang
from askcore.semantic.catalog import Catalog, Entity
from askcore.semantic.model import Level, Model
from askcore.tools.compare.target import Target, level_named, resolve_target

_DAY_WORDS = ("date", "day")


@dataclass(frozen=True, slots=True, kw_only=True)
class RowKey:
    """Which row is meant."""

    day: date
    level: Level | None
    """None where the dataset has no levels."""
    entity: Entity | None
    """The finest entity named."""
    target: Target
    args: Mapping[str, str]
    """The key with ids, as it ran."""

    @property
    def name(self) -> str:
        """How the row's entity is called; "" without one."""
        return "" if self.entity is None else self.entity.name or self.entity.id


def resolve_key(
    model: Model, catalog: Catalog, key: Mapping[str, str | int], *, entity: str | None, lang: Lang
) -> RowKey:
    """Day, level and ids of the row. `entity`: of the run, where the key names none of the top level.

    Raises: BadRequest with the near name on unknown parts, a missing or unreadable day, a shared name.
    """
    given = {k: str(v).strip() for k, v in key.items() if str(v).strip()}
    day = _day(given, model, lang)
    scope = given.pop("scope", None)
    named, extra = _parts(given, model, lang)
    ids = _ids(model, catalog, named, entity)
    level = _level(model, scope, ids)
    target = resolve_target(
        model,
        catalog,
        scope=scope or (None if level is None else level.key),
        by=(),
        named={},
        filters={**{k: [v] for k, v in ids.items()}, **{k: [v] for k, v in extra.items()}},
        entity=entity,
        lang=lang,
    )
    level = model.levels_by_key.get(target.scope or "", level)
    found = _entity(catalog, level, target)
    if found is not None and level is not model.top_level:
        target = replace(target, entity=None)  # an id is enough, whichever company the run is about
    columns = {model.levels_by_key[k].id: v[0] for k, v in target.filters.items() if k in model.levels_by_key}
    dimensions = {k: v[0] for k, v in target.filters.items() if k not in model.levels_by_key}
    shown = {"date": day.isoformat(), **({} if level is None else {"scope": level.key})}
    return RowKey(day=day, level=level, entity=found, target=target, args={**shown, **columns, **dimensions})


def _day(given: dict[str, str], model: Model, lang: Lang) -> date:
    for word in dict.fromkeys((*_DAY_WORDS, model.time.column)):
        text = given.pop(word, None)
        if text is not None:
            try:
                return date.fromisoformat(text[:10] if "T" in text or " " in text else text)
            except ValueError as e:
                raise BadRequest(say(lang, "raw_row.bad_day", day=text), hint="YYYY-MM-DD") from e
    raise BadRequest(say(lang, "raw_row.no_day"), hint='{"date": "YYYY-MM-DD", …}')


def _parts(given: Mapping[str, str], model: Model, lang: Lang) -> tuple[dict[str, str], dict[str, str]]:
    """(level key -> id or name, dimension key -> value). An id wins over a name given beside it."""
    named: dict[str, str] = {}
    extra: dict[str, str] = {}
    for name, value in sorted(given.items(), key=lambda i: i[0] in {x.name for x in model.levels}):
        level = level_named(model, name)
        dimension = next((d for d in model.dimensions if name in (d.key, d.column)), None)
        if level is not None:
            named.setdefault(level.key, value)
        elif dimension is not None:
            extra[dimension.key] = value
        else:
            known = ("date", *model.levels_by_key, *model.dimensions_by_key)
            raise BadRequest(
                say(lang, "raw_row.bad_key", name=name),
                hint=did_you_mean(name, known) or ", ".join(known),
                error_class="unknown_name",
            )
    return named, extra


def _ids(model: Model, catalog: Catalog, named: Mapping[str, str], entity: str | None) -> dict[str, str]:
    """Names -> ids where the levels above tell entities of one name apart; others are left as they are."""
    top = model.top_level
    above = {top.key: entity} if top is not None and entity and top.key not in named else {}
    found: dict[str, str] = {}
    for level in model.levels:
        if level.key not in named:
            continue
        wanted = named[level.key].casefold()
        fits = [
            e
            for e in catalog.by_level.get(level.key, ())
            if wanted in (e.id.casefold(), e.name.casefold())
            and all(e.parents.get(k, v) == v for k, v in {**above, **found}.items())
        ]
        found[level.key] = fits[0].id if len(fits) == 1 else named[level.key]
    return found


def _level(model: Model, scope: str | None, ids: Mapping[str, Any]) -> Level | None:
    """The level asked for, else the finest named, else the top."""
    if scope is not None:
        return level_named(model, scope)
    return next((x for x in reversed(model.levels) if x.key in ids), model.top_level)


def _entity(catalog: Catalog, level: Level | None, target: Target) -> Entity | None:
    if level is None:
        return None
    ids = target.filters.get(level.key) or ((target.entity,) if target.entity else ())
    return catalog.entity(level.key, ids[0]) if ids else None
