"""Flags and sentences about a result: what its numbers are not, and what they leave out."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import TYPE_CHECKING

from askcore.base.text import say
from askcore.base.values import Lang
from askcore.lake.plan import Plan
from askcore.lake.result import MetricFlag, QueryResult, Remark, RemarkCode
from askcore.semantic.averages import resolve
from askcore.semantic.model import Metric, Model

if TYPE_CHECKING:
    from askcore.lake.serving import Served

Flags = Mapping[str, frozenset[MetricFlag]]
_WEEK_SLACK = timedelta(days=6)  # a weekly row dated in the period may stand for days outside it


def flags_of(plan: Plan, result: QueryResult, served: Served) -> Flags:
    """Metric -> what must be known about its values; only metrics with a flag."""
    found: dict[str, frozenset[MetricFlag]] = {}
    for key in plan.missing:
        found[key] = frozenset({"reserved_missing"})
    for metric in plan.metrics:
        flags = _metric_flags(metric, plan, result, served.model)
        if flags:
            found[metric.key] = frozenset(flags)
    return found


def _metric_flags(metric: Metric, plan: Plan, result: QueryResult, model: Model) -> set[MetricFlag]:
    a = metric.additivity
    flags: set[MetricFlag] = set()
    if a.person_days:
        daily = any(k.name == "date" for k in plan.keys)
        if plan.period is not None and plan.period.days > 1:
            flags.add("total_person_days" if daily else "person_days")
    if a.across_entities == "upper_bound":
        if not plan.reach.is_row_single:
            flags.add("upper_bound")
        elif not plan.reach.is_total_single:
            flags.add("total_upper_bound")
    has_gap = any(row[metric.key] is None for row in result.rows)
    if a.across_entities == "forbid" and result.scanned:
        spans = not (plan.reach.is_row_single and plan.reach.is_total_single)
        if spans and (has_gap or result.totals.get(metric.key) is None):
            flags.add("forbidden")
    elif result.scanned and result.totals.get(metric.key) is None and _is_reserved(metric, model):
        flags.add("reserved_missing")
    if plan.scopes[metric.key] != plan.scope:
        flags.add("rolled_up")
    return flags


def _is_reserved(metric: Metric, model: Model) -> bool:
    """Whether the metric, or one it is made of, may be absent from the source."""
    a = metric.additivity
    parts = (a.numerator, a.denominator, a.weight, a.column)
    return metric.reserved or any(
        model.by_key[name].reserved for name in parts if name is not None and name in model.by_key
    )


def partial_buckets(plan: Plan, model: Model) -> tuple[str, ...]:
    """Labels of the first and last weeks, months … that the period covers only in part."""
    period = plan.period
    if period is None:
        return ()
    slack = _WEEK_SLACK if model.time.grain == "week" else timedelta(0)
    found: list[str] = []
    for key in plan.keys:
        if key.kind != "time" or key.name == "date" or key.name == model.time.grain:
            continue
        for day in (period.start, period.end):
            first, last, label = bucket_of(day, key.name)
            if first + slack < period.start or last - slack > period.end:
                found.append(label)
    return tuple(dict.fromkeys(found))


def bucket_of(day: date, grain: str) -> tuple[date, date, str]:
    """(first day, last day, label) of the bucket that holds a day."""
    if grain == "week":
        first = day - timedelta(days=day.weekday())
        return first, first + timedelta(days=6), first.isoformat()
    if grain == "year":
        return date(day.year, 1, 1), date(day.year, 12, 31), f"{day.year:04d}"
    months = 3 if grain == "quarter" else 1
    month = (day.month - 1) // months * months + 1
    first = date(day.year, month, 1)
    after = month + months
    following = date(day.year + 1, after - 12, 1) if after > 12 else date(day.year, after, 1)
    number = f"Q{(month + 2) // 3}" if grain == "quarter" else f"{month:02d}"
    return first, following - timedelta(days=1), f"{day.year:04d}-{number}"


def remarks_of(
    plan: Plan, result: QueryResult, flags: Flags, served: Served, lang: Lang
) -> tuple[Remark, ...]:
    """The sentences, most important first."""
    found: list[Remark] = []

    def add(code: RemarkCode, key: str, **values: object) -> None:
        found.append(Remark(code=code, text=say(lang, f"lake.{key}", **values)))

    if result.empty_reason == "outside_coverage":
        covered = served.catalog.period
        first, last = ("-", "-") if covered is None else (covered.start, covered.end)
        add("outside_coverage", "outside_coverage", first=first, last=last)
        return tuple(found)
    if result.empty_reason == "no_rows":
        add("empty", "no_rows")
    if plan.choice.rolled_up_from is not None:
        read, asked = (_level(served.model, s, lang) for s in (plan.scope, plan.choice.asked))
        add("rolled_up", "rolled_up", read=read, asked=asked)
    for code, flag in _SAID.items():
        names = [_name(served.model, key, lang) for key, fs in flags.items() if flag in fs]
        if names:
            add(code, flag, names=say(lang, "lake.and").join(names))
    if result.partial_buckets:
        add("partial_period", "partial_period", buckets=", ".join(result.partial_buckets))
    if result.days.missing and result.scanned:
        add("missing_days", "missing_days", missing=result.days.missing, of=result.days.expected)
    return tuple(found)


_SAID: Mapping[RemarkCode, MetricFlag] = {
    "reserved_column": "reserved_missing",
    "forbidden": "forbidden",
    "upper_bound": "upper_bound",
    "person_days": "person_days",
}


def _level(model: Model, key: str, lang: Lang) -> str:
    level = model.levels_by_key.get(key)
    return key if level is None else level.label.get(lang) or key


def _name(model: Model, key: str, lang: Lang) -> str:
    return resolve(model, key).label.get(lang) or key
