"""sum_shop_chain and the like: the children of an entity add up to its own row; money and orders only.

People seen by two shops count once above, so they have a bound of their own (uv_bound). A metric that a
child has no value of cannot be added up and is left out for that day.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from askcore.checks.finding import Finding, Outcome
from askcore.checks.frame import Frame
from askcore.checks.layers import across_levels, skipped
from askcore.checks.measures import Check, Measured
from askcore.checks.wording import figure, label, number, text
from askcore.semantic.model import CrossLayer, Level, Metric, Model

NAME = "layer_sum"


def gap_of(children: float, parent: float, floor: float) -> float:
    """Relative gap between the children's sum and the parent; 0 when it is below `floor`."""
    gap = abs(children - parent)
    return 0.0 if gap <= floor else gap / max(abs(children), abs(parent))


def rules(frame: Frame) -> Iterator[tuple[CrossLayer, tuple[tuple[Level, Level], ...]]]:
    """Sum rules of the model with the (lower, upper) levels that have rows."""
    present = {level.key for level in frame.scopes}
    for rule in frame.model.cross_layer:
        if rule.rule != "sum" or not frame.asks(rule.id):
            continue
        if rule.lower is None or rule.upper is None:
            yield rule, frame.pairs
        elif {rule.lower, rule.upper} <= present:
            levels = frame.model.levels_by_key
            yield rule, ((levels[rule.lower], levels[rule.upper]),)
        else:
            yield rule, ()


def run(frame: Frame, measured: Measured) -> Sequence[Outcome]:
    """One verdict a rule."""
    return [_outcome(frame, rule, pairs) for rule, pairs in rules(frame)]


def run_pair(frame: Frame, lower: Level, upper: Level) -> Sequence[Outcome]:
    """The rule of one pair of levels; nothing where the model has none or no metric adds up."""
    for rule, pairs in rules(frame):
        if (lower, upper) in pairs and metrics_of(frame):
            return [_outcome(frame, rule, ((lower, upper),))]
    return []


def metrics_of(frame: Frame) -> tuple[Metric, ...]:
    """Additive metrics that matter here."""
    return tuple(m for m in frame.additive if frame.wants(frozenset({m.key})))


def _outcome(frame: Frame, rule: CrossLayer, pairs: tuple[tuple[Level, Level], ...]) -> Outcome:
    metrics = metrics_of(frame)
    warn, fail, floor = limits_of(rule, frame)
    words = {"warn": f"{warn:.2%}", "fail": f"{fail:.2%}", "floor": f"{floor:g}"}
    reason = "skip_one_layer" if not pairs else "skip_no_sums" if not metrics else ""
    reason = reason or ("skip_split_rows" if frame.extra_keys else "")
    if reason:
        return skipped(rule.id, reason, words | _levels(frame, rule, pairs), NAME)
    keys = [m.key for m in metrics]
    return across_levels(
        frame,
        rule.id,
        pairs,
        query=lambda query: query.run_sum(keys, f"sum_gap > {warn!r}", floor),
        finding=lambda row: _finding(frame, row, metrics, (warn, fail, floor)),
        words=words | _levels(frame, rule, pairs),
        stem=NAME,
    )


def limits_of(rule: CrossLayer, frame: Frame) -> tuple[float, float, float]:
    """(warn, fail, floor) of a rule; the general ones where it names none."""
    return (
        rule.warn or frame.limits.sum_warn,
        rule.fail or frame.limits.sum_fail,
        rule.abs_floor or frame.limits.sum_floor,
    )


def _levels(frame: Frame, rule: CrossLayer, pairs: tuple[tuple[Level, Level], ...]) -> dict[str, object]:
    lower, upper = pairs[0] if pairs else (None, None)
    words = {
        "lower": rule.lower or "" if lower is None else lower.label.get(frame.lang, lower.key),
        "upper": rule.upper or "" if upper is None else upper.label.get(frame.lang, upper.key),
    }
    return {**words, "title": text(frame.lang, "layer_sum_title", **words)}


_Gap = tuple[float, Metric, float, float]


def _most_telling(gaps: Sequence[_Gap], frame: Frame, warn: float) -> _Gap:
    """The first headline metric that disagrees, else the one with the largest gap."""
    headline = frame.model.headline_metrics()
    telling = [g for g in gaps if g[0] > warn and g[1].key in headline]
    if telling:
        return min(telling, key=lambda g: headline.index(g[1].key))
    return max(gaps, key=lambda g: g[0])


def _finding(
    frame: Frame, row: Sequence[Any], metrics: Sequence[Metric], limits: tuple[float, float, float]
) -> Finding:
    warn, fail, floor = limits
    values = row[frame.key_width :]
    gaps = [
        (gap_of(total, own, floor), metric, total, own)
        for metric, total, own in zip(metrics, values[0::2], values[1::2], strict=True)
        if total is not None and own is not None
    ]
    size = max(gap for gap, *_ in gaps)
    shown_gap, worst, children, parent = _most_telling(gaps, frame, warn)
    detail = text(
        frame.lang,
        "layer_sum_detail",
        metric=label(worst.key, frame),
        children=number(children, worst.unit),
        parent=number(parent, worst.unit),
        gap=f"{shown_gap:.2%}",
    )
    figures = (
        *figure(children, worst.key, worst.unit),
        *figure(parent, worst.key, worst.unit),
        *figure(shown_gap, worst.key, "ratio"),
    )
    return Finding(key=frame.key(row), size=size, is_fail=size >= fail, detail=detail, figures=figures)


def ids_of(model: Model, name: str) -> tuple[str, ...]:
    """The sum rules of the model."""
    return tuple(rule.id for rule in model.cross_layer if rule.rule == "sum")


CHECK = Check(name=NAME, run=run, ids_of=ids_of)
