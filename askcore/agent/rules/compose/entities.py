"""Companies, chains or shops side by side, each from its own rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from askcore.agent.rules.compose.followups import figure_follow_ups
from askcore.agent.rules.compose.wording import Gate, Words, beside
from askcore.agent.rules.understanding import Understanding
from askcore.agent.state import Final, State
from askcore.base.text import say
from askcore.base.values import Period, Table, ToolResult
from askcore.semantic.format import format_pct
from askcore.tools.cells import is_number

_METRICS = 4  # worded; the table has all
_NAMED = 6


def compose_entities(found: Understanding, results: Sequence[ToolResult], state: State) -> Final:
    """Each metric of every entity, and how far the others are from the best one."""
    words = Words.of(state)
    result = next(r for r in results if r.tool == "cross_entity")
    table = result.table or Table(columns=(), rows=())
    metrics = [k for k in result.args.get("metrics") or () if any(is_number(r.get(k)) for r in table.rows)]
    period = _period(result, "current")
    head = _say(words, "head", days=words.period(period)) if period is not None else ""
    parts = [head, *(words.sentences(_metric(key, table, result, words)) for key in metrics[:_METRICS])]
    gate = Gate.of([result])
    answer = gate.around("\n\n".join(p for p in parts if p), words)
    others = beside([r for r in results if r is not result], words, found.reading)
    return Final(
        answer="\n\n".join(p for p in (answer, others) if p),
        headline_step=result.id,
        notes=tuple(found.notes),
        follow_ups=figure_follow_ups(found, result, words),
    )


def _say(words: Words, key: str, **values: Any) -> str:
    return say(words.lang, f"entities_answer.{key}", **values)


def _period(result: ToolResult, side: str) -> Period | None:
    days = result.args.get(side)
    return Period.from_json(days) if days else None


def _metric(key: str, table: Table, result: ToolResult, words: Words) -> Iterator[str]:
    rows = [r for r in table.rows if is_number(r.get(key))]
    rows.sort(key=lambda r: -float(r[key]))
    named = [
        words.say("named_value", name=words.row_name(r), value=words.bold(key, r[key])) for r in rows[:_NAMED]
    ]
    yield _say(words, "values", metric=words.label(key), rows=words.join(named))
    best: Mapping[str, Any] = (result.facts.get("best") or {}).get(key) or {}
    changes = [_change(key, r, words) for r in rows[:_NAMED] if is_number(r.get(f"{key}__delta"))]
    before = _period(result, "baseline")
    if changes and before is not None:
        yield _say(words, "changes", before=words.period(before), rows=words.join(changes))
    gaps = [_gap(key, r, words) for r in rows[:_NAMED] if is_number(r.get(f"{key}__vs_best"))]
    if gaps and best.get("name"):
        yield _say(words, "gaps", best=best["name"], rows=words.join(gaps))


def _change(key: str, row: Mapping[str, Any], words: Words) -> str:
    """Since the period before; an amount with its %."""
    delta, pct = row[f"{key}__delta"], row.get(f"{key}__pct")
    size = words.change(key, delta)
    if pct is not None:
        size = words.say("size", size=size, pct=format_pct(pct))
    return words.say("mover_up" if delta > 0 else "mover_down", name=words.row_name(row), change=size)


def _gap(key: str, row: Mapping[str, Any], words: Words) -> str:
    gap = row[f"{key}__vs_best"]
    size = words.change(key, gap) if words.metric(key).is_rate else format_pct(gap)
    return _say(words, "higher" if gap > 0 else "lower", name=words.row_name(row), gap=size)
