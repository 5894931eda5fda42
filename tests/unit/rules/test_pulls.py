"""Who pulled a total down or up is a why-question about one side; who contributes is a share."""

from __future__ import annotations

import pytest
from rules_worlds import AS_OF, takeaway

from askcore.agent.rules.understand import Understanding, understand


def read(question: str) -> Understanding:
    model, catalog = takeaway()
    return understand(question, context=[], model=model, catalog=catalog, as_of=AS_OF, entity="E01")


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


@pytest.mark.parametrize("question", ["上周各品牌对营业额的贡献", "上周各店营业额贡献占比"])
def test_contributions_to_a_level_are_shares(question: str) -> None:
    assert read(question).intent == "share"
