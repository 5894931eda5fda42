"""Plans that set companies side by side: they have no common total."""

from __future__ import annotations

from typing import Any

from askcore.agent.rules.intent import companies_of, tells_apart
from askcore.agent.rules.outcome import no_data, refuse
from askcore.agent.rules.parts import ask_time, is_outside, reading_of
from askcore.agent.rules.question import Question
from askcore.agent.rules.ranking import is_descending
from askcore.agent.rules.target import Target, headline, metrics_of
from askcore.agent.rules.timing import Timing, compare_timing, single_timing
from askcore.agent.rules.understanding import PlannedCall, Understanding
from askcore.base.values import Sort
from askcore.semantic.averages import split_key
from askcore.tools.level_args import filter_args


def plan_entities(q: Question) -> Understanding:
    """One row a company, or a row each for entities of one level that belong to different companies."""
    top = q.model.top_level
    assert top is not None  # noqa: S101 - the intent asks for two of that level
    named = [e for use in q.frame.entities if (e := use.entity) is not None]
    levels = {e.level for e in named} or {top.key}
    finer = [k for k in q.frame.splits.by if k != top.key]
    if len(levels) > 1 or finer:
        return refuse(q, "unsupported", "one_company")
    metrics, notes, problem = metrics_of(q)
    if problem is not None:
        return refuse(q, "unsupported", problem, name=q.labels(metrics))
    if not metrics:
        metrics = headline(q)
        notes = (q.note("ambiguous", "headline_metrics", names=q.labels(metrics)),)
    timing = _timing(q)
    if timing.problem is not None or timing.current is None:
        return ask_time(q, timing.problem or "two_periods")
    level = next(iter(levels))
    ids = tuple(dict.fromkeys(e.id for e in named))
    filters = {top.key: companies_of(q)} if named else {}
    if level != top.key:
        filters[level] = ids
    filters = {**filters, **q.frame.filters}
    target = Target(metrics=metrics, scope=level, by=(level,), filters=filters, entity=q.entity)
    sort = _sort(q, metrics)
    reading = reading_of(q, target, timing.current, baseline=timing.baseline, sort=sort)
    for period in (timing.current, timing.baseline):
        if period is not None and is_outside(q, period):
            return no_data(q, period, reading)
    args: dict[str, Any] = {"metrics": list(metrics), "current": timing.current.as_json(), "level": level}
    if timing.baseline is not None:
        args["baseline"] = timing.baseline.as_json()
    args |= filter_args(filters)
    if sort is not None:
        args["sort"] = sort.as_arg()
    names = q.say("comma").join(q.name(e) for e in named or q.catalog.by_level[top.key])
    call = PlannedCall(tool="cross_entity", args=args, thought=q.say("thought_entities", names=names))
    return Understanding(
        lang=q.lang, intent="entities", reading=reading, calls=(call,), notes=(*notes, *timing.notes)
    )


def _timing(q: Question) -> Timing:
    """Two periods only where the question compares periods, not just the companies."""
    if tells_apart(q):
        return single_timing("lookup", q)
    refs = [r for r in q.frame.refs if r.period is not None]
    if len(refs) > 1 or any(r.role for r in q.frame.refs) or q.cues & {"mom", "yoy", "change"}:
        return compare_timing("compare", q)
    return single_timing("lookup", q)


def _sort(q: Question, metrics: tuple[str, ...]) -> Sort | None:
    if q.frame.ranking is None:
        return None
    metric = q.model.metric(split_key(metrics[0])[0])
    return Sort(key=metrics[0], descending=is_descending(q.frame.ranking.direction, metric))
