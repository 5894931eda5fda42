"""What a metric is made of, as row expressions to be summed: a sum, or a numerator and a denominator."""

from __future__ import annotations

from askcore.checks.sql import Expressions
from askcore.semantic.model import Metric


def pieces(metric: Metric, expressions: Expressions) -> tuple[str, ...]:
    """SQL over one row: one expression for a sum, two for a quotient, none for what cannot be added up.

    A row counts in a quotient only when it has both sides.
    Raises: MissingInput when the source lacks a column.
    """
    a = metric.additivity
    if a.kind in ("sum", "derived_sum"):
        return (expressions.metric(metric.key),)
    if a.kind == "ratio" and a.numerator and a.denominator:
        top, bottom = expressions.metric(a.numerator), expressions.metric(a.denominator)
        both = f"({top}) IS NOT NULL AND ({bottom}) IS NOT NULL"
        return f"CASE WHEN {both} THEN {top} END", f"CASE WHEN {both} THEN {bottom} END"
    own = a.column or metric.key
    if a.kind == "weighted_mean" and a.weight:
        value, weight = expressions.metric(own), expressions.metric(a.weight)
        return f"{value} * {weight}", f"CASE WHEN {value} IS NOT NULL THEN {weight} END"
    if a.kind == "mean_per_row":
        value = expressions.metric(own)
        return value, f"CASE WHEN {value} IS NOT NULL THEN 1 END"
    return ()
