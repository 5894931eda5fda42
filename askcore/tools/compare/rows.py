"""The comparison's own reads: sums a day in the asked layer, sums and days present a shop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, cast

from askcore.base.values import Period
from askcore.checks.sql import Binder, listed, quote, readable
from askcore.semantic.model import Level, Model
from askcore.tools.compare.components import Components
from askcore.tools.compare.same_store import Shop
from askcore.tools.compare.steps import Steps
from askcore.tools.compare.target import Target

if TYPE_CHECKING:
    from askcore.lake import LakeView

_MAX_SHOPS = 20_000  # beyond, a list of shops is no longer an answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Reads one target's rows from a view. Both periods are (baseline, current)."""

    view: LakeView
    target: Target
    periods: tuple[Period, Period]
    components: Components

    @property
    def model(self) -> Model:
        """The model of the view."""
        return self.view.model

    def daily(self, scope: str) -> tuple[list[Day], str]:
        """Component sums of every date of both periods in one layer, and the statement."""
        binder = Binder()
        sums = listed(f"sum({sql}) AS {quote(name)}" for name, sql in self.components.sql.items())
        core = f"sum({self.components.core})"
        select = ", ".join(p for p in (core, sums) if p)
        statement = " UNION ALL ".join(
            f"SELECT {side}, f.date, {select} FROM fact f "  # noqa: S608 - quoted names, bound values
            f"WHERE {self.where(binder, scope, period)} GROUP BY f.date"
            for side, period in enumerate(self.periods)
        )
        rows = self.view.run(statement, binder.values).rows
        names = tuple(self.components.sql)
        found = [
            Day(
                side=row[0],
                date=row[1],
                traded=bool(row[2]),
                sums=dict(zip(names, (float(v or 0) for v in row[3:]), strict=True)),
            )
            for row in rows
        ]
        return found, readable(statement, binder.values)

    def shops(self, leaf: Level, steps: tuple[Steps, Steps], data: Period) -> tuple[list[Shop], str]:
        """Every leaf entity with rows in either period, and the statement; first and last trade in `data`."""
        binder = Binder()
        names = tuple(self.components.sql)
        statement = self._shop_sql(binder, leaf, steps, data)
        rows = self.view.run(statement, binder.values, limit=_MAX_SHOPS).rows
        return [_shop(row, names, steps) for row in rows], readable(statement, binder.values)

    def date_count(self, scope: str) -> int:
        """Distinct dates of the whole data in one layer."""
        binder = Binder()
        sql = f"SELECT count(DISTINCT f.date) FROM fact f WHERE {self.where(binder, scope, None)}"  # noqa: S608
        return int(self.view.run(sql, binder.values).scalar() or 0)

    def _shop_sql(self, binder: Binder, leaf: Level, steps: tuple[Steps, Steps], data: Period) -> str:
        comps = self.components
        rows = " UNION ALL ".join(
            f"SELECT {side} AS side, f.{quote(leaf.id)} AS leaf, f.{quote(leaf.name)} AS name, "  # noqa: S608
            f"{_position(binder, steps[side])} AS pos, {comps.core} AS core"
            + "".join(f", {sql} AS {quote(name)}" for name, sql in comps.sql.items())
            + f" FROM fact f WHERE {self.where(binder, leaf.key, period)}"
            for side, period in enumerate(self.periods)
        )
        by_day = "".join(
            f", sum({quote(n)}) FILTER (side = {s}) AS {quote(f'{n}_{s}')}" for n in comps.sql for s in (0, 1)
        )
        both = "t0 AND t1"
        by_shop = "".join(
            f", sum({quote(f'{n}_{s}')}) AS {quote(f'{n}_{s}_all')}"
            f", sum({quote(f'{n}_{s}')}) FILTER ({both}) AS {quote(f'{n}_{s}_paired')}"
            for n in comps.sql
            for s in (0, 1)
        )
        history = (
            f"SELECT f.{quote(leaf.id)} AS leaf, min(f.date) AS first, max(f.date) AS last FROM fact f "  # noqa: S608
            f"WHERE {self.where(binder, leaf.key, data)} AND {comps.core} <> 0 GROUP BY ALL"
        )
        return (
            f"WITH r AS ({rows}), d AS (SELECT leaf, any_value(name) AS name, pos, "  # noqa: S608
            f"coalesce(bool_or(core <> 0) FILTER (side = 0), false) AS t0, "
            f"coalesce(bool_or(core <> 0) FILTER (side = 1), false) AS t1{by_day} "
            f"FROM r GROUP BY leaf, pos), "
            f"s AS (SELECT leaf, any_value(name) AS name, "
            f"{_present(binder, 't0', steps[0])} AS p0, {_present(binder, 't1', steps[1])} AS p1"
            f"{by_shop} FROM d GROUP BY leaf), h AS ({history}) "
            f"SELECT s.leaf, s.name, h.first, h.last, s.* EXCLUDE (leaf, name) "
            f"FROM s LEFT JOIN h USING (leaf) "
            f"ORDER BY s.leaf"
        )

    def where(self, binder: Binder, scope: str, period: Period | None) -> str:
        """Rows of one layer, of the asked entities, in a period."""
        model, target = self.model, self.target
        found = ["f._dup_n = 1"]
        if model.levels:
            found.append(f"f.scope = {binder(scope)}")
        if period is not None:
            found.append(f"f.date BETWEEN {binder(period.start)} AND {binder(period.end)}")
        if target.entity is not None and model.top_level is not None:
            found.append(f"f.{quote(model.top_level.id)} = {binder(target.entity)}")
        for name, ids in target.filters.items():
            level = model.levels_by_key.get(name)
            column = level.id if level else model.dimensions_by_key[name].column
            found.append(f"f.{quote(column)} IN ({binder.all(ids)})")
        return " AND ".join(found)

    def zero_rows(self, leaf: Level, parent: Level, tolerance: float) -> list[tuple[str, str, date]]:
        """(leaf id, name, date) of rows without trade while the parent holds more than its children."""
        binder = Binder()
        core, window = self.components.core, ""
        low = min(p.start for p in self.periods)
        high = max(p.end for p in self.periods)
        span = Period(start=low, end=high)
        child, above = f"f.{quote(leaf.id)}", f"f.{quote(parent.id)}"
        window = " OR ".join(f"z.date BETWEEN {binder(p.start)} AND {binder(p.end)}" for p in self.periods)
        statement = (
            f"WITH z AS (SELECT {child} AS leaf, any_value(f.{quote(leaf.name)}) AS name, {above} AS up, "  # noqa: S608
            f"f.date FROM fact f WHERE {self.where(binder, leaf.key, span)} "
            f"GROUP BY ALL HAVING coalesce(sum({core}), 0) = 0), "
            f"k AS (SELECT {above} AS up, f.date, sum({core}) AS n FROM fact f "
            f"WHERE f.scope = {binder(leaf.key)} AND f._dup_n = 1 AND f.date BETWEEN {binder(low)} "
            f"AND {binder(high)} GROUP BY ALL), "
            f"p AS (SELECT {above} AS up, f.date, sum({core}) AS n FROM fact f "
            f"WHERE f.scope = {binder(parent.key)} AND f._dup_n = 1 AND f.date BETWEEN {binder(low)} "
            f"AND {binder(high)} GROUP BY ALL) "
            f"SELECT z.leaf, z.name, z.date FROM z JOIN p USING (up, date) LEFT JOIN k USING (up, date) "
            f"WHERE ({window}) AND p.n - coalesce(k.n, 0) > {binder(tolerance)} * p.n ORDER BY 1, 3"
        )
        return [(r[0], r[1] or r[0], r[2]) for r in self.view.run(statement, binder.values).rows]


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """One date of a period in the asked layer. side: 0 baseline, 1 current."""

    side: int
    date: date
    traded: bool
    sums: Mapping[str, float]


