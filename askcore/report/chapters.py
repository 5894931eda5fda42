"""What a business report asks: one question a chapter, worked out from the model, none typed in.

A chapter with a reading is run as it is; one without is asked in words, by the planner that takes
everybody's questions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Final, Literal

from askcore.base.text import say
from askcore.base.values import Lang, Period, Reading, Sort
from askcore.semantic.catalog import Catalog
from askcore.semantic.model import Level, Metric, Model
from askcore.semantic.periods import month_period, month_start, week_start

BusinessKind = Literal["weekly", "monthly"]
_METRICS: Final = 5
_TOP: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """One section to be answered."""

    title: str
    question: str
    reading: Reading | None = None


def newest_period(kind: BusinessKind, covered: Period, as_of: date) -> Period | None:
    """The newest whole week (Monday to Sunday) or month that the data covers; None when there is none."""
    last = min(covered.end, as_of - timedelta(days=1))
    if kind == "weekly":
        end = week_start(last + timedelta(days=1)) - timedelta(days=1)
        found = Period(start=end - timedelta(days=6), end=end)
    else:
        end = month_start(last + timedelta(days=1)) - timedelta(days=1)
        found = Period(start=month_start(end), end=end)
    return found if found.start >= covered.start else None


def baseline_for(kind: BusinessKind, period: Period) -> Period:
    """What the period is compared with: the days just before, of whole months the month before."""
    if kind == "monthly" and period == month_period(period.start.year, period.start.month):
        before = period.start - timedelta(days=1)
        return month_period(before.year, before.month)
    return period.shift(-period.days)


def chapters(
    model: Model,
    catalog: Catalog,
    *,
    entity: str | None,
    period: Period,
    baseline: Period,
    as_of: date,
    lang: Lang,
) -> Iterator[Chapter]:
    """Overview, every level, day by day, why, health: those that have a meaning for the model."""
    metrics = _metrics(model, catalog)
    if not metrics:
        return
    keys = tuple(m.key for m in metrics)

    def reading(**how: object) -> Reading:
        return Reading(entity=entity, as_of=as_of, period=period, **how)  # type: ignore[arg-type]  # its fields

    yield Chapter(
        title=say(lang, "report.chapter_overview"),
        question="",
        reading=reading(metrics=keys, baseline=baseline),
    )
    for level in _below_top(model, catalog):
        yield _of_level(level, model, lang, reading(metrics=keys, scope=level.key, by=(level.key,)), baseline)
    if period.days > 1 and model.time.grain == "day":
        yield Chapter(
            title=say(lang, "report.chapter_trend"),
            question="",
            reading=reading(metrics=keys[:1], by=("date",)),
        )
    days = {"start": period.start, "end": period.end, "start2": baseline.start, "end2": baseline.end}
    yield Chapter(
        title=say(lang, "report.chapter_why"),
        question=say(lang, "report.ask_why", metric=metrics[0].label[lang], **days),
    )
    yield Chapter(title=say(lang, "report.chapter_health"), question=say(lang, "report.ask_health", **days))


def _of_level(level: Level, model: Model, lang: Lang, asked: Reading, baseline: Period) -> Chapter:
    """The finest level may have thousands of entities: its largest are ranked, others are compared."""
    name = level.label[lang].split("/")[0]
    if level is model.leaf_level:
        ranked = replace(asked, sort=Sort(key=asked.metrics[0], descending=True), limit=_TOP)
        return Chapter(title=say(lang, "report.chapter_top", level=name), question="", reading=ranked)
    compared = replace(asked, metrics=asked.metrics[:1], baseline=baseline)
    return Chapter(title=say(lang, "report.chapter_level", level=name), question="", reading=compared)


def _metrics(model: Model, catalog: Catalog) -> tuple[Metric, ...]:
    """Headline metrics that the data holds, the additive ones first."""
    held = set(catalog.columns)
    found = [model.by_key[key] for key in model.headline_metrics() if key in model.by_key]
    usable = [m for m in found if not m.reserved and (m.key in held or m.additivity.kind != "sum")]
    return tuple(sorted(usable, key=lambda m: not m.is_additive)[:_METRICS])


def _below_top(model: Model, catalog: Catalog) -> Iterator[Level]:
    """Levels with rows below the first, each with more than one entity."""
    scopes = set(catalog.scopes)
    for level in model.levels:
        is_split = sum(e.level == level.key for e in catalog.entities) > 1
        if (
            level.key in scopes
            and is_split
            and level is not (model.top_level if len(model.levels) > 1 else None)
        ):
            yield level
