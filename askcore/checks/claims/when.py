"""Which two values of a series a statement compares."""

from __future__ import annotations

from dataclasses import replace

from askcore.checks.claims.bind import When
from askcore.checks.claims.world import CUR, Step, World


def steps(world: World, metric: str, entity: str, when: When) -> list[Step]:
    """The pairs that may be meant; () when the cells have none."""
    if when.carried and not when.spans:
        return [
            *(
                s
                for span in when.carried
                for s in steps(world, metric, entity, replace(when, spans=(span,), carried=()))
            ),
            *steps(world, metric, entity, replace(when, carried=())),
        ]
    series = world.series(metric, entity)
    base = world.base_steps(metric, entity)
    if when.is_yearly and series:
        return base
    if not series:
        return base
    labels = [label for label, _ in series]
    if when.spans:
        named = [label for label in labels if any(label in s.labels(labels) for s in when.spans)]
        return _named_steps(series, named, when) if named else base
    if when.is_vague or len(series) < 2:
        return base
    last = _between(series, len(series) - 2, len(series) - 1)
    if when.is_stepwise:
        return [last, *base]
    return [last, _between(series, 0, len(series) - 1), *base]


def _named_steps(series: list[tuple[str, float]], named: list[str], when: When) -> list[Step]:
    at = [i for i, (label, _) in enumerate(series) if label in named]
    first, last, end = at[0], at[-1], len(series) - 1
    if when.is_vague or when.is_after:
        return [_between(series, last, i) for i in range(last + 1, end + 1)]
    if first != last:
        return [_between(series, first, last)]
    pairs = [(first - 1, first)]
    if when.is_since:
        pairs += [(first, end), (first - 1, end), (first, first + 1)]
    return [_between(series, a, b) for a, b in pairs if 0 <= a < b <= end]


def points(world: World, metric: str, entity: str, when: When) -> list[str]:
    """The periods that a level may be told of: those named, else now."""
    if when.carried and not when.spans:
        before = points(world, metric, entity, replace(when, spans=when.carried, carried=()))
        return list(dict.fromkeys([*before, *points(world, metric, entity, replace(when, carried=()))]))
    labels = world.labels(metric, entity)
    if when.spans:
        named = [label for label in labels if any(label in s.labels(labels) for s in when.spans)]
        if named:
            return named
    if world.value(metric, entity, CUR) is not None:
        return [CUR]
    return list(labels[-1:])


def _between(series: list[tuple[str, float]], a: int, b: int) -> Step:
    return Step(old=series[a][1], new=series[b][1], old_label=series[a][0], new_label=series[b][0])
