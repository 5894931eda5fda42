"""A model's expression over the stored types, where that gives the same value as over DOUBLE.

Money is stored as DECIMAL and counts as BIGINT; casting them costs more than comparing them. Only sums,
products with a number, comparisons and logic are written so: the values are exact then. Sums cannot overflow,
since DECIMAL widens and the lake keeps a BIGINT below 2**53; products can.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from askcore.checks.sql import SOURCE, Expressions, all_of, any_of, names_in, optional_in, parsed, quote

if TYPE_CHECKING:
    from sqlglot import exp

_NUMBER = r"\d{1,8}(\.\d{1,6})?"  # longer ones could widen a product beyond what DECIMAL holds
_SIGNS = {
    "add": "+", "sub": "-", "mul": "*", "gt": ">", "gte": ">=", "lt": "<", "lte": "<=", "eq": "=",
    "neq": "<>", "and": "AND", "or": "OR",
}  # fmt: skip
_WRAPPED = {"paren": "({})", "neg": "-{}", "not": "NOT {}", "abs": "abs({})", "coalesce": "coalesce({})"}
_Columns = tuple[tuple[tuple[str, str], tuple[str, str] | None], ...]
"""(table, name) -> (SQL, condition that it has a value); None where it is nothing stored."""


def native(text: str, expressions: Expressions) -> str | None:
    """The expression without casts, NULL where a product overflows; None where it cannot be written so."""
    found = _plain(text, _columns(text, expressions))
    return f"TRY({found})" if found and _has_product(found) else found


def known(text: str, expressions: Expressions) -> str | None:
    """Condition over columns only: the expression has a value; None where its own value must tell."""
    return _known(text, _columns(text, expressions))


def whole(value: float) -> str:
    """A literal that stays a whole number where it is one, so that counts are compared as counts."""
    return str(int(value)) if value == int(value) else repr(value)


@lru_cache(maxsize=512)
def tightened(text: str) -> str | None:
    """A comparison without the slack of its larger side, which implies it; None when there is no slack.

    `x <= y * 1.005 + 0.05` follows from `x <= y AND y >= 0`.
    """
    from sqlglot import exp

    tree = parsed(text).unnest()
    if not isinstance(tree, exp.LT | exp.LTE | exp.GT | exp.GTE):
        return None
    larger = "expression" if isinstance(tree, exp.LT | exp.LTE) else "this"
    side, positive = _without_slack(tree.args[larger])
    if side is tree.args[larger].unnest():
        return None
    tight = tree.copy()
    tight.set(larger, exp.paren(side))
    return all_of([tight.sql(dialect="duckdb"), *(f"({p.sql(dialect='duckdb')}) >= 0" for p in positive)])


def _without_slack(node: exp.Expr) -> tuple[exp.Expr, list[exp.Expr]]:
    """(something no larger, what must not be negative for that)."""
    from sqlglot import exp

    node = node.unnest()
    if not isinstance(node, exp.Add | exp.Mul):
        return node, []
    for number, other in ((node.this, node.expression), (node.expression, node.this)):
        if not isinstance(number, exp.Literal) or number.is_string:
            continue
        side, positive = _without_slack(other)
        if isinstance(node, exp.Add):
            return side, positive
        if float(number.this) >= 1:
            return side, [*positive, side]
    return node, []


def _columns(text: str, expressions: Expressions) -> _Columns:
    """What stands for each name of an expression."""
    optional = optional_in(text)
    return tuple((name, _column(name, expressions, optional)) for name in names_in(text))


def _column(
    name: tuple[str, str], expressions: Expressions, optional: frozenset[tuple[str, str]]
) -> tuple[str, str] | None:
    """A stored column; a metric that is added up from others as they are; None for any other."""
    table, key = name
    metric = expressions.model.by_key.get(key)
    if table == SOURCE or metric is None or metric.additivity.kind == "ratio":
        return None
    if key in expressions.columns:
        column = f"{expressions.alias}.{quote(key)}"
        return column, f"{column} IS NOT NULL"
    text = metric.additivity.expr
    if metric.additivity.kind == "derived_sum" and text:
        columns = _columns(text, expressions)
        inner, has_value = _plain(text, columns), _known(text, columns)
        return (f"({inner})", f"({has_value})") if inner and has_value else None
    return ("NULL", "FALSE") if name in optional else None


@lru_cache(maxsize=512)
def _plain(text: str, columns: _Columns) -> str | None:
    return _sql(parsed(text), dict(columns))


@lru_cache(maxsize=512)
def _known(text: str, columns: _Columns) -> str | None:
    return _has_value(parsed(text), dict(columns))


@lru_cache(maxsize=512)
def _has_product(sql: str) -> bool:
    from sqlglot import exp

    return parsed(sql).find(exp.Mul) is not None


def _sql(node: exp.Expr, columns: dict[tuple[str, str], tuple[str, str] | None]) -> str | None:
    """SQL of a node; None when a part of it has none."""
    from sqlglot import exp

    if isinstance(node, exp.Column):
        found = columns[node.table, node.name]
        return found[0] if found else None
    if isinstance(node, exp.Literal):
        return _number(node)
    if not _is_allowed(node):
        return None
    parts = [_sql(child, columns) for child in node.iter_expressions()]
    written = [part for part in parts if part is not None]
    if len(written) < len(parts):
        return None
    if node.key in _SIGNS:
        return f" {_SIGNS[node.key]} ".join(written)
    return _WRAPPED[node.key].format(", ".join(written))


def _has_value(node: exp.Expr, columns: dict[tuple[str, str], tuple[str, str] | None]) -> str | None:
    """Whether a node has a value, told by its columns."""
    from sqlglot import exp

    if isinstance(node, exp.Column):
        found = columns[node.table, node.name]
        return found[1] if found else None
    if isinstance(node, exp.Literal):
        return "TRUE"
    if isinstance(node, exp.Connector) or not _is_allowed(node):
        return None
    parts = [_has_value(child, columns) for child in node.iter_expressions()]
    told = [part for part in parts if part is not None]
    if len(told) < len(parts):
        return None
    if isinstance(node, exp.Coalesce):
        return "TRUE" if "TRUE" in told else any_of(told)
    return all_of(dict.fromkeys(part for part in told if part != "TRUE"))


def _number(node: exp.Literal) -> str | None:
    text = str(node.this)
    return text if not node.is_string and re.fullmatch(_NUMBER, text) else None


def _is_allowed(node: exp.Expr) -> bool:
    """Whether a node means the same over every stored type."""
    from sqlglot import exp

    if isinstance(node, exp.Mul):
        left, right = node.this.unnest(), node.expression.unnest()
        other = right if isinstance(left, exp.Literal) else left
        return isinstance(left, exp.Literal) != isinstance(right, exp.Literal) and not other.find(exp.Mul)
    return node.key in _SIGNS or node.key in _WRAPPED
