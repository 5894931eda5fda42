"""Arguments that name rows -> what is read: scope, split, filters as ids, with everything changed said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from askcore.base.errors import BadRequest, did_you_mean
from askcore.base.text import say
from askcore.base.values import TIME_GRAINS, Clamp, Lang
from askcore.semantic.catalog import Catalog
from askcore.semantic.model import Level, Model
from askcore.tools.level_args import LEVEL_OF_ARG

_GRAIN_WORDS = {"day": "date", "daily": "date", "weekly": "week", "monthly": "month"}
_DIMENSION_CAP = 200  # the catalogue lists at most so many values; past it a value cannot be refused


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Which rows a question is about."""

    scope: str | None
    by: tuple[str, ...]
    filters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    entity: str | None = None
    """Id of the top-level entity; None when the filters name entities of that level themselves."""
    clamped: tuple[Clamp, ...] = ()
    args: Mapping[str, Any] = field(default_factory=dict)
    """The filters in the spelling they were asked in, with ids; only what was set."""


def resolve_target(
    model: Model,
    catalog: Catalog,
    *,
    scope: str | None,
    by: Sequence[str],
    named: Mapping[str, Sequence[str]],
    filters: Mapping[str, Sequence[str]],
    entity: str | None,
    lang: Lang,
) -> Target:
    """Check every name against model and catalogue.

    named: the arguments companies, chains, shops. Raises: BadRequest (unknown_name) with near names.
    """
    split = tuple(dict.fromkeys(split_name(model, name, lang) for name in by))
    kept: dict[str, tuple[str, ...]] = {}
    shown: dict[str, Any] = {}
    for arg, values in named.items():
        if values:
            key = _level_of_arg(model, arg, lang)
            kept[key] = _ids(model, catalog, key, values, lang)
            shown[arg] = list(kept[key])
    extra: dict[str, list[str]] = {}
    for name, values in filters.items():
        key = filter_name(model, name, lang)
        kept[key] = tuple(dict.fromkeys((*kept.get(key, ()), *_ids(model, catalog, key, values, lang))))
        extra[key] = list(kept[key])
    if extra:
        shown["filters"] = extra
    found, clamped = _scope(model, scope, (*split, *kept), lang)
    top = model.top_level
    return Target(
        scope=found,
        by=split,
        filters=kept,
        entity=None if top is None or top.key in kept else entity,
        clamped=clamped,
        args=shown,
    )


def split_name(model: Model, name: str, lang: Lang) -> str:
    """The time grain, level or dimension that `by` names. Raises: BadRequest."""
    word = _GRAIN_WORDS.get(name.casefold(), name)
    if word in TIME_GRAINS or word in model.dimensions_by_key:
        return word
    level = level_named(model, word)
    if level is not None:
        return level.key
    known = (*TIME_GRAINS, *model.levels_by_key, *model.dimensions_by_key)
    raise _unknown(say(lang, "compare.cannot_split", name=name), name, known)


def filter_name(model: Model, name: str, lang: Lang) -> str:
    """The level or dimension that a filter names. Raises: BadRequest."""
    level = level_named(model, name)
    if level is not None:
        return level.key
    for dimension in model.dimensions:
        if name in (dimension.key, dimension.column):
            return dimension.key
    raise _unknown(
        say(lang, "compare.cannot_filter", name=name), name, (*model.levels_by_key, *model.dimensions_by_key)
    )


def level_named(model: Model, name: str) -> Level | None:
    """The level of this key, or whose id or name column it is."""
    for level in model.levels:
        if name in (level.key, level.id, level.name):
            return level
    return None


def _level_of_arg(model: Model, arg: str, lang: Lang) -> str:
    """companies, chains, shops -> level key; shops mean the leaf where it is called otherwise."""
    key = LEVEL_OF_ARG[arg]
    if key in model.levels_by_key:
        return key
    if arg == "shops" and model.leaf_level is not None:
        return model.leaf_level.key
    if arg == "companies" and model.top_level is not None and len(model.levels) > 1:
        return model.top_level.key
    raise BadRequest(
        say(lang, "compare.no_such_level", name=key),
        hint=f"filters with {', '.join((*model.levels_by_key, *model.dimensions_by_key))}",
    )


def _ids(model: Model, catalog: Catalog, key: str, values: Sequence[str], lang: Lang) -> tuple[str, ...]:
    if key in model.levels_by_key:
        return tuple(dict.fromkeys(_entity_id(model, catalog, key, str(v), lang) for v in values))
    return tuple(dict.fromkeys(_stored_value(model, catalog, key, str(v), lang) for v in values))


def _entity_id(model: Model, catalog: Catalog, level: str, value: str, lang: Lang) -> str:
    if catalog.entity(level, value) is not None:
        return value
    entities = catalog.by_level.get(level, ())
    wanted = value.strip().casefold()
    found = [e.id for e in entities if wanted in (e.id.casefold(), e.name.casefold())]
    if len(found) == 1:
        return found[0]
    if found:
        text = say(lang, "compare.same_name", n=len(found), name=value)
        raise BadRequest(text, hint=", ".join(found))
    names = {e.name: f"{e.id} {e.name}" for e in entities} | {e.id: f"{e.id} {e.name}" for e in entities}
    near = [names[n] for n in did_you_mean(value, names, limit=4).split(", ") if n in names]
    raise BadRequest(
        say(lang, "compare.no_such_entity", level=model.levels_by_key[level].label[lang], name=value),
        hint=", ".join(dict.fromkeys(near)) or ", ".join(f"{e.id} {e.name}" for e in entities[:5]),
        error_class="unknown_name",
    )


def _stored_value(model: Model, catalog: Catalog, key: str, value: str, lang: Lang) -> str:
    stored = catalog.dimension_values.get(key, ())
    if value in stored:
        return value
    wanted = value.strip().casefold()
    called = model.dimensions_by_key[key].values
    for kept in dict.fromkeys((*stored, *called)):
        words = (kept, *called.get(kept, {}).values())
        if wanted in (w.casefold() for w in words):
            return kept
    if not stored or len(stored) >= _DIMENSION_CAP:
        return value
    label = model.dimensions_by_key[key].label[lang]
    raise _unknown(say(lang, "compare.no_such_value", label=label, name=value), value, stored)


def _scope(
    model: Model, scope: str | None, needed: Iterable[str], lang: Lang
) -> tuple[str | None, tuple[Clamp, ...]]:
    """The level whose rows are read: at least as fine as every split and filter needs."""
    order = [level.key for level in model.levels]
    if not order:
        return None, ()
    if scope is not None and scope not in order:
        level = level_named(model, scope)
        if level is None:
            raise _unknown(say(lang, "compare.no_such_level", name=scope), scope, order)
        scope = level.key
    finest = max((order.index(n) for n in needed if n in order), default=None)
    if scope is None:
        return (None if finest is None else order[finest]), ()
    if finest is None or order.index(scope) >= finest:
        return scope, ()
    why = say(lang, "compare.clamp_scope", level=model.levels[finest].label[lang])
    return order[finest], (Clamp(arg="scope", before=scope, after=order[finest], why=why),)


def _unknown(message: str, name: str, known: Iterable[str]) -> BadRequest:
    names = tuple(known)
    hint = did_you_mean(name, names) or ", ".join(names[:8])
    return BadRequest(message, hint=hint, error_class="unknown_name")
