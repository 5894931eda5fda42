"""From the total's rows down to a finer layer: what was restored on the way, and what could not be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from askcore.semantic.catalog import Entity
from askcore.semantic.model import Level, Metric, Model
from askcore.tools.compare.availability import stored_columns
from askcore.tools.compare.steps import STEP_DAYS
from askcore.tools.explain.read import Store
from askcore.tools.explain.restore import Restored, Spot, Unrestored, restore

_LATE_STEPS = 3  # rows may come two days late: an entity that is quiet for less is not closed


@dataclass(frozen=True, slots=True, kw_only=True)
class Mend:
    """What makes the rows of a layer add up to those of the total."""

    level: Level
    """Level of the restored entities, or of those without rows."""
    upper: Level
    restored: tuple[Restored, ...]
    left: tuple[Unrestored, ...]


def must_agree(model: Model, metric: Metric, steps: Sequence[tuple[Level, Level]]) -> bool:
    """Whether the model says that lower rows add up to upper ones: money and orders, never people."""
    if metric.additivity.kind not in ("sum", "derived_sum", "ratio"):
        return False
    columns = [model.by_key.get(c) for c in stored_columns(model, metric.key)]
    if not all(c is not None and _is_plain_sum(c) for c in columns):
        return False
    return all(_has_rule(model, upper, lower) for upper, lower in steps)


def _is_plain_sum(metric: Metric) -> bool:
    a = metric.additivity
    return a.kind == "sum" and not a.person_days and a.across_entities == "sum"


def _has_rule(model: Model, upper: Level, lower: Level) -> bool:
    rules = [r for r in model.cross_layer if r.rule == "sum"]
    return any((r.upper, r.lower) in ((upper.key, lower.key), (None, None)) for r in rules)


def mend(
    store: Store, steps: Sequence[tuple[Level, Level]], parts: Sequence[str], data_end: date
) -> tuple[Mend, ...]:
    """Every step from the total down, each with the rows that the step above restored.

    parts: components that must add up. data_end: last day of the data.
    """
    found: list[Mend] = []
    carried: Mapping[Spot, tuple[float, ...]] = {}
    for upper, lower in steps:
        gaps = _plus(store.gaps(upper, lower, parts), carried)
        rows = store.children(upper, lower, parts, gaps.keys())
        due = _Due(store, upper, lower, data_end)
        restored, left = restore(gaps, rows, due)
        found.append(Mend(level=lower, upper=upper, restored=tuple(restored), left=tuple(left)))
        carried = {Spot(path=(*r.spot.path, r.child), day=r.spot.day): r.amounts for r in restored}
    return tuple(found)


def _plus(
    gaps: Mapping[Spot, tuple[float, ...]], more: Mapping[Spot, tuple[float, ...]]
) -> dict[Spot, tuple[float, ...]]:
    """Gaps below rows that were restored themselves: their parent is larger than its row."""
    found = dict(gaps)
    for spot, amounts in more.items():
        known = found.get(spot, (0.0,) * len(amounts))
        total = tuple(a + b for a, b in zip(known, amounts, strict=True))
        sizes = [max(abs(a), abs(b)) for a, b in zip(known, amounts, strict=True)]
        found[spot] = tuple(0.0 if abs(t) <= 1e-9 * s else t for t, s in zip(total, sizes, strict=True))
    return {spot: amounts for spot, amounts in found.items() if any(amounts)}


class _Due:
    """Which children of an entity should have a row on a day: those between their first and last row."""

    def __init__(self, store: Store, upper: Level, lower: Level, data_end: date) -> None:
        model = store.model
        step = STEP_DAYS.get(model.time.grain, 31)
        self._open_after = data_end - timedelta(days=_LATE_STEPS * step)
        levels = [x.key for x in model.levels[: model.levels.index(upper) + 1]]
        self._children: dict[tuple[str, ...], list[Entity]] = {}
        for entity in store.reader.view.catalog.by_level.get(lower.key, ()):
            path = tuple(entity.parents.get(level, "") for level in levels)
            self._children.setdefault(path, []).append(entity)

    def __call__(self, spot: Spot) -> list[str]:
        """Ids of the children."""
        return [e.id for e in self._children.get(spot.path, ()) if self._is_due(e, spot.day)]

    def _is_due(self, entity: Entity, day: date) -> bool:
        if not entity.first_day or date.fromisoformat(entity.first_day) > day:
            return False
        last = date.fromisoformat(entity.last_day)
        return last >= day or last > self._open_after
