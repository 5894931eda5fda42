"""The rows of an answer, folded where a chart draws them."""

from __future__ import annotations

import streamlit as st

from askcore.base.values import Table
from askcore.base.views import RunSnapshot
from pages.ui import format as fmt
from pages.ui import tables
from pages.ui.text import t


def show(run: RunSnapshot) -> None:
    """The table that the answer rests on; nothing where the strip of figures says the one row."""
    table = run.table
    if table is None or not table.rows or (len(table.rows) == 1 and run.headline):
        return
    folded = st.expander(
        _label(table),
        type="compact",
        expanded=run.chart is None,
        icon=":material/table:",
        key=f"table-{run.run_id}",
        on_change="rerun",
    )
    if folded.open:
        with folded:
            tables.show(table, key=f"table-rows-{run.run_id}")


def _label(table: Table) -> str:
    total = max(table.row_count, len(table.rows))
    if total == len(table.rows):
        return t("table.all", total=fmt.integer(total))
    return t("table.some", shown=fmt.integer(len(table.rows)), total=fmt.integer(total))
