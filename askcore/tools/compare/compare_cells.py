"""Every number of a comparison as a cell, so that a sentence may cite it without calculating."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from askcore.base.values import Cell, CellRole, CellUnit
from askcore.semantic.calendar import day_type, days_of
from askcore.semantic.model import Metric
from askcore.tools.base import ToolContext
from askcore.tools.cells import metric_cell, row_entity
from askcore.tools.compare.change import Change
from askcore.tools.compare.compare_table import entity_rows
from askcore.tools.compare.same_store import ShopKind
from askcore.tools.compare.significance import LEVEL, MIN_DAYS
from askcore.tools.compare.study import Study
from askcore.tools.compare.testing import Tested
from askcore.tools.compare.verdicts import CalendarFit

_PER_STEP = "_per_step"
_KINDS: tuple[ShopKind, ...] = ("comparable", "opener", "closer", "partial")


def comparison_cells(
    found: Study, fit: CalendarFit | None, tests: Mapping[str, Tested], ctx: ToolContext
) -> tuple[Cell, ...]:
    """Totals, per-step, aligned and same-store values, bridge, rows, counts and test figures."""
    cells: list[Cell] = []
    for metric in found.metrics:
        cells.extend(_metric_cells(found, metric, ctx.step_id))
    for row in entity_rows(found):
        entity = row_entity(row.keys, ctx.view.model, ctx.view.catalog, ctx.lang)
        for metric in found.metrics:
            one = row.changes[metric.key]
            cells.extend(change_cells(metric, one, ctx.step_id, entity=entity, role="value"))
            share = row.shares.get(metric.key)
            if share is not None:
                cells.append(
                    metric_cell(metric, share, step=ctx.step_id, entity=entity, role="share", unit="pct")
                )
    cells.extend(_counts(found, fit, ctx.step_id))
    cells.extend(_tests(tests, ctx.step_id))
    return tuple(cells)


def _metric_cells(found: Study, metric: Metric, step: str) -> Iterator[Cell]:
    yield from change_cells(metric, found.total(metric), step, role="total")
    per_step = found.per_step(metric)
    if per_step is not None:
        yield from change_cells(metric, per_step, step, role="value", suffix=_PER_STEP)
    aligned = found.aligned(metric)
    if aligned is not None:
        yield from change_cells(metric, aligned.change, step, role="value", suffix="_aligned")
        yield _count(aligned.count, "days", "days", step)
    same = found.same_store(metric)
    if same is not None:
        yield from change_cells(metric, same, step, role="value", suffix="_same")
    bridge = found.bridge(metric)
    if bridge is not None:
        for name, value in bridge.as_json().items():
            if name != "total":
                yield metric_cell(metric, value, step=step, role="delta", period=name)


def change_cells(
    metric: Metric,
    one: Change,
    step: str,
    *,
    role: CellRole,
    entity: str = "",
    suffix: str = "",
) -> Iterator[Cell]:
    """Value, baseline, difference and % of one change. suffix: which variant of the periods it is of."""
    for value, period in ((one.cur, f"cur{suffix}"), (one.prev, f"prev{suffix}")):
        if value is not None:
            yield metric_cell(
                metric,
                value,
                step=step,
                entity=entity,
                period=period,
                role=role,
                additivity="ratio" if suffix == _PER_STEP else None,
            )
    unit: CellUnit | None = "pp" if metric.is_rate else None
    if one.delta is not None:
        yield metric_cell(
            metric, one.delta, step=step, entity=entity, period=f"cur{suffix}", role="delta", unit=unit
        )
    if one.pct is not None:
        yield metric_cell(
            metric, one.pct, step=step, entity=entity, period=f"cur{suffix}", role="pctchg", unit="pct"
        )


def _counts(found: Study, fit: CalendarFit | None, step: str) -> Iterator[Cell]:
    """Dates, shops and rows that notes and verdicts speak of."""
    for value in (*(s.count for s in found.steps), *found.present, *(len(d) for d in found.unpaired)):
        yield _count(value, "days", "days", step)
    if found.shops:
        yield _count(len(found.shops), "count", "shops", step)
        for kind in _KINDS:
            yield _count(sum(k == kind for _, k in found.shops), "count", kind, step)
    for value in (sum(found.expected_rows), sum(found.expected_rows) - len(found.missing)):
        yield _count(value, "count", "coverage", step, role="rows")
    if fit is not None:
        for period in found.periods:
            count = sum(day_type(d).kind == "holiday" for d in days_of(period))
            yield _count(count, "days", "holiday", step)
    yield _count(len(entity_rows(found)) or 1, "count", "rows", step, role="rows")


def _count(value: int, unit: CellUnit, metric: str, step: str, role: CellRole = "arg") -> Cell:
    return Cell(value=value, unit=unit, metric=metric, step=step, role=role, additivity="distinct")


def _tests(tests: Mapping[str, Tested], step: str) -> Iterator[Cell]:
    """Difference, interval, p and level of each test; the days it would have needed where there is none."""
    for test in tests.values():
        result, metric = test.result, test.metric
        if result is None:
            yield _count(MIN_DAYS, "days", metric.key, step)
            continue
        unit, role = _change_unit(metric)
        for value in (result.delta, result.low, result.high):
            yield metric_cell(metric, value, step=step, role=role, unit=unit, additivity="ratio")
        yield _plain(LEVEL, "pct", metric, step)
        for plain in (result.p, result.z):
            if plain is not None:
                yield _plain(plain, "plain", metric, step)


def _change_unit(metric: Metric) -> tuple[CellUnit | None, CellRole]:
    """Rates change in points, sums in %, other quotients in their own unit."""
    if metric.is_rate:
        return "pp", "delta"
    return ("pct", "pctchg") if metric.is_additive else (None, "delta")


def _plain(value: float, unit: CellUnit, metric: Metric, step: str) -> Cell:
    return metric_cell(metric, value, step=step, role="verdict", unit=unit, additivity="ratio")
