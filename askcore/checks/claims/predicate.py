"""What may hold of an entity at a time: it rose, it is zero, it lies above a value."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Protocol

from askcore.checks.claims import lexicon as words
from askcore.checks.claims.bind import When
from askcore.checks.claims.case import Case
from askcore.checks.claims.outcome import UNKNOWN, Outcome, any_of, decided
from askcore.checks.claims.page import Segment
from askcore.checks.claims.token import Token
from askcore.checks.claims.when import points, steps
from askcore.checks.claims.world import Step, World
from askcore.checks.provenance.wording import either

FLAT_SHARE: Final = 0.01  # "flat" allows for rounding
STEADY_SHARE: Final = 0.05  # "roughly flat", "stable"
FLAT_POINTS: Final = 0.0005  # rates equal when shown with one decimal


class Predicate(Protocol):
    """Judged for one metric, entity and time."""

    def judge(self, case: Case, world: World, metric: str, entity: str, when: When) -> Outcome:
        """What the cells say."""
        ...

    def holds_between(self, world: World, metric: str, step: Step) -> bool | None:
        """Whether it holds of one step of a series."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """Rose, fell or stayed."""

    token: Token

    def judge(self, case: Case, world: World, metric: str, entity: str, when: When) -> Outcome:
        """Any of the pairs that may be meant."""
        pairs = steps(world, metric, entity, when)
        if not pairs:
            return self._by_change(case, world, metric, entity, when)
        return any_of(
            decided(self._holds(case, world, metric, p), case.moved(world, metric, entity, p)) for p in pairs
        )

    def holds_between(self, world: World, metric: str, step: Step) -> bool | None:
        """Strictly, for a streak."""
        if self.token.kind in ("flat", "steady"):
            return _is_flat(step, world.units[metric], FLAT_SHARE)
        return (step.new - step.old) * self.token.sign > 0

    def _holds(self, case: Case, world: World, metric: str, step: Step) -> bool | None:
        kind, unit = self.token.kind, world.units[metric]
        if kind == "flat":
            return _is_flat(step, unit, FLAT_SHARE)
        if kind == "steady":
            return _is_flat(step, unit, STEADY_SHARE)
        sign = self.sign(case, world, metric)
        return (step.new - step.old) * sign > 0 if sign else None

    def sign(self, case: Case, world: World, metric: str) -> int:
        """+1 for larger values, 0 when it depends on what is not known."""
        if self.token.kind == "better":
            return self.token.sign * case.polarity.get(metric, 0)
        if self.token.kind == "faster":
            return -self.token.sign if world.units.get(metric) == "min" else 0
        return self.token.sign

    def _by_change(self, case: Case, world: World, metric: str, entity: str, when: When) -> Outcome:
        sign = world.change_sign(metric, entity)
        wanted = self.sign(case, world, metric)
        if sign is None or not wanted or when.spans or world.labels(metric, entity):
            return UNKNOWN
        verb = case.say("rose" if sign > 0 else "fell" if sign < 0 else "same")
        why = case.say("changed", who=case.who(entity), metric=case.label(metric), verb=verb)
        return decided(sign == wanted, why)


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """Lies above (+1), below (-1) or at (0) a value."""

    sign: int
    bound: float

    def judge(self, case: Case, world: World, metric: str, entity: str, when: When) -> Outcome:
        """At the periods named."""
        found: list[Outcome] = []
        for period in points(world, metric, entity, when):
            value = world.value(metric, entity, period)
            if value is not None:
                why = case.say(
                    "is_value", who=case.who(entity, period), metric=case.label(metric),
                    value=case.value(value, world.units[metric]),
                )  # fmt: skip
                found.append(decided(self.holds(value), why))
        return any_of(found)

    def holds_between(self, world: World, metric: str, step: Step) -> bool | None:
        """Of the later value."""
        return self.holds(step.new)

    def holds(self, value: float) -> bool:
        """Of one value."""
        if self.sign == 0:
            return abs(value - self.bound) < 1e-9
        return (value - self.bound) * self.sign > 0


def level_predicate(case: Case, segment: Segment) -> Predicate | None:
    """Above or below a figure, or nothing at all."""
    for token in segment.all("versus_level"):
        figure = next((t for t in segment.all("figure") if 0 <= t.start - token.end <= 4), None)
        if figure is not None:
            return Level(sign=token.sign, bound=case.page.figures[figure.start].value)
    metrics = segment.all("metric")
    for token in segment.all("not"):
        if any(0 <= m.start - token.end <= 1 for m in metrics) and token.text in words.NOTHING:
            return Level(sign=0, bound=0.0)
    zero = re.search(either(words.ZERO), case.page.canvas[segment.start : segment.end])
    return Level(sign=0, bound=0.0) if zero else None


def _is_flat(step: Step, unit: str, share: float) -> bool:
    difference = abs(step.new - step.old)
    if unit == "pct" and difference <= FLAT_POINTS * (share / FLAT_SHARE):
        return True
    return difference <= share * abs(step.old)
