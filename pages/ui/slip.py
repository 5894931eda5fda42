"""The slip of an answer: its figures by the query and again straight from the files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from askcore.base.values import Verdict
from askcore.base.views import RunSnapshot, SlipRow
from pages.ui import format as fmt
from pages.ui import tables
from pages.ui.provenance import POPOVER_PX
from pages.ui.safe import esc
from pages.ui.text import t

CHECK = "second_path"


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """Figures that were computed twice, over all steps of a run."""

    all: int
    differ: int


def counted(verdicts: Sequence[Verdict]) -> Counted:
    """What the second path compared; nothing where it could not be taken."""
    found = _second(verdicts)
    return Counted(all=sum(v.n_checked for v in found), differ=sum(v.n_bad for v in found))


def is_failed(run: RunSnapshot) -> bool:
    """Whether a figure came out differently: then the slip stands first."""
    return counted(run.verdicts).differ > 0


def popover(run: RunSnapshot) -> None:
    """One small control; the slip itself is drawn when it is opened."""
    found = _second(run.verdicts)
    if not found:
        return
    label, icon = _label(counted(found))
    shown = st.popover(label, icon=icon, key=f"slip-{run.run_id}", on_change="rerun")
    if shown.open:
        with shown, st.container(width=POPOVER_PX):
            _notes(found)
            _rows(run.slip, run.run_id, sum(v.n_checked for v in found))
            for verdict in found:
                if verdict.sql:
                    st.caption(t("slip.sql"))
                    st.code(verdict.sql, language="sql", wrap_lines=True)


def _second(verdicts: Sequence[Verdict]) -> list[Verdict]:
    return [v for v in verdicts if v.check == CHECK]


def _label(found: Counted) -> tuple[str, str]:
    if not found.all:
        return f":gray[{t('slip.unchecked')}]", ":material/help:"
    if found.differ:
        return f":red[{t('slip.differs', bad=found.differ, all=found.all)}]", ":material/error:"
    return t("slip.same", same=found.all, all=found.all), ":material/balance:"


def _notes(found: Sequence[Verdict]) -> None:
    st.caption(t("slip.what"))
    for verdict in found:
        if verdict.status != "pass" and verdict.note:
            st.markdown(esc(verdict.note))
        if verdict.remedy:
            st.info(esc(verdict.remedy), icon=":material/build:")


def _rows(slip: Sequence[SlipRow], run_id: str, count: int) -> None:
    if not slip:
        return
    same = {True: t("slip.yes"), False: t("slip.no")}
    tables.frame(
        {
            t("slip.is_same"): [same[row.is_same] for row in slip],
            t("slip.metric"): [row.metric for row in slip],
            t("slip.row"): [row.place or t("slip.total") for row in slip],
            t("slip.period"): [row.period for row in slip],
            t("slip.first"): [row.first for row in slip],
            t("slip.second"): [row.second or t("slip.nothing") for row in slip],
        },
        key=f"slip-rows-{run_id}",
        visible_rows=12,
    )
    if count > len(slip):
        st.caption(t("slip.shown", shown=len(slip), all=fmt.integer(count)))
