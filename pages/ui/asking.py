"""Sending questions: work is handed to the service, never done in a page script."""

from __future__ import annotations

import time
from typing import cast

import streamlit as st

from askcore.base.errors import AskError
from askcore.base.values import Mode, Reading
from askcore.base.views import RunSnapshot
from pages.ui import cache, state
from pages.ui.text import t

MODES: tuple[Mode, ...] = ("auto", "quick", "deep")
INPUT = "ask.input"
MODE = "ask.mode"
MAX_CHARS = 2000
ASK_PAGE = "pages/ask/ask.py"
GRACE_S = 0.1  # as long as a script may take without being felt


def submit(
    question: str,
    *,
    key: str,
    reading: Reading | None = None,
    dataset: str | None = None,
    skill: str | None = None,
) -> None:
    """Start a run in the open conversation, or say why not.

    key: idempotency key; the same click twice starts one run.
    dataset: None = the one on screen. skill: a playbook; None = chosen by the question.
    """
    text = question.strip()[:MAX_CHARS]
    if not text:
        return
    tab, viewer = state.session(), state.viewer()
    service = cache.service()
    try:
        run_id = service.submit(
            text,
            viewer=viewer,
            session_id=tab.session_id or None,
            dataset=dataset or tab.shown or None,
            entity=None if reading is not None else tab.entity or None,
            mode=mode(),
            reading=reading,
            skill=skill,
            key=key,
        )
        session_id = _settle(run_id, viewer).session_id
    except AskError as e:
        state.flash(f"{t('error.submit')} {e.message}", e.hint)
        return
    state.count_submission()
    _keep_place(session_id, run_id)


def _settle(run_id: str, viewer: str) -> RunSnapshot:
    """The run after a moment: a quick answer is there before the page is drawn, without a poll."""
    deadline = time.monotonic() + GRACE_S
    snapshot = cache.service().snapshot(run_id, viewer=viewer)
    while snapshot.is_active and time.monotonic() < deadline:
        time.sleep(GRACE_S / 10)
        snapshot = cache.service().snapshot(run_id, viewer=viewer)
    return snapshot


def _keep_place(session_id: str, run_id: str) -> None:
    """A new conversation keeps what was picked by hand for it."""
    tab = state.session()
    dataset, entity = tab.dataset, tab.entity
    state.open_session(session_id, run_id)
    tab.dataset, tab.entity = dataset, entity


def from_input(key: str) -> None:
    """Callback of the composer."""
    submit(str(state.widget(INPUT) or ""), key=key, skill=state.session().skill or None)


def mode() -> Mode:
    """The picked mode; what a browser sends is checked."""
    picked = state.widget(MODE, "auto")
    return cast(Mode, picked) if picked in MODES else "auto"


def cancel(run_id: str) -> None:
    """Stop a run."""
    try:
        cache.service().cancel(run_id, viewer=state.viewer())
    except AskError as e:
        state.flash(f"{t('error.cancel')} {e.message}", e.hint)


def button(
    label: str,
    question: str,
    key: str,
    *,
    icon: str | None = None,
    primary: bool = False,
    reading: Reading | None = None,
    dataset: str | None = None,
    skill: str | None = None,
) -> None:
    """A button that asks `question`; one that is suggested needs no playbook picked by hand."""
    st.button(
        label,
        key=key,
        icon=icon,
        type="primary" if primary else "secondary",
        wrap=True,
        on_click=_clicked,
        args=(question, state.next_submission(), reading, dataset, skill),
    )


def elsewhere(label: str, question: str, key: str, dataset: str) -> None:
    """A button of another screen that asks in a new conversation and shows it."""
    if st.button(label, key=key, icon=":material/chat_bubble:", type="tertiary"):
        state.open_session("")
        submit(question, key=state.next_submission(), dataset=dataset)
        tab = state.session()
        asked = {"session": tab.session_id, "run": state.param("run"), "dataset": dataset}
        st.switch_page(ASK_PAGE, query_params=state.link_params(**{k: v for k, v in asked.items() if v}))


def _clicked(
    question: str, key: str, reading: Reading | None, dataset: str | None, skill: str | None
) -> None:
    submit(question, key=key, reading=reading, dataset=dataset, skill=skill)
    st.rerun()  # the button may stand in a fragment, which alone would be drawn again
