"""A above B, better than B, the same as B; above the whole; two weeks against one another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from askcore.checks.claims.bind import When
from askcore.checks.claims.case import Case
from askcore.checks.claims.direction import negated
from askcore.checks.claims.outcome import UNKNOWN, Outcome, all_of, any_of, decided, denied
from askcore.checks.claims.page import Segment
from askcore.checks.claims.periods import Span
from askcore.checks.claims.predicate import FLAT_SHARE
from askcore.checks.claims.superlative import change_near
from askcore.checks.claims.token import Token
from askcore.checks.claims.when import points, steps
from askcore.checks.claims.word_claim import WordClaim
from askcore.checks.claims.world import Step, World

_NEXT: Final = 9  # "than in", "above that of"
_RELATIONS: Final = ("versus_level", "versus_good", "same", "more", "good", "than")


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """How the first is said to stand to the second."""

    token: Token
    sign: int
    is_good: bool
    """The sign is of what is good, and not of what is much."""


def find_comparisons(case: Case, segment: Segment) -> Iterator[WordClaim]:
    """All comparisons of two entities, of an entity with a value, and with the base period."""
    if segment.has("multiple", "times_of", "streak", "first", "next_to"):
        return
    relation = _relation(segment)
    if relation is None:
        return
    outcome = _judge(case, segment, relation)
    if outcome is not None:
        yield case.claim(relation.token, "comparison", outcome)


def _relation(segment: Segment) -> Relation | None:
    for token in segment.all("versus_level", "versus_good"):
        return Relation(token=token, sign=token.sign, is_good=token.kind == "versus_good")
    than = segment.all("than", "versus")
    if segment.before is not None and not than:
        than = segment.before.all("versus")
    for token in segment.all("more", "good"):
        for link in than:
            if any(0 <= t.start - link.end <= 1 for t in segment.all("fraction")):
                continue  # "more than half" is a bound, and nobody to compare with
            after_than = not link.text.isascii() and link.end <= token.start
            before_than = link.text.isascii() and token.end <= link.start
            if after_than or before_than or link.kind == "versus":
                return Relation(token=token, sign=token.sign, is_good=token.kind == "good")
    for token in segment.all("same"):
        return Relation(token=token, sign=0, is_good=False)
    return None


def _judge(case: Case, segment: Segment, relation: Relation) -> Outcome | None:
    token = relation.token
    if segment.has("gap", "all", "none", "only", "most", "rest", "except", "mean"):
        return UNKNOWN if segment.has("entity") else None
    compared = case.bind.comparands(segment) or _compared_before(case, segment)
    entities = segment.all("entity")
    is_denied = negated(case, segment, token)
    if not compared and len(entities) > 1:
        after = [t for t in entities if t.start > token.start]
        before = [t for t in entities if t.start < token.start]
        if relation.sign == 0 and not after:
            return _equal(case, segment, relation, list(before))
        if relation.sign == 0 and before and after:
            return _equal(case, segment, relation, entities)
        return UNKNOWN
    if not compared:
        return _without_comparand(case, segment, relation, is_denied)
    subjects = [t for t in entities if t not in compared]
    firsts = _names(subjects) if subjects else _carried(case, segment, token, _names(compared))
    if not firsts:
        return UNKNOWN
    outcome = _of_pairs(case, segment, relation, firsts, _names(compared))
    return denied(outcome) if is_denied else outcome


def _compared_before(case: Case, segment: Segment) -> list[Token]:
    """As in "compared with B, A has more": the comparand stands in the part before."""
    earlier = segment.before
    if earlier is None or not earlier.has("versus") or segment.has("than"):
        return []
    found = case.bind.comparands(earlier)
    return found if len(found) == len(earlier.all("entity")) else []


def _carried(case: Case, segment: Segment, token: Token, compared: tuple[str, ...]) -> tuple[str, ...]:
    earlier = segment.before
    while earlier is not None:
        found = [n for n in _names(earlier.all("entity")) if n not in compared]
        if found:
            return tuple(found)
        earlier = earlier.before
    return ()


def _of_pairs(
    case: Case, segment: Segment, relation: Relation, firsts: Sequence[str], seconds: Sequence[str]
) -> Outcome:
    metrics = case.bind.metrics(segment, relation.token)
    when = case.bind.when(segment, relation.token)
    change = change_near(segment, relation.token)

    def judge(world: World, metric: str) -> Outcome:
        sign = relation.sign * (case.polarity.get(metric, 0) if relation.is_good else 1)
        if relation.is_good and not sign:
            return UNKNOWN
        if change is not None:
            return UNKNOWN
        return all_of(_pair(case, world, metric, a, b, sign, when) for a in firsts for b in seconds)

    return case.over_metrics(metrics, judge)


def _pair(case: Case, world: World, metric: str, first: str, second: str, sign: int, when: When) -> Outcome:
    """At each of the times that may be meant."""
    found: list[Outcome] = []
    for period in points(world, metric, first, when):
        a, b = world.value(metric, first, period), world.value(metric, second, period)
        if a is None or b is None:
            continue
        unit = world.units[metric]
        why = case.say(
            "versus", metric=case.label(metric), first=case.spot(first, period), a=case.value(a, unit),
            second=case.spot(second, period), b=case.value(b, unit),
        )  # fmt: skip
        holds = abs(a - b) <= FLAT_SHARE * abs(b) if sign == 0 else (a - b) * sign > 0
        found.append(decided(holds, why))
    return any_of(found)


def _equal(case: Case, segment: Segment, relation: Relation, entities: Sequence[Token]) -> Outcome:
    names = _names(entities)
    if len(names) < 2:
        return UNKNOWN
    outcome = _of_pairs(case, segment, relation, names[:1], names[1:])
    return denied(outcome) if negated(case, segment, relation.token) else outcome


def _without_comparand(case: Case, segment: Segment, relation: Relation, is_denied: bool) -> Outcome | None:
    """Against a value, the base period, the whole or another time bucket."""
    token = relation.token
    if relation.is_good:
        return None
    spans = case.bind.own_spans(segment)
    if len(spans) > 1 or (len(spans) == 1 and _earlier_span(case, segment, relation.token, spans[0])):
        return _of_times(case, segment, relation)
    if segment.has("base") and relation.sign:
        outcome = _against_base(case, segment, relation)
        return denied(outcome) if is_denied else outcome
    wholes = [t for t in segment.all("whole") if t.start >= token.end or _after_than(segment, t)]
    if wholes and relation.sign and segment.has("entity"):
        return _of_pairs(case, segment, relation, _names(segment.all("entity")), ("",))
    return None


def _after_than(segment: Segment, token: Token) -> bool:
    return any(0 <= token.start - t.end <= 4 for t in segment.all("than", "versus"))


def _against_base(case: Case, segment: Segment, relation: Relation) -> Outcome:
    metrics = case.bind.metrics(segment, relation.token)
    owners = case.bind.owners(segment, relation.token)
    when = case.bind.when(segment, relation.token)

    def of(world: World, metric: str, entity: str) -> Outcome:
        pairs = steps(world, metric, entity, when)
        return any_of(decided(_holds(p, relation.sign), case.moved(world, metric, entity, p)) for p in pairs)

    def judge(world: World, metric: str) -> Outcome:
        theirs = all_of(of(world, metric, e) for e in owners.names or ("",))
        return theirs if owners.is_firm else any_of((theirs, of(world, metric, "")))

    return case.over_metrics(metrics, judge)


def _of_times(case: Case, segment: Segment, relation: Relation) -> Outcome:
    """One time bucket against another of the same series, in the order of the text."""
    metrics = case.bind.metrics(segment, relation.token)
    owners = case.bind.owners(segment, relation.token)
    own = case.bind.own_spans(segment)
    earlier = _earlier_span(case, segment, relation.token, own[0])
    first, second = (own[0], own[1]) if len(own) > 1 or earlier is None else (earlier, own[0])

    def of(world: World, metric: str, entity: str) -> Outcome:
        series = dict(world.series(metric, entity))
        a, b = first.labels(tuple(series)), second.labels(tuple(series))
        if len(a) != 1 or len(b) != 1:
            return UNKNOWN
        step = Step(old=series[b[0]], new=series[a[0]], old_label=b[0], new_label=a[0])
        unit = world.units[metric]
        why = case.say(
            "versus", metric=case.label(metric), first=case.spot(entity, a[0]), a=case.value(step.new, unit),
            second=case.spot(entity, b[0]), b=case.value(step.old, unit),
        )  # fmt: skip
        return decided(_holds(step, relation.sign), why)

    return case.over_metrics(
        metrics, lambda world, metric: all_of(of(world, metric, e) for e in owners.names or ("",))
    )


def _earlier_span(case: Case, segment: Segment, token: Token, span: Span) -> Span | None:
    """The time that goes on being compared: "lower than in W41 but above W39"."""
    if not 0 <= span.start - token.end <= _NEXT or len(case.bind.own_spans(segment)) > 1:
        return None
    earlier = segment.before
    while earlier is not None:
        if spans := case.bind.own_spans(earlier):
            return spans[0]
        earlier = earlier.before
    return None


def _holds(step: Step, sign: int) -> bool:
    if sign == 0:
        return abs(step.new - step.old) <= FLAT_SHARE * abs(step.old)
    return (step.new - step.old) * sign > 0


def _names(tokens: Sequence[Token]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(min(t.names) for t in tokens))
