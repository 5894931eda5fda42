"""The table of a comparison: one row an entity (one row when not split), each metric in both periods."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from askcore.base.text import say
from askcore.base.values import Column, Table
from askcore.semantic.model import Metric
from askcore.tools.base import ToolContext
from askcore.tools.compare.change import Change, change, difference, number, tidy
from askcore.tools.compare.study import Study

PREV, DELTA, PCT, SHARE = "__prev", "__delta", "__pct", "__share"
_MIN_CHANGE = 0.005  # below half a percent of the baseline, shares of the change explode


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EntityRow:
    """One entity in both periods."""

    keys: Mapping[str, Any]
    """Its id and name columns or dimension value."""
    changes: Mapping[str, Change]
    shares: Mapping[str, float]
    """Metric -> part of the total change; only for sums whose total changed by more than 0.5 %."""


def entity_rows(found: Study) -> tuple[EntityRow, ...]:
    """Rows of both periods joined by entity, the largest change of the first metric first."""
    keys = _key_columns(found)
    if not keys:
        return ()
    joined: dict[tuple[Any, ...], list[Mapping[str, Any] | None]] = {}
    for side, result in enumerate(found.results):
        for row in result.rows:
            joined.setdefault(tuple(row[k] for k in keys), [None, None])[side] = row
    totals = {m.key: found.total(m) for m in found.metrics}
    rows = [_entity_row(keys, pair, found.metrics, totals) for pair in joined.values()]
    first = found.metrics[0].key
    return tuple(sorted(rows, key=lambda r: -abs(_size(r.changes[first]))))


def _size(found: Change) -> float:
    return found.delta if found.delta is not None else (found.cur or 0.0) - (found.prev or 0.0)


def _entity_row(
    keys: Sequence[str],
    pair: Sequence[Mapping[str, Any] | None],
    metrics: Sequence[Metric],
    totals: Mapping[str, Change],
) -> EntityRow:
    base, current = pair
    known = current or base or {}
    changes, shares = {}, {}
    for metric in metrics:
        prev, cur = (number(r.get(metric.key)) if r else None for r in (base, current))
        found, part = change(metric, cur, prev), _part(cur, prev)
        if metric.is_additive and (base is None or current is None):
            found = replace(found, delta=part)
        changes[metric.key] = found
        share = share_of_change(metric, part, totals[metric.key])
        if share is not None:
            shares[metric.key] = share
    return EntityRow(keys={k: known.get(k) for k in keys}, changes=changes, shares=shares)


def _part(cur: float | None, prev: float | None) -> float | None:
    """An entity without rows in a period adds nothing there: all it has is its part of the change."""
    if cur is None and prev is None:
        return None
    return difference(cur or 0, prev or 0)


def share_of_change(metric: Metric, part: float | None, total: Change) -> float | None:
    """A part of the total change as a fraction; None where it would explode or has no meaning."""
    if part is None or not metric.is_additive or total.delta is None or not total.prev:
        return None
    if abs(total.delta) <= _MIN_CHANGE * abs(total.prev):
        return None
    return tidy(part / total.delta)


def comparison_table(found: Study, ctx: ToolContext) -> Table:
    """Columns: keys, then each metric's current value, baseline, change, % and share of the change."""
    rows = entity_rows(found)
    totals = _values(found.metrics, {m.key: found.total(m) for m in found.metrics}, {})
    with_share = any(r.shares for r in rows)
    columns = [c for c in found.results[1].columns if c.key in _key_columns(found)]
    for metric in found.metrics:
        columns.extend(_metric_columns(metric, ctx, with_share=with_share and metric.is_additive))
    known = {c.key for c in columns}
    body = [{**r.keys, **_values(found.metrics, r.changes, r.shares)} for r in rows] or [totals]
    return Table(
        columns=tuple(columns),
        rows=tuple({k: v for k, v in row.items() if k in known} for row in body),
        totals={k: v for k, v in totals.items() if k in known},
        row_count=len(body),
    )


def _key_columns(found: Study) -> tuple[str, ...]:
    metrics = {m.key for m in found.metrics}
    return tuple(c.key for c in found.results[1].columns if c.key not in metrics)


def _metric_columns(metric: Metric, ctx: ToolContext, *, with_share: bool) -> Iterator[Column]:
    label = metric.label[ctx.lang]
    yield Column(key=metric.key, label=label, unit=metric.unit)
    yield Column(
        key=metric.key + PREV, label=say(ctx.lang, "compare.col_prev", label=label), unit=metric.unit
    )
    unit = "pp" if metric.is_rate else metric.unit
    yield Column(key=metric.key + DELTA, label=say(ctx.lang, "compare.col_delta", label=label), unit=unit)
    if not metric.is_rate:
        text = say(ctx.lang, "compare.col_pct", label=label)
        yield Column(key=metric.key + PCT, label=text, unit="ratio")
    if with_share:
        text = say(ctx.lang, "compare.col_share", label=label)
        yield Column(key=metric.key + SHARE, label=text, unit="ratio")


def _values(
    metrics: Sequence[Metric], changes: Mapping[str, Change], shares: Mapping[str, float]
) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for metric in metrics:
        one = changes[metric.key]
        found[metric.key] = one.cur
        found[metric.key + PREV] = one.prev
        found[metric.key + DELTA] = one.delta
        found[metric.key + PCT] = one.pct
        found[metric.key + SHARE] = shares.get(metric.key)
    return found
