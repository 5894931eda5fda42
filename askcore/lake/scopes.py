"""Which layer's rows a query reads, and whether its groups mix entities."""

from __future__ import annotations

from dataclasses import dataclass

from askcore.base.errors import BadRequest, did_you_mean
from askcore.base.text import say
from askcore.base.values import Clamp, Lang, QuerySpec
from askcore.lake.delivery import ALL_SCOPE
from askcore.lake.filters import Filter
from askcore.lake.layers import Layers


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeChoice:
    """The layer that is read."""

    scope: str
    rolled_up_from: str | None = None
    """The layer read when it is finer than the one asked for, because that has no rows."""
    asked: str = ""
    """The layer asked for."""
    clamped: tuple[Clamp, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """Whether a group, and the whole, hold one entity of the layer only."""

    is_row_single: bool
    is_total_single: bool


def choose_scope(
    spec: QuerySpec,
    by_levels: tuple[str, ...],
    filters: tuple[Filter, ...],
    layers: Layers,
    lang: Lang,
) -> ScopeChoice:
    """The asked layer, made finer where grouping or filters need it, and where it has no rows.

    Raises: BadRequest on an unknown layer, or when no fine enough layer has rows.
    """
    levels = [level.key for level in layers.schema.model.levels]
    if not levels:
        if spec.scope not in (None, ALL_SCOPE):
            raise BadRequest(f"this dataset has no levels, so no {spec.scope!r}")
        return ScopeChoice(scope=ALL_SCOPE)
    if spec.scope is not None and spec.scope not in levels:
        raise BadRequest(
            f"unknown scope {spec.scope!r}",
            hint=did_you_mean(spec.scope, levels) or ", ".join(levels),
            error_class="unknown_name",
        )
    needed = [*by_levels, *(f.level for f in filters if f.level is not None)]
    finest = max((levels.index(level) for level in needed), default=0)
    asked = finest if spec.scope is None else levels.index(spec.scope)
    clamped: tuple[Clamp, ...] = ()
    if finest > asked:
        why = say(lang, "lake.clamped_scope", level=_label(layers, levels[finest], lang))
        clamped = (Clamp(arg="scope", before=levels[asked], after=levels[finest], why=why),)
        asked = finest
    scope = _first_with_rows(levels[asked:], filters, layers)
    if scope is None:
        message = say(lang, "lake.no_rows_of_level", level=_label(layers, levels[asked], lang))
        raise BadRequest(message, error_class="empty")
    return ScopeChoice(
        scope=scope,
        rolled_up_from=None if scope == levels[asked] else scope,
        asked=levels[asked],
        clamped=clamped,
    )


def _label(layers: Layers, level: str, lang: Lang) -> str:
    return layers.schema.model.levels_by_key[level].label.get(lang) or level


def _first_with_rows(levels: list[str], filters: tuple[Filter, ...], layers: Layers) -> str | None:
    """The first layer with rows for everyone asked about, else the first with rows for anyone."""
    tops = next((frozenset(f.values) for f in filters if f.is_top), None)
    if tops is None:
        named = any(f.level is not None for f in filters)
        tops = frozenset() if named else layers.tops
    for level in levels:
        if _has_rows_for(level, tops, filters, layers):
            return level
    return next((level for level in levels if layers.has_rows(level)), None)


def _has_rows_for(level: str, tops: frozenset[str], filters: tuple[Filter, ...], layers: Layers) -> bool:
    if not layers.has_rows(level) or not tops <= layers.own.get(level, frozenset()):
        return False
    wanted = {v for f in filters if f.level == level for v in f.values}
    return wanted <= layers.own_entities.get(level, frozenset())


def reach_of(
    scope: str,
    by_levels: tuple[str, ...],
    by_columns: frozenset[str],
    filters: tuple[Filter, ...],
    layers: Layers,
) -> Reach:
    """Whether groups of this layer's rows hold a single entity."""
    pinned = frozenset(f.column for f in filters if len(f.values) == 1)
    return Reach(
        is_row_single=_is_single(scope, by_columns | pinned, layers),
        is_total_single=_is_single(scope, pinned, layers),
    )


def _is_single(scope: str, pinned: frozenset[str], layers: Layers) -> bool:
    """Whether one value of each pinned column leaves at most one entity."""
    schema = layers.schema
    if layers.key_dimensions and not set(schema.dimensions) <= pinned:
        return False
    levels = schema.model.levels
    if not levels:
        return True
    position = [level.key for level in levels].index(scope)
    if levels[position].id in pinned and (
        scope in layers.unique_levels or {lv.id for lv in levels[:position]} <= pinned
    ):
        return True
    return position == 0 and len(layers.names[scope]) <= 1
