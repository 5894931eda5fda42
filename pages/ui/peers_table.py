"""Everybody against the peers as a table, with counters above and what must be known below."""

from __future__ import annotations

from typing import Any

import streamlit as st

from askcore.base.peer_views import PeerLine, PeerReport
from pages.ui import asking, state
from pages.ui import format as fmt
from pages.ui.frame import Place
from pages.ui.peers_bar import MAX_CHOSEN, Choice
from pages.ui.safe import esc
from pages.ui.text import t

VISIBLE_ROWS = 12
ROW_PX = 33
SIGNS = {"behind": "▼", "ahead": "▲", "level": "=", "": ""}


def counts(report: PeerReport, choice: Choice) -> None:
    """How many can be compared, and on which side of the mean they are."""
    metric = choice.metric
    cards = (
        ("peers.checked", metric.n_checked, ":material/groups:"),
        ("peers.behind", metric.n_behind, ":material/trending_down:"),
        ("peers.ahead", metric.n_ahead, ":material/trending_up:"),
        ("peers.peers_fell", metric.n_peers_fell, ":material/south_east:"),
    )
    with st.grid(4, min_column_width=150):
        for key, value, icon in cards:
            st.metric(t(key), fmt.integer(value), icon=icon, border=True, help=_help(key))
    period, baseline = fmt.period(report.period), fmt.period(report.baseline)
    st.caption(esc(t("peers.compared", period=period, baseline=baseline, version=report.version)))


def _help(key: str) -> str | None:
    return t(f"{key}_help") if key == "peers.peers_fell" else None


def show(here: Place, report: PeerReport, choice: Choice) -> None:
    """The table; rows that are picked are drawn out below."""
    import pandas as pd

    shown = [line for line in choice.lines if line.state == "ok"]
    if not shown:
        st.info(t("peers.nobody"), icon=":material/info:")
        return
    key = f"peers-{report.version}-{choice.metric.key}"
    st.dataframe(
        pd.DataFrame(_columns(shown, choice, report.level)),
        hide_index=True,
        column_config=_config(choice),
        height="content" if len(shown) <= VISIBLE_ROWS else ROW_PX * (VISIBLE_ROWS + 1),
        key=key,
        on_select=lambda: _picked(key, [line.id for line in shown]),
        selection_mode="multi-row",
        alt=t("peers.table_alt", metric=choice.metric.label),
    )


def _columns(shown: list[PeerLine], choice: Choice, level: str) -> dict[str, list[Any]]:
    """Numbers stay numbers, so that a click on a heading sorts them."""
    scale = 100 if choice.metric.unit in fmt.PERCENT_UNITS else 1
    return {
        level: [choice.names[line.id] for line in shown],
        t("peers.own"): [_times(line.own, scale) for line in shown],
        t("peers.mean"): [_times(line.peer, scale) for line in shown],
        t("peers.gap"): [_times(line.gap, 100) for line in shown],
        t("peers.side"): [f"{SIGNS[line.side]} {t(f'peers.side_{line.side}')}" for line in shown],
        t("peers.rank"): [rank(line) for line in shown],
        t("peers.better"): [_times(line.percentile, 100) for line in shown],
        t("peers.rank_change"): [line.rank_change for line in shown],
        t("peers.peer_change"): [_times(line.peer_change, 100) for line in shown],
    }


def _times(value: float | None, scale: int) -> float | None:
    return None if value is None else value * scale


def _config(choice: Choice) -> dict[str, Any]:
    number = st.column_config.NumberColumn
    value = fmt.column_format(choice.metric.unit) or "%,.2f"
    gap = "%+.2f pp" if choice.metric.gap_unit == "pp" else "%+.2f%%"
    return {
        t("peers.own"): number(t("peers.own"), format=value),
        t("peers.mean"): number(t("peers.mean"), format=value),
        t("peers.gap"): number(t("peers.gap"), format=gap),
        t("peers.better"): st.column_config.ProgressColumn(
            t("peers.better"), min_value=0.0, max_value=100.0, format="%.0f%%", help=t("peers.better_help")
        ),
        t("peers.rank_change"): number(
            t("peers.rank_change"), format="%+.1f", help=t("peers.rank_change_help")
        ),
        t("peers.peer_change"): number(t("peers.peer_change"), format=gap),
    }


def rank(line: PeerLine) -> str:
    """As "10/69"; "–" without a rank."""
    if line.rank is None:
        return "–"
    return f"{line.rank:.0f}/{line.peers:.0f}" if line.peers else f"{line.rank:.0f}"


def _picked(key: str, ids: list[str]) -> None:
    """Callback: the picked rows become the shops that are drawn out."""
    event = state.widget(key) or {}
    rows = event.get("selection", {}).get("rows", [])
    state.set_param("shops", ",".join(ids[row] for row in rows[:MAX_CHOSEN] if row < len(ids)))


def asides(here: Place, report: PeerReport, choice: Choice) -> None:
    """Who is hidden and why, what else was found, the statements, and the way to a question."""
    metric = choice.metric
    if metric.n_small:
        st.caption(esc(t("peers.small", count=metric.n_small)))
    if metric.n_lacking:
        st.caption(esc(t("peers.lacking", count=metric.n_lacking)))
    for text in (*report.findings, *(note.text for note in report.notes)):
        st.caption(f":material/info: {esc(text)}")
    with st.container(horizontal=True, gap="small"):
        for key in choice.ids[:2]:
            question = t(
                "peers.question",
                name=choice.names[key],
                metric=metric.label,
                period=f"{report.period.start} {t('peers.to')} {report.period.end}" if report.period else "",
            )
            asking.elsewhere(
                t("peers.ask", name=esc(choice.names[key])), question, f"peer-ask-{key}", here.dataset
            )
    if report.sql:
        shown = st.expander(t("peers.sql"), type="compact", key="peers-sql", on_change="rerun")
        if shown.open:
            with shown:
                for statement in report.sql:
                    st.code(statement, language="sql", wrap_lines=True)
