"""The values that a figure may be, for one metric and those that it is said of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise
from typing import Literal, NamedTuple

from askcore.base.values import CellUnit
from askcore.checks.claims.share import share_of
from askcore.checks.claims.world import CUR, PREV, Step, World

Nature = Literal["level", "change", "share"]


class Value(NamedTuple):
    """One admissible value; a tuple, since hundreds are made for one answer."""

    value: float
    unit: CellUnit
    nature: Nature
    entity: str
    period: str


def levels(world: World, metric: str, entity: str, periods: Iterable[str]) -> Iterator[Value]:
    """The levels at `periods`."""
    unit = world.units[metric]
    for period in periods:
        value = world.value(metric, entity, period)
        if value is not None:
            yield Value(value, unit, "level", entity, period)


def changes(world: World, metric: str, entity: str, pairs: Iterable[Step]) -> Iterator[Value]:
    """Difference and relative change of each pair, and the ratio."""
    for step in pairs:
        yield from between(world, metric, entity, step.new_label, step.new, step.old)


def parts(world: World, metric: str, entity: str) -> Iterator[Value]:
    """Changes that a result gives itself: a contribution is no difference of two levels."""
    for value, unit in world.parts(metric, entity):
        yield Value(value, unit, "change", entity, "cur")


def stated(world: World, metric: str, entity: str) -> Iterator[Value]:
    """Values that a result compares with: neither now nor another's."""
    for value, unit in world.stated(metric, entity):
        yield Value(value, unit, "level", entity, "cur")


def between(world: World, metric: str, entity: str, period: str, new: float, old: float) -> Iterator[Value]:
    """What two values of a metric give."""
    unit = world.units[metric]
    yield Value(new - old, "pp" if unit == "pct" else unit, "change", entity, period)
    if old:
        yield Value((new - old) / abs(old), "pct", "change", entity, period)
        yield Value(new / old, "x", "change", entity, period)


def all_pairs(world: World, metric: str, entity: str, labels: Sequence[str]) -> list[Step]:
    """Neighbouring buckets, and any two of those named."""
    series = world.series(metric, entity)
    known = dict(series)
    steps = [
        Step(old=a[1], new=b[1], old_label=a[0], new_label=b[0])
        for a, b in pairwise(series)
        if not labels or b[0] in labels
    ]
    chosen = [label for label in known if label in labels]
    ends = [label for label, _ in series[:1] + series[-1:]]
    for a, b in combinations(sorted({*chosen, *ends}), 2):
        steps.append(Step(old=known[a], new=known[b], old_label=a, new_label=b))
    return steps + world.base_steps(metric, entity)


def shares(world: World, metric: str, names: Sequence[str], periods: Iterable[str]) -> Iterator[Value]:
    """Part of the total."""
    if metric in world.additive:
        for period in periods:
            share = share_of(world, metric, names, period)
            if share is not None:
                yield Value(share, "pct", "share", names[0], period)


def against_others(
    world: World, metric: str, entity: str, others: Iterable[str], periods: Iterable[str]
) -> Iterator[Value]:
    """Differences from and ratios to other entities."""
    for period in periods:
        own = world.value(metric, entity, period)
        for other in others:
            theirs = world.value(metric, other, period)
            if own is not None and theirs is not None and other != entity:
                yield from between(world, metric, entity, period, own, theirs)


def sums(world: World, metric: str, names: Sequence[str], periods: Iterable[str]) -> Iterator[Value]:
    """Levels together."""
    if metric not in world.additive or len(names) < 2:
        return
    for period in periods:
        values = [world.value(metric, e, period) for e in names]
        if None not in values:
            yield Value(
                sum(v for v in values if v is not None), world.units[metric], "level", names[0], period
            )


def is_base(period: str) -> bool:
    """Whether a period is the one compared with."""
    return period.startswith(PREV)


def is_now(period: str) -> bool:
    """Whether a period is the current one."""
    return period.startswith(CUR)
