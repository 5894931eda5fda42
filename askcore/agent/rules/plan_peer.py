"""Plans of comparisons with peers: gaps, who is behind or ahead, and whose rank moved."""

from __future__ import annotations

from typing import Any

from askcore.agent.rules.outcome import no_data, refuse
from askcore.agent.rules.parts import ask_time, is_outside, reading_of
from askcore.agent.rules.peers import peer_metrics
from askcore.agent.rules.question import Question
from askcore.agent.rules.target import target_of
from askcore.agent.rules.timing import Timing, compare_timing, single_timing
from askcore.agent.rules.understanding import PlannedCall, Understanding
from askcore.base.values import Note, Period, Sort
from askcore.semantic.averages import split_key
from askcore.tools.level_args import filter_args

_MOVED = 5  # shops listed when those whose rank moved most are asked for


def plan_peer(q: Question) -> Understanding:
    """Own against peers, or the reason why this source cannot tell."""
    held = peer_metrics(q.model, q.catalog)
    if not held:
        return refuse(q, "unsupported", "no_peers")
    moves = _asks_moves(q)
    metrics, notes = _metrics(q, held, moves=moves)
    notes = (*notes, *_level_note(q))
    if not metrics:
        return refuse(q, "unsupported", "no_peers_of", names=q.labels(q.frame.metrics), held=q.labels(held))
    timing = _halves(q) if moves else _window(q)
    if timing.problem is not None:
        return ask_time(q, timing.problem)
    current, baseline = timing.current, timing.baseline
    assert current is not None  # noqa: S101 - no problem means days
    leaf = q.model.leaf_level
    target = target_of(q, metrics, () if leaf is None else (leaf.key,))
    order = _order(q, moves=moves)
    limit = q.frame.ranking.limit if q.frame.ranking is not None else None
    limit = limit or (_MOVED if moves and len(_ways(q)) == 1 else None)
    reading = reading_of(q, target, current, baseline=baseline, limit=limit)
    for period in (current, baseline):
        if period is not None and is_outside(q, period):
            return no_data(q, period, reading)
    args: dict[str, Any] = {"metrics": list(metrics), **_days(current, baseline)}
    args |= {"scope": target.scope, **filter_args(target.filters)}
    side = _side(q)
    if side:
        args["filter"] = side
    if order is not None:
        args["sort"] = order.as_arg()
    if limit is not None:
        args["limit"] = limit
    calls = [
        PlannedCall(
            tool="peer_benchmark", args=args, thought=q.say("thought_peers", names=q.labels(metrics))
        ),
        PlannedCall(tool="data_quality", args=_span(current), thought=q.say("thought_quality")),
    ]
    return Understanding(
        lang=q.lang,
        intent="peer",
        reading=reading,
        calls=tuple(calls),
        notes=(*notes, *timing.notes),
        extra={"side": side or _told_side(q), "moves": moves, "ways": _ways(q)},
    )


def _metrics(q: Question, held: tuple[str, ...], *, moves: bool) -> tuple[tuple[str, ...], tuple[Note, ...]]:
    """The named metrics that have peers; all that have when none is named, the first one for ranks."""
    named = tuple(dict.fromkeys(split_key(key)[0] for key in q.frame.metrics))
    if not named:
        chosen = held[:1] if moves else held
        return chosen, (q.note("ambiguous", "peer_metrics", names=q.labels(chosen)),)
    kept = tuple(key for key in named if key in held)
    left = tuple(key for key in named if key not in held)
    if not kept and q.follows:  # "and against the peers?" after a figure that has none
        chosen = held[:1] if moves else held
        return chosen, (
            q.note("reserved_column", "no_peers_then", names=q.labels(left), held=q.labels(chosen)),
        )
    return kept, (q.note("reserved_column", "no_peers_for", names=q.labels(left)),) if kept and left else ()


def _asks_moves(q: Question) -> bool:
    """As in "whose rank improved most": ranks and a change of them."""
    ranks = "ranking" in q.cues or "rank_of" in q.cues
    return ranks and bool(q.cues & {"went_up", "went_down", "change", "gained", "lost"})


def _level_note(q: Question) -> tuple[Note, ...]:
    """Said where a chain or company is named: only the finest level has peers."""
    leaf = q.model.leaf_level
    named = {e.level for use in q.frame.entities for e in use.entities}
    if leaf is None or not named or leaf.key in named:
        return ()
    level = leaf.label[q.lang].split("/")[0].lower()
    return (q.note("ambiguous", "peers_by_level", level=level),)


def _ways(q: Question) -> tuple[str, ...]:
    """Which moves of the rank are asked for: gains, losses, or both where the question leaves it open."""
    down, up = bool(q.cues & {"went_down", "lost"}), bool(q.cues & {"went_up", "gained"})
    if down == up:
        return ("up", "down")
    return ("down",) if down else ("up",)


def _order(q: Question, *, moves: bool) -> Sort | None:
    return Sort(key="rank_change", descending=_ways(q) == ("down",)) if moves else None


def _side(q: Question) -> str:
    """below_peer or above_peer, where one of them is asked for."""
    behind = bool(q.cues & {"lower", "low_word"})
    ahead = bool(q.cues & {"higher", "high_word"})
    if behind == ahead:
        return ""
    return "below_peer" if behind else "above_peer"


def _told_side(q: Question) -> str:
    """The side behind or ahead where only one is asked for; the table still has all."""
    behind, ahead = "behind" in q.cues, "ahead" in q.cues
    return "" if behind == ahead else "behind" if behind else "ahead"


def _window(q: Question) -> Timing:
    """One window, or two when the question compares periods."""
    compares = any(r.role for r in q.frame.refs) or len([r for r in q.frame.refs if r.period]) == 2
    if compares or q.cues & {"mom", "yoy", "change", "went_down", "went_up"}:
        return compare_timing("peer", q)
    return single_timing("peer", q)


def _halves(q: Question) -> Timing:
    """Two windows for a change of rank: a named one of even length is cut in halves."""
    refs = [r for r in q.frame.refs if r.period is not None]
    whole = refs[0].period if len(refs) == 1 and not any(r.role for r in q.frame.refs) else None
    if whole is None or refs[0].unit != "window" or whole.days % 2:
        return compare_timing("peer", q)
    half = whole.days // 2
    baseline = Period(start=whole.start, end=whole.shift(-half).end)
    current = baseline.shift(half)
    note = q.note("ambiguous", "halves", now=q.days(current), before=q.days(baseline))
    return Timing(current=current, baseline=baseline, notes=(note,))


def _span(period: Period) -> dict[str, str]:
    return {"from": period.start.isoformat(), "to": period.end.isoformat()}


def _days(current: Period, baseline: Period | None) -> dict[str, Any]:
    if baseline is None:
        return dict(_span(current))
    return {"current": current.as_json(), "baseline": baseline.as_json()}
