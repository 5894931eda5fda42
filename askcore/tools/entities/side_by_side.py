"""Entities side by side: values of both windows, and the distance to the best, only like for like."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from askcore.base.text import say
from askcore.base.values import Cell, CellRole, CellUnit, Column, Lang, Table
from askcore.semantic.model import Level, Metric
from askcore.tools.base import ToolContext
from askcore.tools.cells import cell_unit, metric_cell
from askcore.tools.compare.change import Change, change, difference, tidy
from askcore.tools.compare.compare_cells import change_cells
from askcore.tools.entities.coverage import Coverage, are_alike

PREV, DELTA, PCT, BEST = "__prev", "__delta", "__pct", "__vs_best"
DAYS, SHOPS = "coverage__days", "coverage__shops"  # no metric is called so
_CITABLE = 200  # rows; a sentence names a handful


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EntityRow:
    """One entity."""

    id: str
    name: str
    changes: Mapping[str, Change]
    """Metric key -> both windows; without a delta where the windows have different numbers of days."""
    covered: Coverage
    covered_before: Coverage


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Comparison:
    """The rows and who is best in what."""

    level: Level
    metrics: tuple[Metric, ...]
    rows: tuple[EntityRow, ...]
    has_baseline: bool
    mixed_currency: bool

    best: Mapping[str, EntityRow | None]
    """Metric key -> the best entity; see `best_row`."""

    def distance(self, row: EntityRow, metric: Metric) -> float | None:
        """To the best: pp for rates, a fraction of the best value otherwise; None unless like for like."""
        best = self.best[metric.key]
        if best is None or best is row or not are_alike((row.covered, best.covered)):
            return None
        if self.mixed_currency and cell_unit(metric) == "money":
            return None
        own, top = row.changes[metric.key].cur, best.changes[metric.key].cur
        if own is None or top is None:
            return None
        gap = difference(own, top)
        if metric.is_rate:
            return gap
        return tidy(gap / abs(top)) if top else None


def best_row(rows: Sequence[EntityRow], metric: Metric) -> EntityRow | None:
    """The entity with the best value (the largest where no direction is better).

    Only among those with most days: a sum over fewer days is no achievement.
    """
    known = [r for r in rows if r.changes[metric.key].cur is not None]
    most = max((len(r.covered.days) for r in known), default=0)
    sign = -1 if metric.polarity == "down" else 1
    return max(
        (r for r in known if len(r.covered.days) == most),
        key=lambda r: sign * (r.changes[metric.key].cur or 0.0),
        default=None,
    )


def entity_row(
    entity: tuple[str, str],
    metrics: Sequence[Metric],
    values: tuple[Mapping[str, Any], Mapping[str, Any]],
    covered: tuple[Coverage, Coverage],
) -> EntityRow:
    """entity: (id, name). values, covered: of the current and of the window before."""
    same_length = len(covered[0].days) == len(covered[1].days)
    changes = {}
    for metric in metrics:
        cur, prev = (_number(v.get(metric.key)) for v in values)
        found = change(metric, cur, prev)
        changes[metric.key] = found if same_length else Change(cur=cur, prev=prev, delta=None, pct=None)
    return EntityRow(
        id=entity[0], name=entity[1], changes=changes, covered=covered[0], covered_before=covered[1]
    )


def _number(value: Any) -> float | None:
    return value if value is None or isinstance(value, int) else tidy(float(value))


def entity_table(
    found: Comparison, rows: Sequence[EntityRow], totals: Mapping[str, Any], ctx: ToolContext
) -> Table:
    """One row an entity. rows: those that are shown."""
    level, lang = found.level, ctx.lang
    columns = []
    if level.name != level.id:
        columns.append(Column(key=level.id, label=f"{level.label[lang]} ID", of=level.key))
    columns.append(Column(key=level.name, label=level.label[lang], of=level.key))
    for metric in found.metrics:
        columns.extend(_columns(found, metric, lang))
    columns.append(Column(key=DAYS, label=say(lang, "entities.col_days"), unit="day"))
    columns.append(Column(key=SHOPS, label=say(lang, "entities.col_shops"), unit="shop"))
    if found.has_baseline:
        columns.append(Column(key=DAYS + PREV, label=say(lang, "entities.col_days_prev"), unit="day"))
        columns.append(Column(key=SHOPS + PREV, label=say(lang, "entities.col_shops_prev"), unit="shop"))
    known = {c.key for c in columns}
    body = tuple({k: v for k, v in _values(found, r).items() if k in known} for r in rows)
    kept = {k: _number(v) for k, v in totals.items() if k in known}
    return Table(columns=tuple(columns), rows=body, totals=kept, row_count=len(found.rows))


def _columns(found: Comparison, metric: Metric, lang: Lang) -> Iterator[Column]:
    label, change_unit = metric.label[lang], "pp" if metric.is_rate else metric.unit
    yield Column(key=metric.key, label=label, unit=metric.unit)
    if found.has_baseline:
        text = say(lang, "compare.col_prev", label=label)
        yield Column(key=metric.key + PREV, label=text, unit=metric.unit)
        text = say(lang, "compare.col_delta", label=label)
        yield Column(key=metric.key + DELTA, label=text, unit=change_unit)
        if not metric.is_rate:
            text = say(lang, "compare.col_pct", label=label)
            yield Column(key=metric.key + PCT, label=text, unit="ratio")
    unit = "pp" if metric.is_rate else "ratio"
    yield Column(key=metric.key + BEST, label=say(lang, "entities.col_vs_best", label=label), unit=unit)


def _values(found: Comparison, row: EntityRow) -> dict[str, Any]:
    values: dict[str, Any] = {found.level.id: row.id, found.level.name: row.name}
    for metric in found.metrics:
        one = row.changes[metric.key]
        values |= {
            metric.key: one.cur,
            metric.key + PREV: one.prev,
            metric.key + DELTA: one.delta,
            metric.key + PCT: one.pct,
            metric.key + BEST: found.distance(row, metric),
        }
    values |= {DAYS: len(row.covered.days), SHOPS: row.covered.shops}
    return values | {DAYS + PREV: len(row.covered_before.days), SHOPS + PREV: row.covered_before.shops}


def entity_cells(found: Comparison, rows: Sequence[EntityRow], ctx: ToolContext) -> Iterator[Cell]:
    """Values, changes and distances of every entity, its days and shops, and how many there are."""
    step = ctx.step_id
    for row in rows[:_CITABLE]:
        entity = ctx.view.catalog.spoken(found.level, row.name, row.id, ctx.lang)
        for metric in found.metrics:
            yield from change_cells(metric, row.changes[metric.key], step, entity=entity, role="value")
            distance = found.distance(row, metric)
            if distance is not None:
                role, unit = _distance_kind(metric)
                yield metric_cell(
                    metric, distance, step=step, entity=entity, period="best", role=role, unit=unit
                )
        for covered, period in ((row.covered, "cur"), (row.covered_before, "prev")):
            if period == "cur" or found.has_baseline:
                yield _count(len(covered.days), "days", DAYS, entity, period, step)
                yield _count(covered.shops, "count", SHOPS, entity, period, step)
    for n in (len(found.rows), len(rows)):
        yield Cell(value=n, unit="count", metric="rows", step=step, role="rows")


def _distance_kind(metric: Metric) -> tuple[CellRole, CellUnit]:
    return ("delta", "pp") if metric.is_rate else ("pctchg", "pct")


def _count(value: int, unit: CellUnit, metric: str, entity: str, period: str, step: str) -> Cell:
    return Cell(
        value=value,
        unit=unit,
        metric=metric,
        entity=entity,
        period=period,
        step=step,
        role="arg",
        additivity="distinct",
    )


def entity_facts(found: Comparison) -> dict[str, Any]:
    """Who is best in each metric, and what is not compared."""
    best = {}
    for metric in found.metrics:
        top = found.best[metric.key]
        unlike = [r.name for r in found.rows if top and not are_alike((r.covered, top.covered))]
        best[metric.key] = None if top is None else {"id": top.id, "name": top.name, "not_alike": unlike[:20]}
    return {"level": found.level.key, "entities": len(found.rows), "best": best}
