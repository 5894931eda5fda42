"""For the first time: it rose, fell, passed a value, passed somebody."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from askcore.checks.claims.case import Case
from askcore.checks.claims.outcome import UNKNOWN, Outcome, all_of, decided
from askcore.checks.claims.page import Segment
from askcore.checks.claims.predicate import Level, Predicate, level_bound, predicate_in
from askcore.checks.claims.token import Token
from askcore.checks.claims.word_claim import WordClaim
from askcore.checks.claims.world import Step, World

_PAIR: Final = ("versus_level",)


def find_firsts(case: Case, segment: Segment) -> Iterator[WordClaim]:
    """The claim that something happened for the first time, if any."""
    for token in segment.all("first"):
        yield case.claim(token, "first", _judge(case, segment, token))


def _judge(case: Case, segment: Segment, token: Token) -> Outcome:
    if segment.has("not", "all", "none", "only", "most", "rest", "except", "same"):
        return UNKNOWN
    metrics = case.bind.metrics(segment, token)
    owners = case.bind.owners(segment, token)
    when = case.bind.when(segment, token)
    predicate: Predicate | None = _predicate(case, segment)
    compared = case.bind.comparands(segment)
    link = next((t for t in segment.all(*_PAIR)), None)

    def judge(world: World, metric: str) -> Outcome:
        return all_of(_of(case, world, metric, e, flags(world, metric, e)) for e in owners.names or ("",))

    def flags(world: World, metric: str, entity: str) -> dict[str, bool | None]:
        series = world.series(metric, entity)
        if compared and link is not None:
            return _against(world, metric, series, min(compared[0].names), link.sign)
        return {} if predicate is None else _alone(world, metric, series, predicate)

    def _of(case: Case, world: World, metric: str, entity: str, by_label: dict[str, bool | None]) -> Outcome:
        labels = list(by_label)
        named = [label for label in labels if any(label in s.labels(labels) for s in when.spans)]
        if not labels or len(named) > 1 or (when.spans and not named):
            return UNKNOWN
        at = named[0] if named else labels[-1]
        before = next((label for label in labels if label < at and by_label[label]), None)
        place = before or at
        value = world.value(metric, entity, place)
        why = case.say(
            "before" if before else "is_value",
            who=case.who(entity, at),
            metric=case.label(metric),
            label=place,
            value=case.value(value, world.units[metric]) if value is not None else "",
        )
        if before is not None or by_label[at] is False:
            return decided(False, why)
        return decided(by_label[at], why)

    return case.over_metrics(metrics, judge)


def _predicate(case: Case, segment: Segment) -> Predicate | None:
    """A bound first: "fell below 45k" is about 45k and not about the fall."""
    moves = segment.all("move")
    if level_bound(case, segment) is not None or not moves:
        return predicate_in(case, segment, None)
    return predicate_in(case, segment, moves[0])


def _alone(
    world: World, metric: str, series: list[tuple[str, float]], predicate: Predicate
) -> dict[str, bool | None]:
    found: dict[str, bool | None] = {}
    for index, (label, value) in enumerate(series):
        if isinstance(predicate, Level):
            found[label] = predicate.holds(value)
        elif index:
            old_label, old = series[index - 1]
            step = Step(old=old, new=value, old_label=old_label, new_label=label)
            found[label] = predicate.holds_between(world, metric, step)
    return found


def _against(
    world: World, metric: str, series: list[tuple[str, float]], other: str, sign: int
) -> dict[str, bool | None]:
    found: dict[str, bool | None] = {}
    for label, value in series:
        theirs = world.value(metric, other, label)
        if theirs is not None:
            found[label] = (value - theirs) * sign > 0
    return found
