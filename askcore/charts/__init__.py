"""Chart specs: what may be drawn, and the drawing.

A spec names columns of one result table; `clamp_chart` keeps only what exists there, `default_chart`
chooses by the shape of the result, `figure` draws. This is the one place that decides what is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

from askcore.base.values import TIME_GRAINS, ChartSpec, Table

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

CHART_TYPES: tuple[str, ...] = get_args(get_type_hints(ChartSpec)["type"])
# Ten colours that keep apart for colour-blind readers, light and dark alike.
PALETTE = (
    "#4f5bd5", "#e0803a", "#2f9e77", "#c2477f", "#7a8a99",
    "#8d6bd1", "#c9a227", "#3d8fd1", "#d1495b", "#6b8e23",
)  # fmt: skip
_MAX_POINTS = 2000  # past this a browser slows down and the eye sees no more
_MAX_BARS = 30
_FORMATS = {"ratio": (".1%", ".2%"), "pp": ("+.2f", "+.2f")}
"""Unit -> (ticks, hover)."""


def clamp_chart(asked: Mapping[str, Any] | ChartSpec | None, table: Table, step: str) -> ChartSpec | None:
    """`asked` reduced to columns of `table`; the default for its shape when nothing usable is left."""
    if isinstance(asked, ChartSpec):
        asked = asked.as_json()
    if not asked:
        return default_chart(table, step)
    x = str(asked.get("x") or "")
    wanted = asked.get("y") or ()
    wanted = [wanted] if isinstance(wanted, str) else list(wanted)
    y = tuple(k for k in wanted if k in table.measures)
    asked_color = str(asked.get("color") or "")
    color = asked_color if asked_color != x and table.column_of(asked_color) else None
    kind = asked.get("type")
    if kind not in CHART_TYPES or not y or (kind != "funnel" and table.column_of(x) is None):
        return default_chart(table, step)
    if kind == "funnel" and not table.totals and not table.rows:
        return None
    return ChartSpec(type=kind, x=x, y=y, color=color, step=step)


def default_chart(table: Table, step: str) -> ChartSpec | None:
    """Line for time, bars for entities, nothing for a single value."""
    measures = [k for k in table.measures if "__" not in k]
    grain = next((k for k in table.dimensions if k in TIME_GRAINS), None)
    names = [k for k in table.dimensions if k not in TIME_GRAINS]
    if table.shown < 2 or not measures:
        return None
    label = _name_column(names)
    if grain is not None:
        return ChartSpec(type="line", x=grain, y=_same_unit(table, measures), color=label, step=step)
    if label is None:
        return None
    kind = "bar" if table.shown <= 8 else "hbar"
    return ChartSpec(type=kind, x=label, y=(measures[0],), step=step)  # type: ignore[arg-type]


def _name_column(names: Sequence[str]) -> str | None:
    """The finest display name among dimension columns; ids only where there is no name."""
    shown = [n for n in names if n.endswith("Name")] or list(names)
    return shown[-1] if shown else None


def _same_unit(table: Table, measures: Sequence[str]) -> tuple[str, ...]:
    units = {c.key: c.unit for c in table.columns}
    return tuple(m for m in measures if units[m] == units[measures[0]])


def figure(table: Table, chart: ChartSpec, *, dark: bool, font: str = "") -> Figure:
    """The Plotly figure of a clamped spec.

    Category axes are typed as such: Plotly would read "11-20" or "2026-11" as dates.
    """
    import plotly.graph_objects as go  # 0.3 s; only pages and exports draw

    shown = go.Figure()
    chart = replace(
        chart,
        x=table.column_of(chart.x) or chart.x,
        color=None if chart.color is None else table.column_of(chart.color),
    )
    labels = {c.key: c.label for c in table.columns}
    rows = _in_points(table, chart, told_apart(table, chart))[
        : _MAX_POINTS if chart.type in ("line", "area", "scatter") else _MAX_BARS
    ]
    if chart.type == "funnel":
        values = [_number(_funnel_row(table).get(k)) for k in chart.y]
        shown.add_trace(go.Funnel(y=[labels[k] for k in chart.y], x=values, marker_color=PALETTE[0]))
    elif chart.type == "pie":
        shown.add_trace(go.Pie(labels=[str(r.get(chart.x)) for r in rows], values=_series(rows, chart.y[0])))
    else:
        for index, (name, key, part) in enumerate(_series_of(rows, chart, labels)):
            shown.add_trace(_trace(go, chart, name, key, part, PALETTE[index % len(PALETTE)]))
    _layout(shown, table, chart, labels, dark=dark, font=font)
    return shown


def _in_points(
    table: Table, chart: ChartSpec, rows: tuple[Mapping[str, Any], ...]
) -> tuple[Mapping[str, Any], ...]:
    """Changes of rates, stored as fractions, as the percentage points that the axis says."""
    keys = [c.key for c in table.columns if c.unit == "pp" and c.key in chart.y]
    if not keys:
        return rows
    return tuple({**r, **{k: v * 100 for k in keys if (v := _number(r.get(k))) is not None}} for r in rows)


def told_apart(table: Table, chart: ChartSpec) -> tuple[Mapping[str, Any], ...]:
    """The rows; names that several entities share carry their ids, else their bars or lines would merge.

    chart: with its columns resolved.
    """
    rows = table.rows
    for column in (chart.x, chart.color):
        shared = _shared_names(table, column) if column else frozenset()
        key = _id_column(table, column) if shared and column else None
        if key is not None and column is not None:
            rows = tuple(
                {**r, column: f"{r[column]} {r[key]}"} if r.get(column) in shared else r for r in rows
            )
    return rows


def _shared_names(table: Table, column: str) -> frozenset[Any]:
    """Values of a name column that belong to more than one id."""
    key = _id_column(table, column)
    if key is None:
        return frozenset()
    ids: dict[Any, set[Any]] = {}
    for row in table.rows:
        ids.setdefault(row.get(column), set()).add(row.get(key))
    return frozenset(name for name, found in ids.items() if len(found) > 1)


def _id_column(table: Table, column: str) -> str | None:
    """The column beside a name that identifies the same level's entities."""
    of = next((c.of for c in table.columns if c.key == column), "")
    return next((c.key for c in table.columns if of and c.of == of and c.key != column), None)


