"""The grouped SELECTs of a statement: each reads one scope and gives some of the metrics.

sums: sums of groups, whose totals are added up from the groups. direct: aggregates that do not add up, whose
totals are aggregated anew. entities: one value an entity first, then across entities by the model's rule.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from sqlglot import exp

from askcore.lake.delivery import ALL_SCOPE
from askcore.lake.expressions import Expr, Reference, col
from askcore.lake.layers import Layers
from askcore.lake.plan import Key, Plan
from askcore.lake.schema import DATE, DUP, SCOPE

PartKind = Literal["sums", "direct", "entities"]
DAYS_BITS = "c_days"
_FACT = "fact"
_ENTITY_ROWS = "e_rows"
_UNITS = {"week": "WEEK", "month": "MONTH", "quarter": "QUARTER", "year": "YEAR"}


@dataclass(eq=False)
class Part:
    """Metrics that one grouped SELECT over one scope gives."""

    name: str
    kind: PartKind
    scope: str
    components: dict[str, tuple[str, Expr]] = field(default_factory=dict)
    """SQL text -> (alias, aggregate)."""
    values: dict[str, Callable[[Reference], Expr]] = field(default_factory=dict)
    """Metric key -> its value out of the components."""
    entity: list[tuple[str, Expr]] = field(default_factory=list)
    """(alias, aggregate) of the SELECT by entity, for kind "entities"."""

    @property
    def total_name(self) -> str:
        """The CTE with one row over all groups."""
        return f"{self.name}_t"

    @property
    def rows_alias(self) -> str:
        """Number of fact rows of a group."""
        return f"{self.name}_rows"

    def add(self, aggregate: Expr) -> str:
        """Alias of the aggregate; the same aggregate is computed once."""
        text = aggregate.sql(dialect="duckdb")
        alias = f"{self.name}_c{len(self.components)}"
        return self.components.setdefault(text, (alias, aggregate))[0]


def key_alias(key: Key) -> str:
    """Alias of a grouping column."""
    return f"k_{key.name}"


class PartSource:
    """Makes the CTEs of parts."""

    def __init__(self, plan: Plan, layers: Layers) -> None:
        self._plan = plan
        self._layers = layers

    def ctes(self, part: Part, counts_days: bool) -> list[tuple[str, exp.Query]]:
        """(name, SELECT) in order: groups, and totals when there is a grouping."""
        keys = self._plan.keys
        if part.kind == "entities":
            return self._entity_ctes(part, keys, counts_days)
        by_day = any(k.name == "date" for k in keys)
        in_groups = counts_days and not by_day and (part.kind == "sums" or not keys)
        found: list[tuple[str, exp.Query]] = [(part.name, self._grouped(part, keys, in_groups))]
        if not keys:
            return found
        if part.kind == "direct":
            return [*found, (part.total_name, self._grouped(part, (), counts_days))]
        bits = _bit_or() if not by_day else self._day_bits("k_date")
        return [*found, (part.total_name, _added_up(part, bits if counts_days else None))]

    def _grouped(self, part: Part, keys: tuple[Key, ...], counts_days: bool) -> exp.Select:
        columns = [_as(a.copy(), alias) for alias, a in part.components.values()]
        columns.append(_as(exp.Count(this=exp.Star()), part.rows_alias))
        if counts_days:
            columns.append(_as(self._day_bits(DATE), DAYS_BITS))
        return self._select(part, keys, (), columns)

    def _entity_ctes(
        self, part: Part, keys: tuple[Key, ...], counts_days: bool
    ) -> list[tuple[str, exp.Query]]:
        """Two steps: one row an entity (and group), then one row a group; the same for totals."""
        entity = self._entity_columns(part.scope)
        inner = f"{part.name}_e"
        found: list[tuple[str, exp.Query]] = [(inner, self._by_entity(part, keys, counts_days))]
        found.append((part.name, _across(part, keys, inner, counts_days)))
        if not keys:
            return found
        if any(k.kind == "time" or k.column not in entity for k in keys):
            inner = f"{part.total_name}_e"  # an entity is in several groups: the whole is another question
            found.append((inner, self._by_entity(part, (), counts_days)))
        return [*found, (part.total_name, _across(part, (), inner, counts_days))]

    def _by_entity(self, part: Part, keys: tuple[Key, ...], counts_days: bool) -> exp.Select:
        columns = [_as(a.copy(), alias) for alias, a in part.entity]
        columns.append(_as(exp.Count(this=exp.Star()), _ENTITY_ROWS))
        if counts_days:
            columns.append(_as(self._day_bits(DATE), DAYS_BITS))
        return self._select(part, keys, self._entity_columns(part.scope), columns)

    def _entity_columns(self, scope: str) -> tuple[str, ...]:
        schema = self._layers.schema
        dimensions = schema.dimensions if self._layers.key_dimensions else ()
        if scope == ALL_SCOPE:
            return dimensions
        position = [level.key for level in schema.model.levels].index(scope)
        return (*schema.ids[: position + 1], *dimensions)

    def _select(
        self, part: Part, keys: tuple[Key, ...], extra: tuple[str, ...], columns: list[Expr]
    ) -> exp.Select:
        """SELECT keys, columns FROM fact WHERE … GROUP BY keys and the extra columns."""
        grouping = [key_expression(k) for k in keys] + [col(c) for c in extra]
        query = exp.select(*(_as(key_expression(k), key_alias(k)) for k in keys), copy=False)
        query = query.select(*columns, copy=False).from_(_FACT, copy=False)
        query = query.where(self._condition(part.scope), copy=False)
        return query.group_by(*grouping, copy=False) if grouping else query

    def _condition(self, scope: str) -> Expr:
        start, end = (exp.cast(exp.Placeholder(this=n), "DATE") for n in ("start", "end"))
        terms: list[Expr] = [
            exp.EQ(this=col(SCOPE), expression=exp.Literal.string(scope)),
            exp.Between(this=col(DATE), low=start, high=end),
            exp.EQ(this=col(DUP), expression=exp.Literal.number(1)),
        ]
        for i, one in enumerate(self._plan.filters):
            values = [exp.Placeholder(this=f"f{i}_{j}") for j in range(len(one.values))]
            if len(values) == 1:
                terms.append(exp.EQ(this=col(one.column), expression=values[0]))
            else:
                terms.append(exp.In(this=col(one.column), expressions=values))
        return exp.and_(*terms, copy=False)

    def _day_bits(self, column: str) -> Expr:
        """One bit a day of the period (DuckDB only): days are counted without a second pass."""
        assert self._plan.period is not None  # noqa: S101 - a plan outside the coverage is never built
        last = self._plan.period.days - 1
        offset = exp.func(
            "DATE_DIFF",
            exp.Literal.string("day"),
            exp.cast(exp.Placeholder(this="start"), "DATE"),
            col(column),
            dialect="duckdb",
        )
        zero, end = exp.Literal.number(0), exp.Literal.number(last)
        return exp.func("BITSTRING_AGG", offset, zero, end)


def key_expression(key: Key) -> Expr:
    """What rows are grouped by."""
    if key.kind != "time" or key.name == "date":
        return col(key.column)
    unit = exp.Literal.string(_UNITS[key.name])
    return exp.cast(exp.func("DATE_TRUNC", unit, col(DATE), dialect="duckdb"), "DATE")


def _added_up(part: Part, day_bits: Expr | None) -> exp.Select:
    """Totals out of the groups."""
    aliases = [alias for alias, _ in part.components.values()]
    columns = [_as(exp.Sum(this=col(a)), a) for a in (*aliases, part.rows_alias)]
    if day_bits is not None:
        columns.append(_as(day_bits, DAYS_BITS))
    return exp.select(*columns, copy=False).from_(part.name, copy=False)


def _across(part: Part, keys: tuple[Key, ...], inner: str, counts_days: bool) -> exp.Select:
    """One row a group out of one row an entity."""
    columns = [col(key_alias(k)) for k in keys]
    columns += [_as(a.copy(), alias) for alias, a in part.components.values()]
    columns.append(_as(exp.Sum(this=col(_ENTITY_ROWS)), part.rows_alias))
    if counts_days:
        columns.append(_as(_bit_or(), DAYS_BITS))
    query = exp.select(*columns, copy=False).from_(inner, copy=False)
    return query.group_by(*(col(key_alias(k)) for k in keys), copy=False) if keys else query


def _bit_or() -> Expr:
    return exp.func("BIT_OR", col(DAYS_BITS))


def _as(value: Expr, alias: str) -> Expr:
    return exp.alias_(value, alias, quoted=True, copy=False)
