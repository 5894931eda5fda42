"""A claim made by words, and the report on all claims of a text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

WordKind = Literal[
    "direction",
    "superlative",
    "rank",
    "comparison",
    "streak",
    "share",
    "quantity",
    "first",
    "multiple",
    "entity",
    "unit",
]
WordStatus = Literal["supported", "contradicted", "unknown"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WordClaim:
    """One claim found in a text."""

    text: str
    """As written: the word that claims, or the figure."""
    kind: WordKind
    status: WordStatus
    """"unknown": the cells do not decide it; never an alarm."""
    why: str
    """What the cells say; "" when they say nothing."""
    start: int
    end: int

    def as_json(self) -> dict[str, Any]:
        """The contract's item of `words`."""
        return {
            "text": self.text, "kind": self.kind, "status": self.status, "why": self.why,
            "start": self.start, "end": self.end,
        }  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class WordReport:
    """All claims of a text, in text order."""

    items: tuple[WordClaim, ...]

    @property
    def contradicted(self) -> Sequence[WordClaim]:
        """The claims that the cells refute: the only ones that alarm."""
        return tuple(item for item in self.items if item.status == "contradicted")

    @property
    def checked(self) -> int:
        """Claims that the cells decide, either way."""
        return sum(item.status != "unknown" for item in self.items)


def word_report_json(report: WordReport) -> dict[str, Any]:
    """The `words` object beside the provenance keys."""
    return {
        "checked": report.checked,
        "contradicted": len(report.contradicted),
        "items": [item.as_json() for item in report.items],
    }
