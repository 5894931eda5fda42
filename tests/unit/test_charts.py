"""Charts draw each entity of its own, also where names are shared."""

from __future__ import annotations

import re

import pytest

from askcore.base.values import ChartSpec, Column, Table
from askcore.charts import default_chart, figure
from askcore.charts.svg import svg_chart

ROWS = (
    {"outletId": "O1", "outletName": "Harbour", "day": "2026-03-02", "sales": 10.0},
    {"outletId": "O2", "outletName": "Harbour", "day": "2026-03-02", "sales": 30.0},
    {"outletId": "O3", "outletName": "Hill", "day": "2026-03-02", "sales": 5.0},
)
COLUMNS = (
    Column(key="outletId", label="Id", of="outlet"),
    Column(key="outletName", label="Outlet", of="outlet"),
    Column(key="sales", label="Sales", unit="CNY"),
)


@pytest.mark.parametrize("kind", ["bar", "hbar"])
def test_two_entities_of_one_name_are_two_bars(kind: str) -> None:
    table = Table(columns=COLUMNS, rows=ROWS, row_count=3)
    chart = ChartSpec(type=kind, x="outletName", y=("sales",))  # type: ignore[arg-type]
    (bar,) = figure(table, chart, dark=False).data
    names, values = (bar.y, bar.x) if kind == "hbar" else (bar.x, bar.y)
    assert dict(zip(names, values, strict=True)) == {"Harbour O1": 10.0, "Harbour O2": 30.0, "Hill": 5.0}
    drawn = re.findall(r">(Harbour O\d|Hill)<", svg_chart(table, chart))
    assert drawn == ["Harbour O1", "Harbour O2", "Hill"]


def test_two_series_of_one_name_are_two_lines() -> None:
    days = ("2026-03-02", "2026-03-03")
    rows = tuple({**r, "day": d} for r in ROWS for d in days)
    columns = (Column(key="day", label="Day", unit="date"), *COLUMNS)
    table = Table(columns=columns, rows=rows, row_count=len(rows))
    lines = figure(table, ChartSpec(type="line", x="day", y=("sales",), color="outletName"), dark=True).data
    assert [line.name for line in lines] == ["Harbour O1", "Harbour O2", "Hill"]
    assert [list(line.y) for line in lines] == [[10.0, 10.0], [30.0, 30.0], [5.0, 5.0]]


def test_names_that_nobody_shares_stay_as_they_are() -> None:
    table = Table(columns=COLUMNS, rows=ROWS[1:], row_count=2)
    chart = default_chart(table, "t1")
    assert chart is not None
    (bar,) = figure(table, chart, dark=False).data
    assert list(bar.x) == ["Harbour", "Hill"]


def test_changes_of_rates_are_drawn_in_points():
    columns = (
        Column(key="name", label="Name", of="part"),
        Column(key="contribution", label="Contribution", unit="pp"),
    )
    table = Table(columns=columns, rows=({"name": "Hill", "contribution": -0.0136},), row_count=1)
    chart = ChartSpec(type="hbar", x="name", y=("contribution",))
    shown = figure(table, chart, dark=False)
    assert shown.data[0].x[0] == pytest.approx(-1.36)
    assert shown.layout.xaxis.ticksuffix == " pp"
    assert "-1.36 pp" in svg_chart(table, chart)
