"""Which stored columns a metric needs, and whether the dataset holds them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from askcore.base.errors import BadRequest
from askcore.base.text import say
from askcore.base.values import Lang
from askcore.semantic.averages import resolve
from askcore.semantic.catalog import Catalog
from askcore.semantic.model import Model

_NAME = re.compile(r"[A-Za-z_]\w*")


def stored_columns(model: Model, key: str) -> tuple[str, ...]:
    """Columns of the fact table that a metric is computed from, in a stable order."""
    metric = resolve(model, key)
    a = metric.additivity
    if a.kind == "ratio":
        parts = [p for p in (a.numerator, a.denominator) if p]
        return tuple(dict.fromkeys(c for p in parts for c in stored_columns(model, p)))
    if a.kind == "derived_sum" and a.expr:
        named = [n for n in _NAME.findall(a.expr) if n in model.by_key]
        return tuple(dict.fromkeys(c for n in named for c in stored_columns(model, n)))
    if a.kind == "distinct":
        return tuple(n for n in _NAME.findall(a.where or "") if n in model.by_key)
    own = a.column or key
    return (own, a.weight) if a.weight else (own,)


def missing_columns(model: Model, catalog: Catalog, key: str) -> tuple[str, ...]:
    """The columns of a metric that hold no value at all; () = it can be answered."""
    held = frozenset(catalog.columns)
    return tuple(c for c in stored_columns(model, key) if c not in held)


def available_metrics(
    model: Model, catalog: Catalog, keys: Sequence[str], lang: Lang
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(metrics that can be answered, metrics whose columns the source lacks), each once, in order.

    Raises: BadRequest (unknown_name) on an unknown metric, (empty) when none can be answered.
    """
    wanted = tuple(dict.fromkeys(keys))
    if not catalog.columns:  # nothing loaded: absence of columns says nothing about the source
        for key in wanted:
            resolve(model, key)
        return wanted, ()
    missing = tuple(k for k in wanted if missing_columns(model, catalog, k))
    if len(missing) == len(wanted):
        labels = joined(lang, [resolve(model, k).label[lang] for k in missing])
        raise BadRequest(say(lang, "compare.not_in_source", labels=labels), error_class="empty")
    return tuple(k for k in wanted if k not in missing), missing


def joined(lang: Lang, words: Sequence[str]) -> str:
    """A list of words as the language writes it."""
    return say(lang, "compare.list_joint").join(words)
