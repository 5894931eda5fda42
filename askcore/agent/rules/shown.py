"""What was understood, as spans of the question as typed."""

from __future__ import annotations

from askcore.agent.rules.question import Question
from askcore.agent.rules.spans import Claim
from askcore.agent.rules.understanding import Span


def shown_spans(q: Question) -> tuple[Span, ...]:
    """Every claimed or unread part in order; filler is left out."""
    spans = [_span(q, c.start, c.end, c.kind, _meaning(q, c)) for c in q.scan.claims if c.kind != "stop"]
    spans += [_span(q, t.start, t.end, "unread", "") for t in q.scan.unread]
    return tuple(sorted(spans, key=lambda s: s.start))


def _span(q: Question, start: int, end: int, kind: str, meaning: str) -> Span:
    first, last = q.scan.text.raw_range(start, end)
    return Span(start=first, end=last, text=q.scan.text.raw[first:last], kind=kind, meaning=meaning)


def _meaning(q: Question, claim: Claim) -> str:
    if claim.kind == "time":
        return claim.value.role if claim.value.period is None else q.days(claim.value.period)
    if claim.kind == "metric":
        return q.labels(claim.value.keys)
    if claim.kind == "entity":
        return q.say("comma").join(q.name(e) for e in claim.value.entities)
    if claim.kind == "level":
        level = q.model.levels_by_key[claim.value.level]
        return level.label.get(q.lang, level.key)
    if claim.kind == "dimension":
        return ": ".join(p for p in (claim.value.dimension, claim.value.value) if p)
    return str(claim.value) if claim.kind == "number" else claim.name
