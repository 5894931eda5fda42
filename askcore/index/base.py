"""What a metadata index is: documents in, ranked hits out; every implementation keeps this protocol."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from askcore.base.values import Lang

DocumentKind = Literal["metric", "level", "entity", "dimension", "value", "dataset"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One thing of a dataset that can be found by name."""

    kind: DocumentKind
    key: str
    """Metric key, level key, entity id, dimension key, stored value or dataset name."""
    labels: Mapping[Lang, str]
    dataset: str
    words: tuple[str, ...] = ()
    """What people call it, the label and the key included."""
    text: str = ""
    """A description; a match in it counts least."""
    parent: str = ""
    """Level of an entity, dimension of a value; else ""."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One answer of a search."""

    kind: DocumentKind
    key: str
    label: str
    """In the language of the query."""
    dataset: str
    score: float
    """0-1; 1 = the query is exactly a name of it."""
    why: str
    """The word that matched and how, in the language of the query."""
    parent: str = field(default="", kw_only=True)

    def as_json(self) -> dict[str, Any]:
        """The contract's hit: kind, key, label, dataset, score, why."""
        return {
            "kind": self.kind,
            "key": self.key,
            "label": self.label,
            "dataset": self.dataset,
            "score": self.score,
            "why": self.why,
        }


class MetadataIndex(Protocol):
    """Finds metrics, entities and values by name; safe to use from several threads."""

    def build(self, documents: Iterable[Document]) -> None:
        """Replace what is indexed."""
        ...

    def search(self, query: str, limit: int = 10) -> tuple[Hit, ...]:
        """The best hits, best first; ties keep metrics before levels, entities and values.

        Raises: BadRequest when the query holds no letter, digit or character to look for.
        """
        ...
