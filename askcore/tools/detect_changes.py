"""`detect_changes`: days that stand out, or dates from which a level changed for good."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any, Literal

from pydantic import Field

from askcore.base.errors import BadRequest
from askcore.base.text import say
from askcore.base.values import Clamp, Period
from askcore.semantic.averages import resolve
from askcore.semantic.model import Metric
from askcore.tools.base import Tool, ToolArgs, ToolContext, ToolOutput
from askcore.tools.compare.availability import available_metrics
from askcore.tools.compare.settled import settled_end
from askcore.tools.compare.target import Target, resolve_target
from askcore.tools.detect.detect_cells import search_cells
from askcore.tools.detect.detect_facts import search_facts
from askcore.tools.detect.detect_table import findings_table
from askcore.tools.detect.detect_verdicts import search_notes, search_verdict
from askcore.tools.query_report import names_of

_DEFAULT_DAYS = 30  # what a question without days means


class DetectChangesArgs(ToolArgs):
    """Find what is unusual in daily series, one series per entity of `scope` (default: the finest level).
    `mode` anomaly: single days far from the days of the same kind in the eight weeks before (workdays,
    weekends; holidays against earlier years only); changepoint: dates from which the level changed for
    good, with the range of likely dates. `metric` is one metric key; `from` and `to` the days that are
    judged (default: the last 30), history before them is read by itself; `companies`, `chains`, `shops`,
    `filters` narrow the entities. Rows come ranked by impact, the top 20.
    """

    metric: str = Field(min_length=1, description="metric key")
    mode: Literal["anomaly", "changepoint"] = Field(default="anomaly", description="what to look for")
    scope: str | None = Field(default=None, description="level whose entities are judged")
    start: date | None = Field(default=None, alias="from", description="first day judged, YYYY-MM-DD")
    end: date | None = Field(default=None, alias="to", description="last day judged, YYYY-MM-DD")
    companies: list[str] = Field(default_factory=list, description="company ids or names")
    chains: list[str] = Field(default_factory=list, description="chain ids or names")
    shops: list[str] = Field(default_factory=list, description="shop ids or names")
    filters: dict[str, str | list[str]] = Field(
        default_factory=dict, description="level or dimension -> id, value or list of them"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """The arguments after every name was checked."""

    args: DetectChangesArgs
    target: Target
    metric: Metric
    period: Period
    clamped: tuple[Clamp, ...]


def run(args: DetectChangesArgs, ctx: ToolContext) -> ToolOutput:
    """The findings, or the reason why nothing was tested.

    Raises: BadRequest on unknown names, or when the source lacks the metric (class "empty").
    """
    from askcore.tools.detect.study import search  # brings numpy: 0.1 s, at the first use only

    asked = _asked(args, ctx)
    found = search(asked.target, asked.metric, asked.period, args.mode, ctx)
    return ToolOutput(
        table=findings_table(found, ctx.lang),
        facts=search_facts(found, ctx),
        cells=search_cells(found, ctx.step_id, ctx.lang),
        verdicts=(search_verdict(found, ctx),),
        notes=search_notes(found, ctx),
        clamped=asked.clamped,
        args=_shown_args(asked, found.scope if found.level is None else found.level.key),
        sql=(found.sql,) if found.sql else (),
        row_count=len(found.findings),
        scanned=found.scanned,
    )


def _asked(args: DetectChangesArgs, ctx: ToolContext) -> _Asked:
    model, catalog = ctx.view.model, ctx.view.catalog
    target = resolve_target(
        model,
        catalog,
        scope=args.scope,
        by=(),
        named={"companies": args.companies, "chains": args.chains, "shops": args.shops},
        filters={k: names_of(v) for k, v in args.filters.items()},
        entity=ctx.entity,
        lang=ctx.lang,
    )
    if args.scope is None:
        target = replace(target, scope=None)  # filters by a chain still mean its shops
    available_metrics(model, catalog, [args.metric], ctx.lang)
    period, clamped = _period(args, ctx)
    return _Asked(
        args=args,
        target=target,
        metric=resolve(model, args.metric),
        period=period,
        clamped=(*target.clamped, *clamped),
    )


def _period(args: DetectChangesArgs, ctx: ToolContext) -> tuple[Period, tuple[Clamp, ...]]:
    """The asked days inside the data; the last thirty when not said; as asked when it has none of them."""
    held = ctx.view.catalog.period
    newest = ctx.last_settled if held is None else max(held.start, min(held.end, ctx.last_settled))
    end = args.end or newest
    start = args.start or min(end, newest) - timedelta(days=_DEFAULT_DAYS - 1)
    if end < start:
        raise BadRequest(say(ctx.lang, "compare.period_order", start=start, end=end))
    period, clamped = settled_end(Period(start=start, end=end), ctx, arg="to")
    if held is None or period.end < held.start or period.start > held.end:
        return period, clamped
    kept = Period(start=max(period.start, held.start), end=min(period.end, held.end))
    if kept.start != period.start and args.start is not None:
        why = say(ctx.lang, "compare.clamp_starts", day=held.start.isoformat())
        clamped = (*clamped, _clamp("from", period.start, kept.start, why))
    if kept.end != period.end:
        why = say(ctx.lang, "compare.clamp_ends", day=held.end.isoformat())
        clamped = (*clamped, _clamp("to", period.end, kept.end, why))
    return kept, clamped


def _clamp(arg: str, before: date, after: date, why: str) -> Clamp:
    return Clamp(arg=arg, before=before.isoformat(), after=after.isoformat(), why=why)


def _shown_args(asked: _Asked, scope: str) -> Mapping[str, Any]:
    """Arguments as they ran, in the contract's spelling."""
    return {
        "metric": asked.metric.key,
        "mode": asked.args.mode,
        "scope": scope,
        "from": asked.period.start.isoformat(),
        "to": asked.period.end.isoformat(),
        **asked.target.args,
    }


TOOL = Tool(name="detect_changes", args=DetectChangesArgs, run=run)
