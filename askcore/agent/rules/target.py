"""Metrics, scope, split and filters of a plan, in the tools' spelling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from askcore.agent.rules.averages import averaged
from askcore.agent.rules.entities import entity_filters
from askcore.agent.rules.question import Question
from askcore.base.values import Note, Period, Reading
from askcore.tools.level_args import filter_args

_TOP_COUNT = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Which rows, by what; without days."""

    metrics: tuple[str, ...]
    scope: str | None = None
    by: tuple[str, ...] = ()
    filters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    entity: str | None = None


def filters_of(q: Question) -> dict[str, tuple[str, ...]]:
    """Entity filters (the current company itself is none) and dimension values."""
    found = entity_filters(q.frame.entities)
    top = q.model.top_level
    if top is not None and found.get(top.key) == (q.entity,) and len(q.model.levels) > 1:
        del found[top.key]
    return {**found, **q.frame.filters}


def company_of(q: Question) -> str | None:
    """The top-level entity that is asked about: the one named, or the one that the named ones belong to."""
    top = q.model.top_level
    if top is None or len(q.model.levels) < 2:  # one layer has no totals of its own to choose from
        return q.entity
    chosen = {e.id if e.level == top.key else e.parents.get(top.key) for u in q.frame.entities
              if (e := u.entity) is not None}  # fmt: skip
    chosen.discard(None)
    return next(iter(chosen)) if len(chosen) == 1 else q.entity


def scope_of(levels: Sequence[str], q: Question) -> str | None:
    """The finest level concerned, else the top; None where the dataset has one layer."""
    order = [level.key for level in q.model.levels]
    if len(order) < 2 or len(q.catalog.scopes) == 1:
        return None
    wanted = max((order.index(k) for k in levels if k in order), default=0)
    stored = [order.index(k) for k in q.catalog.scopes if k in order]
    if not stored or wanted in stored:
        return order[wanted]
    return order[min((i for i in stored if i >= wanted), default=max(stored))]


def target_of(
    q: Question,
    metrics: Sequence[str],
    by: Sequence[str],
    *,
    filters: Mapping[str, tuple[str, ...]] | None = None,
) -> Target:
    """The rows of a plan."""
    kept = _of_company(filters_of(q) if filters is None else dict(filters), q)
    over = [m.partition("@")[2] for m in metrics]
    leaf = q.model.leaf_level
    levels = [*by, *kept, *(o for o in over if o in q.model.levels_by_key)]
    if any(o == "row" for o in over) and leaf is not None:
        levels.append(leaf.key)
    return Target(
        metrics=tuple(metrics),
        scope=scope_of(levels, q),
        by=tuple(by),
        filters=kept,
        entity=company_of(q),
    )


def _of_company(filters: dict[str, tuple[str, ...]], q: Question) -> dict[str, tuple[str, ...]]:
    """With the company of entities that do not belong to the current one: its rows are left out else."""
    top, company = q.model.top_level, company_of(q)
    if top is None or len(q.model.levels) < 2 or company in (None, q.entity) or top.key in filters:
        return filters
    return {top.key: (str(company),), **filters}


def metrics_of(q: Question) -> tuple[tuple[str, ...], tuple[Note, ...], str | None]:
    """(metric keys with their averages, notes, problem)."""
    found: list[str] = []
    notes: list[Note] = []
    for key in q.frame.metrics:
        keys, problem = averaged(key, q.frame.averages, q.model, q.frame.splits.by)
        if problem is not None:
            return tuple(q.frame.metrics), (), problem
        if len(keys) > 1:
            notes.append(q.note("ambiguous", "two_averages", names=q.labels(keys)))
        found.extend(k for k in keys if k not in found)
    for word, key in q.frame.assumed:
        notes.append(q.note("ambiguous", "read_as", word=word, name=q.label(key)))
    return tuple(found), tuple(notes), None


def main_metric(q: Question) -> str:
    """The dataset's first headline metric that adds up: what a question without a metric is read as."""
    headline = q.model.headline_metrics()
    sums = [k for k in headline if q.model.metric(k).additivity.kind in ("sum", "derived_sum")]
    return (sums or list(headline))[0]


def headline(q: Question) -> tuple[str, ...]:
    """Metrics of an overview; only the main one where the model does not say what matters."""
    if q.model.headline or q.model.decompositions:
        return q.model.headline_metrics()
    return (main_metric(q),)


def query_args(target: Target | Reading, period: Period) -> dict[str, Any]:
    """Arguments of query_report."""
    by: Any = None if not target.by else target.by[0] if len(target.by) == 1 else list(target.by)
    return {
        "metrics": list(target.metrics),
        "from": period.start.isoformat(),
        "to": period.end.isoformat(),
        "scope": target.scope,
        "by": by,
        **filter_args(target.filters),
    }


def compare_args(target: Target | Reading, current: Period, baseline: Period) -> dict[str, Any]:
    """Arguments of compare_periods."""
    args: dict[str, Any] = {
        "metrics": list(target.metrics),
        "current": current.as_json(),
        "baseline": baseline.as_json(),
        "scope": target.scope,
        **filter_args(target.filters),
    }
    if target.by:
        args["by"] = list(target.by)
    return args
