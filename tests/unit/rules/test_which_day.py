"""Days that do not exist, words that may mean several days, and numbers that are no weekday. Sunday, 2026-10-18."""

from __future__ import annotations

import pytest
from rules_worlds import AS_OF, takeaway

from askcore.agent.rules.understand import Understanding, understand


def ask(question: str) -> Understanding:
    model, catalog = takeaway()
    return understand(question, model=model, catalog=catalog, as_of=AS_OF, entity="E01")


@pytest.mark.parametrize(
    "question",
    [
        "2月30日营业额", "9月31日的有效订单", "2026-02-29 的营业额", "2026年13月营业额", "2026-13-05 的营业额",
        "sales on Sep 31", "gross sales on 2025-02-29", "9月31日到10月5日的营业额", "2026年4月31日各门店营业额",
    ],
)  # fmt: skip
def test_a_day_that_does_not_exist_is_said_to_be_none(question):
    found = ask(question)
    assert found.clarification is not None, found
    assert "没有" in found.clarification.question or "no such day" in found.clarification.question
    assert found.calls == ()


@pytest.mark.parametrize(
    ("question", "days"),
    [
        ("last Friday's sales", ["2026-10-16", "2026-10-09"]),
        ("gross sales last Monday", ["2026-10-12", "2026-10-05"]),
        ("中秋节当天营业额", ["2026-09-25", "2026-09-26", "2026-09-27"]),
    ],
)
def test_words_for_several_days_are_asked_about_and_each_answer_is_one_of_them(question, days):
    found = ask(question)
    assert found.clarification is not None, found
    assert [label for label, _ in found.clarification.options] == days
    for (_, again), day in zip(found.clarification.options, days, strict=True):
        (call,) = ask(again).calls
        assert (call.args["from"], call.args["to"]) == (day, day)


@pytest.mark.parametrize(
    ("question", "days"),
    [
        ("上周一共卖了多少营业额", ("2026-10-05", "2026-10-11")),
        ("上周日均营业额", ("2026-10-05", "2026-10-11")),
        ("近一周一共多少有效订单", ("2026-10-11", "2026-10-17")),
        ("本周一起看营业额和有效订单", ("2026-10-12", "2026-10-17")),
    ],
)
def test_a_number_or_an_adverb_behind_a_week_is_no_weekday(question, days):
    found = ask(question)
    if found.calls and found.clarification is None:
        assert (found.calls[0].args["from"], found.calls[0].args["to"]) == days
    else:
        assert found.clarification is not None  # asked about is right, a single day is wrong


@pytest.mark.parametrize("question", ["本周三家门店的营业额", "上周五家门店营业额排名", "上周一家店的营业额"])
def test_a_count_of_shops_is_never_a_weekday(question):
    found = ask(question)
    days = {(c.args.get("from"), c.args.get("to")) for c in found.calls}
    assert not any(start == end for start, end in days if start)


@pytest.mark.parametrize("question", ["每周五的营业额", "周五营业额通常比周四高吗", "sales on Mondays"])
def test_every_friday_is_not_answered_with_one_of_them(question):
    found = ask(question)
    assert found.calls == () or found.clarification is not None or found.refusal is not None


@pytest.mark.parametrize("question", ["top -5 门店", "前-3门店营业额", "top −2 stores by sales"])
def test_a_negative_count_is_declined(question):
    found = ask(question)
    assert found.refusal is not None


@pytest.mark.parametrize(
    ("question", "is_sum"),
    [
        ("有效订单和无效订单合计", True),
        ("上周有效订单和无效订单一共多少", True),
        ("valid orders and invalid orders combined", True),
        ("营业额和有效订单合计", False),
        ("上周有效订单和无效订单", False),
    ],
)
def test_a_sum_of_two_metrics_is_declined_and_two_figures_are_not(question, is_sum):
    found = ask(question)
    assert (found.refusal is not None) is is_sum
