"""Figures derived from the rows of one query that sentences need: shares, first and last, means per step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from askcore.base.values import TIME_GRAINS, Cell, Table
from askcore.semantic.averages import resolve
from askcore.semantic.model import Metric, Model
from askcore.tools.cells import is_number, metric_cell, row_period
from askcore.tools.compare.change import difference, tidy

_MAX_SHARES = 100  # a text names the first few rows; a share for each of a thousand costs 10 ms
Row = Mapping[str, Any]
Spoken = Callable[[Row], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived:
    """Cells beside a table's own and what the composer words from them."""

    cells: tuple[Cell, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)


def shares(table: Table, model: Model, metrics: Sequence[str], step: str, spoken: Spoken) -> Derived:
    """Each row's share of the total, and the share of all shown rows when others were cut off.

    Only for metrics that add up; none when the total is 0 or a row has the other sign.
    """
    cells: list[Cell] = []
    facts: dict[str, Any] = {}
    for metric in (resolve(model, key) for key in metrics):
        total: Any = table.totals.get(metric.key)
        if not metric.is_additive or not is_number(total) or not total:
            continue
        values = [(r, float(r[metric.key])) for r in table.rows if is_number(r.get(metric.key))]
        whole = float(total)
        if any(v * whole < 0 for _, v in values):
            continue
        for row, value in values[:_MAX_SHARES]:
            cells.append(_row_share(metric, value / whole, step, spoken(row), row_period(row)))
        if table.row_count > table.shown:
            top = tidy(sum(v for _, v in values))
            cells.append(metric_cell(metric, top, step=step, role="total"))
            cells.append(metric_cell(metric, top / whole, step=step, role="share", unit="pct"))
            facts[metric.key] = {"top": top, "share": top / whole, "n": table.shown}
    return Derived(cells=tuple(cells), facts={"top_share": facts} if facts else {})


def _row_share(metric: Metric, share: float, step: str, entity: str, period: str) -> Cell:
    return metric_cell(metric, share, step=step, entity=entity, period=period, role="share", unit="pct")


def series(
    table: Table,
    model: Model,
    metrics: Sequence[str],
    step: str,
    spoken: Spoken,
    partial: Sequence[str],
) -> Derived:
    """First, last, lowest, highest, mean and the change from first to last of every time series.

    A series is the rows of one entity; buckets that the period covers only in part are left out of it,
    so that a cut week is no fall. Means are given for metrics that add up.
    """
    grain = time_column(table)
    if grain is None:
        return Derived()
    cells: list[Cell] = []
    facts: dict[str, list[dict[str, Any]]] = {}
    for metric in (resolve(model, key) for key in metrics):
        for entity, name, rows in _by_entity(table, spoken):
            points = [
                (str(r[grain]), float(r[metric.key]))
                for r in rows
                if is_number(r.get(metric.key)) and str(r[grain]) not in partial
            ]
            if len(points) > 1:
                found = summary(sorted(points), with_mean=metric.is_additive)
                facts.setdefault(metric.key, []).append({"entity": name, **found})
                cells.extend(_series_cells(metric, found, entity, step))
    return Derived(cells=tuple(cells), facts={"series": facts} if facts else {})


def time_column(table: Table) -> str | None:
    """The time bucket that the rows are split by, or None."""
    keys = {c.key for c in table.columns}
    return next((g for g in TIME_GRAINS if g in keys), None)


def summary(points: Sequence[tuple[str, float]], *, with_mean: bool) -> dict[str, Any]:
    """What a sentence says about a series in time order; `change_pct` None when it starts at 0."""
    first, last = points[0], points[-1]
    low, high = min(points, key=lambda p: p[1]), max(points, key=lambda p: p[1])
    change = difference(last[1], first[1])
    return {
        "n": len(points),
        "first": _point(first),
        "last": _point(last),
        "min": _point(low),
        "max": _point(high),
        "mean": tidy(sum(v for _, v in points) / len(points)) if with_mean else None,
        "change": change,
        "change_pct": change / abs(first[1]) if first[1] else None,
    }


def _point(point: tuple[str, float]) -> dict[str, Any]:
    return {"bucket": point[0], "value": point[1]}


def _series_cells(metric: Metric, found: Mapping[str, Any], entity: str, step: str) -> Iterator[Cell]:
    rate = metric.is_rate
    yield metric_cell(
        metric, found["change"], step=step, entity=entity, role="delta", unit="pp" if rate else None
    )
    if found["change_pct"] is not None and not rate:
        yield metric_cell(metric, found["change_pct"], step=step, entity=entity, role="pctchg", unit="pct")
    if found["mean"] is not None:
        yield metric_cell(metric, found["mean"], step=step, entity=entity, additivity="ratio")


def _by_entity(table: Table, spoken: Spoken) -> Iterator[tuple[str, str, list[Row]]]:
    """(spoken name, the name that tells it from others of that name, rows) of each series."""
    keys = [k for k in table.dimensions if k not in TIME_GRAINS]
    found: dict[tuple[str, ...], list[Row]] = {}
    for row in table.rows:
        found.setdefault(tuple(str(row.get(k, "")) for k in keys), []).append(row)
    names = {ids: spoken(rows[0]) for ids, rows in found.items()}
    spoken_by = Counter(names.values())
    for ids, rows in found.items():
        name = names[ids]
        yield name, name if spoken_by[name] < 2 else _told_apart(name, ids), rows


def _told_apart(name: str, ids: Sequence[str]) -> str:
    """The name with the ids that it does not hold already."""
    return " ".join((name, *(i for i in ids if i and i not in name)))
