"""Pieces that several plans share: the reading, the chart, times that do not fit."""

from __future__ import annotations

from typing import Literal

from askcore.agent.rules.outcome import clarify
from askcore.agent.rules.question import Question
from askcore.agent.rules.target import Target
from askcore.agent.rules.understanding import Intent, Understanding
from askcore.base.values import ChartSpec, Period, Reading, Sort

ChartType = Literal["line", "bar", "hbar", "funnel", "pie", "scatter", "area"]
GRAIN_ORDER = ("date", "week", "month", "quarter", "year")


def ask_time(q: Question, problem: str) -> Understanding:
    """A question whose times do not fit together."""
    refs = [r for r in q.frame.refs if r.period is not None]
    options = []
    if len(refs) > 1 and not q.follows:
        first, last = min(r.start for r in refs), max(r.end for r in refs)
        days = [q.days(r.period) for r in refs if r.period is not None]
        options = [(d, q.rewritten(first, last, d)) for d in days]
    return clarify(q, q.say(problem), options)


def reading_of(
    q: Question,
    target: Target,
    period: Period,
    *,
    baseline: Period | None = None,
    sort: Sort | None = None,
    limit: int | None = None,
) -> Reading:
    """How the question was understood."""
    return Reading(
        metrics=target.metrics,
        as_of=q.clock.as_of,
        entity=target.entity,
        period=period,
        baseline=baseline,
        scope=target.scope,
        by=target.by,
        filters=target.filters,
        sort=sort,
        limit=limit,
    )


def is_outside(q: Question, period: Period) -> bool:
    """Whether none of the days has data."""
    data = q.clock.data
    return data is None or period.end < data.start or period.start > data.end


def chart_of(intent: Intent, target: Target, q: Question) -> ChartSpec | None:
    """The chart of a query; None where a figure or a table says it better."""
    grains = [k for k in target.by if k in GRAIN_ORDER]
    others = [k for k in target.by if k not in GRAIN_ORDER]
    color = others[0] if others else None
    if intent == "funnel":
        return ChartSpec(type="funnel", x="metric", y=target.metrics)
    if intent == "share":
        return ChartSpec(type="bar", x=target.by[0], y=target.metrics[:1])
    if grains and intent != "ranking":
        return ChartSpec(type="line", x=grains[0], y=target.metrics, color=color)
    if target.by and (intent == "ranking" or "draw" in q.cues or len(others) == 1):
        kind: ChartType = "bar" if grains else "hbar"
        return ChartSpec(type=kind, x=target.by[0], y=target.metrics[:1], color=None)
    return None


def thought(q: Question, target: Target, period: Period) -> str:
    """The trace's sentence for a query."""
    return q.say("thought_query", names=q.labels(target.metrics), days=q.days(period))
