"""Plans of comparisons: two periods, and an overview."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from askcore.agent.rules import lexicon
from askcore.agent.rules.outcome import no_data, refuse
from askcore.agent.rules.parts import ask_time, is_outside, reading_of
from askcore.agent.rules.question import Question
from askcore.agent.rules.target import company_of, compare_args, headline, metrics_of, target_of
from askcore.agent.rules.timing import Timing, compare_timing
from askcore.agent.rules.understanding import Intent, PlannedCall, Understanding
from askcore.base.values import Note
from askcore.semantic.model import Model


def companions(key: str, model: Model) -> tuple[str, ...]:
    """What explains a sum at a glance: the ratio it ends in and that ratio's denominator."""
    for decomposition in model.decompositions:
        last = model.by_key[decomposition.factors[-1]].additivity
        if decomposition.metric == key and last.kind == "ratio" and last.numerator == key:
            return tuple(k for k in (last.denominator, decomposition.factors[-1]) if k is not None)
    return ()


def plan_compare(q: Question) -> Understanding:
    """Two periods like for like."""
    metrics, notes, problem = metrics_of(q)
    if problem is not None:
        return refuse(q, "unsupported", problem, name=q.labels(metrics))
    if not metrics:
        metrics = headline(q)
        notes = (q.note("ambiguous", "headline_metrics", names=q.labels(metrics)),)
    significance = "significant" in q.cues
    if len(metrics) == 1 and not significance:
        metrics = (*metrics, *(k for k in companions(metrics[0], q.model) if k not in metrics))
    return _compared(q, "compare", metrics, notes, compare_timing("compare", q), significance=significance)


def _compared(
    q: Question,
    intent: Intent,
    metrics: tuple[str, ...],
    notes: tuple[Note, ...],
    timing: Timing,
    *,
    significance: bool = False,
) -> Understanding:
    if timing.problem is not None:
        return ask_time(q, timing.problem)
    current, baseline = timing.current, timing.baseline
    assert current is not None  # noqa: S101 - no problem means both periods
    assert baseline is not None  # noqa: S101
    by = tuple(k for k in q.frame.splits.by if k in q.model.levels_by_key or k in q.model.dimensions_by_key)
    by = by or _listed_levels(q)
    target = target_of(q, metrics, by)
    reading = reading_of(q, target, current, baseline=baseline)
    for period in (current, baseline):
        if is_outside(q, period):
            return no_data(q, period, reading)
    args = compare_args(target, current, baseline)
    if significance:
        args["significance"] = True
    thought = q.say("thought_compare", now=q.days(current), before=q.days(baseline))
    return Understanding(
        lang=q.lang,
        intent=intent,
        reading=reading,
        calls=(PlannedCall(tool="compare_periods", args=args, thought=thought),),
        notes=(*notes, *timing.notes),
        extra=_movers(q) if by else {},
    )


_EXTREMES = ("highest", "fastest", "ranking")
"""Words that order rows: in a comparison they order the changes."""


def _movers(q: Question) -> dict[str, Any]:
    """Which rows are named: of one direction, so many, by how much or at what rate; {} when left open."""
    found: dict[str, Any] = {}
    if direction := _direction(q):
        found["direction"] = direction
    ranking = q.frame.ranking
    if q.cues & set(_EXTREMES) or _has_limit(q):
        found["ranked"] = True
    if ranking is not None and ranking.limit:
        found["limit"] = ranking.limit
    if any(word in q.scan.text.norm for word in lexicon.BY_RATE):
        found["by_rate"] = True
    return found


def _direction(q: Question) -> str:
    """Which way the asked rows went ("which stores declined"); "" when it is left open."""
    if not q.cues & {"which_one", "which_many", *_EXTREMES} and not _has_limit(q):
        return ""
    ways = {"down": "went_down" in q.cues, "up": "went_up" in q.cues}
    said = [way for way, is_said in ways.items() if is_said]
    return said[0] if len(said) == 1 else ""


def _has_limit(q: Question) -> bool:
    return q.frame.ranking is not None and q.frame.ranking.limit is not None


def _listed_levels(q: Question) -> tuple[str, ...]:
    """As in "which stores grew" and "compare the chains": one row per entity."""
    plural = any(q.scan.word(c).isascii() and q.scan.word(c).endswith("s") for c in q.scan.of("level"))
    if not (plural or q.cues & {"which_one", "which_many", "all", *_EXTREMES}) and q.frame.ranking is None:
        return ()
    top = q.model.top_level
    return tuple(
        k for k in q.frame.splits.mentioned
        if k in q.model.levels_by_key and (top is None or k != top.key or len(q.model.levels) == 1)
    )[:1]  # fmt: skip


def plan_overview(q: Question) -> Understanding:
    """How things are going: the lake's state, and the headline metrics against the period before."""
    metrics = headline(q)
    notes = (q.note("ambiguous", "headline_metrics", names=q.labels(metrics)),)
    found = _compared(q, "overview", metrics, notes, compare_timing("overview", q))
    if not found.calls or found.intent != "overview":
        return found
    lake = PlannedCall(tool="lake_overview", args=_overview_args(q), thought=q.say("thought_overview"))
    return _with_calls(found, (lake, *found.calls))


def _overview_args(q: Question) -> dict[str, str]:
    company = company_of(q)
    return {} if company is None or company == q.entity else {"entity": company}


def _with_calls(found: Understanding, calls: tuple[PlannedCall, ...]) -> Understanding:
    return replace(found, calls=calls)
