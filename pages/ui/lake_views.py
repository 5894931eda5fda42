"""The parts of the lake overview: figures, entities, metric catalogue, sync log, freshness."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta, timezone

import streamlit as st

from askcore.base.views import Overview
from pages.ui import cache, frame, state, tables
from pages.ui import format as fmt
from pages.ui import verdicts as verdict_views
from pages.ui.frame import Place
from pages.ui.safe import unbroken
from pages.ui.text import has, t

VIEWS = ("entities", "metrics", "sync", "explore")
SYNC_ROWS = 200
FIGURE_PX = 150  # two cards beside each other on a phone
SEARCH = "metrics.search"


def header(here: Place, overview: Overview) -> None:
    """Title, data badge and dataset menu."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.title(t("nav.overview"), anchor=False, width="content")
        frame.data_badge(overview)
        st.space("stretch")
        frame.dataset_picker(here, "lake.dataset")


def figures(overview: Overview) -> None:
    """Four cards: rows, entities, days, metrics."""
    levels = Counter(row.level_label for row in overview.entities)
    available = sum(m.available for m in overview.metrics)
    newest = [
        t("lake.newest", month=month, rows=fmt.integer(rows)) for month, rows in overview.rows_per_month[-1:]
    ]
    with st.grid(4, min_column_width=FIGURE_PX):
        _figure("lake.rows", fmt.compact(overview.dataset.row_count), newest)
        _figure(
            "lake.entities",
            fmt.integer(len(overview.entities)),
            [f"{name} {count}" for name, count in levels.items()],
        )
        _figure(
            "lake.days",
            fmt.integer(overview.period.days if overview.period is not None else 0),
            [fmt.period(overview.period)],
        )
        _figure(
            "lake.metrics",
            fmt.integer(available),
            [t("lake.missing", count=len(overview.metrics) - available)],
        )


def _figure(key: str, value: str, facts: list[str]) -> None:
    with st.container(border=True, height="stretch", gap="xxsmall"):
        st.metric(t(key), value)
        if facts:
            st.caption(unbroken(" · ".join(facts)))  # wraps, where a metric's delta would be cut


def freshness(overview: Overview) -> None:
    """Freshness verdicts as cards; failures first."""
    ranked = verdict_views.rank(overview.freshness)
    if not ranked:
        return
    with st.grid(min(len(ranked), 3), min_column_width=260, gap="xsmall"):
        for number, verdict in enumerate(ranked[:6]):
            verdict_views.card(verdict, key=f"fresh-{number}-{verdict.id}")


def views(here: Place, overview: Overview) -> None:
    """The chosen view; only that one is drawn. A link with a reading opens the explorer."""
    first = "explore" if state.param("reading") else "entities"
    picked = st.segmented_control(
        t("lake.view"),
        VIEWS,
        required=True,
        format_func=lambda one: t(f"lake.view_{one}"),
        key=state.bind("view", state.from_url("view", VIEWS, first)),
        label_visibility="collapsed",
        on_change=state.write_back,
        args=("view", first),
    )
    if picked == "metrics":
        _metrics(overview)
    elif picked == "sync":
        _sync(overview)
    elif picked == "explore":
        from pages.ui import explorer

        explorer.show(here, overview)
    else:
        _entities(here, overview)


def _entities(here: Place, overview: Overview) -> None:
    if not overview.entities:
        st.caption(t("table.empty"))
        return
    rows = overview.entities[: fmt.MAX_ROWS]
    tables.frame(
        {
            t("lake.level"): [r.level_label for r in rows],
            t("lake.id"): [r.id for r in rows],
            t("lake.name"): [r.name for r in rows],
            t("lake.first"): [r.first_day for r in rows],
            t("lake.last"): [r.last_day for r in rows],
        },
        key="lake.entities",
        visible_rows=14,
    )
    _layers(overview)
    _datasets(here)


def _layers(overview: Overview) -> None:
    left, right = st.columns(2)
    with left:
        _layer_table(overview)
    with right:
        _month_table(overview)


