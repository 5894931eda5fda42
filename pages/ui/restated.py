"""The mark of answers and reports whose numbers a later load moved: which, from what, to what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

import streamlit as st

from askcore.base.errors import AskError
from askcore.base.restated import MovedFigure, Restatement
from askcore.base.views import RunSnapshot
from pages.ui import asking, cache, playbook, state, tables
from pages.ui import format as fmt
from pages.ui.text import t

POPOVER_PX = 560
WAITING: Final = "waiting"


def mark(run: RunSnapshot) -> None:
    """Over an answer that a later load restated, with a way to ask again; nothing over the others."""
    found = _of(run.dataset, run.version, run.run_id)
    if found == WAITING:
        st.caption(f":material/hourglass_empty: {t('restated.waiting')}")
    if not isinstance(found, Restatement) or found.state == "same":
        return
    with st.container(
        horizontal=True, gap="small", vertical_alignment="center", key=f"restated-{run.run_id}"
    ):
        told(found)
        asking.button(
            t("ask.again"),
            run.question,
            f"restated-again-{run.run_id}",
            icon=":material/refresh:",
            reading=run.reading,
            dataset=run.dataset,
            skill=playbook.chosen(),
        )


def mark_report(dataset: str, version: int, report_id: str) -> None:
    """The same of a kept report."""
    found = _of(dataset, version, report_id)
    if isinstance(found, Restatement) and found.state != "same":
        told(found)
    elif found == WAITING:
        st.caption(t("restated.waiting"), width="content")


def _of(dataset: str, version: int, subject_id: str) -> Restatement | Literal["waiting"] | None:
    """How the newest version has it; None when it was told on that one; what waits is begun."""
    viewer = state.viewer()
    try:
        newest = cache.newest_version(viewer, dataset)
        if not version or newest <= version:
            return None
        found = cache.restated(viewer, subject_id, newest)
        if found is None or found.version < newest:
            cache.catch_up_restated(viewer, dataset, newest)
            return WAITING
    except AskError:
        return None  # the answer itself says what is wrong with lake or state
    return found


def told(found: Restatement) -> None:
    """A badge with the versions, and what moved on request."""
    if found.state == "unreachable":
        label = t("restated.unreachable", was=found.was_version, now=found.version)
        st.badge(label, icon=":material/help:", color="gray", help=found.why or None)
        return
    count = fmt.integer(found.n_moved)
    label = t("restated.moved", count=count, was=found.was_version, now=found.version)
    st.badge(label, icon=":material/update:", color="orange")
    shown = st.popover(
        t("restated.what"),
        icon=":material/difference:",
        key=f"restated-what-{found.subject_id}",
        on_change="rerun",
    )
    if shown.open:
        with shown, st.container(width=POPOVER_PX):
            _table(found.moved, found.subject_id)
            if found.n_moved > len(found.moved):
                st.caption(t("table.shown", shown=fmt.integer(len(found.moved)), total=count))


def _table(moved: Sequence[MovedFigure], key: str) -> None:
    tables.frame(
        {
            t("reports.figure"): [one.label or one.address for one in moved],
            t("reports.was"): [fmt.number(one.was, one.unit) for one in moved],
            t("reports.now"): [fmt.number(one.now, one.unit) for one in moved],
        },
        key=f"restated-rows-{key}",
    )
