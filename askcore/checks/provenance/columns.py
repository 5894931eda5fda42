"""What a whole column gives: extremes, sums, means, the top N, and the mean it must not give."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from askcore.base.values import Cell
from askcore.checks.provenance.candidate import NOBODY, Candidate, Nature, is_bucket, name_of
from askcore.checks.provenance.cell_index import CellIndex, Series


@dataclass(frozen=True, slots=True, kw_only=True)
class UnweightedMean:
    """The arithmetic mean of a ratio column: a right-looking, wrong number."""

    cells: tuple[Cell, ...]
    value: float
    weighted: Cell | None
    """The right value, where a total is among the cells."""

    @property
    def formula(self) -> str:
        """What was averaged and what the weighted value is."""
        column = self.cells[0]
        wrong = f"arithmetic mean of {len(self.cells)} rows of {column.metric} = {self.value:.6g}"
        if self.weighted is None:
            return f"{wrong}; the weighted value is not among the cells"
        return f"{wrong}; weighted: {name_of(self.weighted)} = {self.weighted.value:.6g}"


def unweighted_means(index: CellIndex) -> tuple[UnweightedMean, ...]:
    """The mean of every ratio column, over entities and over time buckets."""
    series = [
        index.series(metric, entity) for entity, metrics in index.metrics_of.items() for metric in metrics
    ]
    columns = [c for c in (*index.columns, *series) if len(c) > 1 and c[0].additivity == "ratio"]
    return tuple(_unweighted_mean(index, column) for column in columns)


def column_candidates(index: CellIndex, top_counts: frozenset[int]) -> Iterator[Candidate]:
    """All candidates over columns of entities."""
    for column in index.columns:
        yield from _extremes(column, NOBODY)
        if column[0].additivity == "sum":
            totals = index.at(column[0].metric, "", column[0].period)
            yield from _sums(column, NOBODY)
            yield from _top(column, totals, top_counts)
            yield from _per_row(totals, index.row_counts)


def series_candidates(series: Series, owner: frozenset[str]) -> Iterator[Candidate]:
    """All candidates over the time buckets of one entity."""
    if len(series) > 1:
        yield from _extremes(series, owner)
        if series[0].additivity == "sum":
            yield from _sums(series, owner)


def _unweighted_mean(index: CellIndex, column: Sequence[Cell]) -> UnweightedMean:
    first = column[0]
    over_entities = len({c.entity for c in column}) > 1
    owner, period = ("", first.period) if over_entities else (first.entity, "cur")
    weighted = index.at(first.metric, owner, period)
    return UnweightedMean(
        cells=tuple(column),
        value=sum(c.value for c in column) / len(column),
        weighted=weighted[0] if weighted else None,
    )


def _extremes(column: Sequence[Cell], owner: frozenset[str]) -> Iterator[Candidate]:
    for word, pick in (("smallest", min), ("largest", max)):
        cell = pick(column, key=lambda c: c.value)
        recipe = f"{word} of {len(column)} rows: {{0}}"
        extreme = _over(column, cell.value, "level", recipe, (cell,), owner)
        buckets = frozenset({cell.period}) if is_bucket(cell.period) else NOBODY
        yield extreme._replace(is_extreme=True, buckets=buckets)


def _sums(column: Sequence[Cell], owner: frozenset[str]) -> Iterator[Candidate]:
    total, count = sum(c.value for c in column), len(column)
    yield _over(column, total, "level", f"sum of {count} rows from {{0}}", column[:1], owner)
    recipe = f"mean of {count} rows from {{0}}"
    mean = _over(column, total / count, "level", recipe, column[:1], owner)
    yield mean._replace(is_mean=True)


def _top(column: Sequence[Cell], totals: Series, top_counts: frozenset[int]) -> Iterator[Candidate]:
    """Sum and share of the largest and of the first N rows; N only as the text says it."""
    ranked = sorted(column, key=lambda c: c.value, reverse=True)
    whole = totals[0].value if totals else sum(c.value for c in column)
    for count in sorted({1, *top_counts}):
        if count >= len(column):
            continue
        for word, rows in (("top", ranked[:count]), ("lowest", ranked[-count:])):
            part = sum(c.value for c in rows)
            if count > 1:
                yield _over(column, part, "level", f"sum of the {word} {count} from {{0}}", rows[:1], NOBODY)
            if whole and 0 <= part <= whole:
                recipe = f"share of the {word} {count} from {{0}}"
                share = _over(column, part / whole, "share", recipe, rows[:1], NOBODY)
                yield share._replace(unit="pct", is_extreme=count == 1)


def _per_row(totals: Series, row_counts: Sequence[float]) -> Iterator[Candidate]:
    for total in totals:
        for count in row_counts:
            recipe = f"{{0}} / {count:g} rows"
            mean = _over((total,), total.value / count, "level", recipe, (total,), NOBODY)
            yield mean._replace(is_mean=True)


def _over(
    column: Sequence[Cell],
    value: float,
    nature: Nature,
    recipe: str,
    cells: Sequence[Cell],
    owner: frozenset[str],
) -> Candidate:
    metrics = frozenset({column[0].metric})
    return Candidate(value, column[0].unit, nature, recipe, tuple(cells), metrics, owner)
