"""The chart of an answer, drawn by the service from the clamped spec."""

from __future__ import annotations

import streamlit as st

from askcore.base.errors import AskError
from askcore.base.views import RunSnapshot
from pages.ui import cache, frame, state
from pages.ui.text import t

CONFIG = {"displayModeBar": False, "responsive": True}


def show(run: RunSnapshot) -> None:
    """Draw the run's chart; nothing when it has none."""
    if run.chart is None or run.table is None or not run.table.rows:
        return
    try:
        figure = cache.figure(
            state.viewer(), run.run_id, run.rev, state.is_dark(), state.lang(), run.table, run.chart
        )
    except AskError as e:
        frame.error(t("error.chart"), e)
        return
    st.plotly_chart(
        figure,
        key=f"chart-{run.run_id}",
        config=CONFIG,
        alt=t("chart.alt", question=run.question[:80]),
    )
