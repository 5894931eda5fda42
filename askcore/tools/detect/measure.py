"""How a metric's days vary, and with it how they are judged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from askcore.semantic.model import Metric, Model

_COUNTS = frozenset({"order", "person"})
_WHOLE_FROM = 10  # below, a tenth of an order still says something
_DIGITS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """count: whole numbers. rate: a count out of a count. size: money, quotients and all else."""

    kind: Literal["count", "rate", "size"]
    unit: str
    impact_unit: str
    """Unit of observed minus expected: of quotients that of the numerator."""

    def neat(self, value: float) -> float:
        """An estimate with the digits that it can have: whole people, whole cents."""
        if self.kind == "count":
            return round(value, 0 if value >= _WHOLE_FROM else 1)
        return round(value, 2) if self.unit == "CNY" else float(f"{value:.{_DIGITS}g}")


def measure_of(model: Model, metric: Metric) -> Measure:
    """The measure of a metric that is made of daily sums."""
    a = metric.additivity
    if a.kind in ("sum", "derived_sum"):
        return Measure(
            kind="count" if metric.unit in _COUNTS else "size", unit=metric.unit, impact_unit=metric.unit
        )
    if a.kind == "ratio" and a.numerator and a.denominator:
        top, bottom = (model.by_key[key].unit for key in (a.numerator, a.denominator))
        is_rate = metric.is_rate and top in _COUNTS and bottom in _COUNTS
        return Measure(kind="rate" if is_rate else "size", unit=metric.unit, impact_unit=top)
    return Measure(kind="size", unit=metric.unit, impact_unit="")
