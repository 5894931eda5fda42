"""`understand`: a question in Chinese or English -> what it asks, as a plan that can be checked.

Grammar over the dataset's own words, never a list of sentences: recognisers claim parts of the question,
the longest claim wins, and what nobody claims is asked about instead of being dropped.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import date

from askcore.agent.rules.doubts import Read, Reader, settle
from askcore.agent.rules.followup import follows, merged
from askcore.agent.rules.fragments import complete
from askcore.agent.rules.frame import read_frame
from askcore.agent.rules.gates import blocked
from askcore.agent.rules.homonyms import Range
from askcore.agent.rules.intent import intent_of
from askcore.agent.rules.language import language_of
from askcore.agent.rules.outcome import refuse
from askcore.agent.rules.plan import plan
from askcore.agent.rules.question import Question, clock_of
from askcore.agent.rules.refusals import is_foreign, refusal
from askcore.agent.rules.scan import scan
from askcore.agent.rules.shown import shown_spans
from askcore.agent.rules.understanding import (
    Clarification,
    Intent,
    PlannedCall,
    Refusal,
    Span,
    Understanding,
)
from askcore.agent.rules.unread import is_short_name
from askcore.agent.rules.vocabulary import vocabulary
from askcore.semantic.catalog import Catalog
from askcore.semantic.model import Model

__all__ = ["Clarification", "PlannedCall", "Refusal", "Span", "Understanding", "understand"]

_LONGEST = 2000  # characters; more is no question
_CONTEXT = 6  # earlier questions that a follow-up may lean on
_QUICK_CJK, _QUICK_WORDS = 18, 12
_DEEP: tuple[Intent, ...] = (
    "compare",
    "quality",
    "reconcile",
    "overview",
    "why",
    "peer",
    "anomaly",
    "report",
)


def understand(
    question: str,
    *,
    context: Sequence[str] = (),
    model: Model,
    catalog: Catalog,
    as_of: date,
    entity: str | None,
    wanted: Intent | None = None,
) -> Understanding:
    """Read a question; `context` holds the earlier ones, oldest first.

    wanted: the kind of question that the analyst chose; None: as the question says.
    Never raises on any text. A reading that could be wrong ends in a clarification or a refusal.
    Raises: BadRequest for an `as_of` near the ends of the calendar.
    """
    before: Question | None = None
    for earlier in context[-_CONTEXT:]:
        before = settle(earlier, _reader(before, model, catalog, as_of, entity)).question
    settled = settle(question, _reader(before, model, catalog, as_of, entity, wanted))
    asked, found = settled.question, settled.found
    spans = found.spans or shown_spans(asked)
    return replace(found, spans=spans, deep=_is_deep(asked, found))


def _reader(
    before: Question | None,
    model: Model,
    catalog: Catalog,
    as_of: date,
    entity: str | None,
    wanted: Intent | None = None,
) -> Reader:
    def read(text: str, meant: Collection[Range]) -> Read:
        asked = _read(text, meant, before, model, catalog, as_of, entity)
        return Read(question=asked, found=_decide(asked, wanted))

    return read


def _read(
    text: str,
    meant: Collection[Range],
    before: Question | None,
    model: Model,
    catalog: Catalog,
    as_of: date,
    entity: str | None,
) -> Question:
    vocab = vocabulary(model, catalog)
    lang = language_of(text)
    clock = clock_of(model, catalog, as_of, lang)
    found = scan(text[:_LONGEST], vocab, clock, meant)
    asked = complete(
        Question(
            scan=found,
            frame=read_frame(found, vocab, entity),
            vocab=vocab,
            clock=clock,
            entity=entity,
            lang=lang,
        )
    )
    if before is not None and follows(asked, intent_of(asked)):
        return merged(asked, before)
    return asked


def _decide(q: Question, wanted: Intent | None) -> Understanding:
    declined = refusal(q)
    if declined is not None:
        return declined
    if is_foreign(q) and not is_short_name(q):
        return refuse(q, "out_of_scope", "out_of_scope")
    intent = wanted or intent_of(q)
    stopped = blocked(q, intent)
    if stopped is not None:
        return stopped
    return replace(plan(q, intent), asks_trust="quality" in q.cues and bool(q.frame.metrics))


def _is_deep(q: Question, found: Understanding) -> bool:
    tokens = q.scan.text.tokens
    words = sum(t.is_word for t in tokens)
    long = len(tokens) - words > _QUICK_CJK or words > _QUICK_WORDS
    return long or found.intent in _DEEP or len(found.calls) > 1
