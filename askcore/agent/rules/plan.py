"""A question with a settled intent -> reading, tool calls and chart."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from askcore.agent.rules import lexicon
from askcore.agent.rules.outcome import clarify, no_data, partial_notes, refuse
from askcore.agent.rules.parts import (
    GRAIN_ORDER,
    ask_time,
    chart_of,
    is_outside,
    reading_of,
    thought,
)
from askcore.agent.rules.plan_anomaly import plan_anomaly
from askcore.agent.rules.plan_checks import plan_freshness, plan_overview_only, plan_quality, plan_reconcile
from askcore.agent.rules.plan_compare import plan_compare, plan_overview
from askcore.agent.rules.plan_entities import plan_entities
from askcore.agent.rules.plan_funnel import plan_definition, plan_funnel
from askcore.agent.rules.plan_peer import plan_peer
from askcore.agent.rules.plan_raw import plan_raw
from askcore.agent.rules.plan_report import plan_report
from askcore.agent.rules.plan_why import plan_why
from askcore.agent.rules.question import Question
from askcore.agent.rules.ranking import DEFAULT_ROWS, Ranking, is_descending
from askcore.agent.rules.share import plan_share
from askcore.agent.rules.target import main_metric, metrics_of, query_args, target_of
from askcore.agent.rules.timing import Timing, single_timing
from askcore.agent.rules.understanding import Intent, PlannedCall, Understanding
from askcore.base.values import Note, Period, Sort
from askcore.semantic.averages import split_key
from askcore.semantic.catalog import Entity

_ROW_GRAIN = {"day": "date"}
_DAILY_UP_TO = 62  # more points than this are read better by week
_WEEKLY_UP_TO = 400


def plan(q: Question, intent: Intent) -> Understanding:
    """The plan of one intent."""
    return _PLANNERS[intent](q)


def plan_figures(q: Question, intent: Intent) -> Understanding:
    """Lookup, ranking and trend: one query."""
    metrics, notes, problem = _metrics(q)
    if problem is not None:
        return _average_problem(q, problem)
    timing = single_timing(intent, q)
    if timing.problem is not None:
        return ask_time(q, timing.problem)
    assert timing.current is not None  # noqa: S101 - no problem means days
    by = _split(q, intent, timing)
    if isinstance(by, Understanding):
        return by
    filters = _ranked_filters(q) if intent == "ranking" else None
    target = target_of(q, metrics, by, filters=filters)
    sort, limit = _order(q, metrics, intent)
    reading = reading_of(q, target, timing.current, sort=sort, limit=limit)
    if is_outside(q, timing.current):
        return no_data(q, timing.current, reading)
    args = query_args(target, timing.current)
    if sort is not None:
        args["sort"] = sort.as_arg()
    if limit is not None:
        args["limit"] = limit
    return Understanding(
        lang=q.lang,
        intent=intent,
        reading=reading,
        calls=(PlannedCall(tool="query_report", args=args, thought=thought(q, target, timing.current)),),
        chart=chart_of(intent, target, q),
        notes=(*notes, *timing.notes, *partial_notes(q, timing.current)),
        focus=_focus(q, intent),
        top_n=limit,
    )


def _metrics(q: Question) -> tuple[tuple[str, ...], tuple[Note, ...], str | None]:
    if q.frame.metrics:
        return metrics_of(q)
    key = main_metric(q)
    named = replace(q, frame=replace(q.frame, metrics=(key,)))
    metrics, notes, problem = metrics_of(named)
    return metrics, (q.note("ambiguous", "assumed_metric", name=q.label(key)), *notes), problem


def _average_problem(q: Question, problem: str) -> Understanding:
    name = q.labels(q.frame.metrics)
    if problem != "average_over_what":
        return refuse(q, "unsupported", problem, name=name)
    per = [q.say("option_per_day")]
    leaf = q.model.leaf_level
    if leaf is not None:
        per.append(q.say("option_per_level", level=leaf.label.get(q.lang, leaf.key).split("/")[0].lower()))
    average = (q.scan.says("average") or q.scan.claims)[0]
    options = [(p, q.rewritten(average.start, average.end, p)) for p in per]
    return clarify(q, q.say("average_over_what", name=name), options)


def _split(q: Question, intent: Intent, timing: Timing) -> tuple[str, ...] | Understanding:
    splits = q.frame.splits
    by = list(splits.by)
    ranking = q.frame.ranking
    if timing.grain is not None and timing.grain not in by:
        by.insert(0, timing.grain)
    if intent == "ranking" and ranking is not None:
        return _ranked_split(q, by, ranking)
    if intent == "trend" and not splits.grains and timing.current is not None and timing.grain is None:
        by.insert(0, _default_grain(timing.current, q))
    if splits.asked_grain and not by:
        by.append(splits.asked_grain)
    for level in splits.mentioned:
        if _is_plain_list(q, level):
            by.append(level)
    several = [k for k, v in target_of(q, (), ()).filters.items() if len(v) > 1]
    for key in several:
        if key not in by and not any(k in q.model.levels_by_key for k in by):
            by.append(key)
    return tuple(_allowed(by, q))


def _is_plain_list(q: Question, level: str) -> bool:
    """As in "sales of all stores": rows per entity; a top level named alone is the total."""
    top = q.model.top_level
    if top is not None and level == top.key and len(q.model.levels) > 1:
        return False
    if level not in q.model.levels_by_key or q.frame.splits.levels:
        return False
    named = {e.level for u in q.frame.entities for e in u.entities}
    return level not in named and not ("whole" in q.cues and "all" not in q.cues)


def _allowed(by: Sequence[str], q: Question) -> list[str]:
    """Without repeats; a grain finer than the rows is the rows' own grain."""
    finest = GRAIN_ORDER.index(_ROW_GRAIN.get(q.model.time.grain, q.model.time.grain))
    found = []
    for key in by:
        fine = key in GRAIN_ORDER and GRAIN_ORDER.index(key) < finest
        chosen = GRAIN_ORDER[finest] if fine else key
        if chosen not in found:
            found.append(chosen)
    return found


