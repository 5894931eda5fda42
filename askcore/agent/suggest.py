"""Questions made from a lake: they name what is there, so they always work."""

from __future__ import annotations

from askcore.agent.answer import metric_label
from askcore.base.text import say
from askcore.base.values import Lang
from askcore.base.views import SuggestionGroup
from askcore.semantic.catalog import Catalog
from askcore.semantic.model import Model


def suggestions(model: Model, catalog: Catalog, lang: Lang) -> tuple[SuggestionGroup, ...]:
    """Three groups of two: look at figures, compare, check."""
    if catalog.period is None:
        return ()
    metrics = [k for k in model.headline_metrics() if k in catalog.columns or _is_ratio(model, k)]
    if not metrics:
        return ()
    first = metric_label(model, metrics[0], lang)
    second = metric_label(model, metrics[1 % len(metrics)], lang)
    leaf = model.leaf_level
    level = "" if leaf is None else leaf.label[lang].split("/")[0]
    month = say(lang, "suggest.month", year=catalog.period.end.year, month=catalog.period.end.month)
    look = [say(lang, "suggest.trend", month=month, metric=first)]
    if leaf is not None and len(catalog.by_level.get(leaf.key, ())) > 1:
        look.insert(0, say(lang, "suggest.top", month=month, metric=first, level=level))
    compare = [say(lang, "suggest.compare", month=month, metric=first)]
    if len(metrics) > 1:
        compare.append(say(lang, "suggest.define", metric=second))
    check = [say(lang, "suggest.fresh")]
    check.append(say(lang, "suggest.health"))
    return (
        SuggestionGroup(key="look", questions=tuple(look)),
        SuggestionGroup(key="compare", questions=tuple(compare)),
        SuggestionGroup(key="check", questions=tuple(check)),
    )


def _is_ratio(model: Model, key: str) -> bool:
    return model.metric(key).additivity.kind == "ratio"
