"""A shared name with its own id behind it, as answers and pages write it, is no doubt."""

from __future__ import annotations

import pytest
from rules_worlds import AS_OF, stores, takeaway

from askcore.agent.rules.understand import Understanding, understand


def read(question: str) -> Understanding:
    model, catalog = takeaway()
    return understand(question, context=[], model=model, catalog=catalog, as_of=AS_OF, entity="E01")


@pytest.mark.parametrize(
    ("question", "shop"),
    [
        ("大学城店 S0102上周营业额", "S0102"),
        ("大学城店S0303昨天的订单量", "S0303"),
        ("大学城店（S0303）上周营业额", "S0303"),
        ("gross sales of 大学城店 S0102 last week", "S0102"),
    ],
)
def test_the_id_settles_it(question: str, shop: str) -> None:
    found = read(question)
    assert found.clarification is None
    assert found.calls[0].args["shops"] == [shop]


@pytest.mark.parametrize(
    "question", ["大学城店上周营业额", "大学城店和S0101上周营业额", "S0102上周营业额比大学城店"]
)
def test_another_id_does_not(question: str) -> None:
    assert read(question).clarification is not None


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("上周营业额为什么下降", "down"),
        ("why did gross sales rise last week", "up"),
        ("上周营业额为什么变化", ""),
        ("上周营业额为什么没有下降", ""),
    ],
)
def test_what_a_why_question_takes_for_granted_is_kept(question: str, said: str) -> None:
    assert read(question).extra.get("said", "") == said


def test_one_level_is_checked_row_by_row() -> None:
    model, catalog = stores()
    found = understand(
        "why did Weekly_Sales change in September 2012",
        context=[],
        model=model,
        catalog=catalog,
        as_of=AS_OF,
        entity=None,
    )
    assert [c.tool for c in found.calls] == ["compare_periods", "explain_change", "data_quality"]
    assert "freshness" not in found.calls[-1].args["checks"]
