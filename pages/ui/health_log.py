"""The history of the health page: what each load brought, mended and kept."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta, timezone

import streamlit as st

from askcore.base.errors import AskError
from askcore.base.views import HealthChange, HealthFinding, HealthHistory
from pages.ui import cache, frame, state, tables
from pages.ui import format as fmt
from pages.ui.frame import Place
from pages.ui.health_filters import check_label
from pages.ui.safe import esc
from pages.ui.text import t

CHANGES = ("appeared", "mended", "persists")
COLORS = {"appeared": "orange", "mended": "green", "persists": "gray"}


def load(here: Place) -> HealthHistory | None:
    """The history; None after an error was shown."""
    try:
        return cache.health_history(here.viewer, here.dataset, here.version, here.lang)
    except AskError as e:
        frame.error(t("error.history"), e)
        return None


def newest(found: HealthHistory | None, version: int) -> HealthChange | None:
    """What the version on screen brought, if there is a load before it to compare with."""
    if found is None or not found.versions:
        return None
    last = found.versions[0]
    return last if last.version == version and last.previous is not None else None


def show(found: HealthHistory) -> None:
    """One entry a load, newest first."""
    if not found.versions:
        st.info(t("health.no_history"), icon=":material/info:")
    for change in found.versions:
        entry = st.expander(_title(change), key=f"history-{change.version}", on_change="rerun")
        if entry.open:
            with entry:
                _body(change)
    if found.is_cut:
        st.caption(t("health.history_cut", count=len(found.versions)))


def _title(change: HealthChange) -> str:
    zone = timezone(timedelta(minutes=-(state.timezone_offset())))
    loaded = f"{datetime.fromtimestamp(change.loaded_at, zone):%Y-%m-%d %H:%M}"
    name = t("health.load", version=change.version)
    if change.previous is None:
        count = t("health.first_load", count=fmt.integer(change.n_appeared))
        return f"**{esc(name)}** :gray[{esc(loaded)} · {esc(count)}]"
    counts = {"appeared": change.n_appeared, "mended": change.n_mended, "persists": change.n_persists}
    badges = " ".join(_badge(kind, counts[kind]) for kind in CHANGES)
    return f"**{esc(name)}** :gray[{esc(loaded)}] {badges}"


def _badge(kind: str, count: int) -> str:
    color = COLORS[kind] if count else "gray"
    return f":{color}-badge[{t(f'health.{kind}')} {fmt.integer(count)}]"


def _body(change: HealthChange) -> None:
    rows: list[tuple[str, HealthFinding]] = []
    kinds = ("persists",) if change.previous is None else CHANGES
    found: dict[str, Sequence[HealthFinding]] = {
        "appeared": change.appeared,
        "mended": change.mended,
        "persists": change.persists or (change.appeared if change.previous is None else ()),
    }
    for kind in kinds:
        rows += [(kind, one) for one in found[kind]]
    if rows:
        _table(rows, change)
    else:
        st.caption(t("health.no_findings"))
    total = change.n_appeared + change.n_mended + change.n_persists
    if total > len(rows):
        st.caption(t("table.shown", shown=len(rows), total=fmt.integer(total)))
    if change.not_evaluated:
        names = " · ".join(check_label(check) for check in change.not_evaluated)
        st.caption(esc(t("health.not_evaluated", checks=names)))
    for check, before, now in change.too_many:
        first = "–" if before is None else fmt.integer(before)
        st.caption(esc(t("health.too_many", check=check_label(check), before=first, now=fmt.integer(now))))


def _table(rows: Sequence[tuple[str, HealthFinding]], change: HealthChange) -> None:
    tables.frame(
        {
            t("health.change"): [t(f"health.{kind}") for kind, _ in rows],
            t("health.by_check"): [check_label(one.check) for _, one in rows],
            t("provenance.status"): [t(f"verdict.{one.status}") if one.status else "–" for _, one in rows],
            t("health.by_entity"): [one.entity or "–" for _, one in rows],
            t("health.by_day"): [one.key.get("date", "–") for _, one in rows],
            t("health.since_column"): [one.since_version for _, one in rows],
        },
        key=f"history-rows-{change.version}",
        visible_rows=12,
    )
