"""Which days and shops stand behind the figures of each entity, and whether they can be compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from askcore.base.text import say
from askcore.base.values import Cell, CellUnit, Period, Verdict
from askcore.checks.sql import Binder, quote, readable
from askcore.semantic.model import Level, Model
from askcore.tools.base import ToolContext
from askcore.tools.compare.keys import row_key
from askcore.tools.compare.target import Target
from askcore.tools.compare.verdicts import day_ranges

_MAX_KEYS = 50
_MAX_WORDED = 3
_MAX_ENTITIES = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """What one entity has in the period."""

    days: frozenset[date] = frozenset()
    """Dates with a row of its own (or of the level that is added up)."""
    shops: int = 0
    """Entities of the finest level with rows."""
    currencies: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageReader:
    """Reads coverage from one view."""

    ctx: ToolContext
    level: Level
    target: Target

    @property
    def model(self) -> Model:
        """The model of the view."""
        return self.ctx.view.model

    def read(self, scope: str, period: Period) -> tuple[Mapping[str, Coverage], str]:
        """Id -> coverage, and the statements. scope: the level whose rows the figures are of."""
        binder = Binder()
        who, currency = f"f.{quote(self.level.id)}", currency_column(self.model)
        money = "NULL" if currency is None else f"list(DISTINCT f.{quote(currency)})"
        sql = (
            f"SELECT {who}, list(DISTINCT f.date), {money} FROM fact f "  # noqa: S608 - quoted names
            f"WHERE {self._where(binder, scope, period)} GROUP BY 1"
        )
        found = self.ctx.view.run(sql, binder.values, limit=_MAX_ENTITIES).rows
        shops, shops_sql = self._shops(period)
        covered = {
            str(entity): Coverage(
                days=frozenset(days),
                shops=shops.get(str(entity), 0),
                currencies=frozenset(str(c) for c in money_kinds or () if c not in (None, "")),
            )
            for entity, days, money_kinds in found
        }
        return covered, ";\n".join(s for s in (readable(sql, binder.values), shops_sql) if s)

    def _shops(self, period: Period) -> tuple[Mapping[str, int], str]:
        """Id -> number of entities of the finest level that have rows."""
        leaf = self.model.leaf_level
        if leaf is None or leaf.key not in self.ctx.view.catalog.scopes:
            return {}, ""
        binder = Binder()
        sql = (
            f"SELECT f.{quote(self.level.id)}, count(DISTINCT f.{quote(leaf.id)}) FROM fact f "  # noqa: S608
            f"WHERE {self._where(binder, leaf.key, period)} GROUP BY 1"
        )
        found = self.ctx.view.run(sql, binder.values, limit=_MAX_ENTITIES).rows
        return {str(entity): int(count) for entity, count in found}, readable(sql, binder.values)

    def _where(self, binder: Binder, scope: str, period: Period) -> str:
        model, target = self.model, self.target
        found = [
            "f._dup_n = 1",
            f"f.scope = {binder(scope)}",
            f"f.date BETWEEN {binder(period.start)} AND {binder(period.end)}",
        ]
        if target.entity is not None and model.top_level is not None:
            found.append(f"f.{quote(model.top_level.id)} = {binder(target.entity)}")
        for name, ids in target.filters.items():
            level = model.levels_by_key.get(name)
            column = level.id if level else model.dimensions_by_key[name].column
            found.append(f"CAST(f.{quote(column)} AS VARCHAR) IN ({binder.all(ids)})")
        return " AND ".join(found)


def currency_column(model: Model) -> str | None:
    """The column that tells the currency of a row, where the model has such a dimension."""
    for dimension in model.dimensions:
        if "currency" in (dimension.key.casefold(), dimension.column.casefold()):
            return dimension.column
    return None


def coverage_verdict(
    covered: Mapping[str, Coverage],
    names: Mapping[str, str],
    level: Level,
    period: Period,
    ctx: ToolContext,
) -> Verdict:
    """Whether every entity has the same days; a difference between unequal ones would compare days."""
    lang = ctx.lang
    union: frozenset[date] = frozenset().union(*(c.days for c in covered.values()))
    short = {i: union - covered.get(i, Coverage()).days for i in names}
    bad = sorted((i for i, days in short.items() if days), key=lambda i: -len(short[i]))
    worded = [
        say(lang, "entities.lacks", name=names[i], n=len(short[i]), days=day_ranges(sorted(short[i])))
        for i in bad[:_MAX_WORDED]
    ]
    keys = [
        row_key(ctx.view.model, ctx.view.catalog, day=day, scope=level.key, entity=i)
        for i in bad
        for day in sorted(short[i])
    ]
    text = say(lang, "compare.sentence_joint").join(worded)
    text += say(lang, "compare.and_more") if len(bad) > _MAX_WORDED else ""
    if not union:
        text = say(lang, "compare.empty_no_rows")
    return Verdict(
        id="",
        kind="coverage",
        check="entity_coverage",
        status="skip" if not union else "warn" if bad else "pass",
        severity="minor" if bad else "info",
        target=say(lang, "entities.target"),
        expect=say(lang, "entities.expect"),
        actual=say(lang, "entities.actual", n=len(bad), total=len(names)),
        n_checked=len(names) if union else 0,
        n_bad=len(bad) if union else 0,
        keys=tuple(keys[:_MAX_KEYS]) if union else (),
        tolerance=say(lang, "entities.tolerance"),
        note=text or say(lang, "entities.same_days", n=len(union)),
        remedy=say(lang, "entities.remedy") if bad and union else "",
    )


def coverage_cells(covered: Mapping[str, Coverage], names: Mapping[str, str], step: str) -> Iterator[Cell]:
    """The numbers that the verdict states: all days, days that an entity lacks, entities that lack some."""
    union: frozenset[date] = frozenset().union(*(c.days for c in covered.values()))
    lacking = {i: len(union - covered.get(i, Coverage()).days) for i in names}
    yield _cell(len(union), "days", "", step)
    for entity, count in lacking.items():
        if count:
            yield _cell(count, "days", names[entity], step)
    yield _cell(sum(n > 0 for n in lacking.values()), "count", "", step)


def _cell(value: int, unit: CellUnit, entity: str, step: str) -> Cell:
    return Cell(
        value=value,
        unit=unit,
        metric="coverage",
        entity=entity,
        step=step,
        role="rows",
        additivity="distinct",
    )


def are_alike(covered: Sequence[Coverage]) -> bool:
    """Whether figures of these entities may be subtracted: the same days are there."""
    return len({c.days for c in covered}) <= 1 and all(c.days for c in covered)
