"""Comparisons: both values, the change, and whether like is compared with like."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from askcore.agent.rules.compose.empty import own_spans
from askcore.agent.rules.compose.followups import figure_follow_ups
from askcore.agent.rules.compose.strip import change_metric
from askcore.agent.rules.compose.wording import Gate, Words, beside, sentence
from askcore.agent.rules.understanding import Understanding
from askcore.agent.state import Final, State
from askcore.base.values import Period, Table, ToolResult
from askcore.semantic.format import format_pct
from askcore.tools.cells import is_number

_WORDED = 5  # metrics worded one by one; a comparison of more is read from the table
_MOVERS = 3
_FAR_APART = 1.5  # a month of five weeks against one of four is still compared, with a remark
_ASKED = 8  # rows named when those of one direction were asked for
_STRIP = 3


def compose_comparison(found: Understanding, results: Sequence[ToolResult], state: State) -> Final:
    """One sentence a metric, then the like-for-like value where it differs, then the biggest movers."""
    words = Words.of(state)
    result = next(r for r in results if r.tool == "compare_periods")
    gate = Gate.of([result])
    changes: Mapping[str, Any] = result.facts.get("changes") or {}
    keys = [k for k in result.args.get("metrics") or () if k in changes]
    answer = gate.around(compared_part(found, result, words), words)
    others = [r for r in results if r is not result]
    return Final(
        answer="\n\n".join(p for p in (answer, beside(others, words, found.reading)) if p),
        chart=None if found.chart is None else found.chart.as_json(),
        headline_step=result.id,
        headline=_strip(keys, changes, result, words),
        notes=tuple(found.notes),
        follow_ups=figure_follow_ups(found, result, words),
    )


def compared_part(found: Understanding, result: ToolResult, words: Words) -> str:
    """The two periods, each metric's change, the movers and whether a change is significant."""
    changes: Mapping[str, Any] = result.facts.get("changes") or {}
    keys = [k for k in result.args.get("metrics") or () if k in changes]
    parts = [
        words.say(
            "compared",
            whom=words.subject(found.reading),
            current=words.period(Period.from_json(result.args["current"])),
            baseline=words.period(Period.from_json(result.args["baseline"])),
        ),
    ]
    parts += [_metric(key, changes[key], result, words) for key in keys[:_WORDED]]
    parts.append(_movers(result, keys, words, found.extra))
    parts.append(_significance(result, words))
    parts += [
        own_spans(found.reading, Period.from_json(result.args[side]), words)
        for side in ("current", "baseline")
    ]
    return words.sentences(dict.fromkeys(parts))


def _metric(key: str, change: Mapping[str, Any], result: ToolResult, words: Words) -> str:
    if not is_number(change["cur"]) or not is_number(change["prev"]):
        if not is_number(change["cur"]):
            return words.say("no_current", metric=words.label(key))
        return words.say("no_baseline", metric=words.label(key), current=words.bold(key, change["cur"]))
    size = _size(key, change, words)
    verb = _verb(change["delta"]) if _says_something(size) else "flat"
    if change.get("per_step") and _lengths_far_apart(result):
        verb = "apart"
    aligned = _inner(change.get("aligned"))
    parts = [
        words.say(
            verb,
            metric=words.whole(key, result),
            current=words.bold(key, change["cur"]),
            baseline=words.value(key, change["prev"]),
            change=size,
        ),
        _per_step(key, change, result, words),
        _beside("aligned", key, (change,), aligned, words),
        _beside("same_store", key, (change, aligned), change.get("same_store"), words),
    ]
    return words.sentences(parts)