def _position(binder: Binder, steps: Steps) -> str:
    """A row's position among the expected dates; null off them."""
    dates = steps.dates
    offset = binder(steps.first_position)
    if len(dates) > 1:
        length = (dates[1] - dates[0]).days
        if (dates[-1] - dates[0]).days == length * (len(dates) - 1):
            first = f"CAST({binder(dates[0])} AS DATE)"
            return f"((f.date - {first}) // {binder(length)} + {offset})"
    inside = listed(f"DATE '{d.isoformat()}'" for d in dates)
    return f"(list_position([{inside}]::DATE[], f.date) - 1 + {offset})"


def _present(binder: Binder, flag: str, steps: Steps) -> str:
    """Positions with trade, only where some are missing; else NULL = all of them."""
    count = f"count(*) FILTER ({flag})"
    return f"CASE WHEN {count} < {binder(steps.count)} THEN coalesce(list(pos) FILTER ({flag}), []) END"


def _shop(row: Sequence[object], names: Sequence[str], steps: tuple[Steps, Steps]) -> Shop:
    """Columns: leaf, name, first, last, present 0, present 1, then Σ and paired Σ a component and side."""
    leaf, name, first, last, p0, p1 = row[:6]
    values = [float(cast("float", v) or 0) for v in row[6:]]
    sums, paired = {}, {}
    for index, component in enumerate(names):
        base, base_paired, cur, cur_paired = values[4 * index : 4 * index + 4]
        sums[component] = (base, cur)
        paired[component] = (base_paired, cur_paired)
    return Shop(
        id=str(leaf),
        name=str(name or leaf),
        first=first if isinstance(first, date) else None,
        last=last if isinstance(last, date) else None,
        present=(_positions(p0, steps[0]), _positions(p1, steps[1])),
        sums=sums,
        paired=paired,
    )


def _positions(found: object, steps: Steps) -> frozenset[int]:
    return frozenset(steps.by_position) if found is None else frozenset(cast("list[int]", found))
