"""How one figure changed: amounts in their unit and %, rates in percentage points only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from askcore.semantic.model import Metric


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
    delta = tidy(metric, cur - prev)
    pct = None if metric.is_rate or prev == 0 else (cur - prev) / abs(prev)
    return Change(cur=cur, prev=prev, delta=delta, pct=pct)


def tidy(metric: Metric, value: float) -> float:
    """Without the dust of binary fractions: money to the cent, other values to 12 digits."""
    return round(value, 2 if metric.unit == "CNY" else 12)


def is_good(metric: Metric, delta: float | None) -> bool | None:
    """Whether a change is good by the metric's polarity; None: neutral, none or unknown."""
    if not delta or metric.polarity == "neutral":
        return None
    return (delta > 0) == (metric.polarity == "up")


def number(value: Any) -> float | None:
    """A table or SQL value as float; None stays None."""
    return None if value is None else float(value)
