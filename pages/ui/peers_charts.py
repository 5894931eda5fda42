"""Two drawings of the peers page: where everybody stands in every metric, and ranks over weeks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from askcore.base.errors import AskError
from askcore.base.peer_views import PeerReport, PeerTrend
from pages.ui import cache, charts, frame, state
from pages.ui.frame import Place
from pages.ui.peers_bar import Choice
from pages.ui.safe import esc, plotly_text
from pages.ui.text import t

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

LABEL_CHARS = 14
ROW_PX = 64
TREND_PX = 320
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x")
LINES_LIGHT = ("#4f5bd5", "#b3541e", "#1b7f5c", "#a8326b", "#51606e")
LINES_DARK = ("#98a0ff", "#f0a06a", "#5fcf9f", "#ec86b5", "#b4bfcb")
LIGHT = {
    "text": "#4a4d57",
    "grid": "#e3e5ec",
    "dot": "#9aa0b4",
}
DARK = {
    "text": "#b4b8c4",
    "grid": "#2b2e38",
    "dot": "#6d7389",
}


def strip(here: Place, report: PeerReport, choice: Choice) -> None:
    """One row a metric, one dot a shop, by the share of its peers that rank behind it."""
    if not any(line.percentile is not None for line in report.lines):
        return
    st.markdown(f"**{esc(t('peers.strip'))}**")
    st.caption(t("peers.strip_help"))
    drawn = cache.drawn(
        here.viewer,
        ("strip", here.dataset, here.version, here.lang, report.period, choice.ids, tuple(choice.names)),
        state.is_dark(),
        lambda dark: strip_figure(report, choice.names, choice.ids, dark=dark),
    )
    st.plotly_chart(drawn, key="peers.strip", config=charts.CONFIG, theme=None, alt=t("peers.strip_alt"))


def strip_figure(
    report: PeerReport, names: Mapping[str, str], chosen: Sequence[str], *, dark: bool
) -> Figure:
    """Everybody as grey dots, the chosen ones with sign, colour and name."""
    import plotly.graph_objects as go

    paint = DARK if dark else LIGHT
    labels = {m.key: plotly_text(m.label, LABEL_CHARS) for m in report.metrics}
    ranked = [line for line in report.lines if line.percentile is not None and line.state == "ok"]
    shown = go.Figure()
    others = [line for line in ranked if line.id not in chosen]
    shown.add_trace(_dots(go, others, labels, names, t("peers.others"), paint["dot"], "circle", 8))
    for number, one in enumerate(chosen):
        own = [line for line in ranked if line.id == one]
        color = _color(number, dark=dark)
        symbol = SYMBOLS[number % len(SYMBOLS)]
        name = plotly_text(names[one], LABEL_CHARS)
        shown.add_trace(_dots(go, own, labels, names, name, color, symbol, 13))
    shown.add_vline(x=0.5, line={"color": paint["text"], "dash": "dot", "width": 1})
    _frame(shown, paint, height=ROW_PX * len(labels) + 70)
    shown.update_xaxes(range=[-0.03, 1.03], tickformat=".0%", fixedrange=True, gridcolor=paint["grid"])
    shown.update_yaxes(
        type="category", categoryorder="array", categoryarray=list(reversed(labels.values())),
        fixedrange=True, automargin=True, gridcolor=paint["grid"],
    )  # fmt: skip
    return shown


def _color(number: int, *, dark: bool) -> str:
    return (LINES_DARK if dark else LINES_LIGHT)[number % len(LINES_LIGHT)]


def _dots(
    go: Any,
    lines: Sequence[Any],
    labels: Mapping[str, str],
    names: Mapping[str, str],
    name: str,
    color: str,
    symbol: str,
    size: int,
) -> Any:
    return go.Scatter(
        x=[line.percentile for line in lines],
        y=[labels[line.metric] for line in lines],
        mode="markers",
        name=name,
        marker={"color": color, "symbol": symbol, "size": size, "opacity": 0.9},
        text=[plotly_text(f"{names[line.id]} · {line.rank:.0f}/{line.peers:.0f}") for line in lines],
        hovertemplate="%{text}<extra></extra>",
    )


def trend(here: Place, report: PeerReport, choice: Choice) -> None:
    """Mean ranks of the chosen shops, week by week; the best rank is on top."""
    if not choice.ids or report.period is None:
        st.caption(t("peers.pick"))
        return
    try:
        with st.skeleton(height=TREND_PX):
            found = cache.peer_trend(
                here.viewer, here.dataset, here.version, here.lang, choice.metric.key, choice.ids,
                report.period.end,
            )  # fmt: skip
    except AskError as e:
        frame.error(t("error.peers"), e)
        return
    st.markdown(f"**{esc(t('peers.trend', metric=choice.metric.label))}**")
    if not any(p.rank is not None for series in found.series for p in series.points):
        st.caption(esc(found.reason or t("peers.no_ranks")))
        return
    drawn = cache.drawn(
        here.viewer,
        ("trend", here.dataset, here.version, here.lang, choice.metric.key, choice.ids, report.period),
        state.is_dark(),
        lambda dark: trend_figure(found, choice.names, dark=dark),
    )
    st.plotly_chart(
        drawn, key="peers.trend", config=charts.CONFIG, theme=None,
        alt=t("peers.trend_alt", metric=choice.metric.label),
    )  # fmt: skip


def trend_figure(found: PeerTrend, names: Mapping[str, str], *, dark: bool) -> Figure:
    """One line a shop, told apart by sign as well as by colour."""
    import plotly.graph_objects as go

    paint = DARK if dark else LIGHT
    shown = go.Figure()
    for number, series in enumerate(found.series):
        points = [p for p in series.points if p.rank is not None]
        shown.add_trace(
            go.Scatter(
                x=[p.period.end.isoformat() for p in points],
                y=[p.rank for p in points],
                mode="lines+markers",
                name=plotly_text(names.get(series.id, series.name), LABEL_CHARS),
                line={"color": _color(number, dark=dark), "width": 2},
                marker={"symbol": SYMBOLS[number % len(SYMBOLS)], "size": 9},
                text=[
                    plotly_text(f"{p.period.start} – {p.period.end} · {p.rank:.1f}/{p.peers or 0:.0f}")
                    for p in points
                ],
                hovertemplate="%{text}<extra>%{fullData.name}</extra>",
            )
        )
    _frame(shown, paint, height=TREND_PX)
    shown.update_xaxes(type="date", tickformat="%m-%d", fixedrange=True, gridcolor=paint["grid"], nticks=5)
    shown.update_yaxes(
        autorange="reversed", title={"text": t("peers.rank_axis")}, fixedrange=True, automargin=True,
        gridcolor=paint["grid"], zeroline=False,
    )  # fmt: skip
    return shown


def _frame(shown: Figure, paint: Mapping[str, str], *, height: int) -> None:
    shown.update_layout(
        height=height,
        margin={"l": 0, "r": 8, "t": 8, "b": 8},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"color": paint["text"], "size": 12},
        legend={"orientation": "h", "y": -0.18, "x": 0},
        dragmode=False,
        hovermode="closest",
    )
