"""Reports that are being made: how far each is, with a way to stop it."""

from __future__ import annotations

import streamlit as st

from askcore.base.errors import AskError
from askcore.base.reports import ReportJob
from pages.ui import cache, frame, state
from pages.ui.safe import esc
from pages.ui.text import t

POLL_S = 0.7


def show() -> None:
    """A bar each while they run; when one ends the page is drawn anew, with the report in its list."""
    jobs = _jobs()
    running = {job.job_id for job in jobs if job.state == "running"}
    if not any(job.state != "done" for job in jobs):
        return

    @st.fragment(run_every=POLL_S if running else None)
    def drawn() -> None:
        now = _jobs()
        for job in now:
            if job.state != "done":
                _job(job)
        if running - {job.job_id for job in now if job.state == "running"}:
            st.rerun()

    drawn()


def _jobs() -> tuple[ReportJob, ...]:
    try:
        return cache.service().report_jobs(viewer=state.viewer())
    except AskError as e:
        frame.error(t("error.report"), e)
        return ()


def _job(job: ReportJob) -> None:
    with st.container(border=True, key=f"report-job-{job.job_id}", gap="xsmall"):
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            st.markdown(f"**{esc(job.title)}**", width="stretch")
            if job.state == "running":
                _button("reports.stop", "stop_circle", job, _stop)
            else:
                _button("reports.dismiss", "close", job, _dismiss)
        if job.state == "running":
            st.progress(min(max(job.share, 0.0), 1.0), esc(job.chapter or t("reports.starting")))
        elif job.state == "cancelled":
            st.caption(t("reports.cancelled"))
        elif job.error is not None:
            frame.box(t("error.report"), job.error.message, job.error.hint)


def _button(label: str, icon: str, job: ReportJob, on_click: object) -> None:
    st.button(
        t(label),
        key=f"{label}-{job.job_id}",
        type="tertiary",
        icon=f":material/{icon}:",
        on_click=on_click,  # type: ignore[arg-type]  # one of the callbacks below
        args=(job.job_id,),
    )


def _stop(job_id: str) -> None:
    try:
        cache.service().cancel_report(job_id, viewer=state.viewer())
    except AskError as e:
        state.flash(e.message, e.hint)


def _dismiss(job_id: str) -> None:
    try:
        cache.service().dismiss_report_job(job_id, viewer=state.viewer())
    except AskError as e:
        state.flash(e.message, e.hint)
