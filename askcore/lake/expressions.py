"""Row-level and aggregate SQL expressions of metrics, as SQLGlot trees.

Rules that keep other dialects possible: CASE WHEN instead of FILTER, CAST AS DOUBLE and NULLIF in every
division, no alias equal to a column.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from sqlglot import exp, parse_one

from askcore.base.errors import BadRequest
from askcore.lake.layers import Layers
from askcore.lake.schema import DATE, FactSchema, is_money
from askcore.semantic.model import Metric

Expr = exp.Expr
MAX_DEPTH = 5  # a metric over a metric over …; deeper is a cycle in the model


def col(name: str, table: str | None = None) -> Expr:
    """A quoted column."""
    return exp.column(exp.to_identifier(name, quoted=True), table=table)


def double(value: Expr) -> Expr:
    """CAST(value AS DOUBLE)."""
    return exp.cast(value, "DOUBLE")


def divide(above: Expr, below: Expr) -> Expr:
    """Quotient above / below as DOUBLE; NULL when below is 0."""
    safe = exp.Nullif(this=double(below), expression=exp.Literal.number(0))
    return exp.Div(this=double(above), expression=safe)


def when(condition: Expr, value: Expr) -> Expr:
    """CASE WHEN condition THEN value END."""
    return exp.Case(ifs=[exp.If(this=condition, true=value)])


def present(*values: Expr) -> Expr:
    """All values are there."""
    return exp.and_(*(exp.Not(this=exp.Is(this=v.copy(), expression=exp.Null())) for v in values))


def distinct(value: Expr) -> Expr:
    """COUNT(DISTINCT value)."""
    return exp.Count(this=exp.Distinct(expressions=[value]))


@lru_cache(maxsize=512)
def _parsed(text: str) -> Expr:
    return parse_one(text, dialect="duckdb")


def fact_column(name: str, schema: FactSchema) -> str:
    """The lake's name of a source column: the model's time column is `date` here."""
    return DATE if name == schema.model.time.column else name


def columns_of(metric: Metric, schema: FactSchema, depth: int = 0) -> frozenset[str]:
    """Columns of `fact` without which the metric has no value."""
    if depth > MAX_DEPTH:
        raise BadRequest(f"metric {metric.key!r} is defined by itself")
    a = metric.additivity
    names = {n for n in (a.numerator, a.denominator, a.weight) if n is not None}
    found: set[str] = set()
    if a.kind in ("sum", "weighted_mean", "last", "mean_per_row"):
        names |= {a.column or metric.key}
    elif a.column is not None:
        found.add(fact_column(a.column, schema))
    for text in (a.expr, a.where):
        if text:
            names |= {c.name for c in _parsed(text).find_all(exp.Column)}
    for name in names:
        other = schema.model.by_key.get(name)
        if other is None or name == metric.key:
            found.add(name)
        else:
            found |= columns_of(other, schema, depth + 1)
    return frozenset(found)


class RowExpressions:
    """What a metric is in one row of a scope."""

    def __init__(self, layers: Layers, scope: str) -> None:
        self._layers = layers
        self._schema = layers.schema
        self._scope = scope

    def metric(self, key: str, depth: int = 0) -> Expr:
        """The row's value of a metric. Raises: BadRequest when it has none."""
        if depth > MAX_DEPTH:
            raise BadRequest(f"metric {key!r} is defined by itself")
        metric = self._schema.model.by_key.get(key)
        if metric is None:
            return col(fact_column(key, self._schema))
        a = metric.additivity
        if a.kind == "derived_sum" and a.expr:
            return self.text(a.expr, depth)
        if a.kind == "ratio" and a.numerator and a.denominator:
            return divide(self.metric(a.numerator, depth + 1), self.metric(a.denominator, depth + 1))
        if a.kind == "distinct":
            raise BadRequest(f"metric {key!r} has no value in a single row")
        return col(key)

    def text(self, text: str, depth: int = 0) -> Expr:
        """An expression of the model over metric keys and columns."""

        def resolved(node: Expr) -> Expr:
            if isinstance(node, exp.Column):
                return exp.paren(self.metric(node.name, depth + 1))
            return node

        return exp.paren(_parsed(text).copy().transform(resolved))

    def never_null(self, metric: Metric) -> bool:
        """Whether every row of the scope has the value, so that no CASE is needed."""
        if metric.additivity.kind not in ("sum", "weighted_mean", "last", "mean_per_row"):
            return False
        return self._layers.never_null(metric.key, self._scope)

    def is_exact(self, metric: Metric) -> bool:
        """Whether sums are exact (integers or decimals), whatever order threads add in."""
        columns = columns_of(metric, self._schema)
        return all(self._layers.types.get(c) != "DOUBLE" for c in columns)


def shown(metric: Metric, value: Expr) -> Expr:
    """The value as it leaves SQL: exact money becomes a number that sorts and travels cheaply."""
    return double(value) if is_whole_cents(metric) else value


