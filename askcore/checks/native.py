"""A model's expression over the stored types, where that gives the same value as over DOUBLE.

Money is stored as DECIMAL and counts as BIGINT; casting them costs more than comparing them. Only sums,
products with a number, comparisons and logic are written so: the values are exact then. Sums cannot overflow,
since DECIMAL widens and the lake keeps a BIGINT below 2**53; products can.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from askcore.checks.sql import SOURCE, Expressions, all_of, any_of, optional_in, parsed, quote

if TYPE_CHECKING:
    from sqlglot import exp

_NUMBER = r"\d{1,8}(\.\d{1,6})?"  # longer ones could widen a product beyond what DECIMAL holds


def native(text: str, expressions: Expressions) -> str | None:
    """The expression without casts, NULL where a product overflows; None where it cannot be written so."""
    from sqlglot import exp

    found = _Writer(text, expressions).sql(parsed(text))
    return f"TRY({found})" if found and parsed(found).find(exp.Mul) else found


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


def known(text: str, expressions: Expressions) -> str | None:
    """Condition over columns only: the expression has a value; None where its own value must tell."""
    return _Writer(text, expressions).known(parsed(text))


def whole(value: float) -> str:
    """A literal that stays a whole number where it is one, so that counts are compared as counts."""
    return str(int(value)) if value == int(value) else repr(value)


class _Writer:
    """Writes one expression."""

    def __init__(self, text: str, expressions: Expressions) -> None:
        self._text = text
        self._optional = optional_in(text)
        self._expressions = expressions

    def sql(self, node: exp.Expr) -> str | None:
        """SQL of a node; None when a part of it has none."""
        from sqlglot import exp

        if isinstance(node, exp.Column):
            return self._column(node, want="sql")
        if isinstance(node, exp.Literal):
            return _number(node)
        if not _is_allowed(node):
            return None
        parts = [self.sql(child) for child in node.iter_expressions()]
        if any(part is None for part in parts):
            return None
        copy = node.copy()
        for child, part in zip(list(copy.iter_expressions()), parts, strict=True):
            child.replace(parsed(part or ""))
        return copy.sql(dialect="duckdb")

    def known(self, node: exp.Expr) -> str | None:
        """Whether a node has a value, told by its columns."""
        from sqlglot import exp

        if isinstance(node, exp.Column):
            return self._column(node, want="known")
        if isinstance(node, exp.Literal):
            return "TRUE"
        if isinstance(node, exp.Connector) or not _is_allowed(node):
            return None
        parts = [self.known(child) for child in node.iter_expressions()]
        found = [part for part in parts if part is not None]
        if len(found) < len(parts):
            return None
        if isinstance(node, exp.Coalesce):
            return "TRUE" if "TRUE" in found else any_of(found)
        return all_of(dict.fromkeys(part for part in found if part != "TRUE"))

    def of_derived(self, want: str) -> str | None:
        """The whole expression in brackets, for its place in another one."""
        tree = parsed(self._text)
        found = self.sql(tree) if want == "sql" else self.known(tree)
        return f"({found})" if found else None

    def _column(self, node: exp.Column, *, want: str) -> str | None:
        """A stored column; a metric that is added up from others as they are; None for any other."""
        key, given = node.name, self._expressions
        metric = given.model.by_key.get(key)
        if node.table == SOURCE or metric is None or metric.additivity.kind == "ratio":
            return None
        if key in given.columns:
            column = f"{given.alias}.{quote(key)}"
            return column if want == "sql" else f"{column} IS NOT NULL"
        if metric.additivity.kind == "derived_sum" and metric.additivity.expr:
            return _Writer(metric.additivity.expr, given).of_derived(want)
        is_optional = (node.table, key) in self._optional
        return {"sql": "NULL", "known": "FALSE"}[want] if is_optional else None


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
    sums = (exp.Add, exp.Sub, exp.Neg, exp.Paren, exp.Abs, exp.Coalesce)
    tests = (exp.GT, exp.GTE, exp.LT, exp.LTE, exp.EQ, exp.NEQ, exp.And, exp.Or, exp.Not)
    return isinstance(node, sums + tests)
