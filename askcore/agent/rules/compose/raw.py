"""One row as the source delivered it, beside what the lake holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from askcore.agent.rules.compose.wording import Words, sentence
from askcore.agent.rules.understanding import Understanding
from askcore.agent.state import Final, State
from askcore.base.text import say
from askcore.base.values import ToolResult


def compose_raw(found: Understanding, results: Sequence[ToolResult], state: State) -> Final:
    """How many values were held against each other, and which differ; or why there is no such row."""
    words = Words.of(state)
    result = next(r for r in results if r.tool == "raw_inspect")
    facts: Mapping[str, Any] = result.facts
    if not facts.get("rows"):
        parts = [sentence(n.text, words) for n in result.notes]
    else:
        key = facts.get("key") or {}
        name = str(facts.get("name") or "")
        parts = [_say(words, "head", name=name, day=key.get("date", ""))]
        parts += [f"{sentence(v.note, words)} [{v.id}]" for v in result.verdicts if v.note]
        parts += [sentence(n.text, words) for n in result.notes]
    return Final(
        answer=words.sentences(parts) or words.say("nothing"),
        chart={},
        headline_step=result.id,
        notes=tuple(found.notes),
        follow_ups=(words.say("ask_health"),),
    )


def _say(words: Words, key: str, **values: Any) -> str:
    return say(words.lang, f"raw_answer.{key}", **values)
