"""Readings from a URL, language of a question, charts, CSV."""

from __future__ import annotations

from datetime import date

import pytest

from askcore.agent.contract import reading_from_json
from askcore.agent.export import table_csv
from askcore.agent.rules.language import language_of
from askcore.base.errors import BadRequest
from askcore.base.values import Column, Period, Reading, Sort, Table
from askcore.charts import clamp_chart, default_chart, figure


def reading() -> Reading:
    return Reading(
        metrics=("grossAmt",),
        as_of=date(2026, 10, 18),
        entity="E01",
        period=Period(start=date(2026, 10, 1), end=date(2026, 10, 7)),
        by=("shop",),
        scope="shop",
        filters={"chain": ("C01", "C02")},
        sort=Sort(key="grossAmt", descending=True),
        limit=5,
    )


def test_a_reading_survives_its_json():
    assert reading_from_json(reading().as_json()) == reading()


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"metrics": "grossAmt"}, "metrics"),
        ({"metrics": [1]}, "metrics"),
        ({"period": {"from": "2026-10-07", "to": "2026-10-01"}}, "period"),
        ({"period": {"from": "yesterday", "to": "2026-10-01"}}, "period.from"),
        ({"as_of": None}, "as_of"),
        ({"limit": 0}, "limit"),
        ({"limit": True}, "limit"),
        ({"filters": {"chain": "C01"}}, "chain"),
        ({"periodd": None}, "periodd"),
    ],
)
def test_a_malformed_reading_names_the_field(change, named):
    with pytest.raises(BadRequest, match=named):
        reading_from_json({**reading().as_json(), **change})


@pytest.mark.parametrize("obj", [None, [], "x", 3])
def test_a_reading_must_be_an_object(obj):
    with pytest.raises(BadRequest):
        reading_from_json(obj)


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("昨天营业额多少", "zh"),
        ("GMV 环比怎么样", "zh"),
        ("What was yesterday's gross sales?", "en"),
        ("How did 科技园店 do last week compared with the week before that?", "en"),
        ("", "en"),
    ],
)
def test_the_answer_follows_the_question(text, lang):
    assert language_of(text) == lang


SHOPS = Table(
    columns=(
        Column(key="shopId", label="Shop id"),
        Column(key="shopName", label="Shop"),
        Column(key="grossAmt", label="Gross sales", unit="CNY"),
        Column(key="visitRate", label="Visit rate", unit="ratio"),
    ),
    rows=(
        {"shopId": "S1", "shopName": "=cmd()", "grossAmt": 10.5, "visitRate": 0.1},
        {"shopId": "S2", "shopName": "Bund", "grossAmt": None, "visitRate": 0.2},
    ),
    row_count=2,
)


def test_a_chart_may_only_name_columns_that_exist():
    asked = {"type": "bar", "x": "shopName", "y": ["grossAmt", "salary"], "color": "secret"}
    spec = clamp_chart(asked, SHOPS, "t2")
    assert spec.as_json() == {
        "type": "bar", "x": "shopName", "y": ["grossAmt"], "color": None, "step": "t2",
    }  # fmt: skip


@pytest.mark.parametrize(
    "asked",
    [
        {"type": "radar", "x": "shopName", "y": ["grossAmt"]},
        {"type": "bar", "x": "nowhere", "y": ["grossAmt"]},
        {"type": "bar", "x": "shopName", "y": ["shopId"]},
        {},
        None,
    ],
)
def test_an_unusable_chart_falls_back_to_the_shape(asked):
    assert clamp_chart(asked, SHOPS, "t1") == default_chart(SHOPS, "t1")
    assert default_chart(SHOPS, "t1").type == "bar"


def test_one_value_has_no_chart():
    single = Table(columns=SHOPS.columns, rows=SHOPS.rows[:1], row_count=1)
    assert default_chart(single, "t1") is None


def test_month_labels_stay_categories():
    months = Table(
        columns=(Column(key="month", label="Month", unit="date"), SHOPS.columns[2]),
        rows=({"month": "2026-09", "grossAmt": 1.0}, {"month": "2026-10", "grossAmt": 2.0}),
        row_count=2,
    )
    spec = default_chart(months, "t1")
    assert (spec.type, spec.x) == ("line", "month")
    assert figure(months, spec, dark=False).layout.xaxis.type == "category"


def test_a_csv_cell_is_never_a_formula():
    text = table_csv(SHOPS).decode("utf-8-sig")
    assert text.splitlines() == [
        "Shop id,Shop,Gross sales,Visit rate",
        "S1,'=cmd(),10.5,0.1",
        "S2,Bund,,0.2",
    ]


def test_a_single_metric_is_one_line_whatever_the_color_says():
    days = Table(
        columns=(Column(key="date", label="Date", unit="date"), SHOPS.columns[2]),
        rows=tuple({"date": f"2026-10-0{i}", "grossAmt": float(i)} for i in range(1, 6)),
        row_count=5,
    )
    for color in (None, "", "date", "nowhere"):
        spec = clamp_chart({"type": "line", "x": "date", "y": ["grossAmt"], "color": color}, days, "t1")
        assert spec.color is None
        drawn = figure(days, spec, dark=False)
        assert [len(trace.x) for trace in drawn.data] == [5]


def test_a_level_names_the_colour_of_its_series():
    columns = (
        Column(key="date", label="Date", unit="date"),
        Column(key="chainId", label="Chain ID", of="chain"),
        Column(key="chainName", label="Chain", of="chain"),
        SHOPS.columns[2],
    )
    rows = tuple(
        {"date": day, "chainId": c, "chainName": f"name {c}", "grossAmt": 1.0}
        for day in ("2026-10-01", "2026-10-02")
        for c in ("C1", "C2")
    )
    table = Table(columns=columns, rows=rows, row_count=4)
    spec = clamp_chart({"type": "line", "x": "date", "y": ["grossAmt"], "color": "chain"}, table, "t1")
    assert spec.color == "chain"
    assert [t.name for t in figure(table, spec, dark=False).data] == ["name C1", "name C2"]
