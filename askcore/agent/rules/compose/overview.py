"""What there is and how fresh it is; with a comparison beside it, how things went lately."""

from __future__ import annotations

from collections.abc import Sequence

from askcore.agent.answer import ordered
from askcore.agent.rules.compose.wording import Words, distinct, sentence
from askcore.agent.rules.understanding import Understanding
from askcore.agent.state import Final, State
from askcore.base.values import ToolResult


def compose_overview(found: Understanding, results: Sequence[ToolResult], state: State) -> Final:
    """Range, freshness, last sync; each freshness verdict by its id."""
    words = Words.of(state)
    result = next(r for r in results if r.tool == "lake_overview")
    period = state.catalog.period
    verdicts = distinct(v for r in results for v in r.verdicts)
    lines = []
    if period is not None:
        lines.append(
            words.say(
                "covers",
                dataset=state.catalog.dataset,
                start=period.start.isoformat(),
                end=period.end.isoformat(),
            )
        )
    lines += [
        "- " + words.say(f"status_{v.status}", note=sentence(v.note or v.check, words), id=v.id)
        for v in sorted(ordered(verdicts), key=lambda v: v.check != "freshness")
    ]
    metrics = words.model.headline_metrics()
    follow = [words.say("ask_health")]
    if metrics:
        follow.append(words.say("ask_compare", metric=words.label(metrics[0])))
    return Final(
        answer="\n".join(lines),
        chart={},
        headline_step=result.id,
        notes=tuple(found.notes),
        follow_ups=tuple(follow),
    )
