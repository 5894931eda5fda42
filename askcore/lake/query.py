"""Runs a plan and says everything about its result that a reader must know."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from askcore.base.text import say
from askcore.base.values import Clamp, Column, Lang, Period, QuerySpec
from askcore.lake.expressions import is_whole_cents
from askcore.lake.plan import MAX_ROWS, Key, Plan, make_plan
from askcore.lake.remarks import flags_of, partial_buckets, remarks_of
from askcore.lake.result import DaysPresent, QueryResult
from askcore.lake.sql import describe_parameters
from askcore.semantic.averages import resolve
from askcore.semantic.model import Model

if TYPE_CHECKING:
    from askcore.lake.builder import Compiled
    from askcore.lake.serving import Served

Execute = Callable[[str, Mapping[str, object], int | None], tuple[tuple[str, ...], list[tuple[Any, ...]]]]
_CACHED_STATEMENTS = 500  # shapes kept a version; a session uses a few dozen
_DIGITS = 12  # of sums of floats: threads add in any order, which moves the last digits
_CENTS = 2


def run_query(served: Served, spec: QuerySpec, lang: Lang, execute: Execute) -> QueryResult:
    """Plan, compile (or reuse), run, and describe. Raises: BadRequest, Cancelled, LakeError."""
    started = time.perf_counter()
    plan = make_plan(spec, served.catalog, served.layers, lang)
    days = _known_days(plan, served)
    if plan.period is None:
        return _outside(served, spec, plan, lang, started)
    compiled = _compiled(plan, served, count_days=days is None)
    from askcore.lake.builder import parameters_of

    parameters = parameters_of(plan)
    _, raw = execute(compiled.sql, parameters, None)
    rows, totals, groups, scanned, bits = _split(raw, compiled, plan, served)
    present = days if days is not None else _days_of(bits, plan.period.start)
    result = QueryResult(
        spec=_ran(spec, plan, served.model),
        columns=_columns(plan, served.model, lang),
        rows=rows if scanned else (),
        totals=totals if scanned else {},
        row_count=groups if scanned else 0,
        scanned=scanned,
        days=_days_present(present, plan.period, served.model),
        sql=describe_parameters(compiled.sql, parameters),
        elapsed_ms=0.0,
        clamped=(*plan.clamped, *_cut(spec, groups, lang)),
        rolled_up_from=plan.choice.rolled_up_from,
        partial_buckets=partial_buckets(plan, served.model),
        empty_reason=None if scanned else "no_rows",
    )
    flags = flags_of(plan, result, served)
    remarks = remarks_of(plan, result, flags, served, lang)
    elapsed = (time.perf_counter() - started) * 1000
    return replace(result, flags=flags, remarks=remarks, elapsed_ms=elapsed)


def _cut(spec: QuerySpec, groups: int, lang: Lang) -> tuple[Clamp, ...]:
    """Rows beyond the cap are not shown even when nobody set a limit."""
    if spec.limit is not None or groups <= MAX_ROWS:
        return ()
    why = say(lang, "lake.clamped_limit", most=MAX_ROWS)
    return (Clamp(arg="limit", before="", after=str(MAX_ROWS), why=why),)


def _outside(served: Served, spec: QuerySpec, plan: Plan, lang: Lang, started: float) -> QueryResult:
    """No statement runs: the version has no day of the period."""
    result = QueryResult(
        spec=_ran(spec, plan, served.model),
        columns=_columns(plan, served.model, lang),
        rows=(),
        totals={},
        row_count=0,
        scanned=0,
        days=_days_present((), spec.period, served.model),
        sql="",
        elapsed_ms=(time.perf_counter() - started) * 1000,
        clamped=plan.clamped,
        rolled_up_from=plan.choice.rolled_up_from,
        empty_reason="outside_coverage",
    )
    return replace(result, remarks=remarks_of(plan, result, {}, served, lang))


def _compiled(plan: Plan, served: Served, *, count_days: bool) -> Compiled:
    from askcore.lake.builder import Builder, shape_of

    shape = shape_of(plan, count_days=count_days)
    found: Compiled | None = served.compiled.get(shape)
    if found is None:
        found = Builder(plan, served.layers, count_days=count_days).compile()
        if len(served.compiled) >= _CACHED_STATEMENTS:
            served.compiled.clear()
        served.compiled[shape] = found
    return found


def _known_days(plan: Plan, served: Served) -> tuple[date, ...] | None:
    """Days with rows when the summary knows them: no filter finer than the top entity."""
    if plan.period is None:
        return ()
    if not plan.filters:
        return served.layers.days_in(plan.scope, "", plan.period)
    if len(plan.filters) == 1 and plan.filters[0].is_single_top:
        return served.layers.days_in(plan.scope, plan.filters[0].values[0], plan.period)
    return None


def _days_of(bits: str | None, start: date) -> tuple[date, ...]:
    return tuple(start + timedelta(days=i) for i, bit in enumerate(bits or "") if bit == "1")


def _days_present(days: Sequence[date], period: Period, model: Model) -> DaysPresent:
    is_daily = model.time.grain == "day"
    return DaysPresent(
        first=days[0] if days else None,
        last=days[-1] if days else None,
        present=len(days),
        expected=period.days if is_daily else len(days),
    )


def _split(
    raw: list[tuple[Any, ...]], compiled: Compiled, plan: Plan, served: Served
) -> tuple[tuple[dict[str, Any], ...], dict[str, Any], int, int, str | None]:
    """(rows, totals, groups, rows read, days as bits) out of the statement's rows."""
    total = raw[0]
    first = 1 + len(compiled.keys)
    end = first + len(compiled.metrics)
    groups, scanned, bits = total[end], int(total[end + 1] or 0), total[end + 2]
    labels = [_key_reader(key, served) for key in plan.keys]
    missing = dict.fromkeys(plan.missing)
    money = [k for k in compiled.metrics if is_whole_cents(resolve(served.model, k))]

    def metrics(row: tuple[Any, ...]) -> dict[str, Any]:
        values = dict(zip(compiled.metrics, row[first:end], strict=True))
        for key in money:
            if values[key] is not None:
                values[key] = round(values[key], _CENTS)
        for i in compiled.inexact:
            value = values[compiled.metrics[i]]
            if isinstance(value, float):
                values[compiled.metrics[i]] = float(f"{value:.{_DIGITS}g}")
        return {key: values.get(key) for key in plan.asked} if missing else values

    totals = metrics(total)
    if not plan.keys:
        return (dict(totals),), totals, groups, scanned, bits
    rows = []
    for row in raw[1:]:
        found: dict[str, Any] = {}
        for read, value in zip(labels, row[1:first], strict=True):
            read(found, value)
        found.update(metrics(row))
        rows.append(found)
    return tuple(rows), totals, groups, scanned, bits


