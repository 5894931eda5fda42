"""A chart as plain SVG text: for files that run no script and make no request.

Draws what `charts.clamp_chart` allowed; every label is escaped, every number comes from the table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from html import escape
from math import isfinite
from typing import Any
from unicodedata import east_asian_width

from askcore.base.values import ChartSpec, Table
from askcore.charts import PALETTE, told_apart

_WIDTH, _HEIGHT = 760, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 76, 16, 34, 40
_BAR_LABEL = 180
_ROW = 26
_MAX_ROWS = 30
_TICKS = 4
_HALF_LABEL = 34  # half the room of a day under the axis
_MAX_LABEL = 28  # letters that fit beside a bar


@dataclass(frozen=True, slots=True, kw_only=True)
class _Series:
    name: str
    points: tuple[tuple[str, float], ...]


def svg_chart(table: Table, chart: ChartSpec) -> str:
    """The chart as an <svg> element; "" when there is nothing to draw."""
    if chart.type == "funnel":
        row = table.totals or (table.rows[0] if table.rows else {})
        labels = {c.key: c.label for c in table.columns}
        bars = [(labels.get(k, k), float(row[k])) for k in chart.y if _is_number(row.get(k))]
        return _bars(bars, unit="")
    series = _series(table, chart)
    if not series:
        return ""
    unit = next((c.unit for c in table.columns if c.key == chart.y[0]), "")
    if chart.type in ("line", "area", "scatter"):
        return _lines(series, unit=unit)
    return _bars(series[0].points[:_MAX_ROWS], unit=unit)


def _series(table: Table, chart: ChartSpec) -> list[_Series]:
    """One series a metric, or one a value of `color`."""
    x = table.column_of(chart.x) or chart.x
    color = table.column_of(chart.color) if chart.color else None
    labels = {c.key: c.label for c in table.columns}
    groups: dict[str, list[tuple[str, float]]] = {}
    for row in told_apart(table, replace(chart, x=x, color=color)):
        for key in chart.y[:1] if color else chart.y:
            if _is_number(row.get(key)):
                name = str(row.get(color)) if color else labels.get(key, key)
                groups.setdefault(name, []).append((str(row.get(x)), float(row[key])))
    return [_Series(name=n, points=tuple(p)) for n, p in list(groups.items())[: len(PALETTE)]]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def _number(value: float, *, unit: str) -> str:
    if unit == "ratio":
        return f"{value * 100:.2f}%"
    if unit == "pp":
        return f"{value * 100:+.2f} pp"
    if unit == "change":
        return f"{value * 100:+.1f}%"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:,.2f}".rstrip("0").rstrip(".")


def _lines(series: Sequence[_Series], *, unit: str) -> str:
    labels = list(dict.fromkeys(x for s in series for x, _ in s.points))
    values = [v for s in series for _, v in s.points]
    low, high = min([0.0, *values]), max([0.0, *values])
    span = (high - low) or 1.0
    inner = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
    place = {x: _LEFT + inner[0] * i / max(1, len(labels) - 1) for i, x in enumerate(labels)}

    def height(value: float) -> float:
        return _TOP + inner[1] * (1 - (value - low) / span)

    parts = [_grid(low + span * i / _TICKS, height, unit=unit) for i in range(_TICKS + 1)]
    step = max(1, len(labels) // 6)
    parts += [
        _label(
            place[x], _HEIGHT - 14, x, anchor="end" if place[x] > _WIDTH - _RIGHT - _HALF_LABEL else "middle"
        )
        for x in labels[::step]
    ]
    for number, one in enumerate(series):
        color = PALETTE[number % len(PALETTE)]
        path = " ".join(f"{place[x]:.1f},{height(v):.1f}" for x, v in one.points)
        dots = "".join(
            f'<circle cx="{place[x]:.1f}" cy="{height(v):.1f}" r="3" fill="{color}">'
            f"<title>{escape(f'{one.name} · {x}: {_number(v, unit=unit)}')}</title></circle>"
            for x, v in one.points
        )
        line = f'<polyline fill="none" stroke="{color}" stroke-width="2" points="{path}"/>'
        parts.append(f'<g class="series" data-series="{number}">{line}{dots}</g>')
        at = _LEFT + number * (inner[0] / max(1, len(series)))
        key = (
            f'<rect x="{at:.0f}" y="8" width="10" height="10" fill="{color}"/>{_label(at + 14, 17, one.name)}'
        )
        parts.append(f'<g class="key" data-series="{number}">{key}</g>')
    return _svg(parts, _HEIGHT)


def _grid(value: float, height: Callable[[float], float], *, unit: str) -> str:
    y = height(value)
    line = f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#e6e7eb"/>'
    return line + _label(_LEFT - 8, y + 4, _number(value, unit=unit), anchor="end")


def _bars(bars: Sequence[tuple[str, float]], *, unit: str) -> str:
    """Horizontal bars from zero: long names stay readable."""
    if not bars:
        return ""
    longest = max(abs(v) for _, v in bars) or 1.0
    room = _WIDTH - _BAR_LABEL - 110
    parts = []
    for number, (name, value) in enumerate(bars):
        y = 8 + number * _ROW
        width = room * abs(value) / longest
        color = PALETTE[0] if value >= 0 else PALETTE[8]
        parts.append(_label(_BAR_LABEL - 8, y + 15, name, anchor="end"))
        told = escape(f"{name}: {_number(value, unit=unit)}")
        parts.append(
            f'<rect x="{_BAR_LABEL}" y="{y}" width="{width:.1f}" height="{_ROW - 8}" fill="{color}">'
            f"<title>{told}</title></rect>"
        )
        parts.append(_label(_BAR_LABEL + width + 6, y + 15, _number(value, unit=unit)))
    return _svg(parts, 16 + len(bars) * _ROW)


def _label(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(_cut(text))}</text>'


def _cut(text: str) -> str:
    """What fits beside a bar: a Chinese character takes the room of two letters."""
    room = 0
    for number, char in enumerate(text):
        room += 2 if east_asian_width(char) in "WF" else 1
        if room > _MAX_LABEL:
            return f"{text[: number - 1]}…"
    return text


def _svg(parts: Sequence[str], height: int) -> str:
    body = "".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img"'
        f' style="width:100%;height:auto;font-size:12px" fill="#1c1d22">{body}</svg>'
    )
