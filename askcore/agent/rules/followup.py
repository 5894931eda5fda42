"""A follow-up takes over from the question before what it does not say itself."""

from __future__ import annotations

from dataclasses import replace

from askcore.agent.rules.contributions import RELATIONS
from askcore.agent.rules.entities import EntityUse
from askcore.agent.rules.frame import Frame
from askcore.agent.rules.question import Question
from askcore.agent.rules.ranking import Ranking
from askcore.agent.rules.splits import Splits
from askcore.agent.rules.times.values import TimeRef
from askcore.agent.rules.understanding import Intent

_OWN_INTENTS: tuple[Intent, ...] = (
    "quality", "freshness", "reconcile", "definition", "coverage", "funnel", "peer", "anomaly",
    "report",
)  # fmt: skip
_WANTS = frozenset({"share", "compare", "change", "mom", "yoy", "significant", "trend", "why"})
_ANALYSES = frozenset({"peer", "anomaly", "since_when", "when_did", "raw"})
_SHADES = frozenset(
    {"behind", "ahead", "lower", "higher", "gained", "lost", "went_down", "went_up", "sharply", "began",
     "traffic", "conversion", "price", "ranking", "rank_of"}
)  # fmt: skip
_HOW = frozenset({"mom", "yoy", "change", "went_down", "went_up"})


def follows(q: Question, intent: Intent) -> bool:
    """Whether the question leans on the one before.

    A word for it ("what about"), or a fragment: no metric and nothing that stands alone.
    """
    frame = q.frame
    if intent in ("peer", "anomaly"):
        return _is_bare(q)
    if intent in _OWN_INTENTS or not has_content(q):
        return False
    if intent == "raw" and frame.entities and frame.refs:
        return False
    if q.cues & {"switch", "only"} and not (frame.metrics and frame.refs):
        return True
    if not frame.metrics and not frame.unclear:
        return "overview" not in q.cues or not (frame.refs or frame.entities)
    only_metric = not frame.refs and not frame.entities and not frame.splits.by and frame.ranking is None
    return only_metric and all(c.kind in ("metric", "stop") for c in q.scan.claims) and _is_short(q)


def _is_bare(q: Question) -> bool:
    """As in "and against the peers?": whose figure, and of which days, is left open."""
    frame = q.frame
    said = frame.metrics or frame.unclear or frame.refs or frame.entities or frame.splits.by
    asks = q.cues & {"which_one", "which_many", "whole", "all"}
    return not (said or frame.splits.mentioned or frame.splits.values or asks)


def _is_short(q: Question) -> bool:
    asked = [c for c in q.scan.claims if c.kind == "stop" and c.length > 1]
    return not asked


def has_content(q: Question) -> bool:
    """Whether the question says anything that could change a reading."""
    frame = q.frame
    said = frame.metrics or frame.refs or frame.entities or frame.splits.by or frame.splits.mentioned
    return bool(said or frame.ranking or frame.splits.values or q.cues & (_WANTS | _ANALYSES))


def merged(now: Question, before: Question) -> Question:
    """The question with the parts of the one before that it leaves open."""
    before = _elsewhere(before)
    a, b = now.frame, before.frame
    keep = _kept_cues(now, before)
    frame = Frame(
        metrics=a.metrics or b.metrics,
        unclear=a.unclear,
        averages=a.averages if a.metrics or a.averages.asked else b.averages,
        refs=_refs(now, before),
        entities=_entities(now, before),
        splits=_splits(now, before),
        ranking=_ranking(a, b),
        cues=now.cues | keep,
        assumed=a.assumed or (() if a.metrics else b.assumed),
    )
    return replace(now, frame=frame, follows=True)


def _elsewhere(before: Question) -> Question:
    """The earlier question's parts without their places: they are not in the text at hand."""
    refs = tuple(r.moved(-1, -1) for r in before.frame.refs)
    uses = tuple(replace(u, start=-1, end=-1) for u in before.frame.entities)
    return replace(before, frame=replace(before.frame, refs=refs, entities=uses))


def _kept_cues(now: Question, before: Question) -> frozenset[str]:
    """What the question before wanted, unless this one wants something else."""
    if now.cues & {"why"}:
        return before.cues & _HOW
    if now.cues & {"contributes"} and before.cues & (RELATIONS | {"why"}):
        return before.cues & (_HOW | {"compare", "why"})
    if now.cues & (_WANTS | _ANALYSES) or (now.frame.ranking is not None and before.frame.ranking is None):
        return frozenset()
    kept = _WANTS | {"which_one", "which_many", "all", "draw", "directed"}
    if before.cues & (_ANALYSES | {"why"}):
        kept |= _ANALYSES | _SHADES
    return before.cues & kept


def _refs(now: Question, before: Question) -> tuple[TimeRef, ...]:
    mine, theirs = now.frame.refs, before.frame.refs
    if not mine and now.cues & {"since_when", "when_did"}:
        return ()  # a change of level is looked for over longer than the days of a figure
    if not mine:
        return theirs
    if all(r.role for r in mine):
        return (*[r for r in theirs if not r.role], *mine)
    if any(r.role for r in theirs):
        return (*mine, *[r for r in theirs if r.role])
    return mine


def _entities(now: Question, before: Question) -> tuple[EntityUse, ...]:
    mine, theirs = now.frame.entities, before.frame.entities
    if not mine:
        return theirs
    if "only" not in now.cues:
        return mine
    levels = {e.level for u in mine for e in u.entities}
    return (*[u for u in theirs if not levels & {e.level for e in u.entities}], *mine)


def _splits(now: Question, before: Question) -> Splits:
    mine, theirs = now.frame.splits, before.frame.splits
    values = {**theirs.values, **mine.values}
    said = mine.by or mine.mentioned or mine.asked_grain
    if not said:
        return replace(theirs, values=values)
    if mine.mentioned and not mine.by and not mine.asked_grain:
        mine = replace(mine, by=mine.mentioned, levels=mine.mentioned)
    return replace(mine, values=values)


def _ranking(a: Frame, b: Frame) -> Ranking | None:
    if a.ranking is None or b.ranking is None:
        return a.ranking or b.ranking
    limit = a.ranking.limit if a.ranking.limit is not None else b.ranking.limit
    return replace(a.ranking, limit=limit, direction=a.ranking.direction or b.ranking.direction)
