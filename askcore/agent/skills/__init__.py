"""Playbooks that both planners follow: which steps a kind of question needs, as files.

An answer that leaves a required step out says so.
"""

from __future__ import annotations

from askcore.agent.skills.book import Skill, SkillStep, skill_for, skill_named, skills
from askcore.agent.skills.followed import followed, missing_steps

__all__ = ["Skill", "SkillStep", "followed", "missing_steps", "skill_for", "skill_named", "skills"]
