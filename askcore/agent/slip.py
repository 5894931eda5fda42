"""The slip of an answer: its figures by two paths, and what each rate is made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import islice
from typing import Any

from askcore.agent.verify import argument_periods, used_spec
from askcore.base.errors import AskError, Cancelled
from askcore.base.text import say
from askcore.base.values import Period, Table, ToolResult, Verdict
from askcore.base.views import RatioRow, SlipRow
from askcore.checks.second_path import Compared, RatioParts, Second, second_path, skipped, verdict_of
from askcore.checks.used_rows import frame_of
from askcore.semantic.averages import resolve
from askcore.semantic.format import format_change, format_value
from askcore.tools.base import ToolContext

_FIGURES = ("query_report", "compare_periods")
_PREV = "__prev"
_SHOWN = 12  # lines of a slip; the verdict counts all
_SMALL = 30  # a denominator below says little


@dataclass(frozen=True, slots=True, kw_only=True)
class _Side:
    """One period of a result with the figures that it gave."""

    period: Period
    table: Table


def with_second_path(result: ToolResult, ctx: ToolContext, first: int) -> ToolResult:
    """The result with its slip in `facts` and one verdict, numbered `first`.

    Results that hold no figures are returned as they are. Raises: Cancelled.
    """
    if not result.ok or result.tool not in _FIGURES or not result.args.get("metrics"):
        return result
    try:
        sides = [(side, _again(side, result, ctx)) for side in _sides(result)]
    except Cancelled:
        raise
    except AskError as e:
        return _with_verdict(result, skipped(e.message, ctx.lang), first)
    verdict = verdict_of([found for _, found in sides], ctx.view.model, ctx.lang)
    if verdict is None:
        return result
    facts = {
        **result.facts,
        "slip": [row for side, found in sides for row in _slip(side, found, ctx)][:_SHOWN],
        "ratios": [
            asdict(_ratio_row(one, side.period, ctx)) for side, found in sides for one in found.ratios
        ],
    }
    return _with_verdict(replace(result, facts=facts), verdict, first)


def _with_verdict(result: ToolResult, verdict: Verdict, number: int) -> ToolResult:
    return replace(result, verdicts=(*result.verdicts, replace(verdict, id=f"v{number}")))


def _sides(result: ToolResult) -> Iterator[_Side]:
    """One period for a query, two for a comparison; nothing where no figure was found."""
    table = result.table
    if table is None:
        return
    if result.tool == "query_report":
        for period in argument_periods(result.args):
            yield _Side(period=period, table=table)
        return
    changes: Mapping[str, Mapping[str, Any]] = result.facts.get("changes") or {}
    for period, suffix, name in zip(
        argument_periods(result.args), ("", _PREV), ("cur", "prev"), strict=False
    ):
        totals = {key: change.get(name) for key, change in changes.items()}
        rows = tuple(_renamed(row, changes, suffix) for row in table.rows) if result.args.get("by") else ()
        yield _Side(period=period, table=replace(table, rows=rows, totals=totals))


def _renamed(row: Mapping[str, Any], keys: Mapping[str, Any], suffix: str) -> dict[str, Any]:
    """A row of a comparison as one of a query over one of its periods."""
    return {**row, **{key: row.get(f"{key}{suffix}") for key in keys}}


def _again(side: _Side, result: ToolResult, ctx: ToolContext) -> Second:
    spec = used_spec(result.args, side.period, ctx.entity)
    scope = result.facts.get("scope") or spec.scope
    frame = frame_of(ctx.view, replace(spec, scope=scope), ctx.as_of, ctx.lang)
    return second_path(frame, spec.metrics, spec.by, side.table)


def _slip(side: _Side, found: Second, ctx: ToolContext) -> Iterator[dict[str, Any]]:
    """Differing figures first, then totals, then rows."""
    ordered = sorted(found.compared, key=lambda c: (c.is_same, bool(c.place)))
    for one in islice(ordered, _SHOWN):
        row = SlipRow(
            metric=resolve(ctx.view.model, one.metric).label[ctx.lang],
            place=_place(one, side.table),
            period=_days(side.period),
            first=_worded(one.metric, one.first, ctx),
            second="" if one.second is None else _worded(one.metric, one.second, ctx),
            is_same=one.is_same,
        )
        yield asdict(row)


def _place(one: Compared, table: Table) -> str:
    """The row as the table names it: the last name it shows."""
    if not one.place:
        return ""
    names = [c.key for c in table.columns if c.of]
    for row in table.rows:
        if set(one.place) <= {str(v) for v in row.values()}:
            shown = [str(row[key]) for key in names if row.get(key)]
            return shown[-1] if shown else " · ".join(one.place)
    return " · ".join(one.place)


def _days(period: Period) -> str:
    return period.start.isoformat() if period.days == 1 else f"{period.start} – {period.end}"


def _worded(key: str, value: float, ctx: ToolContext) -> str:
    return format_value(resolve(ctx.view.model, key), value, ctx.lang)


def _ratio_row(one: RatioParts, period: Period, ctx: ToolContext) -> RatioRow:
    model, lang = ctx.view.model, ctx.lang
    metric = model.metric(one.metric)
    top, bottom = metric.additivity.numerator or "", metric.additivity.denominator or ""
    level = model.levels_by_key.get(one.level)
    return RatioRow(
        metric=metric.label[lang],
        period=_days(period),
        numerator=f"{model.metric(top).label[lang]} {_worded(top, one.top, ctx)}",
        denominator=f"{model.metric(bottom).label[lang]} {_worded(bottom, one.bottom, ctx)}",
        weighted=_worded(one.metric, one.weighted, ctx),
        naive=_worded(one.metric, one.naive, ctx),
        gap=("+" if one.gap > 0 else "-") + format_change(metric, one.gap, lang),
        rows=one.rows,
        level=say(lang, "slip.row") if level is None else level.label[lang].split("/")[0],
        is_small=one.bottom < _SMALL,
    )
