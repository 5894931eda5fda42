"""Every figure is worded by checks: the rows that a query used are looked at right after it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from askcore.base.values import Period, QuerySpec, ToolResult
from askcore.checks.used_rows import used_rows_verdicts
from askcore.tools.base import ToolContext
from askcore.tools.level_args import LEVEL_OF_ARG

_FIGURES = ("query_report", "compare_periods", "explain_change")  # their rows become figures of an answer


def with_row_verdicts(result: ToolResult, ctx: ToolContext, first: int) -> ToolResult:
    """The result with verdicts on the rows it used, numbered from `first`.

    Failed results and tools that compute no figures are returned as they are.
    """
    if not result.ok or result.tool not in _FIGURES or not _metrics(result.args):
        return result
    verdicts = []
    seen = set()
    for period in argument_periods(result.args):
        spec = used_spec(result.args, period, ctx.entity)
        for verdict in used_rows_verdicts(ctx.view, spec, as_of=ctx.as_of, lang=ctx.lang):
            same = (verdict.check, verdict.status, verdict.note)
            if same not in seen:
                seen.add(same)
                verdicts.append(verdict)
    numbered = tuple(replace(v, id=f"v{first + i}") for i, v in enumerate(verdicts))
    return replace(result, verdicts=(*result.verdicts, *numbered))


def used_spec(args: Mapping[str, Any], period: Period, entity: str | None) -> QuerySpec:
    """The rows that a tool's arguments name, as a spec."""
    filters: dict[str, tuple[str, ...]] = {k: _texts(v) for k, v in (args.get("filters") or {}).items()}
    for arg, level in LEVEL_OF_ARG.items():
        if args.get(arg):
            filters[level] = _texts(args[arg])
    return QuerySpec(
        metrics=_metrics(args),
        period=period,
        entity=entity,
        scope=args.get("scope"),
        by=_texts(args.get("by")),
        filters=filters,
    )


def _metrics(args: Mapping[str, Any]) -> tuple[str, ...]:
    """What was asked for; an explanation is of one metric."""
    return _texts(args.get("metrics") or args.get("metric"))


def _texts(value: Any) -> tuple[str, ...]:
    if value in (None, ""):
        return ()
    return (str(value),) if isinstance(value, str | int) else tuple(str(v) for v in value)


def argument_periods(args: Mapping[str, Any]) -> tuple[Period, ...]:
    """The periods of a tool's arguments: one for a query, two for a comparison."""
    found = [args] if args.get("from") else []
    found += [args[k] for k in ("current", "baseline") if isinstance(args.get(k), Mapping)]
    return tuple(Period(start=_day(p["from"]), end=_day(p["to"])) for p in found)


def _day(value: Any) -> date:
    return value if isinstance(value, date) else date.fromisoformat(str(value)[:10])
