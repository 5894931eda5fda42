"""The explorer: one reading from the URL, its widgets, and what the lake gives for it."""

from __future__ import annotations

import json
from datetime import timedelta

import streamlit as st

from askcore.base.errors import AskError, BadRequest
from askcore.base.values import Period, Reading
from askcore.base.views import Overview
from pages.ui import cache, frame, reading_editor, state, tables
from pages.ui.frame import Place
from pages.ui.reading_editor import Choices
from pages.ui.safe import esc
from pages.ui.text import has, t

PARAM = "reading"
MAIN = ("metrics", "by", "period", "entity")
FINE = ("baseline", "scope", "sort", "limit", "filters")
EMPTY: dict[str, object] = {
    "entity": None,
    "metrics": [],
    "period": None,
    "baseline": None,
    "scope": None,
    "by": [],
    "filters": {},
    "sort": None,
    "limit": None,
}
FIRST_LOOK_DAYS = 30


def show(here: Place, overview: Overview) -> None:
    """Draw widgets and result; a damaged link says so and starts from a plain reading."""
    offered = reading_editor.choices(overview)
    if not offered.metrics:
        st.info(t("explore.no_metrics"), icon=":material/info:")
        return
    reading = _from_url(here, overview) or _first_look(overview, offered)
    _editor(reading, offered)
    _result(here, reading)


def _from_url(here: Place, overview: Overview) -> Reading | None:
    text = state.param(PARAM)
    if not text:
        return None
    try:
        found = json.loads(text)
        if not isinstance(found, dict):
            raise BadRequest(t("explore.bad_link"))
        whole = {**EMPTY, "as_of": overview.as_of.isoformat(), **found}
        return cache.reading(here.viewer, json.dumps(whole, ensure_ascii=False, sort_keys=True))
    except (AskError, ValueError, RecursionError) as e:
        hint = e.hint if isinstance(e, AskError) else ""
        reason = e.message if isinstance(e, AskError) else t("explore.not_json")
        st.warning(f"**{t('explore.bad_link')}**  \n{esc(reason)} {esc(hint)}", icon=":material/link_off:")
        return None


def _first_look(overview: Overview, offered: Choices) -> Reading:
    end = offered.bounds.end
    start = max(offered.bounds.start, end - timedelta(days=FIRST_LOOK_DAYS - 1))
    first = next(iter(offered.members.get(offered.top_level, {})), None)
    return Reading(
        metrics=tuple(offered.metrics)[:1],
        as_of=overview.as_of,
        entity=first,
        period=Period(start=start, end=end),
        by=("date",),
    )


def _editor(reading: Reading, offered: Choices) -> None:
    key = f"explore-{reading_editor.key_of(reading)}"
    with st.form("explore", border=True):
        edited = reading
        with st.grid(2, min_column_width=260):
            for kind in MAIN:
                edited = reading_editor.edit(kind, edited, offered, key)
        more = st.expander(t("explore.more"), type="compact", key="explore-more")
        with more, st.grid(3, min_column_width=200):
            for kind in FINE:
                edited = reading_editor.edit(kind, edited, offered, key)
        asked = st.form_submit_button(
            t("explore.run"), type="primary", icon=":material/play_arrow:", key="explore.run"
        )
    if asked and edited != reading:
        state.set_param(PARAM, reading_editor.compact(edited))
        st.rerun()


def _result(here: Place, reading: Reading) -> None:
    text = json.dumps(reading.as_json(), ensure_ascii=False, sort_keys=True)
    try:
        with st.skeleton(height=240):
            table, notes, sql = cache.explore(here.viewer, here.dataset, here.version, here.lang, text)
    except AskError as e:
        frame.error(t("error.explore"), e)
        return
    for note in notes:
        name = t(f"note.{note.code}") if has(f"note.{note.code}") else ""
        st.caption(f":material/info: {f'**{esc(name)}** ' if name else ''}{esc(note.text)}")
    tables.show(table, key=f"explored-{reading_editor.key_of(reading)}")
    with st.container(horizontal=True, gap="small"):
        st.download_button(
            "CSV",
            data=cache.csv_of(table),
            file_name=f"asklake-{here.dataset}.csv",
            mime="text/csv",
            on_click="ignore",
            type="tertiary",
            icon=":material/download:",
            key="explore.csv",
        )
    with st.expander("SQL", type="compact", icon=":material/code:", key="explore-sql"):
        st.code(sql, language="sql", wrap_lines=True)
