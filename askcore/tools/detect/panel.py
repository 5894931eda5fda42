"""One query for every series of a search: component sums a day, and which rows hold nothing at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

import numpy as np

from askcore.base.values import Period
from askcore.checks.sql import Binder, any_of, quote, readable
from askcore.semantic.model import Level
from askcore.stats.day_types import Bools, Floats
from askcore.tools.compare.components import Components
from askcore.tools.compare.rows import Reader
from askcore.tools.detect.finding import Series

MAX_SERIES = 1000  # more is no list to read; the largest matter most
_MAX_ROWS = 1_000_000
_MIN_SUMS = 2  # a single sum that is 0 may be a day without sales; several at once are no day at all


@dataclass(frozen=True, kw_only=True, eq=False)
class Panel:
    """Series × consecutive days."""

    series: tuple[Series, ...]
    start: date
    tops: Floats
    """NaN = no row, or none with a value."""
    bottoms: Floats | None
    """Of quotients."""
    has_row: Bools
    is_zero: Bools
    """Rows whose every sum is 0."""
    total_series: int
    sql: str
    scanned: int

    @property
    def days(self) -> tuple[date, ...]:
        """The days, oldest first."""
        return tuple(self.start + timedelta(days=i) for i in range(self.tops.shape[1]))

    def values(self) -> Floats:
        """The metric a day, NaN on rows to be left out: without a value, all zero, nothing to divide by."""
        found = self.tops
        if self.bottoms is not None:
            with np.errstate(invalid="ignore", divide="ignore"):
                found = np.where(self.bottoms > 0, self.tops / self.bottoms, np.nan)
        return np.where(self.is_zero, np.nan, found)


def read_panel(
    reader: Reader, components: Components, metric: str, level: Level | None, scope: str, span: Period
) -> Panel:
    """Every entity of `level` with rows in the reader's second period, over the whole span."""
    binder = Binder()
    parts = components.parts[metric]
    names = [parts.top] if parts.bottom is None else [parts.top, parts.bottom]
    statement = _sql(reader, binder, names, level, scope, span)
    rows = reader.view.run(statement, binder.values, limit=_MAX_ROWS).rows
    panel = _panel(rows, len(names), span, readable(statement, binder.values))
    return panel if level is None else replace(panel, series=_told_apart(panel.series, level, reader))


def _told_apart(series: Sequence[Series], level: Level, reader: Reader) -> tuple[Series, ...]:
    """Names that several entities share carry the id."""
    catalog = reader.view.catalog
    return tuple(
        replace(one, name=f"{one.name} {one.id}") if catalog.is_shared(level.key, one.name) else one
        for one in series
    )


def _sql(
    reader: Reader, binder: Binder, names: Sequence[str], level: Level | None, scope: str, span: Period
) -> str:
    entity = "''" if level is None else f"f.{quote(level.id)}"
    name = "''" if level is None else f"f.{quote(level.name)}"
    sums = [f"sum({reader.components.sql[n]})" for n in names]
    asked = reader.where(binder, scope, reader.periods[1])
    within = reader.where(binder, scope, span)
    return (
        f"WITH ranked AS (SELECT {entity} AS e, count(*) OVER () AS total, "  # noqa: S608 - quoted, bound
        f"row_number() OVER (ORDER BY abs(coalesce({sums[-1]}, 0)) DESC, {entity}) AS place "
        f"FROM fact f WHERE {asked} GROUP BY {entity}) "
        f"SELECT {entity} AS e, any_value({name}) AS name, any_value(r.total) AS total, f.date AS date, "
        f"{', '.join(sums)}, bool_or({_something(reader)}) AS something, count(*) AS n "
        f"FROM fact f JOIN ranked r ON {entity} = r.e "
        f"WHERE {within} AND r.place <= {binder(MAX_SERIES)} GROUP BY {entity}, f.date ORDER BY 1, 4"
    )


def _something(reader: Reader) -> str:
    """Condition: a row holds at least one sum that is not 0."""
    held = frozenset(reader.view.catalog.columns)
    sums = [m.key for m in reader.model.metrics if m.additivity.kind == "sum" and m.key in held]
    if len(sums) < _MIN_SUMS:
        return "TRUE"
    return any_of(f"coalesce(f.{quote(key)}, 0) <> 0" for key in sums)


def _panel(rows: Sequence[Sequence[Any]], width: int, span: Period, sql: str) -> Panel:
    """Columns: id, name, number of entities, date, sums, whether there is something, rows read."""
    named: dict[str, str] = {}
    for row in rows:
        key = "" if row[0] is None else str(row[0])
        named[key] = named.get(key) or ("" if row[1] is None else str(row[1]))
    place = {key: i for i, key in enumerate(named)}
    shape = (len(named), span.days)
    sums = np.full((width, *shape), np.nan)
    has_row, is_zero = np.zeros(shape, dtype=np.bool_), np.zeros(shape, dtype=np.bool_)
    for row in rows:
        at = place["" if row[0] is None else str(row[0])], (row[3] - span.start).days
        for part in range(width):
            if row[4 + part] is not None:
                sums[(part, *at)] = float(row[4 + part])
        has_row[at], is_zero[at] = True, not row[4 + width]
    return Panel(
        series=tuple(Series(id=key, name=name or key) for key, name in named.items()),
        start=span.start,
        tops=sums[0],
        bottoms=sums[1] if width > 1 else None,
        has_row=has_row,
        is_zero=is_zero,
        total_series=int(rows[0][2]) if rows else 0,
        sql=sql,
        scanned=sum(int(row[-1]) for row in rows),
    )
