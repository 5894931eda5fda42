"""Plan of a share: all rows of a level are read, the asked ones are in focus."""

from __future__ import annotations

import re

from askcore.agent.rules.contributions import MOVES
from askcore.agent.rules.outcome import no_data, partial_notes, refuse, samples
from askcore.agent.rules.parts import ask_time, chart_of, is_outside, reading_of, thought
from askcore.agent.rules.question import Question
from askcore.agent.rules.target import filters_of, main_metric, query_args, target_of
from askcore.agent.rules.timing import single_timing
from askcore.agent.rules.understanding import PlannedCall, Understanding
from askcore.base.values import Sort

_OVER_TIME = MOVES | {"mom", "yoy", "trend", "sharply"}
_NAME = re.compile(r"[A-Za-z_]\w*")
_SUMS = ("sum", "derived_sum", "distinct")


def plan_share(q: Question) -> Understanding:
    """Shares of a total by level or dimension."""
    metric = q.frame.metrics[0] if q.frame.metrics else main_metric(q)
    declined = _declined(q, metric)
    if declined is not None:
        return declined
    timing = single_timing("share", q)
    if timing.problem is not None or timing.current is None:
        return ask_time(q, timing.problem or "two_periods")
    by, focus, filters = _rows(q)
    if not by:
        return refuse(q, "unsupported", "share_of_what", name=q.label(metric))
    ranking = q.frame.ranking
    limit = _limit(q)
    descending = ranking is None or ranking.direction not in ("low", "worst")
    target = target_of(q, (metric,), by, filters=filters)
    sort = Sort(key=metric, descending=descending)
    reading = reading_of(q, target, timing.current, sort=sort, limit=limit)
    if is_outside(q, timing.current):
        return no_data(q, timing.current, reading)
    args = {**query_args(target, timing.current), "sort": sort.as_arg()}
    if limit is not None:
        args["limit"] = limit
    notes = timing.notes
    for word, key in q.frame.assumed:
        if key != metric:
            notes = (
                q.note("ambiguous", "read_as_share", word=word, name=q.label(metric), rate=q.label(key)),
                *notes,
            )
    if not q.frame.metrics:
        notes = (q.note("ambiguous", "assumed_metric", name=q.label(metric)), *notes)
    call = PlannedCall(tool="query_report", args=args, thought=thought(q, target, timing.current))
    return Understanding(
        lang=q.lang,
        intent="share",
        reading=reading,
        calls=(call,),
        chart=chart_of("share", target, q),
        notes=(*notes, *partial_notes(q, timing.current)),
        focus=focus,
        top_n=limit,
        extra={"share_of": "total"},
    )


def _declined(q: Question, metric: str) -> Understanding | None:
    """What rows of one sum in one period cannot tell."""
    if len(q.frame.metrics) > 1:  # the part of one in the other, for which the model has no ratio
        return refuse(q, "unsupported", "no_ratio", name=q.labels(q.frame.metrics))
    if q.model.metric(metric).additivity.kind not in _SUMS:
        return refuse(q, "unsupported", "share_of_rate", name=q.label(metric))
    if _moves(q):
        return refuse(q, "unsupported", "share_moved", _still(q, metric))
    if _is_elsewhere(q):
        return refuse(q, "unsupported", "not_inside")
    if _is_nested(q):
        return refuse(q, "unsupported", "nested_share")
    if not _is_split(q) and (wholes := _wholes(q, metric)):
        told = {"name": q.label(metric), "whole": q.label(wholes[0])}
        return refuse(q, "unsupported", "part_of_what", _of_parts(q, metric), **told)
    return None


def _is_elsewhere(q: Question) -> bool:
    """Whether one of those named does not belong to another one named: it has no share of it."""
    order = [level.key for level in q.model.levels]
    named = [e for use in q.frame.entities if (e := use.entity) is not None]
    return any(
        order.index(one.level) > order.index(other.level)
        and one.parents.get(other.level, other.id) not in {e.id for e in named if e.level == other.level}
        for one in named
        for other in named
    )


def _is_split(q: Question) -> bool:
    """Whether it is said over what the sum is split."""
    splits = q.frame.splits
    return bool(
        splits.by or splits.levels or splits.mentioned or splits.values or q.frame.entities or q.frame.ranking
    )


def _is_nested(q: Question) -> bool:
    """As in "each shop's share of its chain": two levels, and none of the upper one is named."""
    splits, order = q.frame.splits, [level.key for level in q.model.levels]
    levels = {k for k in (*splits.levels, *splits.mentioned) if k in order[1:]}
    named = {e.level for use in q.frame.entities for e in use.entities}
    return len(levels - named) > 1


