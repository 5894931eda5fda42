"""all_zero_child: all children of a level report 0 on a day on which the level itself does not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from askcore.checks.finding import Finding, Outcome
from askcore.checks.frame import Frame
from askcore.checks.layers import Found, LayerQuery, across_levels, cannot, has_rule, skipped
from askcore.checks.measures import Check, Measured
from askcore.checks.sql import any_of, quote
from askcore.checks.wording import figure, label, number, text
from askcore.semantic.model import Metric, Model

NAME = "all_zero_child"


def run(frame: Frame, measured: Measured) -> Sequence[Outcome]:
    """Every neighbouring pair of levels; the first additive metrics decide, rare ones may be 0."""
    headline = set(frame.model.headline_metrics())
    metrics = [m for m in frame.additive if m.key in headline and not m.reserved]
    metrics = metrics or [m for m in frame.additive if not m.reserved][:1]
    reason = cannot(frame) or ("" if metrics else "skip_no_sums")
    if reason:
        return [skipped(NAME, reason, {})]
    return [
        across_levels(
            frame,
            NAME,
            frame.pairs,
            query=lambda query: _query(query, metrics, frame.limits.sum_floor),
            finding=lambda row: _finding(frame, row, metrics),
            words={},
        )
    ]


def _query(query: LayerQuery, metrics: Sequence[Metric], floor: float) -> Found:
    sums, columns, known, bad = [], [], [], []
    for index, metric in enumerate(metrics):
        column = quote(metric.key)
        sums.append(f"CAST(sum(abs(f.{column})) AS DOUBLE) AS s{index}")
        known.append(f"c.s{index} IS NOT NULL AND p.{column} IS NOT NULL")
        columns += [f"c.s{index} AS s{index}", f"CAST(p.{column} AS DOUBLE) AS p{index}"]
        bad.append(f"s{index} = 0 AND p{index} > {floor!r}")
    return query.run(sums=sums, columns=columns, evaluable=any_of(known), bad=any_of(bad))


def _finding(frame: Frame, row: Sequence[Any], metrics: Sequence[Metric]) -> Finding:
    values = row[frame.key_width :]
    found = [
        (parent, metric)
        for metric, total, parent in zip(metrics, values[0::2], values[1::2], strict=True)
        if total == 0 and parent
    ]
    parent, metric = max(found, key=lambda pair: float(pair[0]))
    detail = text(
        frame.lang,
        "all_zero_child_detail",
        metric=label(metric.key, frame),
        parent=number(parent, metric.unit),
    )
    figures = figure(float(parent), metric.key, metric.unit)
    return Finding(key=frame.key(row), size=float(parent), is_fail=True, detail=detail, figures=figures)


def ids_of(model: Model, name: str) -> tuple[str, ...]:
    """Where the model has the rule."""
    return has_rule(model, "all_zero_child")


CHECK = Check(name=NAME, run=run, ids_of=ids_of)
