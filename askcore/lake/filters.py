"""Filters of a query: names and ids of entities and dimension values, found or refused with a near match."""

from __future__ import annotations

from dataclasses import dataclass

from askcore.base.errors import BadRequest, did_you_mean
from askcore.base.values import QuerySpec
from askcore.lake.layers import Layers
from askcore.lake.summary import MAX_VALUES
from askcore.semantic.catalog import Catalog, Entity
from askcore.semantic.model import Dimension, Level


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Rows whose `column` is one of `values`."""

    column: str
    values: tuple[str, ...]
    level: str | None = None
    """Level key; None for a dimension."""
    is_top: bool = False

    @property
    def is_single_top(self) -> bool:
        """Whether it keeps exactly one top entity."""
        return self.is_top and len(self.values) == 1


def resolve_filters(spec: QuerySpec, catalog: Catalog, layers: Layers) -> tuple[Filter, ...]:
    """Filters by column, coarsest level first, the entity among them.

    Raises: BadRequest on an unknown level, dimension or value.
    """
    model = layers.schema.model
    wanted: list[tuple[str, tuple[str, ...]]] = []
    if spec.entity is not None:
        if model.top_level is None:
            raise BadRequest(f"this dataset has no entities, so no {spec.entity!r}")
        wanted.append((model.top_level.key, (spec.entity,)))
    levels: dict[str, Level] = {}
    for level in model.levels:
        levels |= {level.key: level, level.id: level, level.name: level}
    found: list[Filter] = []
    dimensions: list[Filter] = []
    wanted += [(name, values) for name, values in spec.filters.items() if values]
    position = [level.key for level in model.levels].index
    entities = [(levels[name], values) for name, values in wanted if name in levels]
    for level, values in sorted(entities, key=lambda e: position(e[0].key)):
        ids = _entity_ids(level, values, catalog, found)
        is_top = level is model.top_level
        found.append(Filter(column=level.id, values=ids, level=level.key, is_top=is_top))
    for name, values in wanted:
        if name not in levels:
            dimension = _dimension(name, layers, [*model.levels_by_key])
            dimensions.append(_dimension_filter(dimension, values, catalog))
    return (*found, *dimensions)


def _dimension(name: str, layers: Layers, levels: list[str]) -> Dimension:
    known = layers.schema.model.dimensions_by_key
    if name not in known:
        names = [*levels, *known]
        raise BadRequest(
            f"cannot filter by {name!r}",
            hint=did_you_mean(name, names) or ", ".join(names),
            error_class="unknown_name",
        )
    return known[name]


def _entity_ids(
    level: Level, values: tuple[str, ...], catalog: Catalog, above: list[Filter]
) -> tuple[str, ...]:
    """Ids of a level's entities given by id or exact name, within the coarser filters."""
    found: list[str] = []
    for value in values:
        if catalog.entity(level.key, value) is not None:
            found.append(value)
            continue
        entities = catalog.by_level.get(level.key, ())
        named = [e for e in entities if e.name == value]
        inside = [e for e in named if _is_inside(e, above)] or named
        if len(inside) > 1:
            raise BadRequest(
                f"{value!r} names {len(inside)} entities of level {level.key}",
                hint=", ".join(e.id for e in inside),
                error_class="unknown_name",
            )
        if not inside:
            known = [word for e in entities for word in (e.id, e.name)]
            raise _no_such_value(level.key, value, known)
        found.append(inside[0].id)
    return tuple(dict.fromkeys(found))


def _is_inside(entity: Entity, above: list[Filter]) -> bool:
    return all(entity.parents.get(f.level or "") in (None, *f.values) for f in above)


def _dimension_filter(dimension: Dimension, values: tuple[str, ...], catalog: Catalog) -> Filter:
    """Stored values, also given by what people call them."""
    stored = catalog.dimension_values.get(dimension.key, ())
    called = {word: value for value, texts in dimension.values.items() for word in texts.values()}
    found = []
    for value in values:
        known = value if value in stored else called.get(value)
        if known is None:
            if len(stored) < MAX_VALUES - 1:
                raise _no_such_value(dimension.key, value, [*stored, *called])
            known = value  # the catalog's list is cut, so the value may exist
        found.append(known)
    return Filter(column=dimension.column, values=tuple(dict.fromkeys(found)))


def _no_such_value(name: str, value: str, known: list[str]) -> BadRequest:
    hint = did_you_mean(value, known) or ", ".join(known[:5])
    return BadRequest(f"there is no {name} {value!r}", hint=hint, error_class="unknown_name")
