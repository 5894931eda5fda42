"""The strip of one to three figures above an answer."""

from __future__ import annotations

from askcore.agent.rules.compose.wording import Words
from askcore.base.values import ToolResult
from askcore.base.views import HeadlineMetric
from askcore.semantic.format import compact, format_pct
from askcore.semantic.model import Metric
from askcore.tools.cells import is_number

_SHOWN = 3


def total_strip(result: ToolResult, words: Words) -> tuple[HeadlineMetric, ...]:
    """Totals of a query."""
    if result.table is None:
        return ()
    totals = result.table.totals
    return tuple(
        HeadlineMetric(
            label=words.whole(key, result), value=compact(words.metric(key), totals[key], words.lang)
        )
        for key in list(result.args.get("metrics") or ())[:_SHOWN]
        if is_number(totals.get(key))
    )


def change_metric(
    words: Words,
    key: str,
    current: float,
    delta: float | None,
    pct: float | None,
    *,
    label: str = "",
) -> HeadlineMetric:
    """A figure with its change; good or bad by the metric's polarity."""
    metric = words.metric(key)
    return HeadlineMetric(
        label=label or words.label(key),
        value=compact(metric, current, words.lang),
        delta=_delta(metric, delta, pct),
        good=_is_good(metric, delta),
    )


def _delta(metric: Metric, delta: float | None, pct: float | None) -> str:
    if delta is None:
        return ""
    sign = "+" if delta > 0 else "-" if delta < 0 else ""
    if metric.is_rate:
        return f"{sign}{abs(delta) * 100:.2f} pp"
    return "" if pct is None else f"{sign}{format_pct(pct)}"


def _is_good(metric: Metric, delta: float | None) -> bool | None:
    if not delta or metric.polarity == "neutral":
        return None
    return (delta > 0) == (metric.polarity == "up")
