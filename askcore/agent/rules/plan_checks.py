"""Plans about the data itself: freshness, quality, what adds up to what, what there is."""

from __future__ import annotations

import re
from typing import Any

from askcore.agent.rules.outcome import no_data, refuse
from askcore.agent.rules.parts import ask_time, is_outside
from askcore.agent.rules.question import Question
from askcore.agent.rules.target import company_of
from askcore.agent.rules.timing import Timing, single_timing
from askcore.agent.rules.understanding import Intent, PlannedCall, Understanding
from askcore.base.values import Note, Period, Reading
from askcore.checks.catalogue import reconciling_ids
from askcore.semantic.model import Identity

_CHECK = "check:"
_NAME = re.compile(r"[A-Za-z_]\w*")
_FRESH_CHECKS = ["freshness", "sync_log"]


def _args(period: Period, checks: list[str] | None = None) -> dict[str, Any]:
    args: dict[str, Any] = {"from": period.start.isoformat(), "to": period.end.isoformat()}
    return args if not checks else {**args, "checks": checks}


def _call(q: Question, tool: str, args: dict[str, Any], thought: str) -> PlannedCall:
    return PlannedCall(tool=tool, args=args, thought=q.say(thought))


def _settle(q: Question, intent: Intent) -> tuple[Period, tuple[Note, ...]] | Understanding:
    timing: Timing = single_timing(intent, q)
    if timing.problem is not None or timing.current is None:
        return ask_time(q, timing.problem or "two_periods")
    if is_outside(q, timing.current):
        return no_data(q, timing.current, None)
    return timing.current, timing.notes


def _done(
    q: Question,
    intent: Intent,
    calls: tuple[PlannedCall, ...],
    period: Period | None,
    notes: tuple[Note, ...],
) -> Understanding:
    reading = Reading(metrics=(), as_of=q.clock.as_of, entity=company_of(q), period=period)
    return Understanding(lang=q.lang, intent=intent, reading=reading, calls=calls, notes=notes)


def plan_overview_only(q: Question) -> Understanding:
    """What data there is."""
    call = _call(q, "lake_overview", {}, "thought_overview")
    return _done(q, "coverage", (call,), None, ())


def plan_freshness(q: Question) -> Understanding:
    """How new the data is; with the sync log when syncs are asked about."""
    lake = _call(q, "lake_overview", {}, "thought_overview")
    if "sync" not in q.cues:
        return _done(q, "freshness", (lake,), None, ())
    settled = _settle(q, "freshness")
    if isinstance(settled, Understanding):
        return settled
    period, notes = settled
    quality = _call(q, "data_quality", _args(period, list(_FRESH_CHECKS)), "thought_check")
    return _done(q, "freshness", (lake, quality), period, notes)


def plan_quality(q: Question) -> Understanding:
    """The named checks, or the whole check-up."""
    settled = _settle(q, "quality")
    if isinstance(settled, Understanding):
        return settled
    period, notes = settled
    checks = sorted(c.removeprefix(_CHECK) for c in q.cues if c.startswith(_CHECK))
    if "sync" in q.cues:
        checks.append("sync_log")
    if checks and "quality" not in q.cues:
        call = _call(q, "data_quality", _args(period, checks), "thought_check")
        return _done(q, "quality", (call,), period, notes)
    calls = [
        _call(q, "lake_overview", {}, "thought_overview"),
        _call(q, "data_quality", _args(period), "thought_check"),
    ]
    if reconciling_ids(q.model):
        calls.append(_call(q, "cross_check", _args(period), "thought_cross"))
    return _done(q, "quality", tuple(calls), period, notes)


def plan_reconcile(q: Question) -> Understanding:
    """Whether layers or columns add up."""
    checks = _identities(q) if len(q.frame.metrics) > 1 else _layers(q)
    if not checks:
        return refuse(q, "unsupported", "no_identity", name=q.labels(q.frame.metrics))
    settled = _settle(q, "reconcile")
    if isinstance(settled, Understanding):
        return settled
    period, notes = settled
    call = _call(q, "cross_check", _args(period, checks), "thought_cross")
    return _done(q, "reconcile", (call,), period, notes)


def _identities(q: Question) -> list[str]:
    """Identities that speak about all the named metrics, the tightest first."""
    named = set(q.frame.metrics)
    rated = []
    for identity in q.model.identities:
        columns = identity_metrics(identity) & set(q.model.by_key)
        if named <= columns:
            rated.append((identity.kind != "equality", len(columns), identity.id))
    return [min(rated)[2]] if rated else []


def identity_metrics(identity: Identity) -> set[str]:
    """Names in an identity's expressions; `src.x` speaks about x."""
    text = f"{identity.left} {identity.right} {identity.expr}"
    return set(_NAME.findall(text))


def _layers(q: Question) -> list[str]:
    """Sum rules between the named levels; all of them when fewer than two are named."""
    order = [level.key for level in q.model.levels]
    named = {k for k in (*q.frame.splits.levels, *q.frame.splits.mentioned) if k in order}
    named |= {e.level for u in q.frame.entities if (e := u.entity) is not None}
    rules = [r for r in q.model.cross_layer if r.rule == "sum" and r.lower in order and r.upper in order]
    if len(named) < 2:
        return [r.id for r in rules]
    low = max(order.index(k) for k in named)
    high = min(order.index(k) for k in named)
    return [
        r.id
        for r in rules
        if r.lower is not None
        and r.upper is not None
        and high <= order.index(r.upper)
        and order.index(r.lower) <= low
    ]
