"""What a pinned version of a dataset holds: entities, ranges, columns; filled by the lake."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from askcore.base.values import Lang, Period
from askcore.semantic.model import Level
from askcore.semantic.names import spoken_level


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """One company, chain, shop … that has rows."""

    level: str
    id: str
    name: str
    parents: Mapping[str, str] = field(default_factory=dict)
    """Level above -> its id."""
    first_day: str = ""
    last_day: str = ""
    """ISO days of its first and last row."""


@dataclass(frozen=True, kw_only=True)
class Catalog:
    """Names and ranges of one dataset version."""

    dataset: str
    version: int
    period: Period | None
    """First to last day with rows; None when the dataset is empty."""
    entities: tuple[Entity, ...] = ()
    scopes: tuple[str, ...] = ()
    """Levels that have rows of their own, top first; the leaf only for a one-layer dataset."""
    scope_periods: Mapping[str, Period] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    """Columns of the fact table that hold at least one value."""
    raw_fields: tuple[str, ...] = ()
    """Fields that the source gave beside the columns, e.g. peer means; () when there are none."""
    dimension_values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Dimension key -> its distinct stored values as text (at most 200)."""
    row_count: int = 0

    @cached_property
    def by_level(self) -> Mapping[str, tuple[Entity, ...]]:
        """Level key -> its entities, by id."""
        found: dict[str, list[Entity]] = {}
        for entity in self.entities:
            found.setdefault(entity.level, []).append(entity)
        return {level: tuple(sorted(es, key=lambda e: e.id)) for level, es in found.items()}

    def entity(self, level: str, entity_id: str) -> Entity | None:
        """The entity of a level with this id, or None."""
        return self._index.get((level, entity_id))

    def is_shared(self, level: str, name: str) -> bool:
        """Whether several entities of the level have this name."""
        return self._name_counts[level, name] > 1

    def spoken(self, level: Level, name: str, entity_id: str, lang: Lang) -> str:
        """The entity's name in a sentence; with its id where others of the level share the name."""
        said = spoken_level(level, name, lang)
        return f"{said} {entity_id}" if entity_id and self.is_shared(level.key, name) else said

    @cached_property
    def _name_counts(self) -> Counter[tuple[str, str]]:
        return Counter((e.level, e.name) for e in self.entities)

    @cached_property
    def _index(self) -> Mapping[tuple[str, str], Entity]:
        return {(e.level, e.id): e for e in self.entities}
