"""`compare_periods`: two periods like for like, with coverage, same stores, calendar, significance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from askcore.base.errors import BadRequest
from askcore.base.text import say
from askcore.base.values import TIME_GRAINS, Clamp, Verdict
from askcore.semantic.periods import CompareMode
from askcore.tools.base import PeriodArg, Tool, ToolArgs, ToolContext, ToolOutput
from askcore.tools.compare.availability import available_metrics
from askcore.tools.compare.compare_cells import comparison_cells
from askcore.tools.compare.compare_facts import comparison_facts
from askcore.tools.compare.compare_notes import comparison_notes
from askcore.tools.compare.compare_table import comparison_table
from askcore.tools.compare.rows import Reader
from askcore.tools.compare.source_delta import SourceDelta, source_delta
from askcore.tools.compare.study import Study
from askcore.tools.compare.study_queries import missing_keys, study
from askcore.tools.compare.target import Target, resolve_target
from askcore.tools.compare.testing import Tested, significance_verdicts, tested
from askcore.tools.compare.verdicts import (
    CalendarFit,
    calendar_fit,
    coverage_verdict,
    freshness_verdict,
    period_verdict,
)
from askcore.tools.compare.window_notes import outside_note, window_clamps
from askcore.tools.compare.windows import Windows, resolve_windows
from askcore.tools.query_report import names_of

_CHINESE_ZONES = frozenset({"Asia/Shanghai", "Asia/Chongqing", "Asia/Urumqi", "PRC"})


class ComparePeriodsArgs(ToolArgs):
    """Compare a period with a baseline, like for like: change in amounts, % and percentage points, equal
    lengths or per-day values, comparable shops, openers and closers, coverage of both periods, holidays,
    and whether a change of a rate is significant. `metrics` are metric keys; `current` the period in
    question; `baseline` the other period, or `mode` to derive it: previous (equal length, just before), mtd
    (same days of the month before), yoy_date, yoy_week (52 weeks earlier), holiday (same holiday last
    year). `scope` is the level whose totals count, `by` gives rows per entity or dimension value;
    `companies`, `chains`, `shops`, `filters` narrow it; `significance` true tests every metric, false none.
    """

    metrics: list[str] = Field(min_length=1, description="metric keys")
    current: PeriodArg = Field(description="the period in question: {from, to}")
    baseline: PeriodArg | None = Field(default=None, description="the other period: {from, to}")
    mode: CompareMode | None = Field(default=None, description="derives the baseline instead")
    scope: str | None = Field(default=None, description="level whose rows make the totals")
    by: str | list[str] | None = Field(default=None, description="levels or dimensions, one row each")
    companies: list[str] = Field(default_factory=list, description="company ids or names")
    chains: list[str] = Field(default_factory=list, description="chain ids or names")
    shops: list[str] = Field(default_factory=list, description="shop ids or names")
    filters: dict[str, str | list[str]] = Field(
        default_factory=dict, description="level or dimension -> id, value or list of them"
    )
    significance: bool | None = Field(
        default=None, description="test the changes; default: rates only, where there are 5 days"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """The arguments after every name was checked."""

    args: ComparePeriodsArgs
    target: Target
    metrics: tuple[str, ...]
    missing: tuple[str, ...]
    windows: Windows
    clamped: tuple[Clamp, ...]


def run(args: ComparePeriodsArgs, ctx: ToolContext) -> ToolOutput:
    """The comparison, or the reason why there is none.

    Raises: BadRequest on unknown names, time splits, or metrics that the source lacks.
    """
    asked = _asked(args, ctx)
    if asked.windows.current is None or asked.windows.baseline is None:
        return _outside(asked, ctx)
    found = study(asked.windows, asked.target, asked.metrics, ctx)
    fit = _calendar(found, ctx)
    tests = tested(found, args.significance)
    source = _source_delta(found, asked, ctx)
    return ToolOutput(
        table=comparison_table(found, ctx),
        facts=comparison_facts(found, fit, tests, ctx),
        cells=(*comparison_cells(found, fit, tests, ctx), *source.cells),
        verdicts=_verdicts(found, fit, tests, source, ctx),
        notes=comparison_notes(found, asked.missing, fit, ctx),
        clamped=(*asked.clamped, *_lake_clamps(found)),
        args=_shown_args(asked, found.scope),
        sql=found.sql,
        row_count=max(r.row_count for r in found.results),
        scanned=sum(r.scanned for r in found.results),
    )


def _asked(args: ComparePeriodsArgs, ctx: ToolContext) -> _Asked:
    model, catalog = ctx.view.model, ctx.view.catalog
    by = names_of(args.by)
    target = resolve_target(
        model,
        catalog,
        scope=args.scope,
        by=by,
        named={"companies": args.companies, "chains": args.chains, "shops": args.shops},
        filters={k: names_of(v) for k, v in args.filters.items()},
        entity=ctx.entity,
        lang=ctx.lang,
    )
    if any(name in TIME_GRAINS for name in target.by):
        raise BadRequest(
            say(ctx.lang, "compare.no_time_split"), hint="by a level or dimension, or query_report"
        )
    metrics, missing = available_metrics(model, catalog, args.metrics, ctx.lang)
    held = catalog.scope_periods.get(target.scope or "") or catalog.period
    windows = resolve_windows(
        args.current.as_period(),
        baseline=None if args.baseline is None else args.baseline.as_period(),
        mode=args.mode,
        held=held,
        last_settled=ctx.last_settled,
        grain=model.time.grain,
    )
    return _Asked(
        args=args,
        target=target,
        metrics=metrics,
        missing=missing,
        windows=windows,
        clamped=(*target.clamped, *window_clamps(windows, held, ctx)),
    )


def _lake_clamps(found: Study) -> tuple[Clamp, ...]:
    """What the lake changed besides the periods."""
    changed = (c for r in found.results for c in r.clamped if c.arg not in ("from", "to"))
    return tuple({(c.arg, c.after): c for c in changed}.values())


def _outside(asked: _Asked, ctx: ToolContext) -> ToolOutput:
    """No comparison: one of the periods has no settled day."""
    period, note = outside_note(asked.windows, ctx)
    return ToolOutput(
        facts={"outside": period.as_json()},
        notes=(note,),
        clamped=asked.clamped,
        args=_shown_args(asked, asked.target.scope or next(iter(ctx.view.catalog.scopes), None)),
    )


def _calendar(found: Study, ctx: ToolContext) -> CalendarFit | None:
    """Only daily data in China: a week holds every weekday, other countries have other holidays."""
    time = ctx.view.model.time
    if time.grain != "day" or time.timezone not in _CHINESE_ZONES:
        return None
    return calendar_fit(*found.periods)


def _source_delta(found: Study, asked: _Asked, ctx: ToolContext) -> SourceDelta:
    reader = Reader(view=ctx.view, target=asked.target, periods=found.periods, components=found.components)
    return source_delta(
        reader,
        asked.metrics,
        level=found.leaf or ctx.view.model.levels_by_key.get(found.scope),
        shift_days=found.windows.shift_days,
        is_equal_length=found.steps[0].count == found.steps[1].count,
        ctx=ctx,
    )


def _verdicts(
    found: Study,
    fit: CalendarFit | None,
    tests: Mapping[str, Tested],
    source: SourceDelta,
    ctx: ToolContext,
) -> tuple[Verdict, ...]:
    model, lang, windows = ctx.view.model, ctx.lang, found.windows
    verdicts = [
        period_verdict(
            found.steps,
            fit,
            step=model.time.grain,
            is_cut=windows.current != windows.asked_current,
            lang=lang,
        ),
        coverage_verdict(
            found.missing,
            found.expected_rows,
            baseline=found.periods[0],
            keys=missing_keys(found, ctx),
            lang=lang,
        ),
    ]
    if windows.current != windows.asked_current and found.periods[1].end < windows.asked_current.end:
        lag = model.time.settlement_lag_days
        verdicts.append(freshness_verdict(found.data.end, ctx.as_of, lag_days=lag, lang=lang))
    verdicts.append(source.verdict)
    verdicts.extend(significance_verdicts(tests, lang))
    return tuple(verdicts)


def _shown_args(asked: _Asked, scope: str | None) -> Mapping[str, Any]:
    """Arguments as they ran, in the contract's spelling."""
    windows, by = asked.windows, asked.target.by
    current = windows.current or windows.asked_current
    baseline = windows.baseline or windows.asked_baseline
    found: dict[str, Any] = {
        "metrics": list(asked.metrics),
        "current": current.as_json(),
        "baseline": baseline.as_json(),
        "scope": scope,
        "by": None if not by else by[0] if len(by) == 1 else list(by),
        **asked.target.args,
    }
    if asked.args.mode is not None:
        found["mode"] = asked.args.mode
    if asked.args.significance is not None:
        found["significance"] = asked.args.significance
    return found


TOOL = Tool(name="compare_periods", args=ComparePeriodsArgs, run=run)
