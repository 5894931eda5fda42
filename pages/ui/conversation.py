"""The open conversation: its turns, drawn live while a run works."""

from __future__ import annotations

import streamlit as st

from askcore.base.errors import AskError
from askcore.base.views import RunSnapshot
from pages.ui import answer, cache, frame, state
from pages.ui.frame import Place
from pages.ui.text import t

POLL_S = 0.7
TURNS_SHOWN = 6


def load() -> tuple[RunSnapshot, ...]:
    """Turns of the conversation in the URL, oldest first; () for a new one.

    A conversation or run that does not exist (any more) is named, and a new one is offered.
    """
    tab, service, viewer = state.session(), cache.service(), state.viewer()
    wanted, run_id = state.param("session"), state.param("run")
    try:
        if run_id and not wanted:
            wanted = service.snapshot(run_id, viewer=viewer).session_id
        wanted = wanted or tab.session_id
        runs = service.session_runs(wanted, viewer=viewer) if wanted else ()
        if run_id and run_id not in {r.run_id for r in runs}:
            st.info(t("ask.unknown_run"), icon=":material/link_off:")
            run_id = ""
    except AskError:
        st.info(t("ask.unknown_session"), icon=":material/link_off:")
        state.open_session("")
        return ()
    state.open_session(wanted, run_id)
    return runs


def active(runs: tuple[RunSnapshot, ...]) -> RunSnapshot | None:
    """The run that still works, if any."""
    return next((run for run in reversed(runs) if run.is_active), None)


def show(runs: tuple[RunSnapshot, ...], here: Place | None) -> None:
    """Draw the newest turns; older ones unfold on request."""
    tab = state.session()
    hidden = 0 if tab.session_id in tab.earlier else max(0, len(runs) - TURNS_SHOWN)
    if hidden:
        st.button(
            t("ask.earlier", count=hidden),
            key="ask.earlier",
            type="tertiary",
            icon=":material/expand_less:",
            on_click=_unfold,
        )
    for run in runs[hidden:]:
        with st.container(key=f"turn-{run.run_id}", gap="small"):
            _turn(run, here, is_last=run is runs[-1])


def _unfold() -> None:
    tab = state.session()
    tab.earlier = tab.earlier | {tab.session_id}


def _turn(run: RunSnapshot, here: Place | None, *, is_last: bool) -> None:
    """One turn as a fragment; a running and a finished one share their place and keys."""

    @st.fragment(run_every=POLL_S if run.is_active else None)
    def drawn() -> None:
        snapshot = run
        if run.is_active:
            try:
                snapshot = cache.service().snapshot(run.run_id, viewer=state.viewer())
            except AskError as e:
                frame.error(t("error.run"), e)
                return
        answer.show(snapshot, here, is_last=is_last)
        if run.is_active and not snapshot.is_active:
            st.rerun()

    drawn()
