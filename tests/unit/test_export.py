"""The answer as a file: self-contained, escaped, with its chart."""

from __future__ import annotations

import re
from datetime import date
from xml.etree import ElementTree

import pytest

from askcore.base.reports import Report
from askcore.base.values import ChartSpec, Column, Table
from askcore.base.views import AlignedRow, LikeForLike, RatioRow, RunSnapshot, SlipRow
from askcore.charts.svg import svg_chart
from askcore.report.answers import section_of
from askcore.report.html import write_html

HOSTILE = "<script>alert(1)</script>"
COLUMNS = (
    Column(key="date", label="Date", unit="date"),
    Column(key="shopId", label="Shop ID", of="shop"),
    Column(key="shopName", label="Shop", of="shop"),
    Column(key="sales", label="Sales", unit="CNY"),
)
ROWS = tuple(
    {"date": f"2026-10-0{day}", "shopId": shop, "shopName": name, "sales": value}
    for day, values in ((1, (10.0, 40.0)), (2, (20.0, None)))
    for shop, name, value in zip(("S1", "S2"), (HOSTILE, "Bund"), values, strict=True)
)
TABLE = Table(columns=COLUMNS, rows=ROWS, row_count=4)


def answer_html(run: RunSnapshot) -> bytes:
    """The run's report; without steps no lake is asked."""
    section = section_of(run, 1, None)  # type: ignore[arg-type]
    return write_html(
        Report(
            report_id="p1", kind="answer", title=run.question, lang=run.lang, dataset=run.dataset,
            version=run.version, is_synthetic=False, entity="", period=None, as_of=date(2026, 10, 18),
            made_at="2026-10-18 09:00", sections=(section,), has_sql=True,
        )
    )  # fmt: skip


def texts(svg: str) -> list[str]:
    root = ElementTree.fromstring(svg)  # noqa: S314 - our own output
    return [e.text or "" for e in root.iter() if e.tag.endswith("text")]


def test_a_line_a_series_and_no_point_for_a_missing_value():
    svg = svg_chart(TABLE, ChartSpec(type="line", x="date", y=("sales",), color="shop"))
    lines = re.findall(r'points="([^"]*)"', svg)
    assert [len(points.split()) for points in lines] == [2, 1]
    assert HOSTILE in texts(svg) and HOSTILE not in svg


def test_bars_are_as_long_as_their_values():
    svg = svg_chart(TABLE, ChartSpec(type="hbar", x="shop", y=("sales",)))
    widths = [float(w) for w in re.findall(r'width="([0-9.]+)" height="18"', svg)]
    assert widths[1] / widths[0] == pytest.approx(4.0, rel=0.01)


@pytest.mark.parametrize("kind", ["line", "bar", "hbar", "funnel", "pie", "area", "scatter"])
def test_an_empty_table_draws_nothing(kind):
    empty = Table(columns=COLUMNS, rows=(), row_count=0)
    assert svg_chart(empty, ChartSpec(type=kind, x="date", y=("sales",))) == ""


def test_the_file_runs_nothing_and_loads_nothing():
    run = RunSnapshot(
        run_id="r1", session_id="s1", question=HOSTILE, status="done", rev=1, lang="en", mode="quick",
        mode_auto=True, planner="rules", dataset="demo", version=1, started_at=0.0, elapsed_ms=1.0,
        answer=f"![x](http://evil.example/x.png) {HOSTILE}", table=TABLE, table_step="t1",
        chart=ChartSpec(type="line", x="date", y=("sales",), color="shop"),
    )  # fmt: skip
    page = answer_html(run).decode()
    assert page.count("<script") == 2  # our own, named by its hash, and the data
    assert not re.findall(r'(?:src|href)="(?!data:)', page)
    assert "default-src 'none'" in page
    assert "<svg" in page and "Bund" in page


@pytest.mark.parametrize("kind", ["line", "bar", "hbar", "funnel"])
def test_a_long_name_is_cut_and_a_value_that_is_none_is_not_drawn(kind):
    rows = tuple(
        {"date": name, "shopName": name, "sales": value}
        for name, value in (
            ("x" * 10_000, 5.0),
            ("门" * 40, float("nan")),
            ("b", float("inf")),
            ("店" * 40, 2.0),
        )
    )
    table = Table(columns=COLUMNS, rows=rows, row_count=4, totals={"sales": 7.0})
    svg = svg_chart(table, ChartSpec(type=kind, x="date", y=("sales",)))
    assert "nan" not in svg and "inf" not in svg
    assert max(len(t) for t in texts(svg)) <= 28
    drawn = re.sub(r"<title>.*?</title>", "", svg)  # what a reader sees on hovering is whole
    assert "店" * 15 not in drawn


def test_what_the_figures_rest_on_goes_with_the_file():
    run = RunSnapshot(
        run_id="r1", session_id="s1", question="q", status="done", rev=1, lang="en", mode="deep",
        mode_auto=True, planner="llm", dataset="demo", version=1, started_at=0.0, elapsed_ms=1.0,
        answer="Sales rose.",
        slip=(SlipRow(metric="Sales", place=HOSTILE, period="W1", first="10", second="11", is_same=False),),
        ratios=(
            RatioRow(
                metric="Rate", period="W1", numerator="7", denominator="30", weighted="23.33%",
                naive="25.00%", gap="1.67 pp", rows=4, level="Shop", is_small=False,
            ),
        ),
        like_for_like=LikeForLike(
            level="Shop", current="W1, 7/7", baseline="W0, 6/7", comparable=3, entities=4, missing_rows=1,
            expected_rows=28, openers=("Hill",), closers=(), partials=(HOSTILE,), rule="open by May",
            rows=(AlignedRow(metric="Sales", raw="+5", aligned="-2", basis="entities", differs=True),),
        ),
        provenance={
            "items": [],
            "words": {"items": [
                {"text": "rose", "status": "contradicted", "why": "Sales 12 to 10: fell"},
                {"text": "highest", "status": "supported", "why": "not told"},
            ]},
        },
    )  # fmt: skip
    page = answer_html(run).decode()
    for told in (
        "✗ different", "<td>23.33%</td>", "3 of 4 comparable", "W0, 6/7", "Opened: Hill", "open by May", "<td>-2</td>",
        "Sales 12 to 10: fell",
    ):  # fmt: skip
        assert told in page, told
    assert "not told" not in page
    assert HOSTILE not in page
