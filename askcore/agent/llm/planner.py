"""`LLMPlanner`: the model proposes, everything else stays as with the embedded planner.

A reply that cannot be read is sent back once with the error. A model that is down or stays unreadable is
replaced by the embedded planner for the rest of the run, and the answer says so.
"""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from askcore.agent.llm.client import ChatModel, Message, OpenAIChat
from askcore.agent.llm.protocol import parse_reply
from askcore.agent.rules.planner import RulePlanner
from askcore.agent.skills import skills
from askcore.agent.state import Action, Final, State
from askcore.base.config import Settings
from askcore.base.errors import AskError, BadRequest
from askcore.base.text import say
from askcore.base.values import Note, Reading, StepError
from askcore.tools import TOOLS

PROMPTS = Path(__file__).parent / "prompts"
_MAX_ENTITIES = 60  # past this the list would crowd out the tools; search_metadata finds the rest
_LANGUAGES = {"zh": "Chinese", "en": "English"}


@dataclass
class LLMPlanner:
    """Plans with a language model; falls back to the embedded planner in the open."""

    settings: Settings
    model: ChatModel | None = None
    """The endpoint; None = the one in the settings."""
    name: str = "llm"
    usage: dict[str, int] = field(default_factory=lambda: {"llm_calls": 0, "tokens_in": 0, "tokens_out": 0})
    _rules: RulePlanner = field(default_factory=RulePlanner)
    _fallback: str = ""
    _applied: str = ""
    _stop: threading.Event = field(default_factory=threading.Event)

    def interrupt(self) -> None:
        """From another thread: the model call under way, and every later one, ends at once."""
        self._stop.set()

    def next(self, state: State) -> Action:
        """The model's next action, or the embedded planner's once the model has failed."""
        if not self._fallback:
            try:
                action = self._ask(state)
                self._applied = action.skill if isinstance(action, Final) else ""
                return action
            except AskError as e:
                self._fallback = say(state.request.lang, "llm.fallback", why=e.message)
                self.name = "rules"
        return self._noted(self._rules.next(state))

    def finish(self, state: State, reason: str) -> Action:
        """The embedded planner's words for what is known: the model has used up its budget."""
        self._fallback = self._fallback or say(state.request.lang, "llm.budget")
        return self._noted(self._rules.finish(state, reason))

    def reading(self, state: State) -> Reading | None:
        """How the embedded planner reads the question."""
        return self._rules.reading(state)

    def is_deep(self, state: State) -> bool:
        """A model needs a turn per step, so `auto` is deep unless the question is a plain one."""
        return self._rules.is_deep(state)

    def skill(self, state: State) -> str:
        """The chosen playbook, the one the model says it applied, else the embedded planner's."""
        return state.request.skill or self._applied or (self._rules.skill(state) if self._fallback else "")

    def _noted(self, action: Action) -> Action:
        if isinstance(action, Final):
            note = Note(code="planner_fallback", text=self._fallback)
            return replace(action, notes=(note, *action.notes))
        return action

    def _ask(self, state: State) -> Action:
        messages = self._messages(state)
        text = self._chat(messages)
        try:
            return parse_reply(text)
        except BadRequest as e:
            repair = Message(role="user", content=say("en", "llm.repair", error=e.message))
            again = self._chat([*messages, Message(role="assistant", content=text), repair])
            return parse_reply(again)

    def _chat(self, messages: list[Message]) -> str:
        if self.model is None:
            self.model = OpenAIChat(self.settings)
        reply = self.model.chat(messages, self._stop)
        self.usage["llm_calls"] += 1
        self.usage["tokens_in"] += reply.tokens_in
        self.usage["tokens_out"] += reply.tokens_out
        return reply.text

    def _messages(self, state: State) -> list[Message]:
        found = [Message(role="system", content=system_prompt(state))]
        found += [Message(role="user", content=f"(earlier question) {q}") for q in state.request.context]
        found.append(Message(role="user", content=state.request.question))
        for result in state.results:
            call = {"action": {"tool": result.tool, "args": dict(result.args)}}
            found.append(Message(role="assistant", content=json.dumps(call, ensure_ascii=False, default=str)))
            seen = result.digest if result.error is None else _error_text(result.error)
            found.append(Message(role="user", content=f"result {result.id}: {seen}"))
        found += [Message(role="user", content=_error_text(r)) for r in state.reminders]
        return found


def _error_text(error: StepError) -> str:
    return json.dumps({"error": error.as_json()}, ensure_ascii=False)


@cache
def _template(name: str) -> str:
    return (PROMPTS / name).read_text(encoding="utf-8")


@cache
def tools_block() -> str:
    """One line a tool: what it is best for and its arguments."""
    return "\n".join(
        f"- {t.name}: {t.description} args: {', '.join(t.schema().get('properties', {}))}" for t in TOOLS
    )


def skills_block(chosen: str | None) -> str:
    """The playbooks, or only the one that the analyst chose, with required steps and wording."""
    offered = [skill for skill in skills() if chosen in (None, skill.id)]
    lines = ["The analyst chose this playbook; follow it."] if chosen else []
    for skill in offered:
        steps = ", ".join(step.tool if step.required else f"{step.tool} (optional)" for step in skill.steps)
        lines.append(f"- {skill.id}: {skill.summary['en']}. Steps: {steps}. {skill.guidance}")
    return "\n".join(lines)


def system_prompt(state: State) -> str:
    """The system prompt: semantic layer, tools, contract, clock and range."""
    model, catalog = state.model, state.catalog
    period = catalog.period
    metrics = [
        f"- {m.key}: {', '.join(m.words()[:6])}; {m.additivity.kind}" for m in model.metrics if not m.hidden
    ]
    levels = [f"- {level.key}: {level.label['en']} / {level.label['zh']}" for level in model.levels]
    levels += [f"- {d.key}: values {', '.join(d.values) or '…'}" for d in model.dimensions]
    entities = [
        json.dumps({"level": e.level, "id": e.id, "name": e.name}, ensure_ascii=False)
        for e in catalog.entities[:_MAX_ENTITIES]
    ]
    return _template("system.md").format(
        as_of=state.request.as_of,
        start="-" if period is None else period.start,
        end="-" if period is None else period.end,
        settled="-" if period is None else period.end,
        metrics="\n".join(metrics),
        levels="\n".join(levels),
        entities="\n".join(entities),
        tools=tools_block(),
        skills=skills_block(state.request.skill),
        language=_LANGUAGES[state.request.lang],
    )
