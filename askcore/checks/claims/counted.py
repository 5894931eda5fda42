"""So many lie above or below a value, or have nothing at all."""

from __future__ import annotations

from collections.abc import Iterator

from askcore.checks.claims.case import Case
from askcore.checks.claims.direction import judge_quantity, of_owners
from askcore.checks.claims.page import Segment
from askcore.checks.claims.predicate import Level, level_predicate
from askcore.checks.claims.quantity import quantity_of
from askcore.checks.claims.token import Token
from askcore.checks.claims.word_claim import WordClaim


def find_counts(case: Case, segment: Segment) -> Iterator[WordClaim]:
    """Of all, none, only one, so many: a level and not a move; and of those named that they have nothing."""
    if segment.has("move", "flat", "steady", "better", "faster", "streak", "stepwise", "first", "change", "share"):
        return
    predicate = level_predicate(case, segment)
    if not isinstance(predicate, Level):
        return
    token = _token(case, segment, predicate)
    if token is None:
        return
    metrics = case.bind.metrics(segment, token)
    when = case.bind.when(segment, token)
    quantity = quantity_of(case.page, case.bind, segment, token)
    if quantity is not None:
        yield case.claim(token, "quantity", judge_quantity(case, quantity, predicate, metrics, when))
    elif predicate.sign == 0 and segment.has("period", "entity"):
        yield case.claim(token, "quantity", of_owners(case, segment, token, predicate, metrics, when))


def _token(case: Case, segment: Segment, predicate: Level) -> Token | None:
    kind = "versus_level" if predicate.sign else "not"
    return next((t for t in segment.tokens if t.kind == kind), None)
