"""A dataset's model and catalogue -> the documents of its metadata index."""

from __future__ import annotations

from collections.abc import Iterator

from askcore.base.values import Lang
from askcore.index.base import Document
from askcore.semantic.catalog import Catalog
from askcore.semantic.model import Dimension, Model, Synonyms, Texts


def documents_of(model: Model, catalog: Catalog) -> tuple[Document, ...]:
    """Everything that a person may name: metrics, levels, entities, dimensions, values, the dataset."""
    return (
        *_metrics(model, catalog.dataset),
        *_levels(model, catalog.dataset),
        *_entities(catalog),
        *_dimensions(model, catalog),
        Document(
            kind="dataset",
            key=catalog.dataset,
            labels={"zh": catalog.dataset, "en": catalog.dataset},
            dataset=catalog.dataset,
            words=_unique(catalog.dataset, model.name),
            text=" ".join(model.description.values()),
        ),
    )


def _metrics(model: Model, dataset: str) -> Iterator[Document]:
    for metric in model.metrics:
        yield Document(
            kind="metric",
            key=metric.key,
            labels=_both(metric.label, metric.key),
            dataset=dataset,
            words=_unique(*metric.words(), metric.key),
            text=" ".join((*metric.description.values(), *metric.source_columns)),
        )


def _levels(model: Model, dataset: str) -> Iterator[Document]:
    for level in model.levels:
        yield Document(
            kind="level",
            key=level.key,
            labels=_both(level.label, level.key),
            dataset=dataset,
            words=_unique(*level.label.values(), *_words(level.synonyms), level.key),
        )


def _entities(catalog: Catalog) -> Iterator[Document]:
    for entity in catalog.entities:
        yield Document(
            kind="entity",
            key=entity.id,
            labels={"zh": entity.name, "en": entity.name},
            dataset=catalog.dataset,
            words=_unique(entity.name, entity.id),
            parent=entity.level,
        )


def _dimensions(model: Model, catalog: Catalog) -> Iterator[Document]:
    for dimension in model.dimensions:
        yield Document(
            kind="dimension",
            key=dimension.key,
            labels=_both(dimension.label, dimension.key),
            dataset=catalog.dataset,
            words=_unique(*dimension.label.values(), *_words(dimension.synonyms), dimension.key),
        )
        yield from _values(dimension, catalog)


def _values(dimension: Dimension, catalog: Catalog) -> Iterator[Document]:
    stored = catalog.dimension_values.get(dimension.key, ())
    for value in dict.fromkeys((*stored, *dimension.values)):
        named = dimension.values.get(value, {})
        yield Document(
            kind="value",
            key=value,
            labels=_both(named, value),
            dataset=catalog.dataset,
            words=_unique(*named.values(), value),
            parent=dimension.key,
        )


def _both(texts: Texts, fallback: str) -> dict[Lang, str]:
    return {"zh": texts.get("zh", fallback), "en": texts.get("en", fallback)}


def _words(synonyms: Synonyms) -> tuple[str, ...]:
    return tuple(word for words in synonyms.values() for word in words)


def _unique(*words: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(w for w in words if w))
