"""A level above or below a value, or nothing at all: of those named, of all, of none, of so many."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from askcore.checks.claims.case import Case
from askcore.checks.claims.direction import floating_quantity, judge_quantity, negated, of_owners
from askcore.checks.claims.outcome import denied
from askcore.checks.claims.page import Segment
from askcore.checks.claims.predicate import Level, level_bound, predicate_in
from askcore.checks.claims.quantity import quantity_of
from askcore.checks.claims.token import Token
from askcore.checks.claims.word_claim import WordClaim, WordKind

_OTHER_READERS: Final = ("streak", "stepwise", "first")


def find_bounds(case: Case, segment: Segment) -> Iterator[WordClaim]:
    """The bound of a level that the statement gives, if any."""
    if segment.has(*_OTHER_READERS) or (
        case.bind.comparands(segment) and segment.has("versus_level", "than")
    ):
        return
    bound = level_bound(case, segment)
    moves = segment.has("move", "flat", "steady", "better", "faster")
    predicate = None if moves and bound is None else predicate_in(case, segment, None)
    if not isinstance(predicate, Level):
        return
    token = _token(case, segment, predicate)
    if token is None or (predicate.sign == 0 and moves):
        return
    if predicate.sign and predicate.unit == "plain" and not _names_what(segment):
        return  # "at most 7 is normal": a bare number of whatever was spoken of
    metrics = case.bind.metrics(segment, token)
    when = case.bind.when(segment, token)
    quantity = quantity_of(case.page, case.bind, segment, token)
    kind: WordKind = "comparison" if quantity is None and predicate.sign else "quantity"
    if quantity is not None:
        yield case.claim(token, kind, judge_quantity(case, quantity, predicate, metrics, when))
    elif floating_quantity(segment) or not (predicate.sign or segment.has("period", "entity")):
        return
    else:
        outcome = of_owners(case, segment, token, predicate, metrics, when)
        is_denied = predicate.sign != 0 and negated(case, segment, token)
        yield case.claim(token, kind, denied(outcome) if is_denied else outcome)


def _names_what(segment: Segment) -> bool:
    """Whether the statement, or one before it in the sentence, names a metric or somebody."""
    here: Segment | None = segment
    while here is not None:
        if here.has("metric", "entity"):
            return True
        here = here.before if here.before is not None and here.before.sentence == segment.sentence else None
    return False


def _token(case: Case, segment: Segment, predicate: Level) -> Token | None:
    """The words that set the bound, as one token."""
    bound = level_bound(case, segment)
    if bound is not None:
        return Token(
            kind="versus_level", start=bound.start, end=bound.end, sign=bound.sign,
            text=case.page.canvas[bound.start : bound.end],
        )  # fmt: skip
    return next(iter(segment.all("not", "none")), None)
