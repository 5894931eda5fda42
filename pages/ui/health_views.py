"""The frame of the health page: title, period, counters and which view is open."""

from __future__ import annotations

from datetime import date, timedelta

import streamlit as st

from askcore.base.errors import AskError
from askcore.base.values import Period
from askcore.base.views import HealthReport, Overview
from pages.ui import cache, frame, health_map, state
from pages.ui import format as fmt
from pages.ui import verdicts as verdict_views
from pages.ui.frame import Place
from pages.ui.safe import esc
from pages.ui.text import t

WINDOWS = ("7", "30", "90", "all", "custom")
DEFAULT_WINDOW = "30"
VIEWS = ("issues", "history", "muted")


def header(here: Place, overview: Overview) -> None:
    """Title, data badge and dataset menu."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.title(t("nav.health"), anchor=False, width="content")
        frame.data_badge(overview)
        st.space("stretch")
        frame.dataset_picker(here, "health.dataset")


def period(overview: Overview) -> tuple[date | None, date | None]:
    """The period to check, bound to the URL; (None, None) = there is no data to check."""
    if overview.period is None:
        return None, None
    bounds = overview.period
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        picked = st.segmented_control(
            t("health.period"),
            WINDOWS,
            required=True,
            format_func=lambda one: t(f"health.window_{one}"),
            key=state.bind("period", state.from_url("period", WINDOWS, DEFAULT_WINDOW)),
            label_visibility="collapsed",
            on_change=state.write_back,
            args=("period", DEFAULT_WINDOW),
        )
    if picked == "custom":
        return _custom(bounds)
    if picked == "all":
        return bounds.start, bounds.end
    days = int(picked or DEFAULT_WINDOW)
    return max(bounds.start, bounds.end - timedelta(days=days - 1)), bounds.end


def _custom(bounds: Period) -> tuple[date, date]:
    first = max(bounds.start, bounds.end - timedelta(days=27))
    fallback = f"{first}_{bounds.end}"
    start, end = _days(state.param("range"), bounds) or _days(fallback, bounds) or (first, first)
    picked = st.date_input(
        t("health.range"),
        min_value=bounds.start,
        max_value=bounds.end,
        value=(start, end),
        format="YYYY-MM-DD",
        key=f"health.range-{start}-{end}",
        width=260,
    )
    if isinstance(picked, tuple) and len(picked) == 2 and picked != (start, end):
        state.set_param("range", f"{picked[0]}_{picked[1]}")
        return picked[0], picked[1]
    return start, end


def _days(text: str, bounds: Period) -> tuple[date, date] | None:
    """FROM_TO of a URL, cut to what is loaded; None when it is malformed or outside."""
    try:
        first, last = (date.fromisoformat(part) for part in text.split("_"))
    except ValueError:
        return None
    start, end = max(first, bounds.start), min(last, bounds.end)
    return (start, end) if start <= end else None


def load(here: Place, start: date | None, end: date | None) -> HealthReport | None:
    """The report; None after an error was shown."""
    try:
        with st.skeleton(height=320):
            return cache.health(
                here.viewer, here.dataset, here.version, here.lang, start, end, health_map.mute_ids(here)
            )
    except AskError as e:
        frame.error(t("error.health"), e)
        return None


def counts(report: HealthReport) -> None:
    """Four counters; "not checked" is one of its own and never green."""
    found = report.counts
    with st.grid(4, min_column_width=150):
        for status in verdict_views.ORDER:
            st.metric(
                t(f"verdict.{status}"),
                fmt.integer(found[status]),
                icon=verdict_views.ICONS[status],
                border=True,
            )


def checked_period(report: HealthReport) -> None:
    """What was checked, in one line."""
    st.caption(
        esc(
            t(
                "health.checked",
                checks=len(report.verdicts),
                period=fmt.period(report.period),
                version=report.version,
            )
        )
    )


def view() -> str:
    """Issues, history or mutes; bound to the URL."""
    return str(
        st.segmented_control(
            t("health.view"),
            VIEWS,
            required=True,
            format_func=lambda one: t(f"health.view_{one}"),
            key=state.bind("view", state.from_url("view", VIEWS, VIEWS[0])),
            label_visibility="collapsed",
            on_change=state.write_back,
            args=("view", VIEWS[0]),
        )
    )