def _funnel_row(table: Table) -> Mapping[str, Any]:
    return table.totals or (table.rows[0] if table.rows else {})


def _series_of(
    rows: Sequence[Mapping[str, Any]], chart: ChartSpec, labels: Mapping[str, str]
) -> list[tuple[str, str, list[Mapping[str, Any]]]]:
    """(name, metric key, rows) of each trace: one per metric, or one per value of `color`."""
    if chart.color is None:
        return [(labels[key], key, list(rows)) for key in chart.y]
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        groups.setdefault(str(row.get(chart.color)), []).append(row)
    many = len(chart.y) > 1
    return [
        (f"{name} · {labels[key]}" if many else name, key, part)
        for name, part in groups.items()
        for key in chart.y
    ]


def _trace(go: Any, chart: ChartSpec, name: str, key: str, rows: list[Mapping[str, Any]], color: str) -> Any:
    x, y = [r.get(chart.x) for r in rows], _series(rows, key)
    if chart.type in ("line", "area"):
        fill = "tozeroy" if chart.type == "area" else None
        mode = "lines+markers" if len(rows) <= 60 else "lines"
        return go.Scatter(x=x, y=y, name=name, mode=mode, fill=fill, line={"color": color, "width": 2})
    if chart.type == "scatter":
        return go.Scatter(x=x, y=y, name=name, mode="markers", marker={"color": color})
    if chart.type == "hbar":
        return go.Bar(x=y, y=x, name=name, orientation="h", marker_color=color)
    return go.Bar(x=x, y=y, name=name, marker_color=color)


def _series(rows: Sequence[Mapping[str, Any]], key: str) -> list[float | None]:
    return [_number(r.get(key)) for r in rows]


def _number(value: Any) -> float | None:
    return None if value is None else float(value)


def _layout(
    shown: Figure,
    table: Table,
    chart: ChartSpec,
    labels: Mapping[str, str],
    *,
    dark: bool,
    font: str,
) -> None:
    units = {c.key: c.unit for c in table.columns}
    unit = units.get(chart.y[0])
    ticks, hover = _FORMATS.get(str(unit), (",", ","))
    value_axis = {
        "tickformat": ticks,
        "hoverformat": hover,
        "ticksuffix": " pp" if unit == "pp" else "",
        "title": {"text": labels[chart.y[0]] if len(chart.y) == 1 else ""},
        "rangemode": "normal" if chart.type in ("line", "scatter") else "tozero",
    }
    category = {"type": "date"} if chart.x == "date" or chart.x == "week" else {"type": "category"}
    flat = chart.type == "hbar"
    shown.update_layout(
        template="plotly_dark" if dark else "plotly_white",
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        margin={"l": 8, "r": 8, "t": 24, "b": 8},
        height=max(320, 26 * min(table.shown, _MAX_BARS)) if flat else 320,
        legend={"orientation": "h", "y": 1.12, "x": 0},
        hovermode="closest" if flat or chart.type in ("pie", "funnel") else "x unified",
        **({"font": {"family": font}} if font else {}),
    )
    if chart.type in ("pie", "funnel"):
        return
    shown.update_xaxes(**(value_axis if flat else category), automargin=True)
    shown.update_yaxes(**({**category, "autorange": "reversed"} if flat else value_axis), automargin=True)
