"""`RulePlanner`: the embedded planner reads the question once, runs the plan, words the result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from askcore.agent.guard import normalised
from askcore.agent.rules.compose import compose
from askcore.agent.rules.from_reading import understanding_of_reading
from askcore.agent.rules.understand import understand
from askcore.agent.rules.understanding import PlannedCall, Understanding
from askcore.agent.skills import Skill, skill_for, skill_named
from askcore.agent.state import Action, Call, Clarify, Refuse, State
from askcore.base.values import Reading, ToolResult


@dataclass
class RulePlanner:
    """One run's planner; the plan is fixed after reading the question."""

    name: str = "rules"
    _understanding: Understanding | None = None
    _issued: dict[int, str] = field(default_factory=dict)
    """Index of the planned call -> id of the step that ran it."""

    def next(self, state: State) -> Action:
        """The next planned call, or the wording of the results."""
        found = self._understood(state)
        if found.refusal is not None:
            return Refuse(message=found.refusal.message, instead=tuple(found.refusal.alternatives))
        for index, planned in enumerate(found.calls):
            if self._result(index, planned.tool, planned.args, state) is None and index not in self._issued:
                self._issued[index] = f"t{len(state.results) + 1}"
                return Call(tool=planned.tool, args=planned.args, thought=planned.thought)
        return self._conclude(found, state)

    def finish(self, state: State, reason: str) -> Action:
        """What the finished steps say."""
        return self._conclude(self._understood(state), state)

    def reading(self, state: State) -> Reading | None:
        """How the question was understood."""
        return self._understood(state).reading

    def is_deep(self, state: State) -> bool:
        """Whether the question asks for analysis rather than for a figure."""
        return self._understood(state).deep

    def skill(self, state: State) -> str:
        """The chosen playbook, else the one of this kind of question when the plan has all its steps."""
        if state.request.skill:
            return state.request.skill
        found = self._understood(state)
        skill = skill_for(found.intent)
        planned = {call.tool for call in found.calls}
        complete = skill is not None and all(s.tool in planned for s in skill.steps if s.required)
        return skill.id if skill is not None and complete else ""

    def _understood(self, state: State) -> Understanding:
        if self._understanding is None:
            request = state.request
            if request.reading is not None:
                self._understanding = understanding_of_reading(request.reading, state.catalog, request.lang)
            else:
                skill = skill_named(request.skill) if request.skill else None
                found = understand(
                    request.question,
                    context=request.context,
                    model=state.model,
                    catalog=state.catalog,
                    as_of=request.as_of,
                    entity=request.entity,
                    wanted=None if skill is None else skill.planned_as,
                )
                self._understanding = found if skill is None else completed(found, skill)
        return self._understanding

    def _conclude(self, found: Understanding, state: State) -> Action:
        if found.clarification is not None:
            return Clarify(question=found.clarification.question, options=tuple(found.clarification.options))
        results = [
            r
            for i, planned in enumerate(found.calls)
            if (r := self._result(i, planned.tool, planned.args, state)) is not None
        ]
        return compose(found, results, state)

    def _result(self, index: int, tool: str, args: Mapping[str, Any], state: State) -> ToolResult | None:
        """The result of a planned call; a model's earlier call with the same arguments counts."""
        step = self._issued.get(index)
        for result in state.results:
            if result.id == step or (result.tool == tool and _covers(result.args, args)):
                return result
        return None


_ABOUT_DATA = ("lake_overview", "data_quality", "cross_check")
"""Tools that need no more than the days of the question."""


def completed(found: Understanding, skill: Skill) -> Understanding:
    """The plan with those required steps of the playbook that need nothing but its days."""
    period = None if found.reading is None else found.reading.period
    if not found.calls or found.clarification is not None or found.refusal is not None:
        return found
    planned = {call.tool for call in found.calls}
    days = {} if period is None else {"from": period.start.isoformat(), "to": period.end.isoformat()}
    more = [
        PlannedCall(tool=s.tool, args={} if s.tool == "lake_overview" else days, thought=s.why[found.lang])
        for s in skill.steps
        if s.required and s.tool in _ABOUT_DATA and s.tool not in planned
    ]
    return replace(found, calls=(*found.calls, *more), deep=True)


def _covers(ran: Mapping[str, Any], planned: Mapping[str, Any]) -> bool:
    """Whether a call that ran had at least the planned arguments, spelled alike."""
    shared = {k: ran.get(k) for k in planned}
    return normalised(shared) == normalised(planned)
