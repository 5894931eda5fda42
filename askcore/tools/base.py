"""What a tool is, what it gets and what it gives; `call` is where failures fold into results."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from askcore.base.errors import AskError, BadRequest, Cancelled, did_you_mean
from askcore.base.reports import MadeReport
from askcore.base.text import say
from askcore.base.values import (
    Cell,
    Clamp,
    Lang,
    Note,
    Period,
    StepError,
    Table,
    ToolResult,
    Verdict,
)

if TYPE_CHECKING:
    from askcore.lake import LakeView


class ToolArgs(BaseModel):
    """Base of all argument models: unknown names are refused."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)


class PeriodArg(ToolArgs):
    """Inclusive range of days."""

    start: date = Field(alias="from", description="first day, YYYY-MM-DD")
    end: date = Field(alias="to", description="last day, YYYY-MM-DD")

    def as_period(self) -> Period:
        """The frozen value. Raises: BadRequest when it ends before it starts."""
        if self.end < self.start:
            raise BadRequest(f"the period ends {self.end} before it starts {self.start}")
        return Period(start=self.start, end=self.end)


class ReportMaker(Protocol):
    """Writes a report of a kind and keeps it."""

    def __call__(
        self, kind: str, *, dataset: str, entity: str | None, period: Period | None, lang: Lang, viewer: str
    ) -> tuple[MadeReport, tuple[Verdict, ...]]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolContext:
    """Everything a tool may use besides its arguments."""

    view: LakeView
    lang: Lang
    as_of: date
    viewer: str
    entity: str | None = None
    """Id of the top-level entity that the run is about."""
    step_id: str = "t1"
    reports: ReportMaker | None = None
    """None where reports cannot be made, such as in a replay."""

    @property
    def last_settled(self) -> date:
        """T-1: the newest day that the source can have settled."""
        return self.as_of - timedelta(days=self.view.model.time.settlement_lag_days)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ToolOutput:
    """What a tool's `run` returns; `call` adds id, times and numbering."""

    table: Table | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    cells: tuple[Cell, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    """Ids are given by `call`."""
    notes: tuple[Note, ...] = ()
    clamped: tuple[Clamp, ...] = ()
    args: Mapping[str, Any] = field(default_factory=dict)
    """Arguments after resolution and clamping, in the contract's spelling."""
    sql: tuple[str, ...] = ()
    row_count: int = 0
    scanned: int = 0


A = TypeVar("A", bound=ToolArgs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool(Generic[A]):
    """A registered tool; its description is the docstring of its argument model."""

    name: str
    args: type[A]
    run: Callable[[A, ToolContext], ToolOutput]

    @property
    def description(self) -> str:
        """What the model reads about the tool."""
        return " ".join((self.args.__doc__ or "").split())

    def schema(self) -> dict[str, Any]:
        """JSON schema of the arguments."""
        return self.args.model_json_schema(by_alias=True)


def parse_args(tool: Tool[A], raw: Mapping[str, Any]) -> A:
    """Validated arguments.

    Raises: BadRequest naming the argument, with the near name for an unknown one.
    """
    try:
        return tool.args.model_validate(dict(raw))
    except ValidationError as e:
        first = e.errors()[0]
        name = ".".join(str(p) for p in first["loc"])
        known = [f.alias or n for n, f in tool.args.model_fields.items()]
        if first["type"] == "extra_forbidden":
            hint = did_you_mean(name, known) or ", ".join(known)
            raise BadRequest(f"{tool.name} has no argument {name!r}", hint=hint) from e
        raise BadRequest(f"{tool.name}.{name}: {first['msg']}", hint=", ".join(known)) from e


def call(
    tool: Tool[Any],
    raw: Mapping[str, Any],
    ctx: ToolContext,
    *,
    first_verdict: int = 1,
) -> ToolResult:
    """Run one tool and fold every failure but cancellation into the result.

    first_verdict: number of the first verdict id ("v3" when 3), so that ids are unique in a run.
    Raises: Cancelled.
    """
    started = time.perf_counter()
    try:
        output = tool.run(parse_args(tool, raw), ctx)
        result = _result_of(tool, raw, ctx, output, first_verdict)
    except Cancelled:
        raise
    except AskError as e:
        error = StepError(error_class=e.error_class, message=e.message, hint=e.hint)
        result = ToolResult(id=ctx.step_id, tool=tool.name, args=dict(raw), ok=False, error=error)
    except Exception as e:  # noqa: BLE001 - the first of the two folding points (STYLE 7)
        error = StepError(error_class="internal", message=f"{type(e).__name__}: {e}")
        result = ToolResult(id=ctx.step_id, tool=tool.name, args=dict(raw), ok=False, error=error)
    return replace(result, elapsed_ms=(time.perf_counter() - started) * 1000)


def _result_of(
    tool: Tool[Any],
    raw: Mapping[str, Any],
    ctx: ToolContext,
    output: ToolOutput,
    first_verdict: int,
) -> ToolResult:
    digest = digest_of(output)
    return ToolResult(
        id=ctx.step_id,
        tool=tool.name,
        args=dict(output.args) or dict(raw),
        ok=True,
        clamped=output.clamped,
        table=output.table,
        facts=output.facts,
        cells=output.cells,
        digest=digest,
        verdicts=tuple(replace(v, id=f"v{first_verdict + i}") for i, v in enumerate(output.verdicts)),
        notes=output.notes,
        sql=output.sql,
        row_count=output.row_count,
        shown=0 if output.table is None else output.table.shown,
        scanned=output.scanned,
        bytes=len(digest.encode()),
    )


_DIGEST_ROWS = 20  # what a model needs to see; the screen and provenance get all rows


def digest_of(output: ToolOutput) -> str:
    """At most 20 rows, totals, verdicts and notes as compact JSON for a model."""
    content: dict[str, Any] = {}
    if output.table is not None:
        content["rows"] = [dict(r) for r in output.table.rows[:_DIGEST_ROWS]]
        content["totals"] = dict(output.table.totals)
        content["row_count"] = output.table.row_count
    if output.facts:
        content["facts"] = dict(output.facts)
    if output.verdicts:
        content["verdicts"] = [
            {"check": v.check, "status": v.status, "note": v.note} for v in output.verdicts
        ]
    if output.notes:
        content["notes"] = [n.text for n in output.notes]
    return json.dumps(content, ensure_ascii=False, default=str)


def unknown_tool(name: str, known: tuple[str, ...], lang: Lang) -> StepError:
    """The observation for a tool that does not exist."""
    hint = did_you_mean(name, known) or ", ".join(known)
    message = say(lang, "tools.unknown_tool", name=name)
    return StepError(error_class="unknown_name", message=message, hint=hint)
