"""How much of a change is the market's and how much the shop's own."""

from __future__ import annotations

import streamlit as st

from askcore.base.errors import AskError
from askcore.base.peer_views import PeerReport, PeerSplit
from pages.ui import cache, frame, tables
from pages.ui import format as fmt
from pages.ui.frame import Place
from pages.ui.peers_bar import Choice
from pages.ui.safe import esc
from pages.ui.text import has, t


def show(here: Place, report: PeerReport, choice: Choice) -> None:
    """One row a chosen shop: before, after, and the two parts that add up to the change."""
    if not choice.ids or report.period is None:
        return
    st.markdown(f"**{esc(t('peers.split', metric=choice.metric.label))}**")
    found: list[PeerSplit] = []
    try:
        for one in choice.ids:
            days = (report.period, report.baseline)
            found.append(
                cache.peer_split(
                    here.viewer, here.dataset, here.version, here.lang, choice.metric.key, one, days
                )
            )
    except AskError as e:
        frame.error(t("error.peers"), e)
        return
    st.caption(t("peers.split_help"))
    unit, is_rate = choice.metric.unit, choice.metric.gap_unit == "pp"
    tables.frame(
        {
            report.level: [choice.names[s.id] for s in found],
            t("peers.before"): [fmt.number(s.before, unit) for s in found],
            t("peers.after"): [fmt.number(s.after, unit) for s in found],
            t("peers.change"): [change(s.change, unit, is_rate=is_rate) for s in found],
            t("peers.market"): [change(s.market, unit, is_rate=is_rate) for s in found],
            t("peers.own_part"): [change(s.own, unit, is_rate=is_rate) for s in found],
        },
        key=f"peers-split-{report.version}",
    )
    for split in found:
        if split.reason:
            st.caption(f":material/info: {esc(choice.names[split.id])}: {esc(why_not(split.reason))}")


def change(value: float | None, unit: str, *, is_rate: bool) -> str:
    """With its sign; rates in points."""
    if value is None:
        return "–"
    if is_rate:
        return f"{round(value * 100, 2) + 0.0:+.2f} pp"  # + 0.0: no "-0.00"
    sign = "+" if value > 0 else "-" if value < 0 else ""
    return f"{sign}{fmt.number(abs(round(value, 2)), unit)}"


def why_not(reason: str) -> str:
    """A reason's code in words; a sentence as it is."""
    key = f"peers.no_split_{reason}"
    return t(key) if has(key) else reason
