"""The form of a new report: kind, company, days, language, title and appendices; or the answers collected."""

from __future__ import annotations

from datetime import date, timedelta

import streamlit as st

from askcore.base.errors import AskError
from askcore.base.reports import ReportOptions
from askcore.base.values import Lang, Period
from askcore.base.views import Overview
from pages.ui import cache, collected, state
from pages.ui.frame import Place
from pages.ui.safe import esc
from pages.ui.text import t

KINDS = ("weekly", "monthly", "health", "peers")
ANSWERS = "answers"
ANY = ""
MAX_TITLE = 120
PEER_DAYS = 7
OPTIONS_PX = 320


def show(here: Place, overview: Overview) -> None:
    """The form; nothing is made until the button is pressed."""
    collected.show(here)
    if overview.period is None:
        st.info(t("data.none"), icon=":material/info:")
        return
    with st.container(border=True, key="reports.new", gap="small"):
        st.subheader(t("reports.new"), anchor=False)
        kind = _kind()
        with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
            entity = _company(here, kind)
            days = _days(here, kind, overview.period)
            lang = _lang()
            _options()
            st.button(
                t("reports.make"),
                key="reports.make",
                type="primary",
                icon=":material/description:",
                disabled=days is None,
                on_click=_make,
                args=(here, kind, entity, days, lang),
            )
        st.caption(t(f"reports.about_{kind}"))


def _kind() -> str:
    found = st.segmented_control(
        t("reports.kind"),
        KINDS,
        required=True,
        format_func=lambda one: t(f"reports.kind_{one}"),
        key=state.bind("kind", state.from_url("kind", KINDS, KINDS[0])),
        label_visibility="collapsed",
        on_change=state.write_back,
        args=("kind", KINDS[0]),
    )
    return str(found or KINDS[0])


def _company(here: Place, kind: str) -> str:
    """Id of a company; "" = the dataset's own, or everybody where a report can be about all."""
    try:
        names = {e.id: e.name or e.id for e in cache.entities(here.viewer, here.dataset, here.version)}
    except AskError:
        return ANY  # making the report fails the same way and says so
    if len(names) < 2:
        return ANY
    every = t("peers.all_companies" if kind in ("health", "peers") else "reports.own_company")
    found = st.selectbox(
        t("peers.company"),
        [ANY, *names],
        format_func=lambda one: names.get(one, every),
        key=state.bind("entity", state.from_url("entity", names, ANY)),
        on_change=state.write_back,
        args=("entity", ANY),
        width=220,
    )
    return str(found or ANY)


def _days(here: Place, kind: str, bounds: Period) -> Period | None:
    """First and last day; None while only one of them is picked."""
    start, end = _asked(bounds) or _usual(here, kind, bounds)
    picked = st.date_input(
        t("reports.days"),
        (start, end),
        min_value=bounds.start,
        max_value=bounds.end,
        key=f"reports.days-{here.dataset}-{here.version}-{kind}-{start}-{end}",
        width=240,
    )
    if len(picked) != 2:
        return None
    return Period(start=picked[0], end=picked[1])


def _asked(bounds: Period) -> tuple[date, date] | None:
    """The days of the URL inside the data; None when it names none, or wrong ones."""
    try:
        start, end = (date.fromisoformat(state.param(name)) for name in ("from", "to"))
    except ValueError:
        return None
    start, end = max(start, bounds.start), min(end, bounds.end)
    return (start, end) if start <= end else None


def _usual(here: Place, kind: str, bounds: Period) -> tuple[date, date]:
    """The newest whole week or month, for peers the newest week, for the data's health all of it."""
    if kind == "health":
        return bounds.start, bounds.end
    found = cache.report_period(here.viewer, here.dataset, here.version, kind)
    if found is not None:
        return found.start, found.end
    return max(bounds.start, bounds.end - timedelta(days=PEER_DAYS - 1)), bounds.end


def _lang() -> Lang:
    return st.segmented_control(
        t("reports.lang"),
        ("zh", "en"),
        required=True,
        default=state.lang(),
        format_func=lambda one: t(f"reports.lang_{one}"),
        key=f"reports.lang-{state.lang()}",
    )


def _options() -> None:
    """Title and appendices; their widgets are read when the button is pressed."""
    with st.popover(t("reports.options"), icon=":material/tune:"), st.container(width=OPTIONS_PX):
        option_fields("reports.new", ReportOptions())


def option_fields(key: str, now: ReportOptions, title: str = "") -> None:
    """The fields of the options, set as they are now. title: what the report is called without one."""
    st.text_input(
        t("reports.title"),
        now.title,
        placeholder=esc(title or t("reports.title_own")),
        max_chars=MAX_TITLE,
        key=f"{key}-title",
    )
    st.toggle(t("reports.provenance"), now.provenance, key=f"{key}-provenance")
    st.toggle(t("reports.sql"), now.sql, key=f"{key}-sql")


def options_of(key: str, order: tuple[str, ...] = ()) -> ReportOptions:
    """What the fields say."""
    return ReportOptions(
        title=str(state.widget(f"{key}-title", "") or "").strip(),
        provenance=bool(state.widget(f"{key}-provenance", True)),
        sql=bool(state.widget(f"{key}-sql", False)),
        order=order,
    )


def _make(here: Place, kind: str, entity: str, days: Period | None, lang: Lang) -> None:
    """Callback of the button."""
    try:
        cache.service().start_report(
            kind,
            viewer=here.viewer,
            lang=lang,
            dataset=here.dataset,
            entity=entity or None,
            period=days,
            options=options_of("reports.new"),
        )
    except AskError as e:
        state.flash(f"{t('error.report')} {e.message}", e.hint)