def is_whole_cents(metric: Metric) -> bool:
    """Whether values are amounts of money that are told to the cent: rounding them is left to the end."""
    return is_money(metric) and metric.additivity.kind in ("sum", "derived_sum", "last")


Reference = Callable[[str], Expr]
"""Alias of an aggregate -> where it is read from: the groups, or the totals."""


def sum_terms(metric: Metric, rows: RowExpressions, schema: FactSchema) -> tuple[Expr, ...] | None:
    """The sums that the metric is made of, which add up over groups; None when it is not made of sums."""
    if metric.is_additive:
        return (exp.Sum(this=rows.metric(metric.key)),)
    return _pair(metric, rows, schema)


def of_sums(metric: Metric, sums: Sequence[Expr]) -> Expr:
    """The metric out of the values of its `sum_terms`."""
    return shown(metric, sums[0]) if len(sums) == 1 else divide(sums[0], sums[1])


def _pair(metric: Metric, rows: RowExpressions, schema: FactSchema) -> tuple[Expr, Expr] | None:
    """(Σ above, Σ below) of a quotient of sums over the rows where both are there."""
    a = metric.additivity
    if a.kind == "mean_per_row":
        value = rows.metric(a.column or metric.key)
        return exp.Sum(this=value), exp.Count(this=value.copy())
    if a.kind == "weighted_mean" and a.weight:
        value, weight = rows.metric(a.column or metric.key), rows.metric(a.weight)
        product = exp.Mul(this=double(value), expression=weight.copy())
        both = present(value, weight)
        return exp.Sum(this=product), exp.Sum(this=when(both, weight))
    if a.kind != "ratio" or not a.numerator or not a.denominator:
        return None
    above, below = (schema.model.metric(k) for k in (a.numerator, a.denominator))
    if not (above.is_additive and below.is_additive):
        return None
    num, den = rows.metric(above.key), rows.metric(below.key)
    if rows.never_null(above) and rows.never_null(below):
        return exp.Sum(this=num), exp.Sum(this=den)
    both = present(num, den)
    return exp.Sum(this=when(both, num)), exp.Sum(this=when(both.copy(), den))


def direct(metric: Metric, rows: RowExpressions, schema: FactSchema, depth: int = 0) -> Expr:
    """The metric as one aggregate over rows of a single entity (or where entities do not matter)."""
    if depth > MAX_DEPTH:
        raise BadRequest(f"metric {metric.key!r} is defined by itself")
    a = metric.additivity
    if metric.is_additive:
        return exp.Sum(this=rows.metric(metric.key))
    if a.kind == "last":
        return exp.ArgMax(this=rows.metric(metric.key), expression=col(DATE))
    if a.kind == "distinct" and a.column:
        counted = _nonempty(fact_column(a.column, schema), schema)
        return distinct(when(rows.text(a.where), counted) if a.where else counted)
    pair = _pair(metric, rows, schema)
    if pair is not None:
        return divide(*pair)
    if a.kind == "ratio" and a.numerator:
        above = schema.model.metric(a.numerator)
        if a.denominator is None and a.column:
            return divide(exp.Sum(this=rows.metric(above.key)), _counted(above, a.column, rows, schema))
        below = schema.model.metric(a.denominator or "")
        return divide(direct(above, rows, schema, depth + 1), direct(below, rows, schema, depth + 1))
    raise BadRequest(f"metric {metric.key!r} cannot be aggregated: incomplete additivity")


def _counted(above: Metric, column: str, rows: RowExpressions, schema: FactSchema) -> Expr:
    """Distinct days or entities among the rows that have a value of `above`."""
    value = _nonempty(fact_column(column, schema), schema)
    if rows.never_null(above):
        return distinct(value)
    return distinct(when(present(rows.metric(above.key)), value))


def _nonempty(column: str, schema: FactSchema) -> Expr:
    """The column without '': an id that a row does not have must not be counted."""
    if column not in schema.text_columns:
        return col(column)
    return exp.Nullif(this=col(column), expression=exp.Literal.string(""))


def across(metric: Metric, value: str, weight: str) -> Expr:
    """One value out of one a entity, by the model's rule; value, weight: columns of the entities' SELECT."""
    rule = metric.additivity.across_entities
    is_one = exp.LTE(this=exp.Count(this=col(value)), expression=exp.Literal.number(1))
    if rule == "forbid":
        return when(is_one, exp.Max(this=col(value)))
    if rule == "weighted_mean":
        product = exp.Mul(this=double(col(value)), expression=col(weight))
        both = present(col(value), col(weight))
        mean = divide(exp.Sum(this=product), exp.Sum(this=when(both, col(weight))))
        alone = exp.If(this=is_one, true=double(exp.Max(this=col(value))))
        return exp.Case(ifs=[alone], default=mean)
    return exp.Sum(this=col(value))


def needs_entities(metric: Metric) -> bool:
    """Whether entities are aggregated in a second step, by a rule of their own."""
    a = metric.additivity
    return a.kind == "last" or a.across_entities in ("forbid", "weighted_mean")
