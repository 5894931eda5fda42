"""A search from its target to its findings: which layer is read, how far back, what stands in the way."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta

from askcore.base.values import Period
from askcore.semantic.calendar import holidays_in, is_covered
from askcore.semantic.day_kinds import day_types, has_calendar, kinds_of
from askcore.semantic.model import Level, Metric
from askcore.stats import anomalies, changepoints
from askcore.tools.base import ToolContext
from askcore.tools.compare.components import Components, components
from askcore.tools.compare.rows import Reader
from askcore.tools.compare.target import Target
from askcore.tools.detect.finding import Mode, Search, SkipReason
from askcore.tools.detect.measure import measure_of
from askcore.tools.detect.panel import Panel, read_panel
from askcore.tools.detect.search import Ground, Judged, anomalous_days, left_out, level_changes

_YEAR_BACK = 366 + 30  # a lunar holiday moves by up to a month between two years


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The entities that are judged and the layer whose rows are read for them."""

    level: Level | None
    scope: str
    rolled_up_from: Level | None = None


def place_of(target: Target, ctx: ToolContext) -> Place:
    """The asked level, else the finest; rows of the next finer layer where the level has none."""
    model, held = ctx.view.model, ctx.view.catalog.scopes
    if not model.levels:
        return Place(level=None, scope="all")
    order = [level.key for level in model.levels]
    asked = target.scope or next((k for k in reversed(order) if k in held), order[-1])
    level = model.levels_by_key[asked]
    finer = [k for k in order[order.index(asked) :] if k in held]
    if not finer or finer[0] == asked:
        return Place(level=level, scope=asked)
    return Place(level=level, scope=finer[0], rolled_up_from=model.levels_by_key[finer[0]])


def search(target: Target, metric: Metric, period: Period, mode: Mode, ctx: ToolContext) -> Search:
    """The findings of `mode` in the period; `skip` says why there can be none."""
    model = ctx.view.model
    place = place_of(target, ctx)
    empty = Search(
        mode=mode,
        metric=metric,
        impact_unit=measure_of(model, metric).impact_unit,
        level=place.level,
        scope=place.scope,
        period=period,
        history_start=period.start,
        thresholds=thresholds(mode),
        rolled_up_from=place.rolled_up_from,
    )
    held = _held(place, ctx)
    if held is None or period.end < held.start or period.start > held.end:
        return replace(empty, skip="outside")
    if model.time.grain != "day":
        return replace(empty, skip="not_daily")
    comps = components(model, ctx.view.catalog, (metric.key,))
    if metric.key not in comps.parts:
        return replace(empty, skip="not_summed")
    span = _span(period, held, mode, ctx)
    panel = _read(target, comps, metric, place, span, period, ctx)
    empty = replace(empty, history_start=span.start, sql=panel.sql, scanned=panel.scanned)
    if not panel.series:
        return replace(empty, skip="no_rows")
    return _judged(empty, panel, ctx)


def _held(place: Place, ctx: ToolContext) -> Period | None:
    return ctx.view.catalog.scope_periods.get(place.scope) or ctx.view.catalog.period


def _span(period: Period, held: Period, mode: Mode, ctx: ToolContext) -> Period:
    """The period with the days before that it is judged by; a holiday needs those of last year."""
    back = anomalies.HISTORY_DAYS
    if mode == "anomaly" and has_calendar(ctx.view.model.time.timezone) and holidays_in(period):
        back += _YEAR_BACK
    start = max(held.start, period.start - timedelta(days=back))
    return Period(start=min(start, period.start), end=period.end)


def _read(
    target: Target,
    comps: Components,
    metric: Metric,
    place: Place,
    span: Period,
    period: Period,
    ctx: ToolContext,
) -> Panel:
    reader = Reader(view=ctx.view, target=target, periods=(period, period), components=comps)
    return read_panel(reader, comps, metric.key, place.level, place.scope, span)


def _judged(empty: Search, panel: Panel, ctx: ToolContext) -> Search:
    timezone = ctx.view.model.time.timezone
    kinds = kinds_of(panel.days, timezone)
    ground = Ground(
        panel=panel,
        measure=measure_of(ctx.view.model, empty.metric),
        days=panel.days,
        kinds=kinds,
        types=day_types(panel.days, kinds),
        period=empty.period,
    )
    judged = anomalous_days(ground) if empty.mode == "anomaly" else level_changes(ground)
    excluded = left_out(ground, judged)
    tested_series = int(judged.tested.any(axis=1).sum())
    return replace(
        empty,
        findings=judged.findings,
        series=len(panel.series),
        tested_series=tested_series,
        tested_days=int(judged.tested[:, ground.first :].sum()),
        excluded=excluded,
        is_calendar_known=not has_calendar(timezone) or is_covered(empty.period),
        skip=None if tested_series else _why_none(ground, judged),
    )


def _why_none(ground: Ground, judged: Judged) -> SkipReason:
    inside = ground.panel.has_row[:, ground.first :]
    is_holiday = ground.types.is_holiday[ground.first :]
    return "only_holidays" if inside.any() and not inside[:, ~is_holiday].any() else "short_history"


def thresholds(mode: Mode) -> dict[str, float]:
    """The limits that were applied, for facts and sentences."""
    if mode == "anomaly":
        return {
            "z": anomalies.Z_LIMIT,
            "min_deviation": anomalies.MIN_DEVIATION,
            "min_units": anomalies.MIN_UNITS,
            "history_days": anomalies.HISTORY_DAYS,
            "min_history": anomalies.MIN_HISTORY,
        }
    return {
        "gain_per_log_days": changepoints.GAIN_PER_LOG_DAYS,
        "min_shift": changepoints.MIN_SHIFT,
        "min_segment": changepoints.MIN_SEGMENT,
        "history_days": anomalies.HISTORY_DAYS,
        "min_history": changepoints.MIN_DAYS,
    }