def _month_table(overview: Overview) -> None:
    months = list(reversed(overview.rows_per_month))
    if not months:
        return
    st.header(t("lake.months"), anchor=False)
    tables.frame(
        {
            t("lake.month"): [month for month, _rows in months],
            t("lake.rows"): [rows for _month, rows in months],
        },
        {
            t("lake.rows"): st.column_config.ProgressColumn(
                format="%,d", min_value=0, max_value=max(rows for _month, rows in months)
            )
        },
        key="lake.months",
        visible_rows=6,
    )


def _layer_table(overview: Overview) -> None:
    st.header(t("lake.layers"), anchor=False)
    tables.frame(
        {
            t("lake.level"): [label for _key, label, _rows, _period in overview.scopes],
            t("lake.rows"): [rows for _key, _label, rows, _period in overview.scopes],
            t("lake.range"): [fmt.period(period) for *_rest, period in overview.scopes],
        },
        {t("lake.rows"): st.column_config.NumberColumn(format="%,d")},
        key="lake.layers",
    )


def _datasets(here: Place) -> None:
    zone = timezone(timedelta(minutes=-(st.context.timezone_offset or 0)))
    found = cache.datasets(here.viewer)
    st.header(t("lake.datasets"), anchor=False)
    tables.frame(
        {
            t("lake.dataset"): [d.name for d in found],
            t("lake.version"): [d.version for d in found],
            t("lake.rows"): [d.row_count for d in found],
            t("lake.loaded"): [f"{datetime.fromtimestamp(d.loaded_at, zone):%Y-%m-%d %H:%M}" for d in found],
            t("lake.origin"): [t("lake.synthetic" if d.synthetic else "lake.real") for d in found],
        },
        {t("lake.rows"): st.column_config.NumberColumn(format="%,d")},
        key="lake.datasets",
    )


def _metrics(overview: Overview) -> None:
    word = st.text_input(
        t("lake.find_metric"),
        key=SEARCH,
        placeholder=t("lake.find_metric"),
        label_visibility="collapsed",
        icon=":material/search:",
    )
    found = [
        m
        for m in overview.metrics
        if word.lower() in " ".join((m.key, m.label, m.definition, *m.synonyms)).lower()
    ]
    if not found:
        st.caption(t("lake.no_metric"))
        return
    tables.frame(
        {
            t("lake.metric"): [m.label for m in found],
            t("lake.key"): [m.key for m in found],
            t("lake.definition"): [m.definition for m in found],
            t("lake.additive"): [t("lake.sum" if m.is_sum else "lake.weighted") for m in found],
            t("lake.unit"): [_named("unit_name", m.unit) for m in found],
            t("lake.polarity"): [_named("polarity", m.polarity) for m in found],
            t("lake.available"): [t("yes" if m.available else "lake.absent") for m in found],
            t("lake.synonyms"): [", ".join(m.synonyms) for m in found],
        },
        {t("lake.definition"): st.column_config.Column(width=260)},
        key="lake.metrics",
        visible_rows=16,
    )


def _named(kind: str, name: str) -> str:
    """The word for a value of the lake; the value itself when there is none."""
    return t(f"{kind}.{name}") if has(f"{kind}.{name}") else name


def _sync(overview: Overview) -> None:
    rows = overview.sync_log[:SYNC_ROWS]
    if not rows:
        st.info(t("lake.no_sync"), icon=":material/info:")
        return
    tables.frame(
        {
            t("lake.time"): [r.time for r in rows],
            t("lake.entity"): [r.entity for r in rows],
            t("lake.state"): [_named("sync_state", r.state) for r in rows],
            t("lake.rows"): [r.rows for r in rows],
            t("lake.message"): [r.message for r in rows],
        },
        {t("lake.rows"): st.column_config.NumberColumn(format="%,d")},
        key="lake.sync",
        visible_rows=16,
    )
    if any(r.message for r in rows):
        st.caption(f":material/format_quote: {t('lake.sync_source')}")
