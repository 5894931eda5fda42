"""Builders of the ends that are no plan: refusals, questions back, and "no data for these days"."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from askcore.agent.rules.question import Question
from askcore.agent.rules.target import main_metric
from askcore.agent.rules.timing import default_period
from askcore.agent.rules.understanding import (
    Clarification,
    PlannedCall,
    Refusal,
    RefusalKind,
    Understanding,
)
from askcore.base.values import Note, Period, Reading
from askcore.semantic.catalog import Entity
from askcore.semantic.periods import step_end

_WEEKS_SHORT = 62  # days; in a longer stretch the weeks at its ends weigh little
_OPTIONS = 6


def refuse(
    q: Question,
    kind: RefusalKind,
    sentence: str,
    alternatives: Sequence[str] | None = None,
    /,
    **values: Any,
) -> Understanding:
    """A refusal with what can be asked instead."""
    chosen = tuple(samples(q) if alternatives is None else alternatives)
    return Understanding(
        lang=q.lang,
        intent="refuse",
        refusal=Refusal(kind=kind, message=q.say(sentence, **values), alternatives=chosen),
        alternatives=chosen,
    )


def samples(q: Question) -> tuple[str, ...]:
    """Questions that this dataset can answer."""
    label = q.label(main_metric(q))
    period = q.days(default_period("lookup", q))
    found = [q.say("sample_lookup", name=label, days=period)]
    leaf = q.model.leaf_level
    if leaf is not None:
        level = leaf.label.get(q.lang, leaf.key).split("/")[0].lower()
        found.append(q.say("sample_ranking", name=label, days=period, level=level))
    found.append(q.say("sample_trend", name=label, days=period, grain=q.say(f"grain_{q.model.time.grain}")))
    return tuple(found)


def clarify(
    q: Question,
    question: str,
    options: Sequence[tuple[str, str]],
    *,
    search: str | None = None,
    unread: Sequence[str] = (),
    alternatives: Sequence[str] = (),
) -> Understanding:
    """A question back; `search` looks the word up in the metadata first."""
    calls: tuple[PlannedCall, ...] = ()
    if search:
        thought = q.say("thought_search", word=search)
        calls = (PlannedCall(tool="search_metadata", args={"query": search}, thought=thought),)
    return Understanding(
        lang=q.lang,
        intent="clarify",
        calls=calls,
        clarification=Clarification(question=question, options=tuple(options)[:_OPTIONS]),
        unread=tuple(unread),
        alternatives=tuple(alternatives),
    )


def no_data(q: Question, period: Period, reading: Reading | None) -> Understanding:
    """The days asked for lie outside the data: said, never answered with 0."""
    data = q.clock.data
    if data is None:
        return refuse(q, "unsupported", "no_rows", ())
    first, last = data.start.isoformat(), data.end.isoformat()
    if data.start > q.clock.last:
        note = q.note("outside_coverage", "only_later", last=q.clock.last.isoformat(), first=first)
    else:
        sentence = "not_settled" if period.start > q.clock.last >= data.end else "outside_coverage"
        note = q.note("outside_coverage", sentence, days=q.days(period), first=first, last=last)
    return Understanding(
        lang=q.lang,
        intent="coverage",
        reading=reading,
        calls=(PlannedCall(tool="lake_overview", args={}, thought=q.say("thought_overview")),),
        notes=(note,),
        alternatives=_inside(q, period, data),
    )


def _inside(q: Question, period: Period, data: Period) -> tuple[str, ...]:
    """The same question for days that have data: the last ones, or the first when asked too early."""
    refs = [r for r in q.frame.refs if r.period is not None and r.end >= 0]
    if not refs or q.follows:
        return samples(q)
    length = min(period.days, data.days)
    if period.end < data.start:
        near = Period(start=data.start, end=data.start).shift(0)
        near = Period(start=near.start, end=near.shift(length - 1).end)
    else:
        last = Period(start=data.end, end=data.end)
        near = Period(start=last.shift(1 - length).start, end=data.end)
    ref = refs[0]
    return (q.rewritten(ref.start, ref.end, q.days(near)),)


def near_entities(q: Question, word: str) -> tuple[tuple[str, str], ...]:
    """(label, id) of entities whose names are near a word; the leaf's first ones when none is."""
    from rapidfuzz import fuzz

    rated = []
    for entity in q.catalog.entities:
        if not _is_offered(entity, q):
            continue
        parts = entity.name.lower().split("/")
        score = max(fuzz.ratio(word, p.strip()) + 10 * _shares(word, p) for p in parts)
        rated.append((-score, entity.id, entity))
    rated.sort(key=lambda r: (r[0], r[1]))
    return tuple((q.name(e), e.id) for _, _, e in rated[:_OPTIONS])


def _is_offered(entity: Entity, q: Question) -> bool:
    """Entities of the current company, not the company itself; all of a one-layer dataset."""
    top = q.model.top_level
    if top is None or len(q.model.levels) < 2:
        return True
    parent = entity.parents.get(top.key, q.entity)
    return entity.level != top.key and (not q.entity or parent == q.entity)


def _shares(word: str, name: str) -> int:
    return len(set(word) & set(name)) if not word.isascii() else 0


def near_metrics(q: Question, word: str) -> tuple[str, ...]:
    """Keys of metrics whose words are near a word, best first; the headline ones when none is."""
    from rapidfuzz import fuzz

    rated = []
    for metric in q.model.metrics:
        if metric.hidden:
            continue
        score = max((fuzz.ratio(word, w.lower()) + 10 * _shares(word, w) for w in metric.words()), default=0)
        rated.append((-score, metric.key))
    rated.sort()
    near = tuple(k for s, k in rated[:3] if s <= -45)
    return near or q.model.headline_metrics()[:3]


def partial_notes(q: Question, period: Period) -> tuple[Note, ...]:
    """What part of the days has data, where it is not all; and that a row is never cut."""
    data = q.clock.data
    cut = (q.note("partial_period", f"uncut_{q.model.time.grain}"),) if _cuts_rows(q, period) else ()
    if data is None or (period.start >= data.start and period.end <= max(data.end, q.clock.last)):
        return cut
    first, last = data.start.isoformat(), data.end.isoformat()
    return (q.note("partial_period", "partly_covered", first=first, last=last), *cut)


def _cuts_rows(q: Question, period: Period) -> bool:
    """Whether the period ends inside what a row stands for: a week, a month, a quarter, a year."""
    grain = q.model.time.grain
    if grain == "week":
        return period.days <= _WEEKS_SHORT
    if grain == "day":
        return False
    before, data = period.start - timedelta(days=1), q.clock.data
    starts = step_end(before, grain) == before or (data is not None and period.start <= data.start)
    ends = step_end(period.end, grain) == period.end or (data is not None and period.end >= data.end)
    return not (starts and ends)
