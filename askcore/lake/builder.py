"""A plan -> one SQL statement that gives rows, totals and counts, in one pass where the metrics allow it.

Metrics are grouped into parts (`parts.py`) that are joined by the grouping; totals come as the first row.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlglot import exp

from askcore.lake.expressions import (
    Expr,
    Reference,
    RowExpressions,
    across,
    col,
    direct,
    needs_entities,
    of_sums,
    shown,
    sum_terms,
)
from askcore.lake.layers import Layers
from askcore.lake.parts import DAYS_BITS, Part, PartKind, PartSource, key_alias
from askcore.lake.plan import Key, Plan
from askcore.semantic.model import Metric

GROUPS, SCANNED, DAYS, TAG = "b_groups", "b_scanned", "b_days", "b_row"
_ALL_KEYS = "k"


@dataclass(frozen=True, slots=True, kw_only=True)
class Compiled:
    """SQL with named parameters, and what its columns are.

    Columns: row tag (0 = totals), keys, metrics, number of groups, rows read, days as bits.
    """

    sql: str
    keys: tuple[str, ...]
    metrics: tuple[str, ...]
    inexact: frozenset[int]
    """Positions of metrics whose sums depend on the order of adding in the last digits."""


def shape_of(plan: Plan, *, count_days: bool) -> object:
    """Plans of one shape share a statement; they differ in bound values only."""
    period = plan.period
    return (
        tuple((m.key, plan.scopes[m.key]) for m in plan.metrics),
        plan.keys,
        tuple((f.column, len(f.values)) for f in plan.filters),
        plan.reach,
        plan.choice.scope,
        plan.sort,
        plan.limit,
        period.days if period is not None and count_days else None,
    )


def parameters_of(plan: Plan) -> dict[str, object]:
    """Bound values of the statement."""
    assert plan.period is not None  # noqa: S101 - a plan outside the coverage is never run
    found: dict[str, object] = {"start": plan.period.start, "end": plan.period.end}
    for i, one in enumerate(plan.filters):
        found |= {f"f{i}_{j}": value for j, value in enumerate(one.values)}
    return found


class Builder:
    """Builds the statement of one plan."""

    def __init__(self, plan: Plan, layers: Layers, *, count_days: bool) -> None:
        self._plan = plan
        self._layers = layers
        self._schema = layers.schema
        self._count_days = count_days
        self._parts: dict[tuple[PartKind, str], Part] = {}
        self._part_of: dict[str, Part] = {}

    def compile(self) -> Compiled:
        """The whole statement."""
        for metric in self._plan.metrics:
            self._place(metric)
        parts = list(self._parts.values())
        source = PartSource(self._plan, self._layers)
        ctes = [cte for part in parts for cte in source.ctes(part, self._days_in(part))]
        if len(parts) > 1 and self._plan.keys:
            ctes.append((_ALL_KEYS, _all_keys(parts, self._plan.keys)))
        query = self._ordered() if self._plan.keys else self._totals()
        for name, select in ctes:
            query = query.with_(name, as_=select, copy=False)
        exact = (
            RowExpressions(self._layers, self._plan.scopes[m.key]).is_exact(m) for m in self._plan.metrics
        )
        return Compiled(
            sql=query.sql(dialect="duckdb", pretty=True),
            keys=tuple(k.name for k in self._plan.keys),
            metrics=tuple(m.key for m in self._plan.metrics),
            inexact=frozenset(i for i, is_exact in enumerate(exact) if not is_exact),
        )

    def _place(self, metric: Metric) -> None:
        """Put the metric into the part that can give it."""
        scope = self._plan.scopes[metric.key]
        rows = RowExpressions(self._layers, scope)
        if needs_entities(metric):
            self._place_by_entity(metric, rows, scope)
            return
        terms = sum_terms(metric, rows, self._schema)
        if terms is None:
            self._place_direct(metric, rows, scope)
            return
        part = self._part("sums", scope)
        aliases = tuple(part.add(term) for term in terms)
        self._keep(metric, part, lambda ref: of_sums(metric, [ref(a) for a in aliases]))

    def _place_direct(self, metric: Metric, rows: RowExpressions, scope: str) -> None:
        part = self._part("direct", scope)
        alias = part.add(direct(metric, rows, self._schema))
        self._keep(metric, part, lambda ref: shown(metric, ref(alias)))

    def _place_by_entity(self, metric: Metric, rows: RowExpressions, scope: str) -> None:
        """One value an entity, then the model's rule; an entity weighs what it has over the whole group."""
        reach = self._plan.reach
        is_single = reach.is_row_single and reach.is_total_single
        if scope == self._plan.scope and is_single:
            self._place_direct(metric, rows, scope)
            return
        part = self._part("entities", scope)
        value, weight = f"e_v{len(part.entity)}", f"e_w{len(part.entity)}"
        inner = [(value, direct(metric, rows, self._schema))]
        if metric.additivity.across_entities == "weighted_mean" and metric.additivity.weight:
            inner.append((weight, exp.Sum(this=rows.metric(metric.additivity.weight))))
        part.entity += inner
        alias = part.add(across(metric, value, weight))
        self._keep(metric, part, lambda ref: shown(metric, ref(alias)))

    def _keep(self, metric: Metric, part: Part, value: Callable[[Reference], Expr]) -> None:
        part.values[metric.key] = value
        self._part_of[metric.key] = part

    def _part(self, kind: PartKind, scope: str) -> Part:
        name = f"p{len(self._parts)}"
        return self._parts.setdefault((kind, scope), Part(name=name, kind=kind, scope=scope))

    def _days_in(self, part: Part) -> bool:
        """Whether this part counts the days: one does, on the rows' own scope if it can."""
        own = [p for p in self._parts.values() if p.scope == self._plan.scope]
        return self._count_days and part is (own or list(self._parts.values()))[0]

    def _ordered(self) -> exp.Select:
        """Rows and the totals row, totals first, in a total order."""
        both = exp.union(self._rows(), self._totals(), distinct=False, copy=False)
        columns = [TAG, *(key_alias(k) for k in self._plan.keys)]
        columns += [_metric_alias(m) for m in self._plan.metrics] + [GROUPS, SCANNED, DAYS]
        query = exp.select(*(col(c) for c in columns)).from_(both.subquery("u", copy=False))
        return query.order_by(*self._order(), copy=False).limit(self._plan.limit + 1, copy=False)

    def _order(self) -> list[Expr]:
        found: list[Expr] = [exp.Ordered(this=col(TAG), desc=False, nulls_first=False)]
        sort = self._plan.sort
        names = {k.name: key_alias(k) for k in self._plan.keys}
        if sort is not None:
            names |= {m.key: _metric_alias(m) for m in self._plan.metrics}
            key = next((k for k in self._plan.keys if k.name == sort.key), None)
            found += self._by(names[sort.key], key, descending=sort.descending)
        for key in self._plan.keys:
            if sort is None or key.name != sort.key:
                found += self._by(names[key.name], key, descending=False)
        return found

    def _by(self, alias: str, key: Key | None, *, descending: bool) -> list[Expr]:
        """Order by one column; ids that are all numbers go by their number first."""
        terms = [col(alias)]
        if key is not None and key.column in self._layers.numeric_columns:
            terms.insert(0, exp.TryCast(this=col(alias), to=exp.DataType.build("DOUBLE")))
        return [exp.Ordered(this=t, desc=descending, nulls_first=False) for t in terms]

    def _rows(self) -> exp.Select:
        """One row a group."""
        keys = [key_alias(k) for k in self._plan.keys]
        parts = list(self._parts.values())
        base = parts[0].name if len(parts) == 1 else _ALL_KEYS
        query = exp.select(exp.alias_(exp.Literal.number(1), TAG), *(_as(col(k, base), k) for k in keys))
        query = query.select(*self._values(_name), copy=False)
        nothing = [exp.cast(exp.Null(), "BIGINT"), exp.cast(exp.Null(), "BIGINT")]
        extra = [*nothing, exp.cast(exp.Null(), "VARCHAR")]
        query = query.select(*_extras(extra), copy=False).from_(base, copy=False)
        if len(parts) == 1:
            return query
        for part in parts:
            same = exp.and_(*(exp.NullSafeEQ(this=col(k, base), expression=col(k, part.name)) for k in keys))
            query = query.join(part.name, on=same, join_type="left", copy=False)
        return query

    def _totals(self) -> exp.Select:
        """The row over everything."""
        keyed = bool(self._plan.keys)
        parts = list(self._parts.values())
        name = _total_name if keyed else _name
        query = exp.select(
            exp.alias_(exp.Literal.number(0), TAG),
            *(exp.alias_(exp.Null(), key_alias(k), quoted=True) for k in self._plan.keys),
        )
        query = query.select(*self._values(name), copy=False)
        groups: Expr = exp.Literal.number(1)
        if keyed:
            counted = parts[0].name if len(parts) == 1 else _ALL_KEYS
            groups = exp.select(exp.Count(this=exp.Star())).from_(counted).subquery(copy=False)
        by_scope = {p.scope: col(p.rows_alias, name(p)) for p in reversed(parts)}
        scanned = functools.reduce(lambda a, b: exp.Add(this=a, expression=b), by_scope.values())
        days: Expr = exp.Null()
        for part in parts:
            if self._days_in(part):
                days = col(DAYS_BITS, name(part))
        extra = [groups, scanned, exp.cast(days, "VARCHAR")]
        query = query.select(*_extras(extra), copy=False).from_(name(parts[0]), copy=False)
        for part in parts[1:]:
            query = query.join(name(part), join_type="cross", copy=False)
        return query

    def _values(self, table: Callable[[Part], str]) -> list[Expr]:
        found = []
        for metric in self._plan.metrics:
            part = self._part_of[metric.key]
            name = table(part)
            value = part.values[metric.key](functools.partial(col, table=name))
            found.append(_as(value, _metric_alias(metric)))
        return found


def _name(part: Part) -> str:
    return part.name


def _total_name(part: Part) -> str:
    return part.total_name


def _extras(values: Sequence[Expr]) -> list[Expr]:
    return [_as(v, name) for v, name in zip(values, (GROUPS, SCANNED, DAYS), strict=True)]


def _as(value: Expr, alias: str) -> Expr:
    return exp.alias_(value, alias, quoted=True, copy=False)


def _metric_alias(metric: Metric) -> str:
    return f"m_{metric.key}"


def _all_keys(parts: list[Part], keys: tuple[Key, ...]) -> exp.Query:
    """Every group that any part has."""
    selects = [exp.select(*(col(key_alias(k)) for k in keys)).from_(p.name) for p in parts]
    return exp.union(*selects, copy=False)
