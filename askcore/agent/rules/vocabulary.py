"""What one dataset's words mean: built once for a model and catalog, then used for every question."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from askcore.agent.rules.cues import grammar
from askcore.agent.rules.entity_words import (
    Stems,
    dimension_words,
    entity_terms,
    level_words,
    value_words,
)
from askcore.agent.rules.homonyms import is_plain_word
from askcore.agent.rules.language import is_cjk
from askcore.agent.rules.metric_words import metric_terms
from askcore.agent.rules.normalise import Text, words_of
from askcore.agent.rules.spans import Claim, Trie
from askcore.semantic.catalog import Catalog, Entity
from askcore.semantic.model import Model


@dataclass(frozen=True, slots=True)
class MetricTerm:
    """A word for one metric, or for several when it is ambiguous."""

    keys: tuple[str, ...]
    rank: int


@dataclass(frozen=True, slots=True)
class EntityTerm:
    """A word for the entities of that name."""

    entities: tuple[Entity, ...]


@dataclass(frozen=True, slots=True)
class LevelTerm:
    """A word for a level."""

    level: str


@dataclass(frozen=True, slots=True)
class DimensionTerm:
    """A word for a dimension (`value` None) or one of its stored values."""

    dimension: str
    value: str | None = None


Term = MetricTerm | EntityTerm | LevelTerm | DimensionTerm
_KINDS: dict[type, str] = {
    MetricTerm: "metric",
    EntityTerm: "entity",
    LevelTerm: "level",
    DimensionTerm: "dimension",
}


class Vocabulary:
    """The words of one dataset."""

    def __init__(self, model: Model, catalog: Catalog) -> None:
        self.model = model
        self.catalog = catalog
        self.trie = Trie()
        self.levels = level_words(model)
        reserved = frozenset(t for words in self.levels.values() for t in words)
        self.metrics = metric_terms(model, reserved)
        for stems, (rank, keys) in self.metrics.items():
            if rank <= 1 or not grammar().get(" ".join(stems)):
                self.trie.add(stems, MetricTerm(keys, rank))
        for level, words in self.levels.items():
            for stems in words:
                self.trie.add(stems, LevelTerm(level))
        for stems, entities in self._entity_terms().items():
            self.trie.add(stems, EntityTerm(entities))
        self._add_dimensions()

    def claims(self, text: Text) -> Iterator[Claim]:
        """Every word of the dataset in the text."""
        tokens = text.tokens
        for first, end, payloads in self.trie.find(tokens):
            start, stop = tokens[first].start, tokens[end - 1].end
            for payload in payloads:
                yield Claim(start, stop, _KINDS[type(payload)], "", payload)

    def _entity_terms(self) -> dict[Stems, tuple[Entity, ...]]:
        named: dict[Stems, list[Entity]] = {}
        aliased: dict[Stems, list[Entity]] = {}
        for entity in self.catalog.entities:
            for stems, is_alias in dict.fromkeys(entity_terms(entity)):
                found = (aliased if is_alias else named).setdefault(stems, [])
                if entity not in found:
                    found.append(entity)
        for stems, entities in aliased.items():
            if stems not in named and not self._is_taken(stems):
                named[stems] = entities
        return {stems: tuple(entities) for stems, entities in named.items()}

    def _is_taken(self, stems: Stems) -> bool:
        """An alias never hides a word of the grammar, a time or a metric."""
        return stems in self.metrics or is_plain_word(_spelled(stems))

    def _add_dimensions(self) -> None:
        for dimension in self.model.dimensions:
            for stems, rank in dimension_words(dimension).items():
                if rank == 0 or stems not in self.metrics:
                    self.trie.add(stems, DimensionTerm(dimension.key))
            for stems, value in value_words(dimension, self.catalog):
                if stems not in self.metrics:
                    self.trie.add(stems, DimensionTerm(dimension.key, value))


def _spelled(stems: Stems) -> str:
    """Stems as they may be typed: no spaces between Chinese characters."""
    return ("" if is_cjk(stems[0]) else " ").join(stems)


class _Key:
    """A model and a catalog by identity: both are pinned for a version's life."""

    __slots__ = ("catalog", "model")

    def __init__(self, model: Model, catalog: Catalog) -> None:
        self.model = model
        self.catalog = catalog

    def __hash__(self) -> int:
        return hash((id(self.model), id(self.catalog)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.model is other.model and self.catalog is other.catalog


@lru_cache(maxsize=8)  # datasets × versions in use at once
def _built(key: _Key) -> Vocabulary:
    return Vocabulary(key.model, key.catalog)


def vocabulary(model: Model, catalog: Catalog) -> Vocabulary:
    """The words of a dataset version, from the cache when it was asked about before."""
    return _built(_Key(model, catalog))


def is_word(vocab: Vocabulary, stem: str) -> bool:
    """Whether a single word occurs in the grammar or in the dataset."""
    return stem in grammar().words or stem in vocab.trie.words


__all__ = ["DimensionTerm", "EntityTerm", "LevelTerm", "MetricTerm", "Vocabulary", "is_word",
           "vocabulary", "words_of"]  # fmt: skip
