"""`explain_change`: where a change lies: segments, mix and rate, drivers, own and market; exact."""

from __future__ import annotations

from pydantic import Field

from askcore.tools.base import PeriodArg, Tool, ToolArgs, ToolContext, ToolOutput
from askcore.tools.compare.window_notes import outside_note
from askcore.tools.explain.asked import Asked, Names, resolve_asked, shown_args
from askcore.tools.explain.explain_cells import explanation_cells
from askcore.tools.explain.explain_facts import explanation_facts
from askcore.tools.explain.explain_notes import explanation_notes
from askcore.tools.explain.explain_table import explanation_table
from askcore.tools.explain.explain_verdicts import explanation_verdicts
from askcore.tools.explain.explanation import explain
from askcore.tools.explain.parts import parts_of
from askcore.tools.query_report import names_of


class ExplainChangeArgs(ToolArgs):
    """Explain why a metric changed: exact contributions that add up to the change. By segment (levels or
    dimensions); for rates each segment's own change (rate) and its changed weight (mix), with Simpson's
    paradox named; by drivers whose product is the metric; own against market where peers are known.
    `metric` is a metric key; `current` the period in question; `baseline` the other one (default: equal
    length, just before). `scope` is the level whose rows make the total; `by` the levels or dimensions to
    split by (default: all levels below the scope); `drivers` the factors (default: the model's; [] for
    none); `companies`, `chains`, `shops`, `filters` narrow it.
    """

    metric: str = Field(description="metric key")
    current: PeriodArg = Field(description="the period in question: {from, to}")
    baseline: PeriodArg | None = Field(default=None, description="the other period: {from, to}")
    by: str | list[str] | None = Field(default=None, description="levels or dimensions to split by")
    drivers: list[str] | None = Field(default=None, description="metric keys whose product is the metric")
    scope: str | None = Field(default=None, description="level whose rows make the total")
    companies: list[str] = Field(default_factory=list, description="company ids or names")
    chains: list[str] = Field(default_factory=list, description="chain ids or names")
    shops: list[str] = Field(default_factory=list, description="shop ids or names")
    filters: dict[str, str | list[str]] = Field(
        default_factory=dict, description="level or dimension -> id, value or list of them"
    )


def run(args: ExplainChangeArgs, ctx: ToolContext) -> ToolOutput:
    """The contributions, or the reason why there are none.

    Raises: BadRequest on unknown names, overlapping periods, or a metric that has no parts.
    """
    asked = resolve_asked(_names(args), ctx)
    if asked.windows.current is None or asked.windows.baseline is None:
        return _outside(asked, ctx)
    found = explain(asked, ctx)
    parts = parts_of(found, ctx.lang)
    table = explanation_table(found, parts, ctx)
    return ToolOutput(
        table=table,
        facts=explanation_facts(found, parts, ctx),
        cells=explanation_cells(found, parts, ctx),
        verdicts=explanation_verdicts(found, ctx),
        notes=explanation_notes(found, ctx),
        clamped=asked.clamped,
        args=shown_args(asked, found.scope, [x.key for x in found.levels]),
        sql=found.sql,
        row_count=table.row_count,
        scanned=found.scanned,
    )


def _names(args: ExplainChangeArgs) -> Names:
    return Names(
        metric=args.metric,
        current=args.current.as_period(),
        baseline=None if args.baseline is None else args.baseline.as_period(),
        scope=args.scope,
        by=names_of(args.by),
        drivers=args.drivers,
        named={"companies": args.companies, "chains": args.chains, "shops": args.shops},
        filters={k: names_of(v) for k, v in args.filters.items()},
    )


def _outside(asked: Asked, ctx: ToolContext) -> ToolOutput:
    """Nothing to explain: one of the periods has no settled day."""
    period, note = outside_note(asked.windows, ctx)
    scope = asked.target.scope or next(iter(ctx.view.catalog.scopes), None)
    return ToolOutput(
        facts={"outside": period.as_json()},
        notes=(note,),
        clamped=asked.clamped,
        args=shown_args(asked, scope, asked.by or ()),
    )


TOOL = Tool(name="explain_change", args=ExplainChangeArgs, run=run)
