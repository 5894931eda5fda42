"""What the peers page looks at: window, metric and shops, all of them in the URL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import streamlit as st

from askcore.base.errors import AskError
from askcore.base.peer_views import PeerLine, PeerMetric, PeerReport
from askcore.base.values import Period
from askcore.base.views import Overview
from pages.ui import cache, frame, state
from pages.ui.frame import Place
from pages.ui.safe import esc
from pages.ui.text import t

WINDOWS = ("7", "14", "28")
MAX_CHOSEN = 5  # lines that can be told apart
DEFAULT_CHOSEN = 3
MAX_PILLS = 24
ALL = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One metric, and the shops that are drawn out."""

    metric: PeerMetric
    ids: tuple[str, ...]
    names: dict[str, str]
    """Id -> name; names that several share carry their ids."""
    lines: tuple[PeerLine, ...]
    """Everybody's in the metric, the furthest behind first."""


def header(here: Place, overview: Overview) -> None:
    """Title, data badge and dataset menu."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.title(t("nav.peers"), anchor=False, width="content")
        frame.data_badge(overview)
        st.space("stretch")
        frame.dataset_picker(here, "peers.dataset")


def load(here: Place, overview: Overview) -> PeerReport | None:
    """The report of the window and company picked; None after an error was shown."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        picked = st.segmented_control(
            t("peers.window"),
            WINDOWS,
            required=True,
            format_func=lambda one: t("peers.days", count=one),
            key=state.bind("period", state.from_url("period", WINDOWS, WINDOWS[0])),
            label_visibility="collapsed",
            on_change=state.write_back,
            args=("period", WINDOWS[0]),
        )
        company = _company(here)
    try:
        with st.skeleton(height=320):
            days = _window(overview, int(picked or 7))
            return cache.peers(here.viewer, here.dataset, here.version, here.lang, days, company)
    except AskError as e:
        frame.error(t("error.peers"), e)
        return None


def _company(here: Place) -> str:
    """Id of the company picked; "" = all, as where there is one only."""
    try:
        names = {e.id: e.name or e.id for e in cache.entities(here.viewer, here.dataset, here.version)}
    except AskError:
        return ALL  # the report fails the same way and says so
    if len(names) < 2:
        return ALL
    found = st.selectbox(
        t("peers.company"),
        [ALL, *names],
        format_func=lambda one: names.get(one, t("peers.all_companies")),
        key=state.bind("entity", state.from_url("entity", names, ALL)),
        label_visibility="collapsed",
        on_change=state.write_back,
        args=("entity", ALL),
        width=220,
    )
    return str(found or ALL)


def _window(overview: Overview, days: int) -> Period | None:
    """The newest days of the data; None: there are none, and the report says so."""
    if overview.period is None:
        return None
    end = overview.period.end
    start = max(overview.period.start, end - timedelta(days=days - 1))
    return Period(start=start, end=end)


def has_peers(report: PeerReport) -> bool:
    """Whether there is something to compare; says why when there is not."""
    if report.metrics and report.lines:
        return True
    reason = report.reason or t("peers.nobody")
    body = f"**{esc(t('peers.none'))}**  \n{esc(reason)}"
    if report.hint:
        body += f"  \n{t('error.hint')} {esc(report.hint)}"
    st.info(body, icon=":material/info:")
    return False


def choose(report: PeerReport) -> Choice:
    """Menus for the metric and for the shops drawn out."""
    keys = [m.key for m in report.metrics]
    labels = {m.key: m.label for m in report.metrics}
    key = st.selectbox(
        t("peers.metric"),
        keys,
        format_func=lambda one: labels[one],
        key=state.bind("metric", state.from_url("metric", keys, keys[0])),
        on_change=state.write_back,
        args=("metric", keys[0]),
        width=220,
    )
    metric = next(m for m in report.metrics if m.key == key)
    lines, names = lines_of(report, key), names_of(report)
    return Choice(metric=metric, ids=_drawn(report, lines, names), names=names, lines=lines)


def _drawn(report: PeerReport, lines: Sequence[PeerLine], names: dict[str, str]) -> tuple[str, ...]:
    """A pill each while they are few, else a menu; at most MAX_CHOSEN."""
    default = [line.id for line in lines if line.state == "ok"][:DEFAULT_CHOSEN]
    asked = [one for one in state.param("shops").split(",") if one in names][:MAX_CHOSEN]
    how: dict[str, Any] = {
        "format_func": lambda one: names[one],
        "key": state.bind("shops", asked or default),
        "on_change": state.write_back,
        "args": ("shops", "", _written),
    }
    label = t("peers.drawn", level=report.level)
    if len(names) <= MAX_PILLS:
        found = st.pills(label, list(names), selection_mode="multi", **how)
    else:
        found = st.multiselect(label, list(names), max_selections=MAX_CHOSEN, width=440, **how)
    return tuple(found)[:MAX_CHOSEN]


def _written(ids: Sequence[str]) -> str:
    """The newest of too many."""
    return ",".join(ids[-MAX_CHOSEN:])


def lines_of(report: PeerReport, metric: str) -> tuple[PeerLine, ...]:
    """Everybody in one metric, the furthest behind first; those who cannot be compared last."""
    own = [line for line in report.lines if line.metric == metric]
    sign = -1 if next(m for m in report.metrics if m.key == metric).polarity == "down" else 1
    return tuple(sorted(own, key=lambda one: (one.gap is None, sign * (one.gap or 0.0))))


def names_of(report: PeerReport) -> dict[str, str]:
    """Id -> name; of several with one name each carries its id."""
    plain = report.entities
    shared = {name for name in plain.values() if list(plain.values()).count(name) > 1}
    return {key: f"{name} {key}" if name in shared else name or key for key, name in plain.items()}
