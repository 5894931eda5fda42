"""What was written, and what its reader must know first."""

from __future__ import annotations

from collections.abc import Sequence

from askcore.agent.rules.compose.wording import Words
from askcore.agent.rules.understanding import Understanding
from askcore.agent.state import Final, State
from askcore.base.values import Period, ToolResult


def compose_report(found: Understanding, results: Sequence[ToolResult], state: State) -> Final:
    """Title, days, chapters and how many checks failed; the files are beside the answer."""
    words = Words.of(state)
    result = next(r for r in results if r.tool == "build_report")
    facts = result.facts
    lines = [
        words.say(
            "report_made",
            title=facts["title"],
            when=words.period(Period.from_json(result.args)) if "from" in result.args else "",
            n=len(facts["chapters"]),
            chapters=words.join(facts["chapters"]),
            figures=facts["figures"],
        )
    ]
    if facts["failed"]:
        lines.append(words.say("report_failed", n=facts["failed"]))
        failing = [v for v in result.verdicts if v.status == "fail"]
        lines += [f"- {v.note} [{v.id}]" for v in failing]
    return Final(
        answer="\n".join(lines),
        chart={},
        headline_step=result.id,
        notes=tuple(found.notes),
        follow_ups=(words.say("ask_health"),),
    )
