"""The composer at the bottom: question, mode, playbook, dataset, entity; Stop while a run works."""

from __future__ import annotations

import streamlit as st

from askcore.base.errors import AskError
from askcore.base.views import RunSnapshot
from pages.ui import asking, cache, frame, playbook, state
from pages.ui.frame import Place
from pages.ui.safe import esc
from pages.ui.text import t

ENTITY = "ask.entity"
ANY = ""


def show(here: Place | None, running: RunSnapshot | None) -> None:
    """Draw the composer; it is busy only while a run of this conversation works."""
    st.chat_input(
        t("ask.busy") if running is not None else t("ask.placeholder"),
        key=asking.INPUT,
        max_chars=asking.MAX_CHARS,
        disabled=running is not None or here is None,
        on_submit=asking.from_input,
        args=(state.next_submission(),),
    )
    with st.bottom, st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.segmented_control(
            t("ask.mode"),
            asking.MODES,
            default="auto",
            required=True,
            format_func=lambda one: t(f"mode.{one}"),
            key=asking.MODE,
            label_visibility="collapsed",
            persist_state="session",
        )
        playbook.picker()
        if here is not None:
            frame.dataset_picker(here, "ask.dataset")
            _entity(here)
        st.space("stretch")
        _right(here, running)


def _right(here: Place | None, running: RunSnapshot | None) -> None:
    if running is not None:
        st.button(
            t("ask.stop"),
            key="ask.stop",
            icon=":material/stop_circle:",
            shortcut="Esc",
            on_click=asking.cancel,
            args=(running.run_id,),
        )
    elif here is not None:
        try:
            st.caption(esc(frame.data_note(here.overview())), width="content")
        except AskError as e:
            st.caption(esc(e.message), width="content")


def _entity(here: Place) -> None:
    try:
        names = {
            row.id: row.name or row.id for row in cache.entities(here.viewer, here.dataset, here.version)
        }
    except AskError:
        return  # the overview beside it reports the same failure
    if len(names) < 2:
        return
    picked = state.session().entity
    st.menu_button(
        esc(names.get(picked, t("ask.entity_any"))),
        [ANY, *names],
        key=ENTITY,
        type="tertiary",
        icon=":material/storefront:",
        help=t("ask.entity"),
        format_func=lambda one: esc(names.get(one, t("ask.entity_any"))),
        on_click=_pick_entity,
    )


def _pick_entity() -> None:
    state.session().entity = str(state.widget(ENTITY) or ANY)
