"""Everyday phrasings of kinds that are easily misread: counters, "that year", both sides of a flag."""

from __future__ import annotations

import pytest
from rules_worlds import AS_OF, stores, takeaway

from askcore.agent.rules.understand import understand


def read(question: str, world=takeaway):
    model, catalog = world()
    entity = "E01" if world is takeaway else None
    return understand(question, model=model, catalog=catalog, as_of=AS_OF, entity=entity)


def args(question: str, world=takeaway) -> dict:
    found = read(question, world)
    assert len(found.calls) == 1, (found.intent, found.refusal, found.clarification)
    return dict(found.calls[0].args)


@pytest.mark.parametrize(
    ("question", "metric"),
    [
        ("昨天多少单", "validOrderCnt"),
        ("上周科技园店多少单", "validOrderCnt"),
        ("昨天卖了几单", "validOrderCnt"),
        ("昨天多少人进店", "visitUv"),
        ("昨天多少人下单", "orderUv"),
    ],
)
def test_a_counter_names_the_measure_of_its_unit(question, metric):
    assert args(question)["metrics"] == [metric]


def test_a_counter_that_fits_several_measures_is_asked_back():
    found = read("昨天有多少人")
    assert found.intent == "clarify"
    assert not found.calls


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("当年累计营业额", "2026-01-01", "2026-10-17"),
        ("2025年营业额最高的5家门店占当年总额多少", "2025-01-01", "2025-12-31"),
    ],
)
def test_that_year_is_the_year_just_named_else_the_running_one(question, start, end):
    found = args(question)
    assert (found["from"], found["to"]) == (start, end)


@pytest.mark.parametrize(
    "question",
    [
        "节假日周和非节假日周的平均周销售额",
        "Average weekly sales in holiday weeks versus other weeks",
        "holiday weeks vs non-holiday weeks average sales",
    ],
)
def test_both_sides_of_a_flag_are_two_rows_and_no_filter(question):
    found = args(question, stores)
    assert found["by"] == "Holiday_Flag"
    assert not found.get("filters")


def test_one_side_of_a_flag_is_a_filter():
    found = args("非节假日周的销售额", stores)
    assert found["filters"] == {"Holiday_Flag": ["0"]}


@pytest.mark.parametrize(
    ("question", "limit"),
    [("近7天订单最多的几家店", 10), ("近7天订单最多的店", 1), ("近7天订单最多的3家店", 3)],
)
def test_several_is_more_than_one(question, limit):
    assert args(question)["limit"] == limit


@pytest.mark.parametrize(
    ("question", "check"),
    [
        ("缺数据的日子有哪些", "missing_days"),
        ("10月数据完整吗", "missing_days"),
        ("哪些门店全是零", "all_zero_rows"),
    ],
)
def test_everyday_words_name_checks(question, check):
    found = args(question)
    assert found["checks"] == [check]


@pytest.mark.parametrize("question", ["Can the recent data be trusted?", "最近的数据可信吗"])
def test_trust_is_a_question_of_quality(question):
    assert read(question).intent == "quality"


@pytest.mark.parametrize(
    "question", ["1912街区店9月营业额", "9月1912街区店营业额", "1912街区店今年9月的营业额"]
)
def test_digits_of_a_name_are_no_year(question):
    found = args(question)
    assert (found["from"], found["to"], found["shops"]) == ("2026-09-01", "2026-09-30", ["S0106"])


@pytest.mark.parametrize("question", ["Shu Bistro9月营业额", "Qinghe Salad2026年9月营业额"])
def test_a_latin_name_may_run_into_a_date(question):
    found = args(question)
    assert (found["from"], found["to"]) == ("2026-09-01", "2026-09-30")
    assert found["chains"] in (["C01"], ["C02"])
