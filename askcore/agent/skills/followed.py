"""Whether a run did what its playbook asks."""

from __future__ import annotations

from collections.abc import Iterable

from askcore.agent.skills.book import Skill, SkillStep
from askcore.base.text import say
from askcore.base.values import Lang, ToolResult, Verdict


def missing_steps(skill: Skill, results: Iterable[ToolResult]) -> tuple[SkillStep, ...]:
    """Required steps whose tool, and the one that does in its place, did not run or failed."""
    done = {result.tool for result in results if result.ok}
    return tuple(s for s in skill.steps if s.required and not done & {s.tool, s.or_tool})


def followed(skill: Skill, results: Iterable[ToolResult], lang: Lang, number: int) -> Verdict:
    """pass: all required steps ran; warn: some did not, by name. number: of the verdict's id."""
    left = missing_steps(skill, results)
    required = [step for step in skill.steps if step.required]
    title = skill.title[lang]
    steps = say(lang, "skills.comma").join(f"{step.tool} ({step.why[lang]})" for step in left)
    note = (
        say(lang, "skills.skipped", title=title, steps=steps)
        if left
        else say(lang, "skills.done", title=title)
    )
    return Verdict(
        id=f"v{number}",
        kind="coverage",
        check=f"skill:{skill.id}",
        status="warn" if left else "pass",
        severity="minor" if left else "info",
        target=title,
        expect=say(lang, "skills.expect", n=len(required)),
        actual=say(lang, "skills.actual", n=len(required) - len(left)),
        n_checked=len(required),
        n_bad=len(left),
        note=note,
    )
