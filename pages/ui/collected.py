"""Answers collected for a report: put aside on the ask page, ordered and made into one here."""

from __future__ import annotations

import streamlit as st

from askcore.base.errors import AskError
from askcore.base.views import RunSnapshot
from pages.ui import cache, state
from pages.ui.frame import Place
from pages.ui.safe import esc
from pages.ui.text import t

MAX_COLLECTED = 50


def button(run: RunSnapshot) -> None:
    """Put an answer aside, or take it back."""
    is_in = run.run_id in state.session().collected
    st.button(
        t("reports.collected" if is_in else "reports.collect"),
        key=f"collect-{run.run_id}",
        type="tertiary",
        icon=":material/playlist_add_check:" if is_in else ":material/playlist_add:",
        on_click=toggle,
        args=(run.run_id,),
    )


def toggle(run_id: str) -> None:
    """Callback: in when it is out, out when it is in."""
    tab = state.session()
    if run_id in tab.collected:
        tab.collected = tuple(one for one in tab.collected if one != run_id)
    else:
        tab.collected = (*tab.collected, run_id)[-MAX_COLLECTED:]


def move(run_id: str, by: int) -> None:
    """Callback: one place up (-1) or down (1)."""
    tab = state.session()
    order = list(tab.collected)
    at = order.index(run_id)
    to = at + by
    if 0 <= to < len(order):
        order[at], order[to] = order[to], order[at]
        tab.collected = tuple(order)


def show(here: Place) -> None:
    """The answers in their order, with the button that makes a report of them."""
    runs = _runs()
    if not runs:
        return
    with st.container(border=True, key="reports.collected", gap="small"):
        st.subheader(t("reports.collected_title", count=len(runs)), anchor=False)
        for run in runs:
            _line(run, is_first=run is runs[0], is_last=run is runs[-1])
        st.button(
            t("reports.make_answers"),
            key="reports.make-answers",
            type="primary",
            icon=":material/description:",
            on_click=_make,
            args=(here,),
        )


def _runs() -> list[RunSnapshot]:
    """The collected answers that are still there."""
    found = []
    for run_id in state.session().collected:
        try:
            found.append(cache.service().snapshot(run_id, viewer=state.viewer()))
        except AskError:
            toggle(run_id)  # its session was deleted
    return found


def _line(run: RunSnapshot, *, is_first: bool, is_last: bool) -> None:
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center"):
        st.markdown(esc(run.question), width="stretch")
        for by, icon, off in ((-1, "arrow_upward", is_first), (1, "arrow_downward", is_last)):
            st.button(
                t("reports.up" if by < 0 else "reports.down"),
                key=f"collected-{by}-{run.run_id}",
                type="tertiary",
                icon=f":material/{icon}:",
                disabled=off,
                on_click=move,
                args=(run.run_id, by),
            )
        st.button(
            t("reports.remove"),
            key=f"collected-x-{run.run_id}",
            type="tertiary",
            icon=":material/close:",
            on_click=toggle,
            args=(run.run_id,),
        )


def _make(here: Place) -> None:
    """Callback: the answers are in the language they were given in, the report in that of the page."""
    tab = state.session()
    try:
        cache.service().start_report(
            "answers", viewer=here.viewer, lang=here.lang, dataset=here.dataset, run_ids=tab.collected
        )
    except AskError as e:
        state.flash(f"{t('error.report')} {e.message}", e.hint)
        return
    tab.collected = ()
