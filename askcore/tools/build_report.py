"""`build_report`: a business, data health or peer report, written and kept."""

from __future__ import annotations

from datetime import date
from typing import Literal

from pydantic import Field

from askcore.base.errors import BadRequest
from askcore.base.reports import MadeReport
from askcore.base.text import say
from askcore.base.values import Cell, Period
from askcore.tools.base import Tool, ToolArgs, ToolContext, ToolOutput


class BuildReportArgs(ToolArgs):
    """Write a report as files to hand on; use it only when a report is asked for. `kind` weekly or monthly is
    the business report of a week or a month: overview against the period before, every level, day by day,
    what drove the change, data health; without days the newest whole week or month. health is the data
    health report: every issue with its evidence and remedy, where they are, what came and went; without days
    all the data. peers is everybody against their peers with who moved; without days the newest week.
    """

    kind: Literal["weekly", "monthly", "health", "peers"] = Field(description="what it is about")
    start: date | None = Field(default=None, alias="from", description="first day, YYYY-MM-DD")
    end: date | None = Field(default=None, alias="to", description="last day, YYYY-MM-DD")


def run(args: BuildReportArgs, ctx: ToolContext) -> ToolOutput:
    """The report's id, files and what its checks say."""
    if ctx.reports is None:
        raise BadRequest(say(ctx.lang, "report.not_here"))
    made, verdicts = ctx.reports(
        args.kind,
        dataset=ctx.view.dataset,
        entity=ctx.entity,
        period=_period(args),
        lang=ctx.lang,
        viewer=ctx.viewer,
    )
    found = {"kind": made.kind, **({} if made.period is None else made.period.as_json())}
    return ToolOutput(
        facts={
            "report_id": made.report_id,
            "kind": made.kind,
            "title": made.title,
            "chapters": list(made.chapters),
            "figures": made.figures,
            "failed": len(made.failed),
            "files": dict(made.files),
        },
        cells=_cells(made, ctx.step_id),
        verdicts=verdicts,
        args=found,
        row_count=len(made.chapters),
    )


def _period(args: BuildReportArgs) -> Period | None:
    if args.start is None and args.end is None:
        return None
    if args.start is None or args.end is None or args.end < args.start:
        raise BadRequest("build_report needs both `from` and `to`, in this order, or neither")
    return Period(start=args.start, end=args.end)


def _cells(made: MadeReport, step: str) -> tuple[Cell, ...]:
    counts = {"chapters": len(made.chapters), "figures": made.figures, "failed": len(made.failed)}
    return tuple(
        Cell(value=n, unit="count", metric=name, step=step, role="arg") for name, n in counts.items()
    )


TOOL = Tool(name="build_report", args=BuildReportArgs, run=run)
