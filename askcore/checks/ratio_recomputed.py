"""ratio_recomputed: a rate delivered for a level equals Σ numerator / Σ denominator of its children.

When it equals the children's plain mean instead, somebody averaged rates without weights: the finding says
so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from askcore.checks.finding import Finding, Outcome
from askcore.checks.frame import Frame
from askcore.checks.layers import Found, LayerQuery, across_levels, cannot, has_rule, skipped
from askcore.checks.measures import Check, Measured
from askcore.checks.sql import MissingInput, any_of
from askcore.checks.wording import figure, label, number, text
from askcore.semantic.model import CrossLayer, Metric, Model

NAME = "ratio_recomputed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """A ratio as SQL over the children's rows and the level's raw fields."""

    metric: Metric
    numerator: str
    denominator: str
    delivered: str


def rates(frame: Frame) -> list[Rate]:
    """Ratios that the source delivers and that the children's columns give."""
    found = []
    for metric in frame.model.metrics:
        rule = metric.additivity
        if rule.kind != "ratio" or rule.numerator is None or rule.denominator is None:
            continue
        if not frame.wants(frozenset({rule.numerator, rule.denominator, metric.key})):
            continue
        try:
            top = frame.expressions.metric(rule.numerator)
            bottom = frame.expressions.metric(rule.denominator)
            own = frame.expressions.source(metric.key)
        except MissingInput:
            continue
        found.append(Rate(metric=metric, numerator=top, denominator=bottom, delivered=own))
    return found


def gap_of(metric: Metric, delivered: float, recomputed: float) -> float:
    """Rates differ in points (0-1), everything else relative to the recomputed value."""
    gap = abs(delivered - recomputed)
    return gap if metric.is_rate or not recomputed else gap / abs(recomputed)


def is_unweighted(delivered: float, recomputed: float, mean: float | None) -> bool:
    """Whether the delivered rate is the plain mean of the children's rates."""
    return mean is not None and abs(delivered - mean) < 0.1 * abs(delivered - recomputed)


def _rule(model: Model) -> CrossLayer:
    found = [r for r in model.cross_layer if r.rule == "ratio_recomputed"]
    return found[0] if found else CrossLayer(id=NAME, rule="ratio_recomputed")


def limits_of(frame: Frame) -> tuple[float, float]:
    """(warn, fail) of the model's rule, else the general ones."""
    rule = _rule(frame.model)
    return rule.warn or frame.limits.ratio_warn, rule.fail or frame.limits.ratio_fail


def run(frame: Frame, measured: Measured) -> Sequence[Outcome]:
    """Every neighbouring pair of levels, every ratio that the source delivers."""
    found_rates = rates(frame)
    warn, fail = limits_of(frame)
    words = {"warn": f"{warn:.2%}", "fail": f"{fail:.2%}"}
    reason = cannot(frame) or ("" if found_rates else "skip_no_source_values")
    if reason:
        return [skipped(NAME, reason, words)]
    return [
        across_levels(
            frame,
            NAME,
            frame.pairs,
            query=lambda query: _query(query, found_rates, warn),
            finding=lambda row: _finding(frame, row, found_rates, fail),
            words=words,
            unseen="skip_no_source_values",
        )
    ]


def _query(query: LayerQuery, found: Sequence[Rate], warn: float) -> Found:
    sums, columns, known, bad = [], [], [], []
    for index, rate in enumerate(found):
        both = f"{rate.numerator} IS NOT NULL AND {rate.denominator} > 0"
        missing = f"({rate.numerator} IS NULL OR {rate.denominator} IS NULL)"
        sums += [
            f"sum({rate.numerator}) FILTER (WHERE {both}) / "
            f"nullif(sum({rate.denominator}) FILTER (WHERE {both}), 0) AS w{index}",
            f"avg({rate.numerator} / {rate.denominator}) FILTER (WHERE {both}) AS m{index}",
            f"count_if({missing}) AS u{index}",
        ]
        complete = f"c.u{index} = 0 AND c.w{index} IS NOT NULL AND {rate.delivered} IS NOT NULL"
        known.append(f"({complete})")
        columns += [
            f"CASE WHEN {complete} THEN c.w{index} END AS w{index}",
            f"{rate.delivered} AS p{index}",
            f"c.m{index} AS m{index}",
        ]
        scale = "1" if rate.metric.is_rate else f"abs(w{index})"
        bad.append(f"abs(p{index} - w{index}) > {warn!r} * {scale} + 1e-9")
    return query.run(sums=sums, columns=columns, evaluable=" OR ".join(known), bad=any_of(bad), with_raw=True)


def _finding(frame: Frame, row: Sequence[Any], found: Sequence[Rate], fail: float) -> Finding:
    values = row[frame.key_width :]
    worst, size, shown = found[0].metric, -1.0, (0.0, 0.0, None)
    for index, rate in enumerate(found):
        recomputed, delivered, mean = values[3 * index : 3 * index + 3]
        if recomputed is None or delivered is None:
            continue
        gap = gap_of(rate.metric, delivered, recomputed)
        if gap > size:
            worst, size, shown = rate.metric, gap, (recomputed, delivered, mean)
    recomputed, delivered, mean = shown
    name = "ratio_recomputed_detail"
    if is_unweighted(delivered, recomputed, mean):
        name = "ratio_recomputed_unweighted"
    detail = text(
        frame.lang,
        name,
        metric=label(worst.key, frame),
        delivered=number(delivered, worst.unit),
        recomputed=number(recomputed, worst.unit),
        mean=number(mean, worst.unit),
    )
    figures = tuple(f for value in shown for f in figure(value, worst.key, worst.unit))
    return Finding(key=frame.key(row), size=size, is_fail=size >= fail, detail=detail, figures=figures)


def ids_of(model: Model, name: str) -> tuple[str, ...]:
    """Where the model has the rule."""
    return has_rule(model, "ratio_recomputed")


CHECK = Check(name=NAME, run=run, ids_of=ids_of)
