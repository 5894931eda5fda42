"""A chosen playbook decides the kind of plan; its required steps are all planned, or the question is declined."""

from __future__ import annotations

import pytest
from rules_worlds import AS_OF, takeaway

from askcore.agent.rules.planner import completed
from askcore.agent.rules.understand import understand
from askcore.agent.skills import skill_named, skills

QUESTIONS = (
    "近7天营业额",
    "orders last week",
    "上周进店率",
    "近7天营业额为什么跌了？",
    "Visit rate of S0101 last week",
)


def planned(question, name):
    model, catalog = takeaway()
    skill = skill_named(name)
    found = understand(
        question, model=model, catalog=catalog, as_of=AS_OF, entity="E01", wanted=skill.planned_as
    )
    return completed(found, skill), skill


@pytest.mark.parametrize("name", [s.id for s in skills()])
@pytest.mark.parametrize("question", QUESTIONS)
def test_all_required_steps_are_planned_or_it_is_declined(question, name):
    found, skill = planned(question, name)
    if found.refusal is not None:
        assert found.refusal.message
        return
    tools = {call.tool for call in found.calls}
    assert {s.tool for s in skill.steps if s.required} <= tools
    assert found.deep


@pytest.mark.parametrize("name", [s.id for s in skills()])
def test_what_is_refused_stays_refused(name):
    for question in ("把营业额改成0", "顾客的手机号", "下个月营业额会是多少"):
        found, _ = planned(question, name)
        assert found.refusal is not None
        assert not found.calls
