"""What a planner sees and what it may answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any, Protocol

from askcore.base.values import (
    Lang,
    Mode,
    Note,
    Reading,
    StepError,
    ToolResult,
    Verdict,
)
from askcore.base.views import HeadlineMetric
from askcore.semantic.catalog import Catalog
from askcore.semantic.model import Model

if TYPE_CHECKING:
    from askcore.lake import LakeView


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One question with everything that decides how it is answered."""

    run_id: str
    session_id: str
    question: str
    dataset: str
    viewer: str
    as_of: date
    lang: Lang
    mode: Mode = "auto"
    planner: str = "auto"
    skill: str | None = None
    """Id of the playbook that the analyst chose; None: the planner chooses."""
    entity: str | None = None
    context: tuple[str, ...] = ()
    """Earlier questions of the session, oldest first."""
    reading: Reading | None = None
    """A reading that the analyst edited; it is run as it is instead of parsing the question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """Use a tool."""

    tool: str
    args: Mapping[str, Any]
    thought: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Final:
    """The answer."""

    answer: str
    """Markdown; every number in it must come from a cell of the run."""
    chart: Mapping[str, Any] | None = None
    """{"type", "x", "y", "color"}; clamped before it is drawn; None = the default for the result."""
    headline_step: str | None = None
    """Step whose table is the answer's table; None = the last one with a table."""
    headline: tuple[HeadlineMetric, ...] = ()
    notes: tuple[Note, ...] = ()
    follow_ups: tuple[str, ...] = ()
    thought: str = ""
    skill: str = ""
    """Id of the playbook that a model says it applied."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clarify:
    """Ask the analyst; ends the turn."""

    question: str
    options: tuple[tuple[str, str], ...] = ()
    """(label, whole question to ask instead)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refuse:
    """Decline with the reason and what could be asked instead; ends the turn."""

    message: str
    instead: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fail:
    """Nothing could be answered and it is not the question's fault."""

    error: StepError


Action = Call | Final | Clarify | Refuse | Fail


@dataclass(frozen=True, kw_only=True, eq=False)
class State:
    """Everything known so far; a new value after each step."""

    request: Request
    view: LakeView
    results: tuple[ToolResult, ...] = ()
    reminders: tuple[StepError, ...] = ()
    """Observations that are no tool result: unknown tool, repeated call, budget."""
    notes: tuple[Note, ...] = ()
    """What was decided before planning, e.g. which company was taken."""

    @property
    def model(self) -> Model:
        """The dataset's semantic model."""
        return self.view.model

    @property
    def catalog(self) -> Catalog:
        """Names and ranges of the pinned version."""
        return self.view.catalog

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """All verdicts of the run in the order they were given."""
        return tuple(v for r in self.results for v in r.verdicts)

    def with_result(self, result: ToolResult) -> State:
        """After a tool call."""
        return replace(self, results=(*self.results, result))

    def with_reminder(self, reminder: StepError) -> State:
        """After a reminder."""
        return replace(self, reminders=(*self.reminders, reminder))


class Planner(Protocol):
    """Proposes the next action; never calculates."""

    name: str

    def next(self, state: State) -> Action:
        """The next action for this state."""
        ...

    def finish(self, state: State, reason: str) -> Action:
        """The best final action from what is known: the budget is used up."""
        ...

    def reading(self, state: State) -> Reading | None:
        """How the question was understood; None before or without."""
        ...

    def is_deep(self, state: State) -> bool:
        """Whether `auto` means deep for this question."""
        ...

    def skill(self, state: State) -> str:
        """Id of the playbook that the run follows; "" for none."""
        ...
