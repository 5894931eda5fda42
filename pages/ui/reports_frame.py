"""The frame of the reports page: title, which report is open, and the check of a file from elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from askcore.base.errors import AskError
from askcore.base.reports import MadeReport
from askcore.base.views import Overview
from pages.ui import cache, frame, state, tables
from pages.ui import format as fmt
from pages.ui.frame import Place
from pages.ui.safe import esc
from pages.ui.text import t

PAGE = "pages/reports/reports.py"
REPORT = "report"
MOVED_SHOWN = 200
MAX_FILE_MB = 50


def chosen() -> MadeReport | None:
    """The report that the URL names; one that is not there (any more) is said to be so."""
    report_id = state.param(REPORT)
    if not report_id:
        return None
    try:
        return cache.service().made_report(report_id, viewer=state.viewer())
    except AskError:
        st.info(t("reports.unknown"), icon=":material/link_off:")
        state.set_param(REPORT, "")
        return None


def header(here: Place, overview: Overview, made: MadeReport | None) -> None:
    """Title, data badge and dataset menu; over an open report the way back."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if made is None:
            st.title(t("nav.reports"), anchor=False, width="content")
            frame.data_badge(overview)
            st.space("stretch")
            frame.dataset_picker(here, "reports.dataset")
        else:
            st.button(
                t("reports.back"),
                key="reports.back",
                type="tertiary",
                icon=":material/arrow_back:",
                on_click=show_report,
                args=("",),
            )


def show_report(report_id: str) -> None:
    """Open a report ("" = the list) and name it in the URL."""
    state.set_param(REPORT, report_id)


def verify_file() -> None:
    """Make the figures of a written report again, wherever the file comes from."""
    folded = st.expander(
        t("reports.verify_file"), icon=":material/fact_check:", key="reports.verify-file", on_change="rerun"
    )
    if not folded.open:
        return
    with folded:
        st.caption(t("reports.verify_help"))
        file = st.file_uploader(
            t("reports.verify_file"),
            type=["html"],
            max_upload_size=MAX_FILE_MB,
            key="reports.file",
            label_visibility="collapsed",
        )
        if file is None:
            return
        try:
            with st.spinner(t("reports.verifying")):
                told = cache.service().verify_report(file.getvalue())
        except AskError as e:
            frame.error(t("error.verify"), e)
            return
        verified(told, key="file")


def verified(told: Mapping[str, Any], *, key: str) -> None:
    """How many figures are what they were, and which are not."""
    moved = told["drifted"] + told["unreachable"]
    counts = {name: fmt.integer(told[name]) for name in ("same", "drifted", "unreachable")}
    said = t("reports.verified", was=told["was_version"], now=told["version"], **counts)
    (st.warning if moved else st.success)(said, icon=":material/warning:" if moved else ":material/verified:")
    shown = told["figures"][:MOVED_SHOWN]
    if not shown:
        return
    tables.frame(
        {
            t("reports.figure"): [one.get("label") or one["shown"] or one["address"] for one in shown],
            t("reports.was"): [_value(one["was"]) for one in shown],
            t("reports.now"): [_value(one["now"]) for one in shown],
            t("reports.status"): [t(f"reports.{one['status']}") for one in shown],
            t("reports.address"): [one["address"] for one in shown],
        },
        key=f"reports.moved-{key}",
    )
    if len(told["figures"]) > len(shown):
        st.caption(t("table.shown", shown=fmt.integer(len(shown)), total=fmt.integer(len(told["figures"]))))


def _value(value: Any) -> str:
    return "–" if value is None else f"{value:,.4f}".rstrip("0").rstrip(".")


def badge(made: MadeReport) -> None:
    """How many checks failed on rows behind a report; nothing when none did."""
    if made.failed:
        st.badge(t("reports.failed", count=len(made.failed)), icon=":material/error:", color="red")


def facts(made: MadeReport) -> str:
    """Kind, company, days, when and on which version, as literal text."""
    parts = [t(f"reports.kind_{made.kind}"), made.entity, fmt.period(made.period) if made.period else ""]
    parts += [made.made_at, t("reports.version", dataset=made.dataset, version=made.version)]
    return esc(" · ".join(part for part in parts if part))
