"""Definitions: what a metric means, how it adds up, what it is confused with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from askcore.agent.rules.compose.wording import Words
from askcore.agent.rules.understanding import Understanding
from askcore.agent.state import Final, State
from askcore.base.values import ToolResult

_NAMED = 5


def compose_definition(
    found: Understanding, results: Sequence[ToolResult], state: State
) -> Final:
    """One paragraph a metric."""
    words = Words.of(state)
    result = next(r for r in results if r.tool == "define_metric")
    entries = result.facts.get("metrics") or []
    first = entries[0]["label"] if entries else ""
    return Final(
        answer="\n\n".join(_paragraph(e, words) for e in entries),
        chart={},
        headline_step=result.id,
        notes=tuple(found.notes),
        follow_ups=(words.say("ask_value", metric=first), words.say("ask_health")),
    )


def _paragraph(entry: Mapping[str, Any], words: Words) -> str:
    parts = [
        words.say("defined", label=entry["label"], definition=entry["definition"]),
        words.say("formula", formula=entry["formula"]),
        _sentence(entry.get("over_time"), words),
        _sentence(entry.get("over_entities"), words),
    ]
    if entry.get("synonyms"):
        parts.append(words.say("synonyms", names=words.join(entry["synonyms"][:_NAMED])))
    if entry.get("confused_with"):
        others = [f"{c['label']}: {c['why']}" for c in entry["confused_with"][:2]]
        parts.append(words.say("confused", others=words.join(others)))
    return words.sentences(parts)


def _sentence(text: str | None, words: Words) -> str:
    return "" if not text else words.say("sentence", text=text.rstrip(words.say("full_stops")))
