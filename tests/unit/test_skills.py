"""Playbooks: valid files, required steps that are really asked for, and an answer that says what it skipped."""

from __future__ import annotations

from typing import get_args

import pytest

from askcore.agent.rules.understanding import Intent
from askcore.agent.skills import followed, missing_steps, skill_for, skill_named, skills
from askcore.base.errors import BadRequest
from askcore.base.values import Lang, StepError, ToolResult


def ran(*tools: str, ok: bool = True) -> list[ToolResult]:
    error = None if ok else StepError(error_class="empty", message="no rows")
    return [ToolResult(id=f"t{n}", tool=t, args={}, ok=ok, error=error) for n, t in enumerate(tools, 1)]


@pytest.mark.parametrize("name", [s.id for s in skills()])
def test_a_playbook_is_whole(name: str) -> None:
    skill = skill_named(name)
    assert all(skill.title[lang] and skill.summary[lang] for lang in get_args(Lang))
    assert set(skill.intents) <= set(get_args(Intent))
    assert any(step.required for step in skill.steps)
    assert skill.guidance.isascii()
    assert all(skill_for(intent) == skill for intent in skill.intents)


@pytest.mark.parametrize("name", [s.id for s in skills()])
@pytest.mark.parametrize("lang", get_args(Lang))
def test_each_required_step_counts(name: str, lang: Lang) -> None:
    skill = skill_named(name)
    required = [s.tool for s in skill.steps if s.required]
    whole = followed(skill, ran(*required), lang, 7)
    assert (whole.id, whole.status, whole.n_checked, whole.n_bad) == ("v7", "pass", len(required), 0)
    for left in required:
        others = [t for t in required if t != left]
        for results in (ran(*others), [*ran(*others), *ran(left, ok=False)]):
            assert [s.tool for s in missing_steps(skill, results)] == [left]
            verdict = followed(skill, results, lang, 7)
            assert (verdict.status, verdict.n_bad) == ("warn", 1)
            assert left in verdict.note


@pytest.mark.parametrize("step", [(s.id, step.tool) for s in skills() for step in s.steps if step.or_tool])
def test_a_tool_that_does_more_stands_in(step: tuple[str, str]) -> None:
    skill, tool = skill_named(step[0]), step[1]
    required = [s.or_tool if s.tool == tool else s.tool for s in skill.steps if s.required]
    assert not missing_steps(skill, ran(*(t for t in required if t)))


def test_an_unknown_playbook_names_the_near_one() -> None:
    with pytest.raises(BadRequest) as e:
        skill_named("drildown")
    assert "drilldown" in e.value.hint
