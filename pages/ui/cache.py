"""The only door to the service, and every cache in front of it.

Keys hold the viewer and the lake version beside the arguments: one viewer never sees what was
computed for another, and a new load is seen at once. The frozen values of the service are shared
without a copy; nothing here may be changed by a page.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING, Any

import streamlit as st

from askcore.base.peer_views import PeerReport, PeerSplit, PeerTrend
from askcore.base.reports import Report, ReportOptions
from askcore.base.restated import Restatement
from askcore.base.values import ChartSpec, Lang, Note, Period, Reading, Table
from askcore.base.views import (
    Chip,
    DatasetInfo,
    EntityRow,
    HealthHeatmap,
    HealthHistory,
    HealthReport,
    Mute,
    Overview,
    SkillInfo,
    SuggestionGroup,
)

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

    from askcore.service import Service

DATASETS_TTL_S = 5  # a new load shows up within a few seconds
VIEWS_TTL_S = 600  # the version is in the key: age only bounds memory and the clock of freshness


def service() -> Service:
    """The service of this process; tests replace this function."""
    from askcore.service import get_service

    return get_service()


@st.cache_resource(ttl=DATASETS_TTL_S, max_entries=64, show_spinner=False)
def datasets(viewer: str) -> tuple[DatasetInfo, ...]:
    """All datasets, newest load first."""
    return service().datasets()


@st.cache_resource(ttl=DATASETS_TTL_S, max_entries=64, show_spinner=False)
def default_dataset(viewer: str) -> str:
    """Name of the dataset to open first."""
    return service().default_dataset()


@st.cache_resource(ttl=VIEWS_TTL_S, max_entries=64, show_spinner=False)
def overview(viewer: str, dataset: str, version: int, lang: Lang) -> Overview:
    """The lake page of one dataset."""
    return service().overview(dataset, viewer=viewer, lang=lang)


@st.cache_resource(ttl=VIEWS_TTL_S, max_entries=64, show_spinner=False)
def entities(viewer: str, dataset: str, version: int) -> tuple[EntityRow, ...]:
    """Top-level entities for the selector."""
    return service().entities(dataset, viewer=viewer)


@st.cache_resource(ttl=VIEWS_TTL_S, max_entries=64, show_spinner=False)
def suggestions(viewer: str, dataset: str, version: int, lang: Lang) -> tuple[SuggestionGroup, ...]:
    """Questions made from the lake."""
    return service().suggestions(dataset, viewer=viewer, lang=lang)


@st.cache_resource(ttl=VIEWS_TTL_S, max_entries=8, show_spinner=False)
def skills(viewer: str, lang: Lang) -> tuple[SkillInfo, ...]:
    """The playbooks that can be chosen; they are the same for everyone."""
    return service().skills(lang)


@st.cache_resource(ttl=VIEWS_TTL_S, max_entries=32, show_spinner=False)
def health(
    viewer: str,
    dataset: str,
    version: int,
    lang: Lang,
    start: date | None,
    end: date | None,
    mute_ids: tuple[str, ...],
) -> HealthReport:
    """All checks over a period; `mute_ids`: a new mute shows at once."""
    return service().health(dataset, viewer=viewer, lang=lang, start=start, end=end)


@st.cache_resource(ttl=DATASETS_TTL_S, max_entries=64, show_spinner=False)
def mutes(viewer: str, dataset: str) -> tuple[Mute, ...]:
    """Mutes that cover today and those past their day, newest first."""
    return service().mutes(dataset, viewer=viewer, expired=True)


def forget_mutes() -> None:
    """After a mute was set or ended by hand: this process shows it at once."""
    mutes.clear()


@st.cache_resource(ttl=VIEWS_TTL_S, max_entries=64, show_spinner=False)
def health_history(viewer: str, dataset: str, version: int, lang: Lang) -> HealthHistory:
    """What each load brought and mended."""
    return service().health_history(dataset, viewer=viewer, lang=lang)


@st.cache_resource(ttl=VIEWS_TTL_S, max_entries=64, show_spinner=False)
def heatmap(
    viewer: str,
    dataset: str,
    version: int,
    lang: Lang,
    days: Period,
    check: str,
    mute_ids: tuple[str, ...],
) -> HealthHeatmap:
    """Findings by entity and day; check "" = all."""
    return service().health_heatmap(
        dataset, viewer=viewer, lang=lang, start=days.start, end=days.end, check=check or None
    )


@st.cache_resource(ttl=VIEWS_TTL_S, max_entries=64, show_spinner=False)
def drawn(viewer: str, what: tuple[object, ...], dark: bool, _draw: Callable[[bool], Figure]) -> Figure:
    """A figure of a page. what: everything it depends on, the dataset's version and the language included."""
    return _draw(dark)


