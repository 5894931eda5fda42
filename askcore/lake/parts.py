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
            found = self._by_entity(part, keys, part.name)
            return [*found, *self._by_entity(part, (), part.total_name)] if keys else found
        found = [(part.name, self._grouped(part, keys, counts_days))]
        if not keys:
            return found
        if part.kind == "direct":
            return [*found, (part.total_name, self._grouped(part, (), counts_days))]
        return [*found, (part.total_name, _added_up(part, counts_days))]

    def _grouped(self, part: Part, keys: tuple[Key, ...], counts_days: bool) -> exp.Select:
        columns = [_as(a.copy(), alias) for alias, a in part.components.values()]
        columns.append(_as(exp.Count(this=exp.Star()), part.rows_alias))
        if counts_days:
            columns.append(_as(self._day_bits(), DAYS_BITS))
        return self._select(part, keys, (), columns)

    def _by_entity(self, part: Part, keys: tuple[Key, ...], name: str) -> list[tuple[str, exp.Query]]:
        """Two steps: one row an entity (and group), then one row a group."""
        inner_name = f"{name}_e"
        columns = [_as(a.copy(), alias) for alias, a in part.entity]
        columns.append(_as(exp.Count(this=exp.Star()), "e_rows"))
        inner = self._select(part, keys, self._entity_columns(part.scope), columns)
        outer = exp.select(*(col(key_alias(k)) for k in keys), copy=False)
        outer = outer.select(
            *(_as(a.copy(), alias) for alias, a in part.components.values()),
            _as(exp.Sum(this=col("e_rows")), part.rows_alias),
            copy=False,
        )
        outer = outer.from_(inner_name, copy=False)
        if keys:
            outer = outer.group_by(*(col(key_alias(k)) for k in keys), copy=False)
        return [(inner_name, inner), (name, outer)]

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

    def _day_bits(self) -> Expr:
        """One bit a day of the period (DuckDB only): days are counted without a second pass."""
        assert self._plan.period is not None  # noqa: S101 - a plan outside the coverage is never built
        last = self._plan.period.days - 1
        offset = exp.func(
            "DATE_DIFF",
            exp.Literal.string("day"),
            exp.cast(exp.Placeholder(this="start"), "DATE"),
            col(DATE),
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


def _added_up(part: Part, counts_days: bool) -> exp.Select:
    aliases = [alias for alias, _ in part.components.values()]
    columns = [_as(exp.Sum(this=col(a)), a) for a in (*aliases, part.rows_alias)]
    if counts_days:
        columns.append(_as(exp.func("BIT_OR", col(DAYS_BITS)), DAYS_BITS))
    return exp.select(*columns, copy=False).from_(part.name, copy=False)


def _as(value: Expr, alias: str) -> Expr:
    return exp.alias_(value, alias, quoted=True, copy=False)
