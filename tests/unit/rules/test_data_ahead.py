"""A lake whose data all lies after today, and a clock at the ends of the calendar."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from rules_worlds import stores, takeaway

from askcore.agent.rules.understand import understand
from askcore.base.errors import BadRequest

BEFORE = {
    takeaway: date(2025, 7, 31),
    stores: date(2010, 1, 31),
}  # the data starts on August 1 and February 5
QUESTIONS = [
    "sales by month", "sales by week", "sales by quarter", "sales by year", "daily sales trend", "sales last week",
    "top 5 stores by sales", "sales compared with last year", "share of sales by store", "how is business",
    "每月销售额", "各周销售额走势", "昨天销售额", "销售额环比", "销售额最高的门店", "数据有没有缺失", "各门店销售额占比", "生意怎么样",
]  # fmt: skip


@pytest.mark.parametrize("world", [takeaway, stores])
@pytest.mark.parametrize("grain", ["day", "week", "month"])
@pytest.mark.parametrize("question", QUESTIONS)
def test_data_that_starts_later_is_explained(world, grain, question):
    model, catalog = world()
    model = replace(model, time=replace(model.time, grain=grain))
    entity = "E01" if world is takeaway else None
    as_of = BEFORE[world]
    found = understand(question, model=model, catalog=catalog, as_of=as_of, entity=entity)
    assert found.refusal is None, found.refusal
    assert found.clarification is None
    assert [c.tool for c in found.calls] == ["lake_overview"]
    assert [n.code for n in found.notes] == ["outside_coverage"]
    assert catalog.period.start.isoformat() in found.notes[0].text


@pytest.mark.parametrize("world", [takeaway, stores])
def test_the_last_buckets_end_with_the_data_as_soon_as_there_is_some(world):
    model, catalog = world()
    first = catalog.period.start
    found = understand(
        "sales by month", model=model, catalog=catalog, as_of=date(first.year, first.month, 28), entity=None
    )
    assert found.calls[0].args["from"] == first.isoformat()


@pytest.mark.parametrize("as_of", [date.min, date(1, 1, 2), date(999, 12, 31), date(3000, 1, 1), date.max])
@pytest.mark.parametrize(("question", "said"), [("昨天营业额", "不能是"), ("sales yesterday", "cannot be")])
def test_an_impossible_today_is_a_clear_message(as_of, question, said):
    model, catalog = takeaway()
    with pytest.raises(BadRequest, match=said) as caught:
        understand(question, model=model, catalog=catalog, as_of=as_of, entity="E01")
    assert as_of.isoformat() in caught.value.message