def _wholes(q: Question, metric: str) -> tuple[str, ...]:
    """What the metric may be a part of: the sums that identities and ratios of the model put it in."""
    found: list[str] = []
    for other in q.model.metrics:
        ratio = other.additivity
        if ratio.kind == "ratio" and ratio.numerator == metric and ratio.denominator:
            found.append(ratio.denominator)
    siblings = [m.additivity for m in q.model.metrics if m.additivity.kind == "ratio"]
    for identity in q.model.identities:
        terms = {
            name for name in _NAME.findall(f"{identity.left} {identity.right}") if name in q.model.by_key
        }
        if metric in terms:
            found += [
                s.denominator for s in siblings if s.denominator and {s.denominator, s.numerator} <= terms
            ]
    return tuple(dict.fromkeys(k for k in found if k != metric and _same_unit(q, k, metric)))


def _same_unit(q: Question, one: str, other: str) -> bool:
    return q.model.metric(one).unit == q.model.metric(other).unit


def _of_parts(q: Question, metric: str) -> tuple[str, ...]:
    """The ratio that has the metric on top, and the split over the finest level."""
    timing = single_timing("share", q)
    if timing.current is None:
        return samples(q)
    days = q.days(timing.current)
    ratios = [
        m.key
        for m in q.model.metrics
        if m.additivity.kind == "ratio" and m.additivity.numerator == metric and not m.reserved
    ]
    leaf = q.model.leaf_level
    said = [q.say("sample_ratio", name=q.label(key), days=days) for key in ratios[:1]]
    if leaf is not None:
        level = leaf.label.get(q.lang, leaf.key).split("/")[0].lower()
        said.append(q.say("sample_share", name=q.label(metric), days=days, level=level))
    return tuple(said) or samples(q)


def _moves(q: Question) -> bool:
    """As in "whose share grew" and "share of the shop that fell most": one period tells neither."""
    return bool(q.frame.cues & _OVER_TIME or q.frame.splits.grains)


def _still(q: Question, metric: str) -> tuple[str, ...]:
    """The share in one period, and the change behind it."""
    levels = [level for level in q.model.levels if level is not q.model.top_level or len(q.model.levels) == 1]
    timing = single_timing("share", q)
    if not levels or timing.current is None:
        return samples(q)
    asked = [*q.frame.splits.levels, *q.frame.splits.mentioned]
    level = next((one for one in levels if one.key in asked), levels[0])
    said = {
        "name": q.label(metric),
        "days": q.days(timing.current),
        "level": level.label.get(q.lang, level.key).split("/")[0].lower(),
    }
    return (q.say("sample_share", **said), q.say("sample_change", **said))


def _limit(q: Question) -> int | None:
    """As many rows as were asked for; "the store with the most" is one."""
    ranking = q.frame.ranking
    if ranking is None or ranking.limit is not None:
        return None if ranking is None else ranking.limit
    named = q.frame.entities or q.frame.filters
    return (
        1 if ranking.single and ranking.direction is not None and not ranking.listed and not named else None
    )


def _rows(q: Question) -> tuple[tuple[str, ...], tuple[str, ...], dict[str, tuple[str, ...]]]:
    """(split, ids in focus, filters): the finest named entities are in focus, coarser ones filter."""
    filters = dict(filters_of(q))
    order = [level.key for level in q.model.levels]
    splits = q.frame.splits
    levels = [*splits.levels, *(m for m in splits.mentioned if m in order)]
    ranked = [k for k in levels if k in order and (order.index(k) > 0 or len(order) == 1)]
    named = [k for k in order if k in _named_levels(q)]
    if named and (not ranked or order.index(named[-1]) >= order.index(ranked[0])):
        level = named[-1]
        filters.pop(level, None)
        focus = tuple(e.id for u in q.frame.entities if (e := u.entity) is not None and e.level == level)
        parents = [e.id for u in q.frame.entities if (e := u.entity) is not None and e.level != level]
        for use in q.frame.entities:
            if use.entity is not None and use.entity.id in parents and order.index(use.entity.level) > 0:
                filters[use.entity.level] = (use.entity.id,)
        return (level,), focus, filters
    for key, values in q.frame.filters.items():
        filters.pop(key, None)
        return (key,), values, filters
    if ranked:
        return (ranked[0],), (), filters
    if splits.by:
        return splits.by[:1], (), filters
    if q.frame.ranking is not None and order:
        return (order[-1],), (), filters
    return (order[1] if len(order) > 1 else order[0],) if order else (), (), filters


def _named_levels(q: Question) -> set[str]:
    top = q.model.top_level
    return {
        e.level
        for u in q.frame.entities
        if (e := u.entity) is not None and (top is None or e.level != top.key or len(q.model.levels) == 1)
    }
