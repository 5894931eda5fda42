"""Why-questions that a change between two periods does not answer: they are declined, not answered beside."""

from __future__ import annotations

from askcore.agent.rules.outcome import refuse
from askcore.agent.rules.question import Question
from askcore.agent.rules.spans import Claim
from askcore.agent.rules.target import main_metric
from askcore.agent.rules.understanding import Understanding
from askcore.base.values import Note

_SIDES = frozenset({"directed", "gap", "higher", "lower", "high_word", "low_word"})
_BETWEEN = frozenset({"directed", "higher", "lower"})
_SUPERLATIVES = frozenset({"highest", "lowest", "best", "worst", "slowest", "fastest", "pricey", "cheap"})
_MOVES = frozenset({"went_up", "went_down", "change", "mom", "yoy", "anomaly", "sharply"})


def why_declined(q: Question) -> Understanding | None:
    """Causes of a difference between entities, of a row yet to be ranked, of a sum that was made up."""
    if _compares_entities(q):
        return refuse(q, "unsupported", "why_sides", _each_alone(q) or None)
    if _ranks(q):
        return refuse(q, "unsupported", "why_ranked")
    return None


def why_notes(q: Question, metric: str) -> tuple[Note, ...]:
    """What the explanation leaves out of the question."""
    found: list[Note] = []
    if q.cues & {"high_word", "low_word"} and not q.cues & _MOVES and not _has_two_periods(q):
        found.append(q.note("ambiguous", "why_level"))
    if q.frame.splits.grains:
        found.append(q.note("ambiguous", "why_whole_period"))
    if q.frame.averages.asked:
        found.append(q.note("ambiguous", "why_no_average", name=q.label(metric)))
    return tuple(found)


def _each_alone(q: Question) -> tuple[str, ...]:
    """The question about the change of each entity by itself."""
    metric = q.label(q.frame.metrics[0] if q.frame.metrics else main_metric(q))
    named = [q.name(e) for use in q.frame.entities if (e := use.entity) is not None]
    return tuple(q.say("sample_why", name=name, metric=metric) for name in named[:2])


def _compares_entities(q: Question) -> bool:
    """As in "why does A sell more than B": no change of one period against another."""
    if not q.cues & _SIDES:
        return False
    between = [c for c in q.scan.claims if c.kind == "cue" and c.value & _BETWEEN]
    if any(_is_followed_by_entity(q, c) for c in between):
        return True
    several = len({e.id for use in q.frame.entities for e in use.entities}) > 1
    sided = q.cues & {"gap", "high_word", "low_word"} and not q.cues & (_MOVES - {"change"})
    return several and bool(sided) and not _has_two_periods(q)


def _is_followed_by_entity(q: Question, claim: Claim) -> bool:
    after = [c for c in q.scan.claims if c.start >= claim.end and c.kind != "stop"]
    skipped = [c for c in after if not (c.kind == "cue" and "others" in c.value)]
    return bool(skipped) and skipped[0].kind in ("entity", "level")


def _has_two_periods(q: Question) -> bool:
    refs = q.frame.refs
    return any(r.role for r in refs) or len([r for r in refs if r.period is not None]) > 1


def _ranks(q: Question) -> bool:
    """As in "why did the largest shop fall"; "the biggest reason" ranks reasons."""
    ranking = q.frame.ranking
    if ranking is None or q.follows:
        return False
    if ranking.limit is not None:
        return True
    claims = [c for c in q.scan.claims if c.kind != "stop"]
    for at, claim in enumerate(claims):
        if claim.kind != "cue" or not claim.value & _SUPERLATIVES:
            continue
        near = [*claims[max(0, at - 1) : at], *claims[at + 1 : at + 2]]
        if any(c.kind == "cue" and "contributes" in c.value for c in near):
            continue
        if any(c.kind in ("level", "dimension", "unit", "time") for c in near):
            return True
    return False


def has_arithmetic(q: Question, metric: str, factors: tuple[str, ...]) -> bool:
    """Whether a self-made sum or difference is asked about; "traffic × price" names the metric's factors."""
    if "gap" in q.cues and len(q.frame.metrics) > 1:
        return True
    return "plus" in q.cues and not set(q.frame.metrics) <= {metric, *factors}
