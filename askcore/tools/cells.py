"""Result rows -> cells that sentences may cite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from askcore.base.values import TIME_GRAINS, Cell, CellRole, CellUnit, Lang, Sort, Table
from askcore.semantic.averages import resolve
from askcore.semantic.catalog import Catalog
from askcore.semantic.model import Metric, Model
from askcore.semantic.names import spoken_value
from askcore.tools.base import ToolContext

_MONEY = ("CNY", "USD", "EUR", "GBP", "JPY", "HKD", "TWD", "KRW", "SGD")
_UNITS: Mapping[str, CellUnit] = {
    **dict.fromkeys(_MONEY, "money"),
    "order": "count",
    "person": "count",
    "shop": "count",
    "ratio": "pct",
    "score": "score",
    "minute": "min",
    "x": "x",
    "day": "days",
}

_CITABLE = 200  # rows; a sentence names a handful, a model sees twenty


def cell_unit(metric: Metric) -> CellUnit:
    """The kind of number that a metric's values are in text."""
    return _UNITS.get(metric.unit, "plain")


def cell_additivity(metric: Metric) -> str:
    """Which derivations are allowed: only plain sums may be added up."""
    if metric.is_additive:
        return "sum"
    kind = metric.additivity.kind
    return "ratio" if kind in ("ratio", "weighted_mean", "mean_per_row") else kind


def metric_cell(
    metric: Metric,
    value: float,
    *,
    step: str,
    entity: str = "",
    period: str = "cur",
    role: CellRole = "value",
    unit: CellUnit | None = None,
    additivity: str | None = None,
) -> Cell:
    """One cell of a metric; `unit` and `additivity` override its own for shares, changes and means."""
    return Cell(
        value=float(value),
        unit=unit or cell_unit(metric),
        metric=metric.key,
        entity=entity,
        period=period,
        step=step,
        role=role,
        additivity=additivity or cell_additivity(metric),
    )


def table_cells(table: Table, metrics: tuple[str, ...], ctx: ToolContext) -> tuple[Cell, ...]:
    """Cells of the citable rows and the totals of a query result.

    A row's entity is the spoken name of its finest level and its dimension values (`row_entity`), its
    period is its time bucket.
    """
    found: list[Cell] = []
    places = [
        (row, row_entity(row, ctx.view.model, ctx.view.catalog, ctx.lang), row_period(row))
        for row in citable_rows(table, metrics)
    ]
    for key in metrics:
        metric = resolve(ctx.view.model, key)
        unit, additivity = cell_unit(metric), cell_additivity(metric)
        found += [
            Cell(
                value=float(row[key]),
                unit=unit,
                metric=key,
                entity=entity,
                period=period,
                step=ctx.step_id,
                additivity=additivity,
            )
            for row, entity, period in places
            if is_number(row.get(key))
        ]
        if is_number(table.totals.get(key)):
            found.append(metric_cell(metric, table.totals[key], step=ctx.step_id, role="total"))
    found.append(Cell(value=table.row_count, unit="count", metric="rows", step=ctx.step_id, role="rows"))
    return tuple(found)


def rank_cells(table: Table, sort: Sort | None, ctx: ToolContext) -> tuple[Cell, ...]:
    """The place of each citable row in the order asked for."""
    if sort is None or not table.dimensions or sort.key in table.dimensions:
        return ()
    return tuple(
        Cell(
            value=place,
            unit="rank",
            metric=sort.key,
            entity=row_entity(row, ctx.view.model, ctx.view.catalog, ctx.lang),
            step=ctx.step_id,
            role="rank",
            additivity="distinct",
        )
        for place, row in enumerate(table.rows[:_CITABLE], start=1)
        if is_number(row.get(sort.key))
    )


def citable_rows(table: Table, metrics: Sequence[str]) -> Sequence[Mapping[str, Any]]:
    """The rows that a sentence may cite: of a long table the head, the ends of time and the extremes.

    A number that happens to equal one of thousands of cells proves nothing, and costs time to find.
    """
    if table.shown <= _CITABLE:
        return table.rows
    wanted = set(range(_CITABLE))
    grain = next((k for k in table.dimensions if k in TIME_GRAINS), None)
    if grain is not None:
        ends = {table.rows[0].get(grain), table.rows[-1].get(grain)}
        wanted |= {i for i, row in enumerate(table.rows) if row.get(grain) in ends}
    for key in metrics:
        ranked = [i for i, row in enumerate(table.rows) if is_number(row.get(key))]
        if ranked:
            wanted.add(max(ranked, key=lambda i: table.rows[i][key]))
            wanted.add(min(ranked, key=lambda i: table.rows[i][key]))
    return [table.rows[i] for i in sorted(wanted)]


def is_number(value: Any) -> bool:
    """Whether a table value is a number (and not a flag)."""
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def row_entity(row: Mapping[str, Any], model: Model, catalog: Catalog, lang: Lang) -> str:
    """Spoken name of the finest level and the dimensions in a row; "" when it has none."""
    names: list[str] = []
    for level in reversed(model.levels):
        name = row.get(level.name) or row.get(level.id)
        if name not in (None, ""):
            names.append(catalog.spoken(level, str(name), str(row.get(level.id) or ""), lang))
            break
    names += [
        spoken_value(dimension, str(row[dimension.key]), lang)
        for dimension in model.dimensions
        if row.get(dimension.key) is not None
    ]
    return " / ".join(names)


def row_period(row: Mapping[str, Any]) -> str:
    """Label of the row's time bucket, "cur" when it has none."""
    for grain in TIME_GRAINS:
        if row.get(grain) is not None:
            return str(row[grain])
    return "cur"
