"""A result table on screen: formatted by unit, at most MAX_ROWS rows, with its totals."""

from __future__ import annotations

from typing import Any

import streamlit as st

from askcore.base.values import Column, Table
from pages.ui import format as fmt
from pages.ui.safe import esc
from pages.ui.text import t

ROW_PX = 33
VISIBLE_ROWS = 10


def show(table: Table, *, key: str, limit: int = fmt.MAX_ROWS, with_totals: bool = True) -> None:
    """Draw the rows that are here; says how many of how many."""
    if not table.rows:
        st.caption(t("table.empty"))
        return
    rows = table.rows[:limit]
    frame(
        {c.label: [fmt.cell(row.get(c.key), c) for row in rows] for c in table.columns},
        {c.label: _config(c) for c in table.columns},
        key=key,
    )
    _footer(table, len(rows), with_totals=with_totals)


def frame(
    columns: dict[str, list[Any]],
    config: dict[str, Any] | None = None,
    *,
    key: str,
    visible_rows: int = VISIBLE_ROWS,
) -> None:
    """A read-only table of literal cells."""
    import pandas as pd

    data = pd.DataFrame(columns)
    few = len(data) <= visible_rows
    st.dataframe(
        data,
        hide_index=True,
        column_config=config,
        height="content" if few else ROW_PX * (visible_rows + 1),
        key=key,
        alt=", ".join(columns),
    )


def _config(column: Column) -> Any:
    pattern = fmt.column_format(column.unit)
    if pattern is None:
        return st.column_config.Column(column.label)
    return st.column_config.NumberColumn(column.label, format=pattern)


def _footer(table: Table, shown: int, *, with_totals: bool) -> None:
    total = max(table.row_count, len(table.rows))
    parts = [t("table.shown", shown=fmt.integer(shown), total=fmt.integer(total))]
    if with_totals:
        parts += [f"{esc(label)} {esc(value)}" for label, value in fmt.totals(table)[:4]]
    sums = f"{t('table.totals')} " if len(parts) > 1 else ""
    st.caption(" · ".join([parts[0], sums + " · ".join(parts[1:])] if sums else parts))
