"""The cells of a run, looked up by metric, entity, period, row and column."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from askcore.base.values import Cell, CellUnit
from askcore.checks.provenance.candidate import LEVEL_ROLES, is_bucket
from askcore.checks.provenance.dates import bucket_date

Series = Sequence[Cell]


class CellIndex:
    """Every way in which the derivations reach for cells."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        self.cells = tuple(cells)
        self.metrics = frozenset(c.metric for c in cells)
        levels = [c for c in cells if c.role in LEVEL_ROLES]
        self._levels = _grouped(levels)
        self.entities = tuple(dict.fromkeys(c.entity for c in cells if c.entity))
        """In order of appearance, which is the order of the rows shown."""
        self.metrics_of = _metrics_of(levels)
        self.day_counts = tuple(
            dict.fromkeys(c.value for c in cells if c.unit == "days" and c.role == "arg" and c.value)
        )
        self.row_counts = tuple(dict.fromkeys(c.value for c in cells if c.role == "rows" and c.value > 1))
        self.rows = _rows(levels)
        self.columns = _columns(levels)
        self.single_entity_metrics = _single(cells)
        self.bucket_days = _bucket_days(c.period for c in levels)
        """Days from one time bucket to the next; 1 when there are none."""
        self._units = {c.metric: c.unit for c in levels}
        self._owners = _owners(levels)

    def at(self, metric: str, entity: str, period: str) -> Series:
        """Cells of one metric, entity and period; one per differing step."""
        return self._levels.get((metric, entity), {}).get(period, ())

    def series(self, metric: str, entity: str) -> Series:
        """Cells over time buckets in order of time; the first step that has them."""
        by_period = self._levels.get((metric, entity), {})
        return [by_period[p][0] for p in sorted(by_period) if is_bucket(p)]

    def units_of(self, metrics: Iterable[str]) -> frozenset[CellUnit]:
        """Units of the metrics' levels; empty when they have none."""
        return frozenset(self._units[m] for m in metrics if m in self._units)

    def owns(self, entity: str, metric: str) -> bool:
        """Whether `entity` has values of `metric` that differ from the total's.

        The only entity, and one whose value is the total, are the whole themselves.
        """
        owners = self._owners.get(metric, frozenset())
        if entity not in owners or len(owners) == 1:
            return False
        totals = {c.value for c in self.at(metric, "", "cur")}
        return not any(c.value in totals for c in self.at(metric, entity, "cur"))


def _grouped(levels: Iterable[Cell]) -> Mapping[tuple[str, str], dict[str, list[Cell]]]:
    groups: dict[tuple[str, str], dict[str, list[Cell]]] = defaultdict(lambda: defaultdict(list))
    for cell in levels:
        known = groups[cell.metric, cell.entity][cell.period]
        if all(cell.value != other.value for other in known):
            known.append(cell)
    return {key: dict(by_period) for key, by_period in groups.items()}


def _metrics_of(levels: Iterable[Cell]) -> Mapping[str, tuple[str, ...]]:
    metrics: dict[str, dict[str, None]] = defaultdict(dict)
    for cell in levels:
        metrics[cell.entity][cell.metric] = None
    return {entity: tuple(keys) for entity, keys in metrics.items()}


def _owners(levels: Iterable[Cell]) -> Mapping[str, frozenset[str]]:
    owners: dict[str, set[str]] = defaultdict(set)
    for cell in levels:
        if cell.entity:
            owners[cell.metric].add(cell.entity)
    return {metric: frozenset(names) for metric, names in owners.items()}


def _rows(levels: Iterable[Cell]) -> Mapping[str, list[list[Cell]]]:
    """Rows of a result by entity; time buckets are left out."""
    rows: dict[str, dict[tuple[str, str], list[Cell]]] = defaultdict(lambda: defaultdict(list))
    for cell in levels:
        if not is_bucket(cell.period):
            rows[cell.entity][cell.step, cell.period].append(cell)
    return {entity: list(by_row.values()) for entity, by_row in rows.items()}


def _columns(levels: Iterable[Cell]) -> list[list[Cell]]:
    """Columns over entities, two rows or more, without totals."""
    columns: dict[tuple[str, str, str], list[Cell]] = defaultdict(list)
    for cell in levels:
        if cell.role == "value" and cell.entity and not is_bucket(cell.period):
            columns[cell.step, cell.metric, cell.period].append(cell)
    return [column for column in columns.values() if len(column) > 1]


def _bucket_days(periods: Iterable[str]) -> int:
    days = sorted({day for p in periods if (day := bucket_date(p))})
    return min(((b - a).days for a, b in pairwise(days)), default=1)


def _single(cells: Iterable[Cell]) -> Mapping[str, str]:
    """Metrics that occur for one entity only, and that entity."""
    owners: dict[str, set[str]] = defaultdict(set)
    for cell in cells:
        owners[cell.metric].add(cell.entity)
    return {metric: min(names) for metric, names in owners.items() if len(names) == 1}
