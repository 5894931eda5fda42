"""The reads of `explain_change`: sums of both periods, in total and a segment, and gaps between levels."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from askcore.base.errors import BadRequest
from askcore.base.text import say
from askcore.base.values import Lang, Period
from askcore.checks.sql import Binder, all_of, any_of, listed, quote, readable
from askcore.semantic.model import Level, Model
from askcore.tools.compare.rows import Reader
from askcore.tools.compare.source_delta import level_ids
from askcore.tools.explain.restore import ChildRow, Spot

_MAX_ROWS = 50_000  # beyond, a list of segments is no longer an answer
_NOISE = 1e-9  # relative; sums of floats differ that much by the order they are added in


@dataclass(frozen=True, slots=True, kw_only=True)
class Sums:
    """Component sums of one segment. Every pair is (baseline, current)."""

    id: str
    name: str
    rows: tuple[int, int] = (0, 0)
    """Rows that have a value of the metric."""
    all: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Over every row."""
    whole: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Over the rows that have a value of every component."""


@dataclass(slots=True, kw_only=True)
class Store:
    """Runs the statements of one explanation and keeps their text."""

    reader: Reader
    lang: Lang
    sql: list[str] = field(default_factory=list)

    @property
    def model(self) -> Model:
        """The model that is read."""
        return self.reader.model

    def sums(self, layer: str, split: str | None) -> list[Sums]:
        """Component sums of both periods in one layer, by a level or dimension; None: in all."""
        binder = Binder()
        key, name = self._columns(split)
        names = tuple(self.reader.components.sql)
        first = next(iter(self.reader.components.sql.values()))
        whole = all_of(f"({sql}) IS NOT NULL" for sql in self.reader.components.sql.values())
        values = listed(
            f"sum({sql}), sum(CASE WHEN {whole} THEN {sql} END)"
            for sql in self.reader.components.sql.values()
        )
        statement = " UNION ALL ".join(
            f"SELECT {side}, {key}, {name}, count({first}), {values} FROM fact f "  # noqa: S608 - quoted names
            f"WHERE {self.reader.where(binder, layer, period)} GROUP BY 2"
            for side, period in enumerate(self.reader.periods)
        )
        rows = self._run(f"{statement} ORDER BY 2", binder)
        return _joined(rows, names)

    def _columns(self, split: str | None) -> tuple[str, str]:
        """(id, name) of a split, as SQL."""
        level = self.model.levels_by_key.get(split or "")
        if level is not None:
            return f"CAST(f.{quote(level.id)} AS VARCHAR)", f"any_value(f.{quote(level.name)})"
        if split is None:
            return "''", "''"
        column = f"CAST(f.{quote(self.model.dimensions_by_key[split].column)} AS VARCHAR)"
        return column, f"any_value({column})"

    def gaps(self, upper: Level, lower: Level, parts: Sequence[str]) -> dict[Spot, tuple[float, ...]]:
        """Parent minus the sum of its children, on every day where that is not 0."""
        binder = Binder()
        ids = listed(f"f.{quote(c)}" for c in level_ids(self.reader, upper))
        using = listed((*(quote(c) for c in level_ids(self.reader, upper)), "date"))
        sql = self.reader.components.sql
        values = listed(f"coalesce(sum({sql[n]}), 0) AS {quote(n)}" for n in parts)
        above, below = (
            f"SELECT {ids}, f.date, {values} FROM fact f WHERE {self._where(binder, x.key)} GROUP BY ALL"  # noqa: S608
            for x in (upper, lower)
        )
        gap = [f"coalesce(u.{quote(n)}, 0) - coalesce(l.{quote(n)}, 0)" for n in parts]
        size = [f"greatest(abs(coalesce(u.{quote(n)}, 0)), abs(coalesce(l.{quote(n)}, 0)))" for n in parts]
        bad = [f"abs({g}) > {_NOISE!r} * {s}" for g, s in zip(gap, size, strict=True)]
        clean = listed(f"CASE WHEN {b} THEN {g} ELSE 0 END" for b, g in zip(bad, gap, strict=True))
        statement = (
            f"WITH u AS ({above}), l AS ({below}) SELECT {using}, {clean} "  # noqa: S608
            f"FROM u FULL JOIN l USING ({using}) WHERE {any_of(bad)} ORDER BY date"
        )
        width = len(level_ids(self.reader, upper))
        return {
            Spot(path=tuple(str(v or "") for v in row[:width]), day=row[width]): tuple(
                float(v) for v in row[width + 1 :]
            )
            for row in self._run(statement, binder)
        }

    def children(
        self, upper: Level, lower: Level, parts: Sequence[str], spots: Collection[Spot]
    ) -> dict[Spot, list[ChildRow]]:
        """The rows of `lower` below some entities on some days."""
        if not spots:
            return {}
        days = sorted({spot.day for spot in spots})
        binder = Binder()
        above, child = level_ids(self.reader, upper), lower.id
        sql, core = self.reader.components.sql, self.reader.components.core
        is_zero = any_of((f"coalesce(sum({core}), 0) = 0", *(f"count({sql[n]}) = 0" for n in parts)))
        path = listed(quote(c) for c in above)
        statement = (
            f"WITH c AS (SELECT {listed(f'f.{quote(c)}' for c in above)}, f.date, "  # noqa: S608
            f"CAST(f.{quote(child)} AS VARCHAR) AS child, {is_zero} AS is_zero FROM fact f "
            f"WHERE {self._where(binder, lower.key)} AND f.date IN ({binder.all(days)}) GROUP BY ALL) "
            f"SELECT {path}, date, list(child), list(is_zero) FROM c GROUP BY ALL"
        )
        width = len(above)
        found: dict[Spot, list[ChildRow]] = {}
        for row in self._run(statement, binder):
            spot = Spot(path=tuple(str(v or "") for v in row[:width]), day=row[width])
            if spot in spots:
                rows = zip(row[width + 1], row[width + 2], strict=True)
                found[spot] = [ChildRow(id=str(id_ or ""), is_zero=bool(zero)) for id_, zero in rows]
        return found

    def _where(self, binder: Binder, scope: str) -> str:
        """Rows of one layer in either period."""
        base, current = self.reader.periods
        days = any_of(f"f.date BETWEEN {binder(p.start)} AND {binder(p.end)}" for p in (base, current))
        return f"{self.reader.where(binder, scope, None)} AND ({days})"

    def _run(self, statement: str, binder: Binder) -> Sequence[tuple[Any, ...]]:
        self.sql.append(readable(statement, binder.values))
        found = self.reader.view.run(statement, binder.values, limit=_MAX_ROWS)
        if found.truncated:
            raise BadRequest(say(self.lang, "explain.too_many", n=_MAX_ROWS))
        return found.rows


def _joined(rows: Sequence[tuple[Any, ...]], names: Sequence[str]) -> list[Sums]:
    """Columns: side, id, name, rows, then Σ and Σ over whole rows of each component."""
    sides: dict[str, dict[int, tuple[Any, ...]]] = {}
    for row in rows:
        sides.setdefault(str(row[1] or ""), {})[row[0]] = row
    return [_of_sides(key, found, names) for key, found in sides.items()]


def _of_sides(key: str, sides: Mapping[int, tuple[Any, ...]], names: Sequence[str]) -> Sums:
    blank = (0, key, "", 0, *(0.0 for _ in names), *(0.0 for _ in names))
    pair = [sides.get(side, blank) for side in (0, 1)]

    def sums(offset: int) -> dict[str, tuple[float, float]]:
        at = [4 + 2 * i + offset for i in range(len(names))]
        return {n: (float(pair[0][i] or 0), float(pair[1][i] or 0)) for n, i in zip(names, at, strict=True)}

    label = str(pair[1][2] or pair[0][2] or key)
    return Sums(id=key, name=label, rows=(pair[0][3], pair[1][3]), all=sums(0), whole=sums(1))


def side_of(day: date, periods: tuple[Period, Period]) -> int:
    """0: the baseline, 1: the current period."""
    return int(periods[1].contains(day))
