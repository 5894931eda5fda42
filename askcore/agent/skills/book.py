"""The playbooks as frozen values, read from the files beside this module."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from askcore.base.errors import BadRequest, did_you_mean
from askcore.base.values import Lang

_FOLDER = Path(__file__).parent / "prompts"
_ORDER = ("period_comparison", "drilldown", "peer_benchmark", "health_check")


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillStep:
    """One step of a playbook."""

    tool: str
    required: bool
    why: Mapping[Lang, str]
    or_tool: str | None = None
    """Another tool that does the same or more, as all checks do for some of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """One playbook."""

    id: str
    title: Mapping[Lang, str]
    summary: Mapping[Lang, str]
    intents: tuple[str, ...]
    """Kinds of question that the embedded planner answers by it; the first is planned when it is chosen."""
    steps: tuple[SkillStep, ...]
    guidance: str
    """How to word the answer; for models, in English."""

    @property
    def planned_as(self) -> Any:
        """The kind of question that is planned when the playbook is chosen."""
        return self.intents[0]


@cache
def skills() -> tuple[Skill, ...]:
    """All playbooks in the order that they are offered."""
    return tuple(_read(name) for name in _ORDER)


def skill_named(name: str) -> Skill:
    """The playbook with this id. Raises: BadRequest with the near match."""
    found = {skill.id: skill for skill in skills()}
    if name not in found:
        hint = did_you_mean(name, found) or ", ".join(found)
        raise BadRequest(f"there is no skill {name!r}", hint=hint, error_class="unknown_name")
    return found[name]


def skill_for(intent: str) -> Skill | None:
    """The playbook of a kind of question; None when it needs none."""
    return next((skill for skill in skills() if intent in skill.intents), None)


def _read(name: str) -> Skill:
    import yaml  # costs 20 ms; the facade is imported without it

    obj: dict[str, Any] = yaml.safe_load((_FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))
    steps = tuple(SkillStep(**step) for step in obj.pop("steps"))
    return Skill(**{**obj, "intents": tuple(obj["intents"]), "steps": steps})
