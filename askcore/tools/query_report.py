"""`query_report`: metrics over a period, split, filtered and ranked, with totals and derived figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any

from pydantic import Field

from askcore.base.errors import BadRequest, did_you_mean
from askcore.base.text import say
from askcore.base.values import TIME_GRAINS, Cell, Clamp, Lang, Period, QuerySpec, Sort, Table
from askcore.semantic.averages import resolve
from askcore.tools.base import Tool, ToolArgs, ToolContext, ToolOutput
from askcore.tools.cells import is_number, metric_cell, rank_cells, row_entity, table_cells
from askcore.tools.compare.availability import available_metrics
from askcore.tools.compare.empty import empty_notes
from askcore.tools.compare.remarks import clamp_notes, result_notes
from askcore.tools.compare.reserved import reserved_gaps
from askcore.tools.compare.series import Derived, series, shares
from askcore.tools.compare.settled import settled_end
from askcore.tools.compare.target import Target, resolve_target

if TYPE_CHECKING:
    from askcore.lake import QueryResult

_MAX_ROWS = 1000  # the lake's own cap: more is an export, not an answer


class QueryReportArgs(ToolArgs):
    """Metrics over a period as rows and weighted totals. `metrics` are metric keys (averages such as
    "grossAmt@day" too); `from` and `to` the inclusive days; `scope` the level whose rows are read (company,
    chain, shop …); `by` splits the rows by time (date, week, month, quarter, year), levels or dimensions;
    `companies`, `chains`, `shops` keep only these ids or names, `filters` does so for any level or
    dimension; `sort` is a metric key with "-" for descending; `limit` keeps the first rows, totals still
    cover all. Ratios are total numerator over total denominator.
    """

    metrics: list[str] = Field(min_length=1, description="metric keys")
    start: date | None = Field(default=None, alias="from", description="first day, YYYY-MM-DD")
    end: date | None = Field(default=None, alias="to", description="last day, YYYY-MM-DD")
    scope: str | None = Field(default=None, description="level whose rows are read")
    by: str | list[str] | None = Field(
        default=None, description="split: date, week, month, quarter, year, a level or a dimension"
    )
    companies: list[str] = Field(default_factory=list, description="company ids or names")
    chains: list[str] = Field(default_factory=list, description="chain ids or names")
    shops: list[str] = Field(default_factory=list, description="shop ids or names")
    filters: dict[str, str | list[str]] = Field(
        default_factory=dict, description="level or dimension -> id, value or list of them"
    )
    sort: str | None = Field(default=None, description='metric key, "-" in front = descending')
    limit: int | None = Field(default=None, ge=1, description="most rows to return")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """The arguments after every name was checked."""

    target: Target
    metrics: tuple[str, ...]
    missing: tuple[str, ...]
    period: Period
    sort: Sort | None
    limit: int | None
    clamped: tuple[Clamp, ...]


def run(args: QueryReportArgs, ctx: ToolContext) -> ToolOutput:
    """Rows, totals, cells and what must be said about them.

    Raises: BadRequest on unknown names, or when the source has none of the metrics (class "empty").
    """
    asked = _asked(args, ctx)
    result = ctx.view.query(_spec(asked), lang=ctx.lang)
    derived = _derived(result, asked, ctx)
    notes, note_cells = result_notes(result, asked.missing, ctx)
    clamped = (*asked.clamped, *result.clamped)
    if result.rows:
        notes = (*notes, *clamp_notes(clamped), *reserved_gaps(result, asked.target, ctx))
    else:
        notes = (*notes, *empty_notes(result, asked.period, ctx))
    return ToolOutput(
        table=labelled(result.table, ctx.lang),
        facts={
            **derived.facts,
            "days": {"present": result.days.present, "expected": result.days.expected},
            "scope": result.scope,
        },
        cells=(
            *table_cells(result.table, asked.metrics, ctx),
            *derived.cells,
            *rank_cells(result.table, asked.sort, ctx),
            *note_cells,
        ),
        notes=notes,
        clamped=clamped,
        args=_shown_args(result, asked),
        sql=(result.sql,) if result.sql else (),
        row_count=result.row_count,
        scanned=result.scanned,
    )


def _spec(asked: _Asked) -> QuerySpec:
    return QuerySpec(
        metrics=asked.metrics,
        period=asked.period,
        entity=asked.target.entity,
        scope=asked.target.scope,
        by=asked.target.by,
        filters=asked.target.filters,
        sort=asked.sort,
        limit=asked.limit,
    )


def _asked(args: QueryReportArgs, ctx: ToolContext) -> _Asked:
    model, catalog = ctx.view.model, ctx.view.catalog
    target = resolve_target(
        model,
        catalog,
        scope=args.scope,
        by=names_of(args.by),
        named={"companies": args.companies, "chains": args.chains, "shops": args.shops},
        filters={k: names_of(v) for k, v in args.filters.items()},
        entity=ctx.entity,
        lang=ctx.lang,
    )
    sort = _sort(args.sort, (*args.metrics, *target.by), ctx)
    keys = [*args.metrics, *([sort.key] if sort and sort.key not in target.by else [])]
    metrics, missing = available_metrics(model, catalog, keys, ctx.lang)
    if sort is not None and sort.key in missing:
        sort = None
    period, clamped = _period(args, ctx)
    limit = args.limit
    if limit is not None and limit > _MAX_ROWS:
        why = say(ctx.lang, "compare.clamp_limit")
        clamped = (*clamped, Clamp(arg="limit", before=str(limit), after=str(_MAX_ROWS), why=why))
        limit = _MAX_ROWS
    return _Asked(
        target=target,
        metrics=metrics,
        missing=missing,
        period=period,
        sort=sort,
        limit=limit,
        clamped=(*target.clamped, *clamped),
    )


def labelled(table: Table, lang: Lang) -> Table:
    """The table with its time column named in the reader's language."""
    columns = tuple(
        replace(c, label=say(lang, f"compare.col_{c.key}")) if c.key in TIME_GRAINS else c
        for c in table.columns
    )
    return replace(table, columns=columns)