@st.cache_resource(ttl=VIEWS_TTL_S, max_entries=64, show_spinner=False)
def peers(
    viewer: str, dataset: str, version: int, lang: Lang, days: Period | None, entity: str
) -> PeerReport:
    """Everybody against their peers; entity: id of the one company to look at, "" = all."""
    return service().peers(dataset, viewer=viewer, lang=lang, period=days, company=entity or None)


@st.cache_resource(ttl=VIEWS_TTL_S, max_entries=64, show_spinner=False)
def peer_trend(
    viewer: str, dataset: str, version: int, lang: Lang, metric: str, ids: tuple[str, ...], end: date
) -> PeerTrend:
    """Ranks of some entities over weeks."""
    return service().peer_trend(dataset, viewer=viewer, lang=lang, metric=metric, ids=ids, end=end)


@st.cache_resource(ttl=VIEWS_TTL_S, max_entries=128, show_spinner=False)
def peer_split(
    viewer: str,
    dataset: str,
    version: int,
    lang: Lang,
    metric: str,
    entity: str,
    days: tuple[Period, Period | None],
) -> PeerSplit:
    """A change as own part and market. days: (window, baseline)."""
    return service().peer_split(
        dataset, viewer=viewer, lang=lang, metric=metric, entity=entity, period=days[0], baseline=days[1]
    )


@st.cache_resource(ttl=VIEWS_TTL_S, max_entries=128, show_spinner=False)
def reading(viewer: str, text: str) -> Reading:
    """The reading that a URL holds. Raises: BadRequest, also when it is no JSON object."""
    return service().reading_from_json(json.loads(text))


@st.cache_resource(ttl=VIEWS_TTL_S, max_entries=128, show_spinner=False)
def chips(viewer: str, dataset: str, version: int, lang: Lang, reading_json: str) -> tuple[Chip, ...]:
    """The visible parts of a reading."""
    return service().chips(dataset, reading(viewer, reading_json), lang)


@st.cache_resource(ttl=VIEWS_TTL_S, max_entries=32, show_spinner=False)
def explore(
    viewer: str, dataset: str, version: int, lang: Lang, reading_json: str
) -> tuple[Table, tuple[Note, ...], str]:
    """Table, notes and SQL of a reading."""
    return service().explore(dataset, reading(viewer, reading_json), viewer=viewer, lang=lang)


@st.cache_resource(ttl=VIEWS_TTL_S, max_entries=128, show_spinner=False)
def figure(
    viewer: str, run_id: str, rev: int, dark: bool, lang: Lang, _table: Table, _chart: ChartSpec
) -> Any:
    """The Plotly figure of a run; the table is found by run and revision, hence not hashed."""
    return service().figure(_table, _chart, dark=dark, lang=lang)


def csv_of(table: Table) -> Callable[[], bytes]:
    """Deferred download: the file is made when it is asked for."""
    return lambda: service().csv(table)


@st.cache_resource(ttl=VIEWS_TTL_S, max_entries=64, show_spinner=False)
def report_period(viewer: str, dataset: str, version: int, kind: str) -> Period | None:
    """The newest whole week or month; None for kinds that have no such days."""
    return service().report_period(kind, dataset)


@st.cache_resource(ttl=VIEWS_TTL_S, max_entries=8, show_spinner=False)
def report(viewer: str, report_id: str, options: ReportOptions) -> Report:
    """A kept report as its options show it."""
    return service().report_content(report_id, viewer=viewer)


def newest_version(viewer: str, dataset: str) -> int:
    """Of a dataset; 0 when it is not there (any more)."""
    return next((d.version for d in datasets(viewer) if d.name == dataset), 0)


@st.cache_resource(ttl=VIEWS_TTL_S, max_entries=16, show_spinner=False)
def verified(viewer: str, report_id: str, version: int, options: ReportOptions) -> dict[str, Any]:
    """A kept report's figures made again on the newest version."""
    return service().verify_kept(report_id, viewer=viewer)


@st.cache_resource(ttl=DATASETS_TTL_S, max_entries=512, show_spinner=False)
def restated(viewer: str, subject_id: str, newest: int) -> Restatement | None:
    """How a later load has an answer or a report; None when it was not compared."""
    return service().restated([subject_id], viewer=viewer).get(subject_id)


@st.cache_resource(ttl=DATASETS_TTL_S, max_entries=32, show_spinner=False)
def catch_up_restated(viewer: str, dataset: str, newest: int) -> bool:
    """Begin the comparison with the newest version, at most once in a few seconds."""
    return service().catch_up_restated(dataset)


def report_of(report_id: str, file_format: str, viewer: str) -> Callable[[], bytes]:
    """Deferred download of a kept report."""
    return lambda: service().report_file(report_id, file_format, viewer=viewer)


def html_of(run_id: str, viewer: str) -> Callable[[], bytes]:
    """Deferred download of one answer."""
    return lambda: service().answer_html(run_id, viewer=viewer)
