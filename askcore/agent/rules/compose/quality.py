"""Data quality and reconciliation: answers from verdicts, worst first, nothing left out."""

from __future__ import annotations

from collections.abc import Sequence

from askcore.agent.answer import ordered, settled
from askcore.agent.rules.compose.wording import Words, sentence
from askcore.agent.rules.understanding import Understanding
from askcore.agent.state import Final, State
from askcore.base.values import ToolResult, Verdict


def compose_quality(found: Understanding, results: Sequence[ToolResult], state: State) -> Final:
    """Counts by status, then each finding with its verdict id."""
    words = Words.of(state)
    verdicts = ordered(settled(results))
    groups = {
        status: [v for v in verdicts if v.status == status] for status in ("fail", "warn", "skip", "pass")
    }
    lines = [_headline(groups, words)]
    for status in ("fail", "warn", "skip"):
        lines += [_line(v, words) for v in groups[status]]
    if len(verdicts) <= 2:
        lines += [_line(v, words) for v in groups["pass"]]
    tables = [r for r in results if r.table is not None]
    whole = [r for r in tables if r.tool == "data_quality"]
    return Final(
        answer="\n".join(lines),
        chart={},
        headline_step=next((r.id for r in (*whole, *tables[-1:])), None),
        notes=tuple(found.notes),
        follow_ups=_follow_ups(results, words),
    )


def _headline(groups: dict[str, list[Verdict]], words: Words) -> str:
    counts = {status: len(found) for status, found in groups.items()}
    if counts["fail"]:
        key = "checks_fail"
    elif counts["warn"]:
        key = "checks_warn"
    elif counts["pass"]:
        key = "checks_pass"
    else:
        key = "checks_none"
    parts = [words.say(f"count_{s}", n=n) for s, n in counts.items() if n]
    return words.say(key, counts=words.join(parts))


def _line(verdict: Verdict, words: Words) -> str:
    text = words.say(
        f"status_{verdict.status}", note=sentence(verdict.note or verdict.check, words), id=verdict.id
    )
    return f"- {text}"


def _follow_ups(results: Sequence[ToolResult], words: Words) -> tuple[str, ...]:
    used = {r.tool for r in results}
    wanted = []
    if "data_quality" not in used:
        wanted.append(words.say("ask_health"))
    if "lake_overview" not in used:
        wanted.append(words.say("ask_fresh"))
    metrics = words.model.headline_metrics()
    if metrics:
        wanted.append(words.say("ask_compare", metric=words.label(metrics[0])))
    return tuple(wanted)
