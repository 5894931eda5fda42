"""How values look: one place for numbers, sizes, durations and the columns of a table."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Any

from askcore.base.values import Column, Lang, Period, Table
from pages.ui import state
from pages.ui.text import t

COUNT_UNITS = ("order", "person", "shop", "count", "days", "rank", "rows")
PERCENT_UNITS = ("ratio", "pct", "share")
COMPACT_STEPS: dict[Lang, tuple[tuple[str, float], ...]] = {
    "zh": (("unit.large", 1e8), ("unit.small", 1e4)),
    "en": (("unit.large", 1e6), ("unit.small", 1e3)),
}
_HANZI = re.compile(r"[\u4e00-\u9fff]")
_SENTENCE = re.compile(r"[\u4e00-\u9fff][\uff0c\u3002\uff1b\uff01\uff1f]")
MAX_ROWS = 1000  # more rows than a person reads; the CSV has what the answer holds


def integer(value: float) -> str:
    """1234567 -> "1,234,567"."""
    return f"{value:,.0f}"


def compact(value: float) -> str:
    """A count for a card, in the steps of the language on screen."""
    for key, size_of in COMPACT_STEPS[state.lang()]:
        if abs(value) >= size_of:
            return f"{value / size_of:,.1f}".removesuffix(".0") + t(key)
    return integer(value)


def duration(elapsed_ms: float) -> str:
    """12.3 -> "12 ms"; 5300 -> "5.3 s"."""
    if elapsed_ms < 1:
        return "<1 ms"
    return f"{elapsed_ms:.0f} ms" if elapsed_ms < 1000 else f"{elapsed_ms / 1000:.1f} s"


def size(byte_count: int) -> str:
    """812 -> "812 B"; 20480 -> "20.0 KB"."""
    if byte_count < 1024:
        return f"{byte_count} B"
    if byte_count < 1024 * 1024:
        return f"{byte_count / 1024:.1f} KB"
    return f"{byte_count / 1024 / 1024:.1f} MB"


def period(value: Period | None) -> str:
    """First to last day; "–" when there is none."""
    return "–" if value is None else f"{value.start} → {value.end}"


def number(value: Any, unit: str) -> str:
    """One number as text by its unit; "–" for a missing one."""
    if value is None or value == "":
        return "–"
    if not isinstance(value, int | float) or isinstance(value, bool):
        return str(value)
    if unit in PERCENT_UNITS:
        return f"{value * 100:.2f}%"
    if unit == "pp":
        return f"{value * 100:+.2f} pp"
    if unit in ("CNY", "money"):
        return f"¥{value:,.2f}"
    if unit in COUNT_UNITS:
        return integer(value) if float(value).is_integer() else f"{value:,.1f}"
    return f"{value:,.2f}".rstrip("0").rstrip(".")


def column_format(unit: str) -> str | None:
    """Pattern (printf) of a column; None: text. Values come from `cell`."""
    if unit in ("", "date"):
        return None
    if unit in PERCENT_UNITS:
        return "%.2f%%"
    if unit == "pp":
        return "%+.2f pp"
    if unit in ("CNY", "money"):
        return "%,.2f"
    if unit in COUNT_UNITS:
        return "%,d"
    return "%,.2f"


def cell(value: Any, column: Column) -> Any:
    """The value that `column_format` prints: percentages as 0-100, days as text."""
    if value is None:
        return None
    if column.unit in PERCENT_UNITS or column.unit == "pp":
        return value * 100 if isinstance(value, int | float) else value
    if isinstance(value, date | datetime):
        return value.isoformat()
    return value


def is_chinese(text: str) -> bool:
    """Whether a text of our own was written for a reader of Chinese."""
    return _HANZI.search(text) is not None


def quotes_source(text: str) -> bool:
    """Whether a text on an English page holds a Chinese sentence: the source's words, not ours.

    Names alone are no sentence; one has a stop or a comma of its own script.
    """
    return state.lang() == "en" and _SENTENCE.search(text) is not None


def totals(table: Table) -> list[tuple[str, str]]:
    """(label, value) of every total, in column order."""
    return [
        (column.label, number(table.totals[column.key], column.unit))
        for column in table.columns
        if column.key in table.totals and column.unit not in ("", "date")
    ]
