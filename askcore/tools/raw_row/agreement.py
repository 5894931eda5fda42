"""Whether a value of the source agrees with the lake's own: within rounding, or in another unit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from askcore.semantic.model import Metric, Model, Tolerance
from askcore.tools.raw_row.raw_fields import RawField

Agreement = Literal["agrees", "other_unit", "differs", "not_compared"]
FACTORS = (100.0, 10_000.0, 0.01, 0.0001)
"""A percentage for a fraction, ten thousands for units, and the reverse."""
_DEFAULT_ABS: Mapping[str, float] = {"CNY": 0.05, "order": 0.5, "person": 0.5, "ratio": 0.0005}
_OTHER_ABS = 0.005  # scores, minutes and the like are delivered with at most two decimals
_REL = 1e-6  # what a sum of floats loses


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One field of one row."""

    field: RawField
    row: int
    """1, 2 … of rows with the same key, in the order delivered."""
    source: float | str | None
    lake: float | None
    agreement: Agreement
    factor: float | None = None
    """By what the source's value is larger, when it is one of `FACTORS`."""


def tolerance_of(model: Model, field: RawField) -> Tolerance:
    """How far the two may be apart: the identity about the field, the rule for changes, or the unit's own."""
    metric = field.metric
    unit = "" if metric is None else metric.unit
    rule = model.source_delta
    limit = (rule.abs_tol if rule is not None else _DEFAULT_ABS).get(unit, _DEFAULT_ABS.get(unit, _OTHER_ABS))
    if field.kind in ("day_change", "week_change"):
        return Tolerance(abs=limit, rel=_REL if rule is None else rule.rel_tol)
    for identity in model.identities:
        if field.kind == "value" and metric is not None and identity.right == f"src.{metric.key}":
            return Tolerance(abs=max(identity.row_tol.abs, _tiny(metric)), rel=identity.row_tol.rel)
    return Tolerance(abs=limit, rel=_REL)


def _tiny(metric: Metric) -> float:
    """Below it a difference is rounding in every unit."""
    return 1e-9 if metric.is_rate else 1e-6


def agreement(
    source: float | None, lake: float | None, tolerance: Tolerance, *, probe: bool
) -> tuple[Agreement, float | None]:
    """(how they compare, factor of another unit). probe: whether another unit is thought of."""
    if source is None or lake is None:
        return "not_compared", None
    if _near(source, lake, tolerance):
        return "agrees", None
    if probe and source > 0 and lake > 0:
        for factor in FACTORS:
            scaled = Tolerance(abs=min(tolerance.abs, 0.02 * lake), rel=tolerance.rel)
            if _near(source / factor, lake, scaled):
                return "other_unit", factor
    return "differs", None


def _near(left: float, right: float, tolerance: Tolerance) -> bool:
    return abs(left - right) <= max(tolerance.abs, tolerance.rel * abs(right)) + 1e-9
