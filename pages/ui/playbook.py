"""Playbooks: the one picked for the next question, and the one that an answer followed."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from askcore.base.values import Verdict
from askcore.base.views import RunSnapshot, SkillInfo
from pages.ui import cache, state
from pages.ui.safe import esc
from pages.ui.text import has, t

PICK = "ask.skill"
ANY = ""
OPTIONAL = "?"


def offered() -> Mapping[str, SkillInfo]:
    """The playbooks by id."""
    return {skill.id: skill for skill in cache.skills(state.viewer(), state.lang())}


def chosen() -> str | None:
    """The playbook picked by hand; None: chosen by the question."""
    return state.session().skill or None


def picker() -> None:
    """Menu of the composer: what each playbook is for stands beside its name."""
    known = offered()
    if not known:
        return
    picked = known.get(state.session().skill)
    st.menu_button(
        t("skill.auto") if picked is None else esc(picked.title),
        [ANY, *known],
        key=PICK,
        type="tertiary",
        icon=":material/menu_book:",
        help=t("skill.help"),
        format_func=lambda one: _option(known.get(one)),
        on_click=_pick,
    )


def _option(skill: SkillInfo | None) -> str:
    title, summary = (
        (t("skill.auto"), t("skill.auto_summary")) if skill is None else (skill.title, skill.summary)
    )
    return f"**{esc(title)}** :gray[{esc(summary)}]"


def _pick() -> None:
    picked = str(state.widget(PICK) or ANY)
    state.session().skill = picked if picked in offered() else ANY


def label(run: RunSnapshot) -> str:
    """Which playbook an answer followed and whether to its end, for a label; "" without one."""
    if not run.skill:
        return ""
    verdict = verdict_of(run)
    title = esc(title_of(run))
    if verdict is None:
        return title
    if verdict.n_bad:
        return f":orange[:material/warning: {title} {esc(t('skill.short', count=verdict.n_bad))}]"
    return f"{title} :material/check:"


def title_of(run: RunSnapshot) -> str:
    """The playbook's name; its id when it is not offered any more."""
    known = offered().get(run.skill)
    return run.skill if known is None else known.title


def verdict_of(run: RunSnapshot) -> Verdict | None:
    """Whether the run did what its playbook asks; None while it works."""
    return next((v for v in run.verdicts if v.check == f"skill:{run.skill}"), None)


def skipped(run: RunSnapshot) -> tuple[str, ...]:
    """Names of required steps that were left out; () when the verdict says that none was."""
    verdict, known = verdict_of(run), offered().get(run.skill)
    if verdict is None or not verdict.n_bad or known is None:
        return ()
    done = {step.tool for step in run.steps if step.state == "done"}
    left = [tool for tool in known.steps if not tool.endswith(OPTIONAL) and tool not in done]
    return tuple(t(f"tool.{tool}") if has(f"tool.{tool}") else tool for tool in left)
