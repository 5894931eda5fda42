"""The reports made so far, newest first."""

from __future__ import annotations

import streamlit as st

from askcore.base.errors import AskError
from askcore.base.reports import MadeReport
from pages.ui import cache, frame, reports_frame, restated, state
from pages.ui.safe import esc
from pages.ui.text import t

PAGE_SIZE = 30


def show() -> None:
    """A line each; one opens it."""
    st.subheader(t("reports.made"), anchor=False)
    try:
        made = cache.service().made_reports(viewer=state.viewer())
    except AskError as e:
        frame.error(t("error.reports"), e)
        return
    if not made:
        st.caption(t("reports.none"))
        return
    pages = -(-len(made) // PAGE_SIZE)
    first = (st.pagination(pages, key="reports.page") - 1) * PAGE_SIZE if pages > 1 else 0
    with st.container(gap="xsmall"):
        for one in made[first : first + PAGE_SIZE]:
            _line(one)


def _line(made: MadeReport) -> None:
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.button(
            esc(made.title),
            key=f"report-open-{made.report_id}",
            type="tertiary",
            icon=":material/description:",
            on_click=reports_frame.show_report,
            args=(made.report_id,),
        )
        reports_frame.badge(made)
        restated.mark_report(made.dataset, made.version, made.report_id)
        st.caption(reports_frame.facts(made), width="content")