def _key_reader(key: Key, served: Served) -> Callable[[dict[str, Any], Any], None]:
    """Writes one grouping value into a row: a bucket's label, an id with its name, or a plain value."""
    if key.kind == "level":
        level = served.model.levels_by_key[key.name]
        names = served.layers.names[key.name]

        def entity(row: dict[str, Any], value: Any) -> None:
            row[level.id] = value
            row[level.name] = names.get(value, value) if level.name != level.id else value

        return entity
    label = _LABELS.get(key.name, str) if key.kind == "time" else None

    def plain(row: dict[str, Any], value: Any) -> None:
        row[key.name] = value if label is None else label(value)

    return plain


_LABELS: Mapping[str, Callable[[date], str]] = {
    "month": lambda d: f"{d.year:04d}-{d.month:02d}",
    "quarter": lambda d: f"{d.year:04d}-Q{(d.month + 2) // 3}",
    "year": lambda d: f"{d.year:04d}",
}


def _columns(plan: Plan, model: Model, lang: Lang) -> tuple[Column, ...]:
    found: list[Column] = []
    for key in plan.keys:
        if key.kind == "time":
            found.append(Column(key=key.name, label=say(lang, f"chips.grain_{key.name}"), unit="date"))
        elif key.kind == "level":
            level = model.levels_by_key[key.name]
            label = level.label.get(lang) or key.name
            if level.name != level.id:
                found.append(Column(key=level.id, label=f"{label} ID", of=level.key))
            found.append(Column(key=level.name, label=label, of=level.key))
        else:
            label = model.dimensions_by_key[key.name].label.get(lang) or key.name
            found.append(Column(key=key.name, label=label, of=key.name))
    for name in plan.asked:
        metric = resolve(model, name)
        label = metric.label.get(lang) or name
        found.append(Column(key=name, label=label, unit=metric.unit))
    return tuple(found)


def _ran(spec: QuerySpec, plan: Plan, model: Model) -> QuerySpec:
    """The spec as it ran."""
    names = {d.column: d.key for d in model.dimensions}
    filters = {f.level or names.get(f.column, f.column): f.values for f in plan.filters}
    if spec.entity is not None and model.top_level is not None and not spec.filters.get(model.top_level.key):
        filters.pop(model.top_level.key, None)
    return replace(
        spec,
        metrics=plan.asked,
        period=plan.period or spec.period,
        scope=plan.scope,
        by=tuple(k.name for k in plan.keys),
        filters=filters,
        sort=plan.sort,
        limit=None if spec.limit is None else plan.limit,
    )
