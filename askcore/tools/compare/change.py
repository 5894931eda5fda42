"""How one figure changed: amounts in their unit and %, rates in percentage points only."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from askcore.semantic.model import Metric

_DIGITS = 12  # what sums of floats keep; the lake rounds its own sums likewise


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A metric in both periods."""

    cur: float | None
    prev: float | None
    delta: float | None
    """cur - prev; for rates a difference of 0-1 fractions, read as percentage points."""
    pct: float | None
    """delta / |prev| as a fraction; None for rates and when prev is 0 or absent."""

    def as_json(self) -> dict[str, float | None]:
        """{"cur", "prev", "delta", "pct"}."""
        return {"cur": self.cur, "prev": self.prev, "delta": self.delta, "pct": self.pct}


def change(metric: Metric, cur: float | None, prev: float | None) -> Change:
    """The change from `prev` to `cur`; no value on a side means no change can be told."""
    if cur is None or prev is None:
        return Change(cur=cur, prev=prev, delta=None, pct=None)
    delta = difference(cur, prev)
    pct = None if metric.is_rate or prev == 0 else delta / abs(prev)
    return Change(cur=cur, prev=prev, delta=delta, pct=pct)


def difference(cur: float, prev: float) -> float:
    """Cur - prev without digits that neither value has: a difference of equals is 0."""
    if isinstance(cur, int) and isinstance(prev, int):
        return cur - prev
    size = max(abs(cur), abs(prev))
    return 0.0 if abs(cur - prev) < size * 10**-_DIGITS else round(cur - prev, _decimals(size))


def _decimals(size: float) -> int:
    """Decimal places that a value of this size has within twelve significant digits."""
    return _DIGITS - 1 - math.floor(math.log10(size)) if size else _DIGITS


def tidy(value: float) -> float:
    """Without the dust of binary fractions: twelve significant digits, and no negative zero."""
    return float(f"{value:.{_DIGITS}g}") + 0.0


def is_good(metric: Metric, delta: float | None) -> bool | None:
    """Whether a change is good by the metric's polarity; None: neutral, none or unknown."""
    if not delta or metric.polarity == "neutral":
        return None
    return (delta > 0) == (metric.polarity == "up")


def number(value: Any) -> float | None:
    """A table value as a number: counts stay whole, decimals become floats, None stays None."""
    return value if value is None or isinstance(value, int | float) else float(value)
