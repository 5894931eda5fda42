"""Averages that are not stored as metrics: per row, per day, per entity, or weighted by another metric.

An average is named by the metric and what it is taken over: "grossAmt@day" (Σ / distinct days),
"grossAmt@shop" (Σ / distinct shops with data), "Weekly_Sales@row" (plain mean of the rows),
"Unemployment@by:Weekly_Sales" (mean weighted by another metric). The names travel in readings, tool
arguments and result columns like any metric key.
"""

from __future__ import annotations

from dataclasses import replace

from askcore.base.errors import BadRequest
from askcore.base.values import Lang
from askcore.semantic.model import Additivity, Level, Metric, Model

_SEPARATOR = "@"
_WEIGHTED = "by:"
DAY = "day"
ROW = "row"


def average_key(key: str, over: str) -> str:
    """Name of the average of `key` over "day", "row" or a level key."""
    return f"{key}{_SEPARATOR}{over}"


def weighted_key(key: str, weight: str) -> str:
    """Name of the mean of `key` weighted by `weight`."""
    return f"{key}{_SEPARATOR}{_WEIGHTED}{weight}"


def split_key(key: str) -> tuple[str, str | None]:
    """("grossAmt", "day") of "grossAmt@day"; ("grossAmt", None) of a stored metric."""
    base, _, over = key.partition(_SEPARATOR)
    return base, over or None


def resolve(model: Model, key: str) -> Metric:
    """The stored metric, or the average that `key` names.

    An average over days or entities has additivity "ratio" whose denominator is None and whose `column`
    is what is counted; the query builder divides Σ by the distinct count of it.
    Raises: BadRequest on an unknown metric, level or an average that has no meaning.
    """
    base, over = split_key(key)
    metric = model.metric(base)
    if over is None:
        return metric
    if over.startswith(_WEIGHTED):
        weight = model.metric(over.removeprefix(_WEIGHTED))
        return _variant(metric, key, Additivity(kind="weighted_mean", weight=weight.key, column=base))
    if over == ROW:
        return _variant(metric, key, Additivity(kind="mean_per_row", column=base))
    if not metric.is_additive:
        raise BadRequest(f"{base!r} is no sum, so it has no average per {over}", hint=base)
    counted = model.time.column if over == DAY else _level(model, over).id
    return _variant(metric, key, Additivity(kind="ratio", numerator=base, column=counted))


def _level(model: Model, over: str) -> Level:
    level = model.levels_by_key.get(over)
    if level is None:
        known = ", ".join((DAY, ROW, *model.levels_by_key))
        raise BadRequest(f"no average per {over!r}", hint=known)
    return level


def _variant(metric: Metric, key: str, additivity: Additivity) -> Metric:
    return replace(metric, key=key, additivity=additivity, hidden=True)


def over_label(model: Model, key: str, lang: Lang) -> tuple[str, str] | None:
    """(kind, name) for wording: "row", the step of the rows ("day" …), or "level" and "by" with a label."""
    _, over = split_key(key)
    if over is None:
        return None
    if over.startswith(_WEIGHTED):
        return "by", model.metric(over.removeprefix(_WEIGHTED)).label[lang]
    if over == DAY:  # the dates of weekly or monthly rows are weeks or months
        return model.time.grain, ""
    if over == ROW:
        return over, ""
    return "level", _level(model, over).label[lang]