def _inner(aligned: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """The change inside an aligned comparison, which also carries its dates."""
    return None if aligned is None else aligned.get("change", aligned)


def _lengths_far_apart(result: ToolResult) -> bool:
    """Whether the totals of the periods say nothing about each other."""
    counts = [result.facts["steps"][side]["present"] for side in ("current", "baseline")]
    return bool(max(counts) >= _FAR_APART * max(min(counts), 1))


def _says_something(size: str) -> bool:
    """Whether a change is more than zeros when it is rounded as shown."""
    return any(c in "123456789" for c in size)


def _verb(delta: float | None) -> str:
    if not delta:
        return "unchanged"
    return "rose" if delta > 0 else "fell"


def _size(key: str, change: Mapping[str, Any], words: Words) -> str:
    size = words.change(key, change["delta"])
    if words.metric(key).is_rate or not is_number(change["pct"]):
        return size
    return words.say("size", size=size, pct=format_pct(change["pct"]))


def _per_step(key: str, change: Mapping[str, Any], result: ToolResult, words: Words) -> str:
    """Per day (week …) where the periods hold unequal numbers of them: the raw change misleads."""
    per = change.get("per_step")
    if not per or not is_number(per["pct"]):
        return ""
    steps = result.facts["steps"]
    flat = format_pct(per["pct"]) == format_pct(0)
    return words.say(
        "per_step_flat" if flat else "per_step_up" if per["delta"] > 0 else "per_step_down",
        current_steps=steps["current"]["present"],
        baseline_steps=steps["baseline"]["present"],
        step=words.say(f"step_{result.facts['step']}"),
        unit=words.say(f"unit_{result.facts['step']}"),
        pct=format_pct(per["pct"]),
    )


def _beside(
    kind: str,
    key: str,
    said: Sequence[Mapping[str, Any] | None],
    other: Mapping[str, Any] | None,
    words: Words,
) -> str:
    """A value on another basis, told when it reads differently from those already `said`."""
    if not other or not is_number(other.get("delta")):
        return ""
    size = _size(key, other, words)
    if any(one and is_number(one.get("delta")) and _size(key, one, words) == size for one in said):
        return ""
    verb = _verb(other["delta"]) if _says_something(size) else "unchanged"
    return words.say(f"{kind}_{verb}", metric=words.label(key), change=size)


def _movers(result: ToolResult, keys: Sequence[str], words: Words, asked: Mapping[str, Any]) -> str:
    """The rows that moved most when the comparison is split.

    asked: "direction" (up, down), "ranked" where the changes are ordered, "limit" of rows, "by_rate" where
    the share of the change orders. What opened meanwhile did not grow from anything: no place in an order.
    """
    direction = str(asked.get("direction", ""))
    table = result.table or Table(columns=(), rows=())
    if not keys or not result.args.get("by"):
        return ""
    key = keys[0]
    moved = [r for r in table.rows if is_number(r.get(f"{key}__delta")) and r[f"{key}__delta"]]
    if direction:
        moved = [r for r in moved if (r[f"{key}__delta"] > 0) == (direction == "up")]
    size = "pct" if asked.get("by_rate") and not words.metric(key).is_rate else "delta"
    if asked.get("ranked"):
        moved = [r for r in moved if words.metric(key).is_rate or is_number(r.get(f"{key}__pct"))]
    is_signed = bool(asked.get("ranked")) and not direction
    moved.sort(key=lambda r: -(r[f"{key}__{size}"] if is_signed else abs(r[f"{key}__{size}"] or 0)))
    shown = asked.get("limit") or (_ASKED if direction or is_signed else _MOVERS)
    named = [
        words.say(
            "mover_up" if r[f"{key}__delta"] > 0 else "mover_down",
            name=words.row_name(r),
            change=_row_size(key, r, words),
        )
        for r in moved[:shown]
    ]
    kind = {"up": "risers", "down": "fallers"}.get(direction, "ordered" if is_signed else "movers")
    if not named:
        return words.say(f"no_{kind}", metric=words.label(key)) if direction else ""
    rows = words.join(named)
    if (direction or is_signed) and len(moved) > shown and not asked.get("limit"):
        rows = words.say("rest_in_table", rows=rows)
    return words.say(kind, metric=words.label(key), rows=rows)


def _row_size(key: str, row: Mapping[str, Any], words: Words) -> str:
    """A row's change, with its share of the row where it is no rate."""
    return _size(key, {"delta": row[f"{key}__delta"], "pct": row.get(f"{key}__pct")}, words)


def _significance(result: ToolResult, words: Words) -> str:
    verdicts = [v for v in result.verdicts if v.kind == "significance" and v.note]
    return " ".join(f"{sentence(v.note, words)} [{v.id}]" for v in verdicts)


def _strip(
    keys: Sequence[str], changes: Mapping[str, Any], result: ToolResult, words: Words
) -> tuple[Any, ...]:
    return tuple(
        change_metric(
            words,
            key,
            changes[key]["cur"],
            changes[key]["delta"],
            changes[key]["pct"],
            label=words.whole(key, result),
        )
        for key in keys[:_STRIP]
        if is_number(changes[key]["cur"])
    )
