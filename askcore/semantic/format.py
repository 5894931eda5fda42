"""Numbers as analysts read them: money with cents, counts whole, rates as %, their changes in pp."""

from __future__ import annotations

from askcore.base.text import say
from askcore.base.values import Lang
from askcore.semantic.model import Metric

_THOUSAND = 1_000
_TEN_THOUSAND = 10_000
_HUNDRED_MILLION = 100_000_000
_MILLION = 1_000_000


def format_value(metric: Metric, value: float | int | None, lang: Lang) -> str:
    """The exact figure with its unit: "8.50%", "486,320.50" with the language's unit."""
    if value is None:
        return say(lang, "units.none")
    return say(lang, f"units.{unit_key(metric)}", n=number(metric, value))


def number(metric: Metric, value: float) -> str:
    """The figure without its unit, except %."""
    if metric.is_rate:
        return f"{value * 100:.2f}%"
    return f"{value:,.{decimals(metric, value)}f}"


def decimals(metric: Metric, value: float) -> int:
    """How many decimals the metric is shown with."""
    if metric.unit in ("order", "person", "shop", "day"):
        return 0 if float(value).is_integer() else 2
    if metric.unit in ("score", "minute"):
        return 1
    if metric.unit == "order/person":
        return 3
    if metric.unit == "":
        return _plain_decimals(value)
    return 2


def _plain_decimals(value: float) -> int:
    """A figure without a unit keeps its leading digits: 8.406, 1,122,887.89, 42."""
    if float(value).is_integer():
        return 0
    return 2 if abs(value) >= _THOUSAND else 3 if abs(value) >= 1 else 4


def unit_key(metric: Metric) -> str:
    """Name of the unit's wording in prompts/units.yaml."""
    known = {"CNY", "order", "person", "shop", "minute", "score", "x", "day"}
    return metric.unit if metric.unit in known else "plain"


def format_change(metric: Metric, delta: float, lang: Lang) -> str:
    """The size of a change without its sign: "0.95 pp" for rates, else the figure."""
    if metric.is_rate:
        return say(lang, "units.pp", n=f"{abs(delta) * 100:.2f}")
    return format_value(metric, abs(delta), lang)


def format_pct(fraction: float) -> str:
    """A relative change as %, unsigned, with the decimals of a rate: 0.02574 -> "2.57%"."""
    return f"{abs(fraction) * 100:.2f}%"


def compact(metric: Metric, value: float | None, lang: Lang) -> str:
    """A short figure for the metric strip: "486.3K", "8.50%"."""
    if value is None:
        return say(lang, "units.none")
    if metric.is_rate or abs(value) < _TEN_THOUSAND:
        return number(metric, value)
    if lang == "zh":
        if abs(value) >= _HUNDRED_MILLION:
            return say(lang, "units.hundred_million", n=f"{value / _HUNDRED_MILLION:,.2f}")
        return say(lang, "units.ten_thousand", n=f"{value / _TEN_THOUSAND:,.2f}")
    if abs(value) >= _MILLION:
        return f"{value / _MILLION:,.2f}M"
    return f"{value / 1000:,.1f}K"
