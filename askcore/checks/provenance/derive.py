"""What may be computed from the cells in one step.

Never sums of arbitrary subsets and never two steps: with enough freedom every number is "derived".
Families are built when first asked for and kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, pairwise

from askcore.base.values import Cell, CellUnit
from askcore.checks.provenance.candidate import NOBODY, Candidate, Nature
from askcore.checks.provenance.cell_index import CellIndex, Series
from askcore.checks.provenance.columns import column_candidates, series_candidates
from askcore.checks.provenance.dates import Day, label_day

SHOWN_ROWS = 20  # a result shows at most this many rows; further ones are bound by name only


class Derivations:
    """The families of derived values over one run's cells."""

    def __init__(self, index: CellIndex) -> None:
        self._index = index
        self._entities: dict[tuple[str, tuple[Day, ...]], list[Candidate]] = {}
        self._pairs: dict[tuple[str, str], list[Candidate]] = {}
        self._columns: dict[frozenset[int], list[Candidate]] = {}

    def of_columns(self, top_counts: frozenset[int]) -> list[Candidate]:
        """Minimum, maximum, sum, mean and the top N of every column over entities."""
        if top_counts not in self._columns:
            self._columns[top_counts] = list(column_candidates(self._index, top_counts))
        return self._columns[top_counts]

    def of_entity(self, entity: str, days: tuple[Day, ...] = ()) -> list[Candidate]:
        """All that one entity's cells give; "" is the aggregate."""
        key = (entity, days)
        if key not in self._entities:
            self._entities[key] = list(self._entity(entity, days))
        return self._entities[key]

    def of_pair(self, first: str, second: str) -> list[Candidate]:
        """Comparisons of two entities, both ways round."""
        key = (first, second)
        if key not in self._pairs:
            self._pairs[key] = list(self._pair(first, second))
        return self._pairs[key]

    def everything(self) -> Iterator[Candidate]:
        """All families over the rows shown, whoever is named."""
        shown = self._index.entities[:SHOWN_ROWS]
        yield from self.of_columns(NO_COUNTS)
        for entity in ("", *shown):
            yield from self.of_entity(entity)
        for first, second in combinations(shown, 2):
            yield from self.of_pair(first, second)

    def _entity(self, entity: str, days: tuple[Day, ...]) -> Iterator[Candidate]:
        owner = frozenset({entity}) if entity else NOBODY
        index = self._index
        for metric in index.metrics_of.get(entity, ()):
            current, base = index.at(metric, entity, "cur"), index.at(metric, entity, "prev")
            for new, old in _matched(current, base):
                yield from _changes(new, old, owner)
            series = index.series(metric, entity)
            yield from series_candidates(series, owner)
            for new, old in _bucket_pairs(series, days):
                yield from _changes(new, old, owner)
            for cell in (*current, *base):
                yield from _of_cell(cell, owner, index.day_counts)
                yield from self._against_total(cell, owner)
        for row in index.rows.get(entity, ()):
            yield from _across_row(row, owner)

    def _against_total(self, cell: Cell, owner: frozenset[str]) -> Iterator[Candidate]:
        """The share of the total, or the distance from it where a sum would mean nothing."""
        if not cell.entity:
            return
        for total in _nearest(cell, self._index.at(cell.metric, "", cell.period)):
            if cell.additivity != "sum":
                yield _difference(cell, total, owner)
            elif total.value and 0 <= cell.value <= total.value:
                value = cell.value / total.value
                yield _make(value, "pct", "share", "{0} / {1}", (cell, total), owner)

    def _pair(self, first: str, second: str) -> Iterator[Candidate]:
        owners = frozenset({first, second})
        theirs = self._index.metrics_of.get(second, ())
        for metric in self._index.metrics_of.get(first, ()):
            if metric not in theirs:
                continue
            for period in ("cur", "prev"):
                ones = self._index.at(metric, first, period)
                others = self._index.at(metric, second, period)
                for one, other in _matched(ones, others):
                    yield from _changes(one, other, owners)
                    yield from _changes(other, one, owners)
                    if one.additivity == "sum":
                        total = one.value + other.value
                        yield _make(total, one.unit, "level", "{0} + {1}", (one, other), owners)


