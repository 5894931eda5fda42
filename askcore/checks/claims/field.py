"""A set of values in which somebody has a place: shops now, weeks of a year, the changes of all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from askcore.checks.claims.aim import Aim
from askcore.checks.claims.case import Case
from askcore.checks.claims.when import points, steps
from askcore.checks.claims.world import Step, World

Measure = Callable[[Step], float]
ABSOLUTE_EDGE = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """Values by name, and those that the claim is about."""

    values: Mapping[str, float]
    targets: tuple[str, ...]
    is_whole: bool
    """Nobody is missing, so that places can be counted."""
    is_level: bool

    def places(self, name: str, sign: int) -> tuple[int, int]:
        """First and last place of a name, counted from the largest (+1) or the smallest; apart when tied."""
        own = self.values[name] * sign
        ahead = sum(v * sign > own + _edge(own) for v in self.values.values())
        level = sum(abs(v * sign - own) <= _edge(own) for v in self.values.values())
        return ahead + 1, ahead + level

    def dense_place(self, name: str, sign: int) -> int:
        """The place when those that are tied take one place together."""
        own = self.values[name] * sign
        ahead = {v for v in self.values.values() if v * sign > own + _edge(own)}
        return len(ahead) + 1

    def ordered(self, sign: int) -> list[str]:
        """Names from first to last place."""
        return sorted(self.values, key=lambda n: -self.values[n] * sign)


def _edge(value: float) -> float:
    return ABSOLUTE_EDGE * max(1.0, abs(value))


def level_fields(case: Case, world: World, metric: str, aim: Aim) -> Iterator[Field]:
    """Fields of levels, one for every way to take the claim."""
    if aim.is_entity and aim.names:
        yield from _entity_levels(world, metric, aim)
    if aim.is_period and aim.spans:
        yield from _period_levels(world, metric, aim)


def change_fields(case: Case, world: World, metric: str, aim: Aim, sign: int, told: str) -> Iterator[Field]:
    """Fields of changes in one direction (0: either), by amount and by rate; sizes are positive.

    told: unit of the size that the text gives, which says by what is measured; "" for none.
    """
    measures: tuple[Measure, ...] = (_amount, _rate)
    if told:
        measures = (_rate,) if told == "pct" else (_amount,)
    for measure in measures:
        if aim.is_entity and aim.names:
            peers = _peers(world, metric, aim)
            found = {e: steps(world, metric, e, aim.when)[:1] for e in peers}
            values = {e: _size(s[0], sign, measure) for e, s in found.items() if s}
            yield _field(world, metric, aim, values, aim.names, is_level=False)
        if aim.is_period and aim.spans:
            for entity in aim.owners.names or ("",):
                series = world.series(metric, entity)
                pairs = [
                    Step(old=a[1], new=b[1], old_label=a[0], new_label=b[0]) for a, b in pairwise(series)
                ]
                values = {p.new_label: _size(p, sign, measure) for p in pairs}
                targets = _labels(aim, tuple(values))
                yield Field(values=values, targets=targets, is_whole=True, is_level=False)


def _size(step: Step, sign: int, measure: Measure) -> float:
    value = measure(step)
    return abs(value) if sign == 0 else value * sign


def _amount(step: Step) -> float:
    return step.new - step.old


def _rate(step: Step) -> float:
    return (step.new - step.old) / abs(step.old) if step.old else 0.0


def _peers(world: World, metric: str, aim: Aim) -> tuple[str, ...]:
    if aim.among:
        return tuple(e for e in aim.among if world.has(metric, e))
    peers = world.peers(metric, aim.names, aim.nouns)
    return tuple(e for e in peers if e not in aim.without)


def _entity_levels(world: World, metric: str, aim: Aim) -> Iterator[Field]:
    peers = _peers(world, metric, aim)
    when = aim.when
    periods = dict.fromkeys(p for e in aim.names for p in points(world, metric, e, when))
    for period in periods:
        known = {e: world.value(metric, e, period) for e in peers}
        yield _field(world, metric, aim, _present(known), aim.names, is_level=True)
    if not when.spans and metric in world.additive:
        sums = {e: sum(v for _, v in world.series(metric, e)) for e in peers if world.labels(metric, e)}
        if sums:
            yield _field(world, metric, aim, sums, aim.names, is_level=True)


def _field(
    world: World,
    metric: str,
    aim: Aim,
    values: Mapping[str, float],
    targets: tuple[str, ...],
    *,
    is_level: bool,
) -> Field:
    peers = tuple(values)
    whole = set(aim.among) <= set(values) if aim.among else world.is_complete(
        metric, (*peers, *aim.without), aim.names, aim.nouns
    )  # fmt: skip
    return Field(values=values, targets=targets, is_whole=whole, is_level=is_level)


def _period_levels(world: World, metric: str, aim: Aim) -> Iterator[Field]:
    for entity in aim.owners.names or ("",):
        series = dict(world.series(metric, entity))
        ranges = [s for s in aim.when.spans if s.is_range]
        if ranges and not any(s.is_range for s in aim.spans):
            inside = {label for s in ranges for label in s.labels(tuple(series))}
            series = {label: v for label, v in series.items() if label in inside}
        yield Field(values=series, targets=_labels(aim, tuple(series)), is_whole=True, is_level=True)


def _labels(aim: Aim, known: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(label for span in aim.spans if not span.is_range for label in span.labels(known))


def _present(values: Mapping[str, float | None]) -> dict[str, float]:
    return {name: value for name, value in values.items() if value is not None}
