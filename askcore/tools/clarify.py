"""`clarify`: ends the turn with choices when a question has several readings of different value."""

from __future__ import annotations

from pydantic import Field

from askcore.base.errors import BadRequest
from askcore.tools.base import Tool, ToolArgs, ToolContext, ToolOutput

_MAX_OPTIONS = 6  # more than a person compares at a glance


class ClarifyOption(ToolArgs):
    """One choice."""

    label: str = Field(description="short text of the choice")
    question: str = Field(default="", description="the full question that choosing it asks")


class ClarifyArgs(ToolArgs):
    """Ask the analyst back, with choices. Ends the turn: use it only when a question cannot be answered
    under any stated reading, such as two shops of the same name or a shop that does not exist.
    `question` is what is asked back; `options` are the choices.
    """

    question: str = Field(description="one sentence in the language of the analyst")
    options: list[ClarifyOption | str] = Field(
        default_factory=list, description="choices, each a full question or {label, question}"
    )


def run(args: ClarifyArgs, ctx: ToolContext) -> ToolOutput:
    """The choices as facts; the loop ends the turn with them."""
    if not args.question.strip():
        raise BadRequest("clarify needs a question to ask back")
    options = [_option(o) for o in args.options][:_MAX_OPTIONS]
    facts = {"question": args.question.strip(), "options": options}
    return ToolOutput(facts=facts, args=facts, row_count=len(options))


def _option(option: ClarifyOption | str) -> dict[str, str]:
    if isinstance(option, str):
        return {"label": option, "question": option}
    return {"label": option.label, "question": option.question or option.label}


TOOL = Tool(name="clarify", args=ClarifyArgs, run=run)
