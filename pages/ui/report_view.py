"""One report: its failing checks, outline, options, files and preview."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from askcore.base.errors import AskError
from askcore.base.reports import MadeReport, Report, ReportOptions
from pages.ui import cache, frame, report_blocks, report_new, reports_frame, restated, state
from pages.ui.frame import Place
from pages.ui.report_files import REPORT_FILES
from pages.ui.safe import esc
from pages.ui.text import t

OPTIONS_PX = 320
FAILED_SHOWN = 5


def show(here: Place, made: MadeReport) -> None:
    """The whole report; only opened sections are drawn."""
    st.title(esc(made.title), anchor=False)
    st.caption(reports_frame.facts(made))
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        restated.mark_report(made.dataset, made.version, made.report_id)
    try:
        report = cache.report(here.viewer, made.report_id, made.options)
    except AskError as e:
        frame.error(t("error.report_open"), e)
        report = None
    _banner(made)
    _actions(made, has_content=report is not None)
    if state.session().verifying == made.report_id:
        _verified(here, made)
    if report is None:
        return
    outline, preview = st.columns([2, 5], gap="medium")
    with outline:
        _outline(made)
    with preview:
        _preview(report)


def _banner(made: MadeReport) -> None:
    """The failing checks that the report cites, before every figure."""
    if not made.failed:
        return
    lines = [f"- {esc(note)}" for note in made.failed[:FAILED_SHOWN]]
    if len(made.failed) > FAILED_SHOWN:
        lines.append(f"- {t('reports.more_failed', count=len(made.failed) - FAILED_SHOWN)}")
    head = f"**{t('reports.banner', count=len(made.failed))}**"
    st.error("\n".join([head, "", *lines]), icon=":material/error:")


def _actions(made: MadeReport, *, has_content: bool) -> None:
    names = REPORT_FILES if has_content else {n: REPORT_FILES[n] for n in made.files if n in REPORT_FILES}
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        for name, (label, mime) in names.items():
            st.download_button(
                label,
                data=cache.report_of(made.report_id, name, state.viewer()),
                file_name=f"asklake-{made.report_id}.{name}",
                mime=mime,
                on_click="ignore",
                icon=":material/download:",
                key=f"reports.get-{name}-{made.report_id}",
            )
        if has_content:
            st.button(
                t("reports.verify"),
                key="reports.verify",
                icon=":material/fact_check:",
                on_click=_verify,
                args=(made.report_id,),
            )
            _options(made)
        _delete(made)


def _verify(report_id: str) -> None:
    """Callback: verify, or fold the result away."""
    tab = state.session()
    tab.verifying = "" if tab.verifying == report_id else report_id


def _verified(here: Place, made: MadeReport) -> None:
    try:
        with st.spinner(t("reports.verifying")):
            version = cache.newest_version(here.viewer, made.dataset)
            told = cache.verified(here.viewer, made.report_id, version, made.options)
    except AskError as e:
        frame.error(t("error.verify"), e)
        return
    reports_frame.verified(told, key=made.report_id)


def _options(made: MadeReport) -> None:
    key = f"reports.options-{made.report_id}"
    shown = st.popover(t("reports.options"), icon=":material/tune:", key=f"{key}-open", on_change="rerun")
    if not shown.open:
        return
    with shown, st.container(width=OPTIONS_PX):
        report_new.option_fields(key, made.options, made.title)
        st.button(t("reports.apply"), key=f"{key}-apply", type="primary", on_click=_apply, args=(made,))


def _apply(made: MadeReport) -> None:
    _change(made, report_new.options_of(f"reports.options-{made.report_id}", made.options.order))


def _change(made: MadeReport, options: ReportOptions) -> None:
    """Callback: other options; the files are written anew when they are asked for."""
    try:
        cache.service().change_report(made.report_id, options, viewer=state.viewer())
    except AskError as e:
        state.flash(f"{t('error.report')} {e.message}", e.hint)


def _delete(made: MadeReport) -> None:
    shown = st.popover(
        t("reports.delete"),
        icon=":material/delete:",
        key=f"reports.delete-{made.report_id}",
        on_change="rerun",
    )
    if shown.open:
        with shown:
            st.text(t("reports.delete_sure"))
            st.button(
                t("reports.delete_now"),
                key="reports.delete-now",
                type="primary",
                on_click=_deleted,
                args=(made.report_id,),
            )


def _deleted(report_id: str) -> None:
    try:
        cache.service().delete_report(report_id, viewer=state.viewer())
    except AskError as e:
        state.flash(e.message, e.hint)
    reports_frame.show_report("")


def _outline(made: MadeReport) -> None:
    """All sections as built; those kept first, in their order."""
    st.subheader(t("reports.outline"), anchor=False)
    known = {line.id: line for line in made.sections}
    kept = [one for one in made.options.order or tuple(known) if one in known]
    for one in [*kept, *(one for one in known if one not in kept)]:
        line = known[one]
        place = kept.index(one) if one in kept else None
        with st.container(horizontal=True, gap="xsmall", vertical_alignment="center"):
            st.checkbox(
                esc(line.title) + (" :red[:material/error:]" if line.has_failed else ""),
                one in kept,
                key=f"reports.keep-{made.report_id}-{one}-{one in kept}",
                disabled=kept == [one],
                on_change=_keep,
                args=(made, one, tuple(kept)),
            )
            st.space("stretch")
            for by, icon in ((-1, "arrow_upward"), (1, "arrow_downward")):
                st.button(
                    t("reports.up" if by < 0 else "reports.down"),
                    key=f"reports.move-{by}-{one}",
                    type="tertiary",
                    icon=f":material/{icon}:",
                    disabled=place is None or not 0 <= place + by < len(kept),
                    on_click=_move,
                    args=(made, one, tuple(kept), by),
                )


def _keep(made: MadeReport, section: str, kept: tuple[str, ...]) -> None:
    """Callback: drop a section, or take it back at the end."""
    order = tuple(one for one in kept if one != section) if section in kept else (*kept, section)
    _change(made, replace(made.options, order=order))


def _move(made: MadeReport, section: str, kept: tuple[str, ...], by: int) -> None:
    """Callback: one place up or down."""
    order = list(kept)
    at = order.index(section)
    order[at], order[at + by] = order[at + by], order[at]
    _change(made, replace(made.options, order=tuple(order)))


def _preview(report: Report) -> None:
    for section in report.sections:
        folded = st.expander(
            esc(section.title),
            expanded=section is report.sections[0],
            key=f"reports.section-{report.report_id}-{section.id}",
            on_change="rerun",
        )
        if folded.open:
            with folded:
                report_blocks.section(report, section)
