"""Conversations in the sidebar: search, new, open, rename, delete."""

from __future__ import annotations

import time
from collections.abc import Iterable
from datetime import datetime, timedelta, timezone

import streamlit as st

from askcore.base.errors import AskError
from askcore.base.views import SessionInfo
from pages.ui import cache, frame, state
from pages.ui.safe import short
from pages.ui.text import t

SEARCH = "sessions.search"
MENU = "sessions.menu"
TITLE = "sessions.title"
TITLE_CHARS = 40
MAX_TITLE = 80
LISTED = 60
POLL_S = 2.0
GROUPS = ("today", "week", "earlier")


def show() -> None:
    """Draw the list; polls while a conversation runs, so that its mark goes away."""
    with st.sidebar:
        with st.container(horizontal=True, gap="xsmall"):
            st.text_input(
                t("sessions.search"),
                key=SEARCH,
                placeholder=t("sessions.search"),
                label_visibility="collapsed",
                icon=":material/search:",
            )
            st.button(
                t("sessions.new"),
                key="sessions.new",
                icon=":material/edit_square:",
                help=t("sessions.new_help"),
                on_click=state.open_session,
                args=("",),
            )
        _polled()


def _polled() -> None:
    found = _sessions()
    fresh = [found]
    running = any(s.is_running for s in found)

    @st.fragment(run_every=POLL_S if running else None)
    def listed() -> None:
        current = fresh.pop() if fresh else _sessions()
        _groups(current)
        if running and not any(s.is_running for s in current):
            st.rerun()

    listed()


def _sessions() -> tuple[SessionInfo, ...]:
    search = str(state.widget(SEARCH) or "").strip()
    try:
        return cache.service().sessions(viewer=state.viewer(), search=search)[:LISTED]
    except AskError as e:
        frame.error(t("error.sessions"), e)
        return ()


def _groups(found: Iterable[SessionInfo]) -> None:
    grouped: dict[str, list[SessionInfo]] = {name: [] for name in GROUPS}
    for info in found:
        grouped[_group(info.updated_at)].append(info)
    if not any(grouped.values()):
        st.caption(t("sessions.none"))
    for name, members in grouped.items():
        if members:
            with st.container(gap="xxsmall"):
                st.caption(t(f"sessions.{name}"))
                for info in members:
                    _line(info)


def _group(updated_at: float) -> str:
    """Today and this week by the clock of the browser."""
    zone = timezone(timedelta(minutes=-(st.context.timezone_offset or 0)))
    today = datetime.fromtimestamp(time.time(), zone).date()
    day = datetime.fromtimestamp(updated_at, zone).date()
    if day >= today:
        return "today"
    return "week" if day >= today - timedelta(days=today.weekday()) else "earlier"


def _line(info: SessionInfo) -> None:
    is_open = info.session_id == state.session().session_id
    if not is_open:
        _open_button(info, is_open=False)
        return
    with st.container(horizontal=True, wrap=False, gap="xxsmall", vertical_alignment="center"):
        _open_button(info, is_open=True)
        picked = st.menu_button(
            "",
            ["rename", "delete"],
            key=MENU,
            help=t("sessions.menu"),
            type="tertiary",
            icon=":material/more_horiz:",
            format_func=lambda one: t(f"sessions.{one}"),
        )
    if picked == "rename":
        _rename(info)
    elif picked == "delete":
        _delete(info)


def _open_button(info: SessionInfo, *, is_open: bool) -> None:
    with st.container(horizontal=True, wrap=False):  # as wide as the title: a wider button centres it
        st.button(
            short(info.title or t("sessions.untitled"), TITLE_CHARS),
            key=f"session-{info.session_id}",
            icon=_mark(info),
            type="secondary" if is_open else "tertiary",
            wrap=False,
            on_click=_open,
            args=(info.session_id,),
        )


def _open(session_id: str) -> None:
    state.open_session(session_id)
    st.rerun()  # the list is a fragment, which alone would be drawn again


def _mark(info: SessionInfo) -> str | None:
    if info.is_running:
        return "spinner"
    return ":material/error:" if info.has_failed_verdict else None


def _rename(info: SessionInfo) -> None:
    @st.dialog(t("sessions.rename"))
    def dialog() -> None:
        st.text_input(t("sessions.title"), value=info.title, max_chars=MAX_TITLE, key=TITLE)
        if st.button(
            t("sessions.save"),
            type="primary",
            key="sessions.save",
            on_click=rename,
            args=(info.session_id,),
        ):
            st.rerun()

    dialog()


def rename(session_id: str) -> None:
    """Callback: give the conversation the typed title."""
    title = str(state.widget(TITLE) or "").strip()[:MAX_TITLE]
    if not title:
        return
    try:
        cache.service().rename_session(session_id, title, viewer=state.viewer())
    except AskError as e:
        state.flash(f"{t('error.rename')} {e.message}", e.hint)


def _delete(info: SessionInfo) -> None:
    @st.dialog(t("sessions.delete"))
    def dialog() -> None:
        st.text(info.title or t("sessions.untitled"))
        st.caption(t("sessions.delete_running") if info.is_running else t("sessions.delete_body"))
        if st.button(
            t("sessions.delete_confirm"),
            type="primary",
            key="sessions.delete_confirm",
            icon=":material/delete:",
            on_click=delete,
            args=(info.session_id,),
        ):
            st.rerun()

    dialog()


def delete(session_id: str) -> None:
    """Callback: delete the conversation, which stops its runs."""
    try:
        cache.service().delete_session(session_id, viewer=state.viewer())
    except AskError as e:
        state.flash(f"{t('error.delete')} {e.message}", e.hint)
        return
    if state.session().session_id == session_id:
        state.open_session("")
