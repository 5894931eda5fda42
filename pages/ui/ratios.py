"""What a rate is made of, beside the plain mean of the rows that it is not."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from askcore.base.views import RatioRow
from pages.ui.safe import esc, unbroken
from pages.ui.text import t


def strip(ratios: Sequence[RatioRow], run_id: str) -> None:
    """Numerator ÷ denominator of each rate and period; drawn when it is opened."""
    if not ratios:
        return
    label = t("ratio.title")
    if any(row.is_small for row in ratios):
        label += f" :gray-badge[{t('ratio.small')}]"
    shown = st.expander(
        label, type="compact", key=f"ratios-{run_id}", icon=":material/percent:", on_change="rerun"
    )
    if shown.open:
        with shown:
            periods = {row.period for row in ratios}
            for row in ratios:
                st.markdown(_line(row, with_period=len(periods) > 1))
            st.caption(t("ratio.why"))


def _line(row: RatioRow, *, with_period: bool) -> str:
    """One rate as two lines; grey when its denominator says little."""
    head = f"**{esc(row.metric)}**"
    if with_period:
        head += f" :gray[{unbroken(row.period)}]"
    if row.is_small:
        head += f" :gray-badge[{t('ratio.small')}]"
    parts = f"{esc(row.numerator)} ÷ {esc(row.denominator)}"
    naive = esc(t("ratio.naive", naive=row.naive, gap=row.gap, rows=row.rows, level=row.level.lower()))
    if row.is_small:
        return f"{head}  \n:gray[{parts} = {esc(row.weighted)}]  \n:gray[{naive}]"
    return f"{head}  \n{parts} = **{esc(row.weighted)}**  \n:gray[{naive}]"