NO_COUNTS: frozenset[int] = frozenset()


def _matched(ones: Series, others: Series) -> list[tuple[Cell, Cell]]:
    """Pairs of cells, of one step where both have it, else across steps."""
    pairs = [(one, other) for one in ones for other in others]
    same_step = [pair for pair in pairs if pair[0].step == pair[1].step]
    return same_step or pairs


def _nearest(cell: Cell, totals: Series) -> list[Cell]:
    return [total for _, total in _matched((cell,), totals)]


def _changes(new: Cell, old: Cell, owners: frozenset[str]) -> Iterator[Candidate]:
    """Difference, relative change and ratio of two values of one metric."""
    yield _difference(new, old, owners)
    if old.value:
        change = (new.value - old.value) / abs(old.value)
        yield _make(change, "pct", "change", "({0} - {1}) / |{1}|", (new, old), owners)
        yield _make(new.value / old.value, "x", "level", "{0} / {1}", (new, old), owners)


def _difference(new: Cell, old: Cell, owners: frozenset[str]) -> Candidate:
    """Two rates differ in percentage points."""
    unit: CellUnit = "pp" if new.unit == "pct" else new.unit
    return _make(new.value - old.value, unit, "change", "{0} - {1}", (new, old), owners)


def _of_cell(cell: Cell, owner: frozenset[str], day_counts: Iterable[float]) -> Iterator[Candidate]:
    if cell.additivity == "sum":
        for days in day_counts:
            recipe = f"{{0}} / {days:g} days"
            mean = _make(cell.value / days, cell.unit, "level", recipe, (cell,), owner)
            yield mean._replace(is_mean=True)
    if cell.unit == "pct" and 0 <= cell.value <= 1:
        yield _make(1 - cell.value, "pct", "share", "1 - {0}", (cell,), owner)


def _across_row(row: Sequence[Cell], owner: frozenset[str]) -> Iterator[Candidate]:
    """What two metrics of one row give: an average, a part, a difference."""
    for one in row:
        for other in row:
            if one.metric == other.metric or not other.value:
                continue
            ratio = one.value / other.value
            if one.unit == "money" and other.unit == "count":
                yield _make(ratio, "money", "level", "{0} / {1}", (one, other), owner)
            elif one.unit == other.unit and one.unit in ("money", "count") and 0 <= ratio <= 1:
                yield _make(ratio, "pct", "share", "{0} / {1}", (one, other), owner)
                rest = other.value - one.value
                yield _make(rest, one.unit, "level", "{1} - {0}", (one, other), owner)


def _bucket_pairs(series: Series, days: tuple[Day, ...]) -> list[tuple[Cell, Cell]]:
    """(later, earlier) buckets that may be compared: ends, newest two, extremes, named days."""
    if len(series) < 2:
        return []
    lowest, highest = (f(series, key=lambda c: c.value) for f in (min, max))
    pairs = [(series[-1], series[0]), (series[-1], series[-2]), (highest, lowest)]
    named = [c for c in series if label_day(c.period) in days]
    pairs += combinations(named[:4], 2)
    pairs += [(c, before) for before, c in pairwise(series) if c in named[:4]]
    ordered = [(max(p, key=_period), min(p, key=_period)) for p in pairs]
    return list(dict.fromkeys(p for p in ordered if p[0].period != p[1].period))


def _period(cell: Cell) -> str:
    return cell.period


def _make(
    value: float,
    unit: CellUnit,
    nature: Nature,
    recipe: str,
    cells: tuple[Cell, ...],
    owners: frozenset[str],
) -> Candidate:
    first = cells[0]
    metrics = _only(first.metric) if len(cells) == 1 or first.metric == cells[1].metric else None
    return Candidate(
        value,
        unit,
        nature,
        recipe,
        cells,
        metrics or frozenset(c.metric for c in cells),
        owners,
        NOBODY if first.period in ("cur", "prev") else frozenset(c.period for c in cells),
    )


@lru_cache(maxsize=512)
def _only(metric: str) -> frozenset[str]:
    return frozenset({metric})
