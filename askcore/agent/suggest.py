"""Questions made from a lake: they name what is there, so they always work."""

from __future__ import annotations

from askcore.agent.answer import metric_label
from askcore.agent.rules.peers import peer_metrics
from askcore.base.text import say
from askcore.base.values import Lang, Period
from askcore.base.views import SuggestionGroup
from askcore.semantic.catalog import Catalog
from askcore.semantic.model import Model, TimeGrain
from askcore.semantic.periods import quarter_of

_DAYS_TO_JUDGE = 90  # two months of what is usual, and a month to look at


def suggestions(model: Model, catalog: Catalog, lang: Lang) -> tuple[SuggestionGroup, ...]:
    """Three groups: look at figures, compare and explain, check."""
    if catalog.period is None:
        return ()
    metrics = [k for k in model.headline_metrics() if k in catalog.columns or _is_ratio(model, k)]
    if not metrics:
        return ()
    first = metric_label(model, metrics[0], lang)
    second = metric_label(model, metrics[1 % len(metrics)], lang)
    leaf = model.leaf_level
    level = "" if leaf is None else leaf.label[lang].split("/")[0]
    newest = _newest(model.time.grain, catalog.period, lang)
    look = [_trend(model.time.grain, newest, first, lang)]
    several = leaf is not None and len(catalog.by_level.get(leaf.key, ())) > 1
    if several:
        look.insert(0, say(lang, "suggest.top", period=newest, metric=first, level=level))
    if len(metrics) > 1:
        look.append(say(lang, "suggest.define", metric=second))
    compare = [say(lang, "suggest.compare", period=newest, metric=first)]
    if several:
        compare.append(say(lang, "suggest.why", period=newest, metric=first))
    held = peer_metrics(model, catalog)
    if held:
        compare.append(say(lang, "suggest.peers", metric=metric_label(model, held[0], lang), level=level))
    check = [say(lang, "suggest.health")]
    if several and model.time.grain == "day" and catalog.period.days >= _DAYS_TO_JUDGE:
        check.append(say(lang, "suggest.anomaly", metric=first, level=level))
    check.append(say(lang, "suggest.fresh"))
    return (
        SuggestionGroup(key="look", questions=tuple(look)),
        SuggestionGroup(key="compare", questions=tuple(compare)),
        SuggestionGroup(key="check", questions=tuple(check)),
    )


def _newest(grain: TimeGrain, days: Period, lang: Lang) -> str:
    """The newest stretch that holds whole rows: a month, or a quarter or year of such data."""
    end = days.end
    if grain == "year":
        return say(lang, "suggest.year", year=end.year)
    if grain == "quarter":
        return say(lang, "suggest.quarter", year=end.year, quarter=quarter_of(end))
    return say(lang, "suggest.month", year=end.year, month=end.month)


def _trend(grain: TimeGrain, newest: str, metric: str, lang: Lang) -> str:
    """A series by the rows' own step: within the newest month, or over all where a month is one point."""
    name = say(lang, f"suggest.grain_{grain}")
    if grain in ("day", "week"):
        return say(lang, "suggest.trend", period=newest, grain=name, metric=metric)
    return say(lang, "suggest.trend_all", grain=name, metric=metric)


def _is_ratio(model: Model, key: str) -> bool:
    return model.metric(key).additivity.kind == "ratio"