def names_of(value: str | Sequence[str] | None) -> tuple[str, ...]:
    """A name or a list of names as a tuple; None = ()."""
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else tuple(value)


def _sort(text: str | None, known: Sequence[str], ctx: ToolContext) -> Sort | None:
    if not text:
        return None
    key = text.lstrip("+-")
    if key not in known and key not in ctx.view.model.by_key:
        raise BadRequest(
            say(ctx.lang, "compare.cannot_sort", name=key), hint=did_you_mean(key, known) or ", ".join(known)
        )
    return Sort(key=key, descending=text.startswith("-"))


def _period(args: QueryReportArgs, ctx: ToolContext) -> tuple[Period, tuple[Clamp, ...]]:
    """The asked days; absent ends are those of the data, the future ends at the last settled day."""
    held = ctx.view.catalog.period
    start = args.start or (held.start if held else args.end) or ctx.last_settled
    end = args.end or (held.end if held else start)
    if args.end is None:
        end = max(start, min(end, ctx.last_settled))
    if end < start:
        raise BadRequest(say(ctx.lang, "compare.period_order", start=start, end=end))
    return settled_end(Period(start=start, end=end), ctx, arg="to")


def _derived(result: QueryResult, asked: _Asked, ctx: ToolContext) -> Derived:
    model, by = ctx.view.model, asked.target.by

    def spoken(row: Mapping[str, Any]) -> str:
        return row_entity(row, model, ctx.view.catalog, ctx.lang)

    cells: list[Cell] = list(_per_step(result, asked.metrics, ctx))
    facts: dict[str, Any] = {}
    if any(name not in TIME_GRAINS for name in by):
        found = shares(result.table, model, asked.metrics, ctx.step_id, spoken)
        cells += found.cells
        facts |= found.facts
    if any(name in TIME_GRAINS for name in by) and len(result.rows) == result.row_count:
        found = series(result.table, model, asked.metrics, ctx.step_id, spoken, result.partial_buckets)
        cells += found.cells
        facts |= found.facts
    return Derived(cells=tuple(cells), facts=facts)


def _per_step(result: QueryResult, metrics: Sequence[str], ctx: ToolContext) -> list[Cell]:
    """The mean a day of every total that adds up, when more than one day is in it."""
    days = result.days.present
    if days < 2:
        return []
    found = []
    for metric in (resolve(ctx.view.model, key) for key in metrics):
        total = result.totals.get(metric.key)
        if total is not None and metric.is_additive and is_number(total):
            found.append(metric_cell(metric, float(total) / days, step=ctx.step_id, additivity="ratio"))
    return found


def _shown_args(result: QueryResult, asked: _Asked) -> Mapping[str, Any]:
    """Arguments as they ran, in the contract's spelling."""
    spec, by = result.spec, asked.target.by
    found: dict[str, Any] = {
        "metrics": list(asked.metrics),
        "from": spec.period.start.isoformat(),
        "to": spec.period.end.isoformat(),
        "by": None if not by else by[0] if len(by) == 1 else list(by),
        "scope": spec.scope,
        **asked.target.args,
    }
    if asked.sort is not None:
        found["sort"] = asked.sort.as_arg()
    if asked.limit is not None:
        found["limit"] = asked.limit
    return found


TOOL = Tool(name="query_report", args=QueryReportArgs, run=run)
