"""How a table's values are written for a reader, the same in every format."""

from __future__ import annotations

from math import isfinite
from typing import Any, Final

_WITH_CENTS: Final = ("CNY", "USD", "EUR", "GBP", "JPY", "HKD", "TWD", "KRW", "SGD", "score", "minute", "x")


def shown(value: Any, unit: str) -> str:
    """The value as text: rates in per cent, money and counts with thousands marks; "" for nothing.

    Units beyond those of metrics: pp (difference of rates), change (signed fraction), places (of a rank).
    """
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    if not isfinite(value):
        return ""
    if unit == "ratio":
        return f"{value * 100:.2f}%"
    if unit == "pp":
        return f"{round(value * 100, 2) + 0.0:+.2f} pp"  # + 0.0: no "-0.00"
    if unit == "change":
        return f"{round(value * 100, 2) + 0.0:+.2f}%"
    if unit == "places":
        return f"{round(value, 1) + 0.0:+.1f}"
    is_whole = isinstance(value, int) or value.is_integer()
    return f"{value:,.0f}" if is_whole and unit not in _WITH_CENTS else f"{value:,.2f}"


def is_figure(value: Any) -> bool:
    """Whether a value is set right, as numbers are."""
    return isinstance(value, int | float) and not isinstance(value, bool)
