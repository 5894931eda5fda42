"""The table of an answer as CSV."""

from __future__ import annotations

import csv
import io
from typing import Any

from askcore.base.values import Table

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet would run


def table_csv(table: Table) -> bytes:
    """UTF-8 with BOM, so that spreadsheets read Chinese; text that looks like a formula is quoted."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([_safe(c.label) for c in table.columns])
    for row in table.rows:
        writer.writerow([_safe(row.get(c.key)) for c in table.columns])
    return out.getvalue().encode("utf-8-sig")


def _safe(value: Any) -> Any:
    if isinstance(value, str) and value.startswith(_FORMULA_STARTS):
        return f"'{value}"
    return "" if value is None else value
