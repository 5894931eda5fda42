"""Definitions: what a metric means, how it adds up, what it is confused with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from askcore.agent.rules.compose.wording import Words, sentence
from askcore.agent.rules.understanding import Understanding
from askcore.agent.state import Final, State
from askcore.base.values import ToolResult

_NAMED = 5


def compose_definition(found: Understanding, results: Sequence[ToolResult], state: State) -> Final:
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
    parts = [words.say("defined", label=entry["label"], definition=entry["definition"])]
    if entry["formula"] != entry["definition"]:
        parts.append(words.say("formula", formula=entry["formula"]))
    parts += [_sentence(entry.get(k), words) for k in ("over_time", "over_entities")]
    if entry.get("synonyms"):
        names = [n for n in entry["synonyms"] if n.casefold() != entry["label"].casefold()]
        parts.append(words.say("synonyms", names=words.join(names[:_NAMED])) if names else "")
    if entry.get("confused_with"):
        others = [
            words.say("confused_one", label=c["label"], why=c["why"]) for c in entry["confused_with"][:2]
        ]
        parts.append(words.say("confused", others=words.join(others)))
    return words.sentences(parts)


def _sentence(text: str | None, words: Words) -> str:
    return sentence(text[:1].upper() + text[1:], words) if text else ""