def _default_grain(period: Period, q: Question) -> str:
    coarse = "week" if period.days <= _WEEKLY_UP_TO else "month"
    return _allowed(("date" if period.days <= _DAILY_UP_TO else coarse,), q)[0]


def _ranked_split(q: Question, by: list[str], ranking: Ranking) -> tuple[str, ...] | Understanding:
    splits = q.frame.splits
    if splits.asked_grain is not None and not by:
        return tuple(_allowed((splits.asked_grain,), q))
    levels = [*splits.levels, *(m for m in splits.mentioned if m in q.model.levels_by_key)]
    nested = ranking.limit is not None or ranking.single or ranking.direction is not None
    if nested and not ranking.sort_only and (len(dict.fromkeys(levels)) > 1 or (splits.grains and by)):
        return refuse(q, "unsupported", "nested_ranking")
    if by:
        return tuple(_allowed(by, q))
    if levels:
        return (levels[0],)
    dimension = next((m for m in splits.mentioned if m in q.model.dimensions_by_key), None)
    if dimension is not None:
        return (dimension,)
    ranked = _ranked_entity(q)
    if ranking.rank_of and ranked is not None:
        return (ranked.level,)
    sides = {e.level for u in q.frame.entities for e in u.entities}
    if len(q.frame.entities) > 1 and len(sides) == 1:  # "which of the two"
        return (next(iter(sides)),)
    leaf = q.model.leaf_level
    return () if leaf is None else (leaf.key,)


def _ranked_filters(q: Question) -> dict[str, tuple[str, ...]] | None:
    """The rank of one entity needs the rows of the others."""
    ranking = q.frame.ranking
    found = dict(target_of(q, (), ()).filters)
    ranked = _ranked_entity(q)
    if ranking is None or not ranking.rank_of or ranked is None:
        return found
    found.pop(ranked.level, None)
    for use in q.frame.entities:
        parent = use.entity
        if parent is not None and ranked.parents.get(parent.level) == parent.id and parent.id != q.entity:
            found[parent.level] = (parent.id,)
    return found


def _ranked_entity(q: Question) -> Entity | None:
    """The finest entity that is named: its rank is asked for."""
    order = [level.key for level in q.model.levels]
    named = [e for u in q.frame.entities if (e := u.entity) is not None]
    return max(named, key=lambda e: order.index(e.level), default=None)


def _focus(q: Question, intent: Intent) -> tuple[str, ...]:
    ranking = q.frame.ranking
    if intent == "ranking" and ranking is not None and ranking.rank_of:
        ranked = _ranked_entity(q)
        return () if ranked is None else (ranked.id,)
    return ()


def _order(q: Question, metrics: Sequence[str], intent: Intent) -> tuple[Sort | None, int | None]:
    ranking = q.frame.ranking
    if intent != "ranking" or ranking is None:
        return None, None
    key = metrics[0]
    if len(metrics) > 1:
        key = _nearest(q, metrics, ranking.at)
    metric = q.model.metric(split_key(key)[0])
    sort = Sort(key=key, descending=is_descending(ranking.direction, metric))
    if ranking.limit is not None or ranking.sort_only or ranking.rank_of:
        return sort, ranking.limit
    if len(q.frame.entities) > 1:
        return sort, None  # the named ones are set side by side
    return sort, 1 if ranking.single and not ranking.listed else DEFAULT_ROWS


_BY = re.compile(rf"(?:(?<![a-z])by(?:\s+(?:the|their|its))?|{'|'.join(lexicon.RANKED_BY)})\s*$")


def _nearest(q: Question, metrics: Sequence[str], at: int) -> str:
    """The metric that follows "by", else the one that stands nearest to the ranking words."""
    best = (10**9, metrics[0])
    norm = q.scan.text.norm
    for claim in q.scan.of("metric"):
        base = claim.value.keys[0]
        found = next((m for m in metrics if split_key(m)[0] == base), None)
        if found is not None:
            said_by = _BY.search(norm[: claim.start]) is not None
            near = -1 if said_by else min(abs(claim.start - at), abs(claim.end - at))
            best = min(best, (near, found))
    return best[1]


def _figures(intent: Intent) -> Callable[[Question], Understanding]:
    def planned(q: Question) -> Understanding:
        return plan_figures(q, intent)

    return planned


_PLANNERS: Mapping[Intent, Callable[[Question], Understanding]] = {
    "lookup": _figures("lookup"),
    "ranking": _figures("ranking"),
    "trend": _figures("trend"),
    "share": plan_share,
    "compare": plan_compare,
    "quality": plan_quality,
    "freshness": plan_freshness,
    "reconcile": plan_reconcile,
    "definition": plan_definition,
    "overview": plan_overview,
    "coverage": plan_overview_only,
    "funnel": plan_funnel,
    "why": plan_why,
    "peer": plan_peer,
    "anomaly": plan_anomaly,
    "raw": plan_raw,
    "entities": plan_entities,
    "report": plan_report,
}
