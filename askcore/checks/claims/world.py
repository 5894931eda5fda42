"""The cells of one result as a small world: levels by metric, entity and time, and who belongs together."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import pairwise
from typing import Final

from askcore.base.values import Cell, CellUnit
from askcore.checks.provenance.candidate import CHANGE_ROLES, LEVEL_ROLES, is_bucket

Groups = Mapping[str, Sequence[str]]
CUR, PREV = "cur", "prev"
_GRAIN_OF_LABEL: Final = (
    (re.compile(r"[0-9]{4}-w[0-9]{1,2}"), "week"),
    (re.compile(r"[0-9]{4}-q[1-4]"), "quarter"),
    (re.compile(r"[0-9]{4}-[0-9]{2}"), "month"),
    (re.compile(r"[0-9]{4}"), "year"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Two values of one metric and entity in time."""

    old: float
    new: float
    old_label: str
    new_label: str


class World:
    """Lookups over cells that belong to one result (or to all, where these agree)."""

    def __init__(self, cells: Iterable[Cell], groups: Groups) -> None:
        self._levels: dict[tuple[str, str], dict[str, float | None]] = defaultdict(dict)
        self.units: dict[str, CellUnit] = {}
        self.additive: set[str] = set()
        self._changes: dict[tuple[str, str], set[int]] = defaultdict(set)
        self._stated: dict[tuple[str, str], list[tuple[float, CellUnit]]] = defaultdict(list)
        self._parts: dict[tuple[str, str], list[tuple[float, CellUnit]]] = defaultdict(list)
        self._owners: dict[str, dict[str, None]] = defaultdict(dict)
        self.row_count: float | None = None
        self.groups = groups
        for cell in cells:
            self._add(cell)

    def _add(self, cell: Cell) -> None:
        key = cell.metric, cell.entity
        if cell.role in ("arg", "share"):
            self._stated[key].append((cell.value, cell.unit))
        if cell.role in CHANGE_ROLES:
            self._parts[key].append((cell.value, cell.unit))
        if cell.role in LEVEL_ROLES:
            known = self._levels[key]
            same = known.get(cell.period, cell.value)
            known[cell.period] = cell.value if same == cell.value else None
            self.units.setdefault(cell.metric, cell.unit)
            if cell.additivity == "sum":
                self.additive.add(cell.metric)
            if cell.entity:
                self._owners[cell.metric][cell.entity] = None
        elif cell.role in CHANGE_ROLES and cell.period.startswith(CUR):
            self._changes[key].add((cell.value > 0) - (cell.value < 0))
        elif cell.role == "rows" and cell.metric == "rows":
            self.row_count = cell.value

    def value(self, metric: str, entity: str, period: str = CUR) -> float | None:
        """The level; None where there is none or where two results disagree."""
        return self._levels.get((metric, entity), {}).get(period)

    def has(self, metric: str, entity: str) -> bool:
        """Whether there is any level."""
        return (metric, entity) in self._levels

    def owners(self, metric: str) -> tuple[str, ...]:
        """Entities with levels of the metric, in order of appearance."""
        return tuple(self._owners.get(metric, ()))

    def levels(self, metric: str, entity: str) -> Mapping[str, float | None]:
        """All levels by period."""
        return self._levels.get((metric, entity), {})

    def labels(self, metric: str, entity: str) -> tuple[str, ...]:
        """Time buckets in order."""
        return self._labels.get((metric, entity), ())

    @cached_property
    def _labels(self) -> Mapping[tuple[str, str], tuple[str, ...]]:
        return {
            key: tuple(sorted(p for p in by_period if is_bucket(p)))
            for key, by_period in self._levels.items()
        }

    @cached_property
    def grain(self) -> str:
        """Step of the time buckets; "" when there are none."""
        longest = max(self._labels.values(), key=len, default=())
        return grain_of(longest)

    def series(self, metric: str, entity: str) -> list[tuple[str, float]]:
        """Known values in order of time."""
        found = ((label, self.value(metric, entity, label)) for label in self.labels(metric, entity))
        return [(label, value) for label, value in found if value is not None]

    def base_steps(self, metric: str, entity: str) -> list[Step]:
        """Current against base period, on every basis that the result has ("cur_same" …)."""
        steps: list[Step] = []
        for period, new in self.levels(metric, entity).items():
            if period.startswith(CUR) and new is not None:
                base = PREV + period.removeprefix(CUR)
                old = self.value(metric, entity, base)
                if old is not None:
                    steps.append(Step(old=old, new=new, old_label=base, new_label=period))
        return steps

    def change_sign(self, metric: str, entity: str) -> int | None:
        """Direction by change cells alone; None when they disagree or there are none."""
        signs = self._changes.get((metric, entity), set())
        return next(iter(signs)) if len(signs) == 1 else None

    def stated(self, metric: str, entity: str) -> Sequence[tuple[float, CellUnit]]:
        """Values that results compare with, such as what was usual: (value, unit)."""
        return self._stated.get((metric, entity), ())

    def parts(self, metric: str, entity: str) -> Sequence[tuple[float, CellUnit]]:
        """Changes that results give as cells, contributions and effects among them: (value, unit)."""
        return self._parts.get((metric, entity), ())

    def group_of(self, names: Iterable[str], nouns: Iterable[str] = ()) -> tuple[str, ...] | None:
        """The members of the group meant; None when no group fits."""
        wanted = tuple(nouns)
        for noun in wanted:
            for key, members in self.groups.items():
                if _singular(key) == noun:
                    return tuple(members)
        if wanted and len(self.groups) > 1:
            return None
        inside = [tuple(m) for m in self.groups.values() if set(names) <= set(m)]
        return inside[0] if len(inside) == 1 or (inside and set(names)) else None

    def peers(self, metric: str, names: Iterable[str], nouns: Iterable[str] = ()) -> tuple[str, ...]:
        """Entities among which `names` are compared."""
        owners = self.owners(metric)
        group = self.group_of(names, nouns)
        return owners if group is None else tuple(e for e in owners if e in set(group))

    def is_complete(
        self, metric: str, peers: Sequence[str], names: Iterable[str], nouns: Iterable[str] = ()
    ) -> bool:
        """Whether the peers are all there are, so that counting them says something."""
        group = self.group_of(names, nouns)
        if group is not None:
            return set(group) <= set(peers)
        return self.row_count is not None and len(peers) >= self.row_count


def worlds_of(cells: Sequence[Cell], groups: Groups) -> list[World]:
    """One world a result and, where there are several, one of all that they agree on."""
    by_step: dict[str, list[Cell]] = defaultdict(list)
    for cell in cells:
        by_step[cell.step].append(cell)
    worlds = [World(own, groups) for own in by_step.values()]
    if len(worlds) > 1:
        worlds.append(World(cells, groups))
    return worlds


def grain_of(labels: Sequence[str]) -> str:
    """What one label stands for."""
    if not labels:
        return ""
    for pattern, grain in _GRAIN_OF_LABEL:
        if pattern.fullmatch(labels[0].lower()):
            return grain
    days = [_day(label) for label in labels]
    gaps = [(b - a).days for a, b in pairwise(d for d in days if d)]
    shortest = min(gaps, default=1)
    return "day" if shortest < 7 else "week" if shortest < 28 else "month"


def _day(label: str) -> date | None:
    try:
        return date.fromisoformat(label)
    except ValueError:
        return None


def _singular(key: str) -> str:
    return key.lower().removesuffix("s")
