"""Doubled, halved, twice as many as B."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from askcore.checks.claims.case import Case
from askcore.checks.claims.outcome import UNKNOWN, Outcome, all_of, any_of, decided
from askcore.checks.claims.page import Segment
from askcore.checks.claims.quantity import hedge_of
from askcore.checks.claims.token import Token
from askcore.checks.claims.when import points, steps
from askcore.checks.claims.word_claim import WordClaim
from askcore.checks.claims.world import World

LOWEST: Final = 0.92  # of the multiple said: 1.85 is "doubled" to a reader, 1.8 is not
HIGHEST: Final = 1.3
_CUT_REACH: Final = 16
NEAR: Final = 0.82  # "nearly doubled"


def find_multiples(case: Case, segment: Segment) -> Iterator[WordClaim]:
    """All claims of a multiple of what was before or of what another has."""
    if segment.has("not", "gap", "all", "none", "only", "most", "rest", "except", "share"):
        return
    for token in segment.all("multiple"):
        yield case.claim(token, "multiple", _in_time(case, segment, token))
    for token in segment.all("fraction"):
        if move := _cut_by(case, segment, token):
            said = replace(token, kind="multiple", value=1 + token.value * move.sign)
            yield case.claim(token, "multiple", _in_time(case, segment, said))
    for token in segment.all("times_of", "fraction"):
        outcome = _of_entities(case, segment, token)
        if outcome is not None:
            yield case.claim(token, "multiple", outcome)


def _cut_by(case: Case, segment: Segment, token: Token) -> Token | None:
    """The move whose size the fraction is: "fell by more than half"."""
    if segment.has("noun"):
        return None
    for move in segment.all("move"):
        between = [t for t in segment.tokens if move.end <= t.start < token.start]
        if 0 <= token.start - move.end <= _CUT_REACH and all(
            t.kind in ("adverb", "versus_level", "more", "than") for t in between
        ):
            return move
    return None


def _in_time(case: Case, segment: Segment, token: Token) -> Outcome:
    metrics = case.bind.metrics(segment, token)
    owners = case.bind.owners(segment, token)
    when = case.bind.when(segment, token)

    def of(world: World, metric: str, entity: str) -> Outcome:
        found: list[Outcome] = []
        for step in steps(world, metric, entity, when):
            if step.old > 0:
                why = case.say(
                    "times", who=case.who(entity, step.new_label), metric=case.label(metric),
                    old=case.value(step.old, world.units[metric]),
                    new=case.value(step.new, world.units[metric]), ratio=f"{step.new / step.old:.2f}",
                )  # fmt: skip
                found.append(decided(fits(case, token, step.new / step.old), why))
        return any_of(found)

    def judge(world: World, metric: str) -> Outcome:
        theirs = all_of(of(world, metric, e) for e in owners.names or ("",))
        return theirs if owners.is_firm else any_of((theirs, of(world, metric, "")))

    return case.over_metrics(metrics, judge)


def _of_entities(case: Case, segment: Segment, token: Token) -> Outcome | None:
    """A has N times as much as B: A stands first, B nearest to the multiple or after "as … as"."""
    entities = segment.all("entity")
    if len(entities) != 2 or segment.has("versus_level", "together", "move"):
        return None
    if token.kind == "fraction" and len(case.bind.run(segment, "entity")) > 1:
        return None
    first, second = (min(t.names) for t in entities)
    if token.text.isascii() and token.start < entities[0].start:
        return UNKNOWN
    metrics = case.bind.metrics(segment, token)
    when = case.bind.when(segment, token)
    adds = segment.has("more", "move") and not token.text.isascii()

    def judge(world: World, metric: str) -> Outcome:
        found: list[Outcome] = []
        for period in points(world, metric, first, when):
            a, b = world.value(metric, first, period), world.value(metric, second, period)
            if a is not None and b:
                unit = world.units[metric]
                why = case.say(
                    "versus", metric=case.label(metric), first=first, a=case.value(a, unit), second=second,
                    b=case.value(b, unit),
                )  # fmt: skip
                found.append(decided(fits(case, token, a / b - (1 if adds else 0)), why))
        return any_of(found)

    return case.over_metrics(metrics, judge)


def fits(case: Case, token: Token, ratio: float) -> bool:
    """Whether a ratio is what the word and its hedge say; below one the sides change places."""
    said = token.value
    hedge = hedge_of(case.page, token)
    if token.kind != "multiple" and hedge in ("over", "under"):
        return ratio > said if hedge == "over" else ratio < said
    if said < 1:
        said, ratio = 1 / said, 1 / ratio if ratio > 0 else float("inf")
    if token.kind == "multiple" and said > 2 and hedge == "over":
        said -= 1
    if hedge == "over":
        return ratio > said
    if hedge == "under":
        return ratio < said
    if hedge == "about":
        return NEAR * said <= ratio <= said / NEAR
    if said > 2 and LOWEST * (said - 1) <= ratio <= HIGHEST * (said - 1) and token.kind == "multiple":
        return True  # "grew three times" is also said of three times as much
    return LOWEST * said <= ratio <= HIGHEST * said
