"""Answers about what stands out: the findings in the tool's own sentences, and what was not judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from askcore.agent.rules.compose.wording import Gate, Words, beside, sentence
from askcore.agent.rules.understanding import Understanding
from askcore.agent.state import Final, State
from askcore.base.text import say
from askcore.base.values import Period, ToolResult

_NAMED = 6
_TOLD = ("anomaly", "change_point")


def compose_anomaly(found: Understanding, results: Sequence[ToolResult], state: State) -> Final:
    """How much was looked at, what was found, and what could not be judged."""
    words = Words.of(state)
    searches = [r for r in results if r.tool == "detect_changes"]
    parts = [_search(result, words) for result in searches]
    parts.append(_left_out(searches, words))
    gate = Gate.of(searches, told=_TOLD)
    answer = gate.around("\n\n".join(p for p in parts if p), words)
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


def _search(result: ToolResult, words: Words) -> str:
    """How much was looked at, then one line a finding."""
    facts: Mapping[str, Any] = result.facts
    verdict = next((v for v in result.verdicts if v.check in _TOLD), None)
    if verdict is not None and verdict.status == "skip":
        return f"{sentence(verdict.note, words)} [{verdict.id}]"
    findings = facts.get("findings") or []
    tested = facts.get("tested") or {}
    kind = str(facts.get("mode"))
    head = _say(
        words,
        f"{kind}_head" if findings else f"{kind}_none",
        what=_what(result, words),
        when=words.period(Period.from_json(facts["period"])),
        series=tested.get("series_tested", 0),
        days=tested.get("days", 0),
        n=facts.get("found", 0),
    )
    cited = "" if verdict is None else f" [{verdict.id}]"
    lines = [f"\n- {sentence(str(f['text']), words)}" for f in findings[:_NAMED]]
    if facts.get("found", 0) > len(lines):
        lines.append(f"\n- {_say(words, 'more')}")
    return f"{head}{cited}{''.join(lines)}"


def _what(result: ToolResult, words: Words) -> str:
    """The metric, and the level whose entities were looked through."""
    metric = words.label(str(result.facts["metric"]))
    level, top = words.model.levels_by_key.get(str(result.args.get("scope"))), words.model.top_level
    if level is None or (top is not None and level.key == top.key and len(words.model.levels) > 1):
        return metric
    name = level.label[words.lang].split("/")[0].lower()
    return _say(words, "by_level", metric=metric, level=name)


def _left_out(searches: Sequence[ToolResult], words: Words) -> str:
    """What could not be judged, each reason once."""
    texts = [t for r in searches for t in (r.facts.get("excluded") or {}).get("texts") or ()]
    lines = [f"\n- {words.sentences([sentence(str(t), words)])}" for t in dict.fromkeys(texts)]
    return _say(words, "left_out") + "".join(lines) if lines else ""


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
