"""What there is and how fresh it is; with a comparison beside it, how things went lately."""

from __future__ import annotations

from collections.abc import Sequence

from askcore.agent.answer import distinct, ordered
from askcore.agent.rules.compose.wording import Words, sentence
from askcore.agent.rules.understanding import Understanding
from askcore.agent.state import Final, State
from askcore.base.values import Table, ToolResult

_NAMED = 20  # entities listed by name


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
    if result.table is not None and found.intent == "coverage":
        lines += [_held(result.table, words), *_listed(result, words)]
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


def _held(table: Table, words: Words) -> str:
    """How many entities each level has and how many rows there are."""
    rows = f"{sum(int(r['rows']) for r in table.rows):,}"
    levels = [
        words.say("holds_level", level=r["level"], n=f"{r['entities']:,}")
        for r in table.rows
        if r.get("entities") is not None
    ]
    if not levels:
        return words.say("holds_rows", rows=rows)
    return words.say("holds", rows=rows, levels=words.join(levels))


def _listed(result: ToolResult, words: Words) -> list[str]:
    """What can be asked for: the metrics that have values, and the finest entities where they are few."""
    held = set(words.catalog.columns)
    names = [
        words.label(m.key) for m in words.model.metrics if not m.hidden and (m.key in held or not m.reserved)
    ]
    lines = [words.say("holds_metrics", names=words.join(names))]
    leaf = words.model.leaf_level
    known = (result.facts.get("entities") or {}).get(leaf.key) if leaf is not None else None
    if leaf is not None and known and known["count"] == len(known["listed"]) <= _NAMED:
        spoken = [words.entity_name(leaf.key, e["name"], e["id"]) for e in known["listed"]]
        level = leaf.label[words.lang].split("/")[0]
        lines.append(words.say("holds_entities", level=level, names=words.join(spoken)))
    return lines
