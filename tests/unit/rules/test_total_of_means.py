"""What does not add up has no total: a mean is not answered under that name."""

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
        "total shop rating last week",
        "上周店铺评分合计",
        "上周总营业时长",
        "sum of opening minutes last week",
        "上周出餐时长之和",
    ],
)
def test_the_total_of_a_mean_is_declined(question: str) -> None:
    found = read(question)
    assert found.refusal is not None, found.calls
    assert found.calls == ()


@pytest.mark.parametrize(
    "question",
    ["total gross sales last week", "上周营业额合计", "上周总订单", "上周店铺评分", "上周整体进店率"],
)
def test_sums_and_plain_means_are_not(question: str) -> None:
    assert read(question).refusal is None
