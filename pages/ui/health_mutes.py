"""Setting findings aside for some days: the form of an issue, and the list of what is set aside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from askcore.base.errors import AskError
from askcore.base.values import Verdict
from askcore.base.views import Mute
from pages.ui import cache, state, tables
from pages.ui.frame import Place
from pages.ui.health_filters import check_label, code_of, entity_part
from pages.ui.safe import esc
from pages.ui.text import t

DAYS = (1, 7, 14, 30, 90)
DEFAULT_DAYS = 7
MAX_ENTITIES = 50  # offered one by one; beyond, the whole check is muted
MAX_REASON = 300
WIDTH_PX = 320


def form(here: Place, verdict: Verdict, keys: Sequence[Mapping[str, str]], names: Mapping[str, str]) -> None:
    """A button that opens the form; `keys`: the findings that the list means."""
    key = f"mute-{verdict.check}"
    opened = st.popover(
        t("health.mute"),
        icon=":material/notifications_off:",
        key=f"{key}-open",
        on_change="rerun",
    )
    if not opened.open:
        return
    parts = list(dict.fromkeys(part for one in keys if (part := entity_part(one))))[:MAX_ENTITIES]
    labels = {column_value: _name(column_value, keys, names) for column_value in parts}
    with opened, st.form(key, border=False, width=WIDTH_PX):
        st.selectbox(
            t("health.mute_what"),
            [None, *parts],
            format_func=lambda one: t("health.mute_all") if one is None else labels[one],
            key=f"{key}-what",
        )
        st.selectbox(
            t("health.mute_days"),
            DAYS,
            index=DAYS.index(DEFAULT_DAYS),
            format_func=lambda one: t("health.days", count=one),
            key=f"{key}-days",
        )
        st.text_input(t("health.mute_reason"), key=f"{key}-reason", max_chars=MAX_REASON)
        st.caption(t("health.mute_help"))
        st.form_submit_button(
            t("health.mute_now"), type="primary", key=f"{key}-now", on_click=_mute, args=(here, verdict.check)
        )


def _name(part: tuple[str, str], keys: Sequence[Mapping[str, str]], names: Mapping[str, str]) -> str:
    column, value = part
    scope = next((one.get("scope", "") for one in keys if one.get(column) == value), "")
    return names.get(code_of(scope, value), value)


def _mute(here: Place, check: str) -> None:
    """Callback of the form."""
    key = f"mute-{check}"
    part = state.widget(f"{key}-what")
    try:
        cache.service().mute(
            here.dataset,
            check,
            days=int(state.widget(f"{key}-days", DEFAULT_DAYS)),
            reason=str(state.widget(f"{key}-reason", "")),
            viewer=here.viewer,
            lang=here.lang,
            key=None if part is None else {part[0]: part[1]},
        )
    except AskError as e:
        state.flash(f"{t('error.mute')} {e.message}", e.hint)
    cache.forget_mutes()


def _unmute(here: Place, mute_id: str) -> None:
    """Callback of a button."""
    try:
        cache.service().unmute(here.dataset, mute_id, viewer=here.viewer, lang=here.lang)
    except AskError as e:
        state.flash(f"{t('error.mute')} {e.message}", e.hint)
    cache.forget_mutes()


def lines(here: Place, mutes: Sequence[Mute], names: Mapping[str, str], key: str) -> None:
    """Each mute with its reason and a button that ends it."""
    for mute in mutes:
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            st.markdown(f":material/notifications_off: {esc(_said(mute, names))}", width="stretch")
            st.button(
                t("health.unmute"),
                key=f"unmute-{key}-{mute.mute_id}",
                type="tertiary",
                icon=":material/notifications:",
                on_click=_unmute,
                args=(here, mute.mute_id),
            )


def _said(mute: Mute, names: Mapping[str, str]) -> str:
    return t(
        "health.mute_said",
        what=what(mute, names),
        until=mute.until.isoformat(),
        reason=mute.reason,
        viewer=mute.viewer,
    )


def what(mute: Mute, names: Mapping[str, str]) -> str:
    """What a mute sets aside: a check, or a check at some entity."""
    where = [names.get(value, value) for value in mute.key.values()]
    return " · ".join([check_label(mute.check), *where])


def listed(here: Place, names: Mapping[str, str]) -> None:
    """All mutes: those of today with their buttons, those past their day as a table."""
    found = cache.mutes(here.viewer, here.dataset)
    active = [m for m in found if m.is_active]
    past = [m for m in found if not m.is_active]
    if not active:
        st.info(t("health.no_mutes"), icon=":material/info:")
    lines(here, active, names, "all")
    if past:
        st.header(t("health.past_mutes"), anchor=False)
        tables.frame(
            {
                t("health.mute_what"): [what(m, names) for m in past],
                t("health.mute_reason"): [m.reason for m in past],
                t("health.mute_by"): [m.viewer for m in past],
                t("health.mute_from"): [m.start.isoformat() for m in past],
                t("health.mute_until"): [m.until.isoformat() for m in past],
            },
            key="health.past",
        )
