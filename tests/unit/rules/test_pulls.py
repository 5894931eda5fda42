"""Who pulled a total down or up is a why-question about one side; who contributes is a share."""

from __future__ import annotations

import pytest
from rules_worlds import AS_OF, takeaway

from askcore.agent.rules.understand import Understanding, understand


def read(question: str, *context: str) -> Understanding:
    model, catalog = takeaway()
    return understand(
        question, context=list(context), model=model, catalog=catalog, as_of=AS_OF, entity="E01"
    )


@pytest.mark.parametrize(
    ("question", "way"),
    [
        ("哪家店拖累了上周营业额", "down"),
        ("哪些店拉低了上月有效订单", "down"),
        ("哪个品牌拉动了上周营业额增长", "up"),
        ("which shop dragged down orders last week", "down"),
        ("which chain lifted gross sales last week", "up"),
        ("营业额的增长主要靠哪个品牌", ""),
        ("哪些店对营业额增长贡献最大", ""),
    ],
)
def test_pulls_are_explained(question: str, way: str) -> None:
    found = read(question)
    assert found.intent == "why", found
    assert found.extra["way"] == way


@pytest.mark.parametrize(
    "question",
    [
        "上周营业额下降哪些店贡献最多",
        "上周营业额下降主要由哪些店贡献",
        "上周有效订单的变化，各店贡献了多少",
        "各品牌对上周营业额增长的贡献占比",
        "上周哪个品牌贡献了最多的营业额增长",
        "Which shops contributed most to the drop in gross sales last week?",
        "Which chain contributed the most to last week's growth in gross sales?",
        "what was the contribution of each shop to last week's decline in gross sales",
        "gross sales fell last week, which shop contributed most?",
    ],
)
def test_contributions_to_a_change_are_explained(question: str) -> None:
    found = read(question)
    assert found.intent == "why", found
    assert [c.tool for c in found.calls][:2] == ["compare_periods", "explain_change"]


@pytest.mark.parametrize(
    "question",
    [
        "上周各品牌对营业额的贡献",
        "上周各店营业额贡献占比",
        "9月哪个品牌对营业额贡献最大",
        "Which chain contributed the most to September gross sales?",
        "what did each chain contribute to gross sales last week",
        "contribution of each chain to gross sales last week",
    ],
)
def test_contributions_to_a_level_are_shares(question: str) -> None:
    assert read(question).intent == "share"


@pytest.mark.parametrize(
    ("before", "intent"),
    [
        ("上周营业额为什么跌了", "why"),
        ("上周营业额比前一周涨了多少", "why"),
        ("上周营业额环比", "why"),
        ("上周营业额是多少", "share"),
    ],
)
def test_a_follow_up_asks_what_contributed_to_the_change_before(before: str, intent: str) -> None:
    assert read("哪些店贡献最多", before).intent == intent
