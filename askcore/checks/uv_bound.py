"""uv_bound: people above lie between the largest child and the children's sum; never an equality."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from askcore.checks.finding import Finding, Outcome
from askcore.checks.frame import Frame
from askcore.checks.layers import Found, LayerQuery, across_levels, cannot, has_rule, skipped
from askcore.checks.measures import Check, Measured
from askcore.checks.sql import any_of, quote
from askcore.checks.wording import figure, label, number, text
from askcore.semantic.model import Level, Metric, Model

NAME = "uv_bound"
_EPSILON = 1e-6  # of a person: floats of the same number may differ in the last bit


def outside(largest: float, parent: float, total: float, slack: float) -> float:
    """How far the parent lies outside max(child)..Σ child·(1 + slack), relative to that bound; 0 inside."""
    if parent < largest:
        return (largest - parent) / largest
    top = total * (1 + slack) + _EPSILON
    return (parent - top) / total if parent > top and total else float(parent > top)


def run(frame: Frame, measured: Measured) -> Sequence[Outcome]:
    """Every neighbouring pair of levels, every metric that counts people."""
    reason = cannot(frame) or ("" if _metrics(frame) else "skip_no_people")
    return [skipped(NAME, reason, _words(frame))] if reason else run_pairs(frame, frame.pairs)


def _metrics(frame: Frame) -> list[Metric]:
    return [m for m in frame.people if frame.wants(frozenset({m.key}))]


def _words(frame: Frame) -> dict[str, object]:
    return {"slack": f"{frame.limits.uv_slack:.1%}", "fail": f"{frame.limits.uv_fail:.0%}"}


def run_pairs(frame: Frame, pairs: Sequence[tuple[Level, Level]]) -> Sequence[Outcome]:
    """The given pairs of (lower, upper) levels; nothing when no metric counts people."""
    metrics, words = _metrics(frame), _words(frame)
    if not metrics:
        return []
    return [
        across_levels(
            frame,
            NAME,
            pairs,
            query=lambda query: _query(query, metrics),
            finding=lambda row: _finding(frame, row, metrics),
            words=words,
        )
    ]


def _query(query: LayerQuery, metrics: Sequence[Metric]) -> Found:
    slack = query.frame.limits.uv_slack
    sums = ["count(*) AS n_rows"]
    columns, known, bad = [], [], []
    for index, metric in enumerate(metrics):
        column = quote(metric.key)
        sums += [
            f"CAST(max(f.{column}) AS DOUBLE) AS m{index}",
            f"CAST(sum(f.{column}) AS DOUBLE) AS s{index}",
            f"count(f.{column}) AS k{index}",
        ]
        complete = f"c.k{index} = c.n_rows AND p.{column} IS NOT NULL"
        known.append(f"({complete})")
        columns += [
            f"CASE WHEN {complete} THEN c.m{index} END AS m{index}",
            f"CAST(p.{column} AS DOUBLE) AS p{index}",
            f"c.s{index} AS s{index}",
        ]
        above = f"p{index} > s{index} * {1 + slack!r} + {_EPSILON}"
        bad.append(f"p{index} < m{index} OR (m{index} IS NOT NULL AND {above})")
    return query.run(sums=sums, columns=columns, evaluable=" OR ".join(known), bad=any_of(bad))


def _finding(frame: Frame, row: Sequence[Any], metrics: Sequence[Metric]) -> Finding:
    values = row[frame.key_width :]
    worst, size, shown = metrics[0], -1.0, (0.0, 0.0, 0.0)
    for index, metric in enumerate(metrics):
        largest, parent, total = values[3 * index : 3 * index + 3]
        if largest is None or parent is None or total is None:
            continue
        gap = outside(largest, parent, total, frame.limits.uv_slack)
        if gap > size:
            worst, size, shown = metric, gap, (largest, parent, total)
    largest, parent, total = shown
    detail = text(
        frame.lang,
        "uv_bound_detail",
        metric=label(worst.key, frame),
        largest=number(largest),
        parent=number(parent),
        total=number(total),
    )
    fails = parent > total * (1 + frame.limits.uv_fail) or parent < largest * (1 - frame.limits.uv_fail)
    figures = tuple(f for value in shown for f in figure(value, worst.key, worst.unit))
    return Finding(key=frame.key(row), size=size, is_fail=fails, detail=detail, figures=figures)


def ids_of(model: Model, name: str) -> tuple[str, ...]:
    """Where the model has the rule."""
    return has_rule(model, "uv_bound")


CHECK = Check(name=NAME, run=run, ids_of=ids_of)
