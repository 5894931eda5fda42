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

from askcore.base.values import ChartSpec, Lang, Note, Reading, Table
from askcore.base.views import (
    Chip,
    DatasetInfo,
    EntityRow,
    HealthReport,
    Overview,
    SkillInfo,
    SuggestionGroup,
)

if TYPE_CHECKING:
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
    viewer: str, dataset: str, version: int, lang: Lang, start: date | None, end: date | None
) -> HealthReport:
    """All checks over a period."""
    return service().health(dataset, viewer=viewer, lang=lang, start=start, end=end)


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


def html_of(run_id: str, viewer: str) -> Callable[[], bytes]:
    """Deferred download of one answer."""
    return lambda: service().answer_html(run_id, viewer=viewer)
