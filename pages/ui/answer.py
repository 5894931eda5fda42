"""One turn of a conversation: question, reading, what was done, answer, evidence, what next."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from askcore.base.reports import report_around
from askcore.base.values import Note
from askcore.base.views import HeadlineMetric, RunSnapshot
from pages.ui import (
    aligned,
    asking,
    cache,
    charts,
    chips,
    collected,
    faults,
    playbook,
    provenance,
    ratios,
    reading_editor,
    restated,
    rows,
    slip,
    state,
    timeline,
)
from pages.ui import verdicts as verdict_views
from pages.ui.frame import Place, box, source_note
from pages.ui.report_files import REPORT_FILES
from pages.ui.safe import esc, llm_md
from pages.ui.said import unsaid
from pages.ui.text import has, t

ENDED_SHORT = ("cancelled", "interrupted", "failed")
NOTES_SHOWN = 4


def show(run: RunSnapshot, here: Place | None, *, is_last: bool) -> None:
    """Draw one turn from a snapshot."""
    _question(run)
    chips.show(run, here, is_last=is_last)
    timeline.show(run, is_last=is_last)
    if run.is_active:
        return
    if run.status in ENDED_SHORT:
        _ended(run, is_last=is_last)
    if run.answer and run.status != "failed":
        _result(run)
    elif run.status == "refused":
        _refused(run)
    if run.clarify:
        _clarify(run, is_last=is_last)
    if run.status != "failed" and (run.answer or run.table is not None):
        _actions(run)
    if is_last and run.follow_ups:
        _follow_ups(run)


def _question(run: RunSnapshot) -> None:
    with (
        st.container(horizontal=True, horizontal_alignment="right"),
        st.chat_message("user", avatar=":material/person:", width="content"),
    ):
        st.text(run.question)


def _result(run: RunSnapshot) -> None:
    restated.mark(run)
    _metrics(run.headline, run.run_id)
    ratios.strip(run.ratios, run.run_id)
    aligned.strip(run.like_for_like, run.run_id)
    faults.badge(run)
    st.markdown(llm_md(run.answer), anchors=False)
    if run.lang == "en":  # an answer in Chinese is in our own words
        source_note(run.answer)
    _report(run)
    charts.show(run)
    rows.show(run)
    notes = unsaid(run.notes, run.answer)[:NOTES_SHOWN]
    _notes(notes)
    verdict_views.strip(run.verdicts, run.run_id, shown=[run.answer, *(note.text for note in notes)])


def _metrics(headline: tuple[HeadlineMetric, ...], run_id: str) -> None:
    if not headline:
        return
    with (
        st.container(border=True, key=f"metrics-{run_id}"),
        st.grid(min(len(headline), 3), min_column_width=150),
    ):
        for metric in headline:
            st.metric(
                esc(metric.label),
                metric.value,
                metric.delta or None,
                delta_color={True: "green", False: "red", None: "gray"}[metric.good],  # type: ignore[arg-type]  # a literal out of a table
                delta_arrow="down" if metric.delta.startswith(("-", "−")) else "up",
            )


def _notes(notes: Sequence[Note]) -> None:
    for note in notes:
        name = t(f"note.{note.code}") if has(f"note.{note.code}") else ""
        st.caption(f":material/info: {f'**{esc(name)}** ' if name else ''}{esc(note.text)}")


def _ended(run: RunSnapshot, *, is_last: bool) -> None:
    if run.status == "failed" and run.error is not None:
        box(t("status.failed_title"), run.error.message, run.error.hint)
    else:
        st.info(t(f"status.{run.status}_body"), icon=":material/stop_circle:")
    if is_last:
        asking.button(
            t("ask.again"),
            run.question,
            f"again-{run.run_id}",
            icon=":material/refresh:",
            reading=run.reading,
            dataset=run.dataset,
            skill=playbook.chosen(),
        )


def _refused(run: RunSnapshot) -> None:
    message = run.error.message if run.error is not None else t("status.refused_body")
    hint = run.error.hint if run.error is not None else ""
    st.warning(f"{esc(message)}  \n{esc(hint)}".strip(), icon=":material/block:")


def _clarify(run: RunSnapshot, *, is_last: bool) -> None:
    found = run.clarify or {}
    if found.get("question") and not run.answer:
        st.markdown(llm_md(str(found["question"])), anchors=False)
    if not is_last:
        return
    with st.container(horizontal=True, gap="small"):
        for number, option in enumerate(found.get("options") or ()):
            asking.button(
                esc(option.get("label", "")),
                str(option.get("question") or option.get("label", "")),
                f"clarify-{run.run_id}-{number}",
                dataset=run.dataset,
                skill=playbook.chosen(),
            )


def _actions(run: RunSnapshot) -> None:
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key=f"actions-{run.run_id}"):
        first, then = (slip, provenance) if slip.is_failed(run) else (provenance, slip)
        first.popover(run)
        then.popover(run)
        _sql(run)
        if run.table is not None:
            st.download_button(
                "CSV",
                data=cache.csv_of(run.table),
                file_name=f"asklake-{run.run_id}.csv",
                mime="text/csv",
                on_click="ignore",
                type="tertiary",
                icon=":material/download:",
                key=f"csv-{run.run_id}",
            )
        st.download_button(
            "HTML",
            data=cache.html_of(run.run_id, state.viewer()),
            file_name=f"asklake-{run.run_id}.html",
            mime="text/html",
            on_click="ignore",
            type="tertiary",
            icon=":material/draft:",
            key=f"html-{run.run_id}",
        )
        if run.reading is not None and run.table is not None:
            _explore_link(run)
        if run.status == "done":
            collected.button(run)
            _offer(run)


def _report(run: RunSnapshot) -> None:
    """The files of a report that the run wrote."""
    if run.report is None:
        return
    with st.container(horizontal=True, gap="small", key=f"report-{run.run_id}"):
        for name in run.report["files"]:
            st.download_button(
                REPORT_FILES[name][0],
                data=cache.report_of(run.report["id"], name, state.viewer()),
                file_name=f"asklake-{run.report['id']}.{name}",
                mime=REPORT_FILES[name][1],
                on_click="ignore",
                icon=":material/description:",
                key=f"report-{name}-{run.run_id}",
            )


def _sql(run: RunSnapshot) -> None:
    if not any(step.sql for step in run.steps):
        return
    shown = st.popover(
        "SQL",
        icon=":material/code:",
        key=f"sql-{run.run_id}",
        on_change="rerun",
    )
    if shown.open:
        with shown, st.container(width=provenance.POPOVER_PX):
            for step in run.steps:
                for statement in step.sql:
                    st.caption(esc(f"{step.id} · {step.tool}"))
                    st.code(statement, language="sql", wrap_lines=True)


def _explore_link(run: RunSnapshot) -> None:
    if run.reading is None:
        return
    st.page_link(
        "pages/lake/overview.py",
        label=t("ask.explore"),
        icon=":material/travel_explore:",
        query_params=state.link_params(
            view="explore", dataset=run.dataset, reading=reading_editor.compact(run.reading)
        ),
    )


def _offer(run: RunSnapshot) -> None:
    """The way to the report of the days that the answer is about."""
    if run.reading is None or run.reading.period is None or run.report is not None:
        return
    kind, days = report_around(run.reading.period)
    st.page_link(
        "pages/reports/reports.py",
        label=t("reports.offer"),
        icon=":material/summarize:",
        query_params=state.link_params(
            dataset=run.dataset,
            kind=kind,
            entity=run.reading.entity or "",
            **{"from": days.start.isoformat(), "to": days.end.isoformat()},
        ),
    )


def _follow_ups(run: RunSnapshot) -> None:
    st.caption(t("ask.instead" if run.status == "refused" else "ask.next"))
    with st.container(horizontal=True, gap="small"):
        for number, question in enumerate(run.follow_ups):
            asking.button(
                esc(question),
                question,
                f"follow-{run.run_id}-{number}",
                icon=":material/subdirectory_arrow_right:",
                dataset=run.dataset,
            )
