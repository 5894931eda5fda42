"""Answers about what stands out: the findings in the tool's own sentences, and what was not judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from askcore.agent.rules.compose.wording import Gate, Words, beside, sentence
from askcore.agent.rules.understanding import Understanding
from askcore.agent.state import Final, State
from askcore.base.text import say
from askcore.base.values import ToolResult

_NAMED = 6
_TOLD = ("anomaly", "change_point")


def compose_anomaly(found: Understanding, results: Sequence[ToolResult], state: State) -> Final:
    """How much was looked at, what was found, and what could not be judged."""
    words = Words.of(state)
    searches = [r for r in results if r.tool == "detect_changes"]
    parts = [part for result in searches for part in _search(result, words)]
    gate = Gate.of(searches, told=_TOLD)
    answer = gate.around("".join(parts).strip(), words)
    others = beside([r for r in results if r not in searches], words, found.reading)
    first = next((r for r in searches if r.facts.get("findings")), searches[0])
    return Final(
        answer="\n\n".join(p for p in (answer, others) if p),
        chart={},
        headline_step=first.id,
        notes=tuple(found.notes),
        follow_ups=_follow_ups(first, words),
    )


def _say(words: Words, key: str, **values: Any) -> str:
    return say(words.lang, f"anomaly_answer.{key}", **values)


def _search(result: ToolResult, words: Words) -> list[str]:
    facts: Mapping[str, Any] = result.facts
    verdict = next((v for v in result.verdicts if v.check in _TOLD), None)
    if verdict is not None and verdict.status == "skip":
        return [f"{sentence(verdict.note, words)} [{verdict.id}]\n"]
    findings = facts.get("findings") or []
    tested = facts.get("tested") or {}
    metric = words.label(str(facts["metric"]))
    kind = str(facts.get("mode"))
    head = _say(
        words,
        f"{kind}_head" if findings else f"{kind}_none",
        metric=metric,
        start=facts["period"]["from"],
        end=facts["period"]["to"],
        series=tested.get("series_tested", 0),
        days=tested.get("days", 0),
        n=facts.get("found", 0),
    )
    cited = "" if verdict is None else f" [{verdict.id}]"
    lines = [f"\n- {sentence(str(f['text']), words)}" for f in findings[:_NAMED]]
    if len(findings) > _NAMED or facts.get("found", 0) > _NAMED:
        lines.append(f"\n- {_say(words, 'more', n=facts['found'] - min(_NAMED, len(findings)))}")
    texts = (facts.get("excluded") or {}).get("texts") or []
    aside = "".join(f"\n- {sentence(str(t), words)}" for t in texts)
    left = f"\n\n{_say(words, 'left_out')}{aside}" if aside else ""
    return [f"{head}{cited}{''.join(lines)}{left}\n\n"]


def _follow_ups(result: ToolResult, words: Words) -> tuple[str, ...]:
    facts: Mapping[str, Any] = result.facts
    findings = facts.get("findings") or []
    if not findings:
        return (words.say("ask_health"),)
    metric, name = words.label(str(facts["metric"])), str(findings[0]["name"])
    return (
        _say(words, "ask_why", name=name, metric=metric),
        _say(words, "ask_since", name=name, metric=metric),
        words.say("ask_health"),
    )
