"""The loop: plan → guard → tool → observe → (remind | converge) → final.

It knows no tool and no planner by name, calculates nothing and words nothing but reminders. Whatever
happens, it ends: in a final answer, a question back, a refusal, or a failure that can be read.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from askcore.agent.cancel import CancelToken
from askcore.agent.guard import Guard, Limits
from askcore.agent.slip import with_second_path
from askcore.agent.state import Action, Call, Clarify, Fail, Final, Planner, Refuse, State
from askcore.agent.verify import with_row_verdicts
from askcore.base.errors import Cancelled
from askcore.base.text import say
from askcore.base.values import EventKind, Note, RunStatus, StepError, ToolResult
from askcore.tools.base import ReportMaker, Tool, ToolContext, call, unknown_tool


class Journal(Protocol):
    """Where the loop tells what it does."""

    def event(self, kind: EventKind, payload: Mapping[str, Any]) -> None:
        """Append to the trace."""
        ...

    def step_started(self, step_id: str, call: Call) -> None:
        """A tool starts."""
        ...

    def step_ended(self, result: ToolResult, call: Call) -> None:
        """A tool ended: a checkpoint."""
        ...

    def activity(self, text: str) -> None:
        """What is happening right now."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outcome:
    """How a run ended."""

    status: RunStatus
    state: State
    action: Final | Clarify | Refuse | None = None
    error: StepError | None = None


@dataclass(slots=True, kw_only=True)
class Loop:
    """One run of one question."""

    planner: Planner
    tools: Mapping[str, Tool[Any]]
    journal: Journal
    limits: Limits
    cancel: CancelToken
    reports: ReportMaker | None = None

    def run(self, state: State) -> Outcome:
        """Run to an end; never raises Cancelled, it becomes a status."""
        guard = Guard(limits=self.limits, known_tools=frozenset(self.tools))
        timer = threading.Timer(self.limits.run_timeout_s, self.cancel.interrupt)
        timer.daemon = True
        self.cancel.on_interrupt(state.view.interrupt)
        if (interrupt := getattr(self.planner, "interrupt", None)) is not None:
            self.cancel.on_interrupt(interrupt)
        timer.start()
        try:
            return self._turns(state, guard)
        except Cancelled:
            self.journal.event("cancelled", {})
            return Outcome(status="cancelled", state=state)
        finally:
            timer.cancel()

    def _turns(self, state: State, guard: Guard) -> Outcome:
        while guard.start_turn():
            self.cancel.check()
            if self.cancel.is_expired:
                return self._finish(state, "timeout")
            self.journal.activity(say(state.request.lang, "loop.planning"))
            action = self.planner.next(state)
            self.cancel.check()
            if not isinstance(action, Call):
                return self._end(state, action)
            ruling = guard.rule(action)
            if ruling == "finish":
                return self._finish(state, "budget")
            if ruling == "allow":
                state = self._use_tool(state, action)
            else:
                state = self._remind(state, action, ruling)
        return self._finish(state, "budget")

    def _use_tool(self, state: State, action: Call) -> State:
        step_id = f"t{len(state.results) + 1}"
        request = state.request
        reading = self.planner.reading(state)
        context = ToolContext(
            view=state.view,
            lang=request.lang,
            as_of=request.as_of,
            viewer=request.viewer,
            entity=(reading.entity if reading is not None else None) or request.entity,
            step_id=step_id,
            reports=self.reports,
        )
        self.journal.event("plan", {"thought": action.thought, "tool": action.tool, "args": action.args})
        self.journal.step_started(step_id, action)
        try:
            first = len(state.verdicts) + 1
            result = call(self.tools[action.tool], action.args, context, first_verdict=first)
            result = with_row_verdicts(result, context, first + len(result.verdicts))
            result = with_second_path(result, context, first + len(result.verdicts))
        except Cancelled:
            if self.cancel.is_cancelled or not self.cancel.is_expired:
                raise
            error = StepError(error_class="timeout", message=say(request.lang, "loop.timeout"))
            result = ToolResult(id=step_id, tool=action.tool, args=dict(action.args), ok=False, error=error)
        self.journal.step_ended(result, action)
        return state.with_result(result)

    def _remind(self, state: State, action: Call, ruling: str) -> State:
        lang = state.request.lang
        if ruling == "unknown_tool":
            reminder = unknown_tool(action.tool, tuple(self.tools), lang)
        else:
            message = say(lang, "loop.repeated", tool=action.tool)
            reminder = StepError(error_class="bad_args", message=message)
        self.journal.event("remind", reminder.as_json())
        return state.with_reminder(reminder)

    def _finish(self, state: State, reason: str) -> Outcome:
        """Force an end from what is known, marked partial."""
        self.cancel.check()
        self.journal.event("remind", {"class": "budget", "message": reason, "hint": ""})
        if not any(result.ok for result in state.results):
            message = say(state.request.lang, "loop.nothing_known")
            error = StepError(error_class="timeout", message=message)
            return Outcome(status="failed", state=state, error=error)
        action = self.planner.finish(state, reason)
        if isinstance(action, Final):
            note = Note(code="forced_finish", text=say(state.request.lang, f"loop.finish_{reason}"))
            action = replace(action, notes=(note, *action.notes))
        return self._end(state, action)

    def _end(self, state: State, action: Action) -> Outcome:
        if isinstance(action, Final):
            return Outcome(status="done", state=state, action=action)
        if isinstance(action, Clarify):
            self.journal.event("clarify", {"question": action.question, "options": action.options})
            return Outcome(status="needs_clarification", state=state, action=action)
        if isinstance(action, Refuse):
            error = StepError(error_class="refused", message=action.message, hint="; ".join(action.instead))
            return Outcome(status="refused", state=state, action=action, error=error)
        if isinstance(action, Fail):
            return Outcome(status="failed", state=state, error=action.error)
        error = StepError(error_class="timeout", message=say(state.request.lang, "loop.nothing_known"))
        return Outcome(status="failed", state=state, error=error)
