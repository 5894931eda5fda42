"""The like-for-like strip: what a comparison rests on, and the aligned change beside the raw one."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from askcore.base.views import LikeForLike
from pages.ui import format as fmt
from pages.ui import tables
from pages.ui.safe import esc
from pages.ui.text import t

NAMED = 6


def strip(found: LikeForLike | None, run_id: str) -> None:
    """One line with the coverage; the table is drawn when it is opened."""
    if found is None:
        return
    shown = st.expander(
        _title(found), type="compact", key=f"aligned-{run_id}", icon=":material/balance:", on_change="rerun"
    )
    if shown.open:
        with shown:
            _body(found, run_id)


def _title(found: LikeForLike) -> str:
    label = t("aligned.title")
    if found.entities:
        counts = t(
            "aligned.comparable", count=found.comparable, all=found.entities, level=found.level.lower()
        )
        label += f" :gray[{esc(counts)}]"
    if found.missing_rows:
        label += f" :orange-badge[{esc(t('aligned.missing', count=fmt.integer(found.missing_rows)))}]"
    if any(row.differs for row in found.rows):
        label += f" :red-badge[{t('aligned.differs')}]"
    return label


def _body(found: LikeForLike, run_id: str) -> None:
    lines = [
        (t("aligned.current"), found.current),
        (t("aligned.baseline"), found.baseline),
        (t("aligned.rows"), _rows_said(found)),
        (t("aligned.openers"), _named(found.openers)),
        (t("aligned.closers"), _named(found.closers)),
        (t("aligned.partials"), _named(found.partials)),
    ]
    st.markdown("  \n".join(f":gray[{name}] {esc(value)}" for name, value in lines if value))
    if found.rows:
        tables.frame(
            {
                t("slip.metric"): [row.metric for row in found.rows],
                t("aligned.raw"): [row.raw for row in found.rows],
                t("aligned.aligned"): [row.aligned for row in found.rows],
                t("aligned.basis"): [t(f"aligned.by_{row.basis}") for row in found.rows],
            },
            key=f"aligned-rows-{run_id}",
        )
    if found.rule:
        st.caption(esc(found.rule))


def _rows_said(found: LikeForLike) -> str:
    if not found.expected_rows:
        return ""
    present = found.expected_rows - found.missing_rows
    return f"{fmt.integer(present)} / {fmt.integer(found.expected_rows)}"


def _named(names: Sequence[str]) -> str:
    more = t("aligned.more", count=len(names) - NAMED) if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more
