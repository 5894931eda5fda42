"""What reading a question gives: the values that the planner runs and words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from askcore.base.values import ChartSpec, Lang, Note, Reading

Intent = Literal[
    "lookup",
    "ranking",
    "trend",
    "share",
    "compare",
    "quality",
    "freshness",
    "reconcile",
    "definition",
    "overview",
    "coverage",
    "funnel",
    "clarify",
    "refuse",
    "why",
    "peer",
    "anomaly",
    "raw",
    "entities",
    "report",
]
RefusalKind = Literal["readonly", "pii", "forecast", "out_of_scope", "unsupported"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedCall:
    """One tool call of the plan."""

    tool: str
    args: Mapping[str, Any]
    """JSON-able; days as ISO text."""
    thought: str = ""
    """One sentence for the trace, in the question's language."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why the question is not answered, and what can be asked instead."""

    kind: RefusalKind
    message: str
    alternatives: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Clarification:
    """A question back, with choices."""

    question: str
    options: tuple[tuple[str, str], ...] = ()
    """(label, full question to ask instead)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A part of the question and what it was taken for."""

    start: int
    end: int
    text: str
    kind: str
    """time, metric, entity, level, grain, dimension, number, cue, stop, unread."""
    meaning: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Understanding:
    """A question as it was understood: never partly ignored, see `unread`."""

    lang: Lang
    intent: Intent
    reading: Reading | None = None
    calls: tuple[PlannedCall, ...] = ()
    chart: ChartSpec | None = None
    refusal: Refusal | None = None
    clarification: Clarification | None = None
    notes: tuple[Note, ...] = ()
    deep: bool = False
    spans: tuple[Span, ...] = ()
    unread: tuple[str, ...] = ()
    """Content words that no rule understood."""
    alternatives: tuple[str, ...] = ()
    """Questions to offer next, e.g. the last complete period when the asked one has no data."""
    focus: tuple[str, ...] = ()
    """Ids (of entities or dimension values) that the answer is about while all rows are read."""
    top_n: int | None = None
    """Share or ranking of the first N rows."""
    asks_trust: bool = False
    """Whether the figures can be believed is asked beside them."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Further hints for wording, e.g. {"share_of": "total"}."""
