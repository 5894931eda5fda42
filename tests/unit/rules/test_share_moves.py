"""Shares of one period tell neither how a share moved nor whose figure moved most: declined, never answered beside."""

from __future__ import annotations

import pytest
from rules_worlds import AS_OF, takeaway

from askcore.agent.rules.understand import Understanding, understand


def read(question: str) -> Understanding:
    model, catalog = takeaway()
    return understand(question, context=[], model=model, catalog=catalog, as_of=AS_OF, entity="E01")


@pytest.mark.parametrize(
    "question",
    [
        "上周增长最快的品牌占多少营业额",
        "上周增长最快的品牌贡献了多少营业额",
        "上周跌得最多的店占多少",
        "哪个品牌的营业额份额上周上升了",
        "上周各品牌营业额占比比前一周变化多少",
        "近30天各品牌占比趋势",
        "近30天各品牌每周的营业额占比",
        "which chain's share of gross sales grew most last week",
        "How did each chain's contribution to gross sales change last week?",
    ],
)
def test_moving_shares_are_declined_with_what_can_be_asked(question: str) -> None:
    found = read(question)
    assert found.refusal is not None, found
    assert found.calls == ()
    assert found.alternatives
    for offered in found.alternatives:
        assert read(offered).calls, offered


@pytest.mark.parametrize(
    ("question", "intents"),
    [
        ("上周跌得最多的店占多少", ["share", "compare"]),
        ("which chain's share of gross sales grew most last week", ["share", "compare"]),
    ],
)
def test_the_share_and_the_change_are_offered(question: str, intents: list[str]) -> None:
    assert [read(offered).intent for offered in read(question).alternatives] == intents


@pytest.mark.parametrize("question", ["上周各品牌营业额占比从高到低", "上周营业额最高的品牌占多少"])
def test_ranks_by_level_still_are_shares(question: str) -> None:
    assert read(question).intent == "share"
