"""The heatmap of the health page: entity by day, readable by shape as well as by colour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import streamlit as st

from askcore.base.errors import AskError
from askcore.base.values import Period
from askcore.base.views import HealthHeatmap, HeatCell, Overview
from pages.ui import cache, charts, frame, state
from pages.ui import format as fmt
from pages.ui.frame import Place
from pages.ui.health_filters import Filters, check_label, code_of, kind_label, names_of
from pages.ui.safe import esc, plotly_text
from pages.ui.text import t

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

KEY = "health.heat"
ROW_PX = 22
MARGIN_PX = 40
MAX_PX = 560  # more rows scroll inside
LABEL_CHARS = 14
MAX_DATES = 5  # as many as stand side by side on a phone
SYMBOLS = {"fail": "x", "warn": "triangle-up", "muted": "circle-open"}
SIGNS = {"fail": "✕", "warn": "▲", "muted": "○"}
LEVELS = {"clean": 1, "muted": 2, "warn": 3, "fail": 4}


@dataclass(frozen=True, slots=True, kw_only=True)
class Paint:
    """Colours of cells and of the marks upon them; each mark keeps 3:1 from its cell."""

    clean: str
    cells: Mapping[str, str]
    marks: Mapping[str, str]
    text: str
    chosen: str


LIGHT = Paint(
    clean="#d8ece2",
    cells={"fail": "#c93f3f", "warn": "#f5c467", "muted": "#c5c8d3"},
    marks={"fail": "#ffffff", "warn": "#5f3b00", "muted": "#33363f"},
    text="#4a4d57",
    chosen="#121318",
)
DARK = Paint(
    clean="#20392f",
    cells={"fail": "#f07b76", "warn": "#c98d24", "muted": "#50535e"},
    marks={"fail": "#2a0505", "warn": "#160d00", "muted": "#f0f1f5"},
    text="#b4b8c4",
    chosen="#ffffff",
)


def show(here: Place, overview: Overview, period: Period, filters: Filters) -> None:
    """Draw the map; a click narrows the list to the entity and the day."""
    try:
        with st.skeleton(height=320):
            found = cache.heatmap(
                here.viewer, here.dataset, here.version, here.lang, period, filters.check, mute_ids(here)
            )
    except AskError as e:
        frame.error(t("error.heatmap"), e)
        return
    if not found.entities:
        return
    st.markdown(f"**{t('health.map', level=esc(found.level))}**")
    st.caption(_legend())
    scope = next((key for key, label, *_ in overview.scopes if label == found.level), "")
    chosen = f"{filters.entity}|{filters.day or ''}"
    names = names_of(overview.entities)
    drawn = cache.drawn(
        here.viewer,
        ("heat", here.dataset, here.version, here.lang, period, filters.check, mute_ids(here), chosen),
        state.is_dark(),
        lambda dark: figure(found, scope, names, dark=dark, chosen=chosen),
    )
    rows_px = ROW_PX * len(found.entities) + MARGIN_PX
    with st.container(height=MAX_PX if rows_px > MAX_PX else "content", border=False):
        _chart(drawn, found, is_narrow=bool(filters.entity or filters.day))
    _notes(found)


def mute_ids(here: Place) -> tuple[str, ...]:
    """Ids of the mutes that cover today: what is cached depends on them."""
    return tuple(m.mute_id for m in cache.mutes(here.viewer, here.dataset) if m.is_active)


def _chart(drawn: Figure, found: HealthHeatmap, *, is_narrow: bool) -> None:
    # Another key once the list is narrowed: a cleared filter leaves no cell picked in the chart.
    key = f"{KEY}-{'on' if is_narrow else 'off'}"
    st.plotly_chart(
        drawn,
        key=key,
        config=charts.CONFIG,
        theme=None,
        on_select=lambda: _picked(key),
        selection_mode="points",
        alt=t("health.map_alt", level=found.level, cells=len(found.cells)),
    )


def _picked(key: str) -> None:
    """Callback: the clicked cell goes into the URL; a second click on it opens the list again."""
    event = state.widget(key) or {}
    points = event.get("selection", {}).get("points", [])
    entity, day = (points[0].get("customdata") or ["", ""])[:2] if points else ("", "")
    state.set_param("entity", str(entity))
    state.set_param("day", str(day))


def _legend() -> str:
    words = [f"{SIGNS[kind]} {kind_label(kind)}" for kind in ("fail", "warn", "muted")]
    return esc(" · ".join([*words, t("health.map_clean"), t("health.map_click")]))


def _notes(found: HealthHeatmap) -> None:
    parts = [found.note] if found.note else []
    if found.n_elsewhere:
        parts.append(t("health.elsewhere", count=fmt.integer(found.n_elsewhere)))
    if not found.cells:
        parts.append(t("health.map_empty"))
    if parts:
        st.caption(esc(" ".join(parts)))


def figure(
    found: HealthHeatmap, scope: str, names: Mapping[str, str], *, dark: bool, chosen: str = ""
) -> Figure:
    """The map. chosen: "entity|day" of the filters; its cell is framed."""
    import plotly.graph_objects as go

    paint = DARK if dark else LIGHT
    days = [found.period.start + timedelta(days=n) for n in range(found.period.days)]
    shown = go.Figure(_grounds(go, found, paint))
    for kind in SYMBOLS:
        cells = [cell for cell in found.cells if _kind(cell) == kind]
        if cells:
            shown.add_trace(_marks(go, cells, kind, scope, paint, len(days)))
    ids = [entity.id for entity in found.entities]
    labels = [plotly_text(names.get(code_of(scope, e.id), e.name), LABEL_CHARS) for e in found.entities]
    step = max(1, -(-len(days) // MAX_DATES))
    axis = {"type": "category", "showgrid": False, "zeroline": False, "fixedrange": True}
    shown.update_xaxes(
        **axis,
        side="top",
        tickvals=[day.isoformat() for day in days[::step]],
        ticktext=[f"{day:%m-%d}" for day in days[::step]],
        tickangle=0,
    )
    shown.update_yaxes(**axis, autorange="reversed", tickvals=ids, ticktext=labels, automargin=True)
    shown.update_layout(
        height=ROW_PX * len(ids) + MARGIN_PX,
        margin={"l": 0, "r": 0, "t": MARGIN_PX - 8, "b": 0},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"color": paint.text, "size": 12},
        showlegend=False,
        clickmode="event+select",
        dragmode=False,
        hoverdistance=ROW_PX // 2,
        shapes=_frames(found, scope, chosen, paint),
    )
    return shown


def _kind(cell: HeatCell) -> str:
    return "muted" if cell.is_muted else cell.status


def _grounds(go: Any, found: HealthHeatmap, paint: Paint) -> Any:
    """Every day of every entity; days outside of its rows stay blank."""
    import numpy as np

    first = found.period.start
    z = np.full((len(found.entities), found.period.days), np.nan, dtype=np.float32)
    rows = {}
    for row, entity in enumerate(found.entities):
        rows[entity.id] = row
        start = max(0, (entity.first_day - first).days)
        z[row, start : max(0, (entity.last_day - first).days + 1)] = LEVELS["clean"]
    for cell in found.cells:
        z[rows[cell.entity_id], (cell.day - first).days] = LEVELS[_kind(cell)]
    colors = [paint.clean, paint.cells["muted"], paint.cells["warn"], paint.cells["fail"]]
    return go.Heatmap(
        z=z,
        x=[(first + timedelta(days=n)).isoformat() for n in range(found.period.days)],
        y=[entity.id for entity in found.entities],
        zmin=0.5,
        zmax=4.5,
        colorscale=[[(n + at) / 4, color] for n, color in enumerate(colors) for at in (0, 1)],
        showscale=False,
        xgap=1,
        ygap=1,
        hoverinfo="skip",
    )


def _marks(go: Any, cells: list[HeatCell], kind: str, scope: str, paint: Paint, n_days: int) -> Any:
    """Signs upon the cells of one kind; they are what can be clicked."""
    same = {"marker": {"opacity": 1}}
    return go.Scatter(
        x=[cell.day.isoformat() for cell in cells],
        y=[cell.entity_id for cell in cells],
        mode="markers",
        marker={
            "symbol": SYMBOLS[kind],
            "color": paint.marks[kind],
            "size": 9 if n_days <= 31 else 6,
            "opacity": 1,
        },
        selected=same,
        unselected=same,
        customdata=[[code_of(scope, cell.entity_id), cell.day.isoformat()] for cell in cells],
        text=[
            plotly_text(f"{cell.name} · {cell.day:%m-%d} · {kind_label(kind)}")
            + "<br>"
            + plotly_text(" · ".join(check_label(check) for check in cell.checks))
            for cell in cells
        ],
        hovertemplate="%{text}<extra></extra>",
    )


def _frames(found: HealthHeatmap, scope: str, chosen: str, paint: Paint) -> list[dict[str, Any]]:
    """A frame around what the filters name: a cell, a row or a column."""
    entity, _, day = chosen.partition("|")
    rows = [n for n, e in enumerate(found.entities) if code_of(scope, e.id) == entity]
    days = [n for n in range(found.period.days) if (found.period.start + timedelta(n)).isoformat() == day]
    if (entity and not rows) or (day and not days) or not (rows or days):
        return []
    top, bottom = (rows[0], rows[0]) if rows else (0, len(found.entities) - 1)
    left, right = (days[0], days[0]) if days else (0, found.period.days - 1)
    box = {"x0": left - 0.5, "x1": right + 0.5, "y0": top - 0.5, "y1": bottom + 0.5}
    return [{"type": "rect", **box, "line": {"color": paint.chosen, "width": 2}}]
