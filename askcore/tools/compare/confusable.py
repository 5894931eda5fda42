"""Metrics that are easily taken for each other: shared names, shared parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from askcore.base.text import say
from askcore.base.values import Lang
from askcore.semantic.model import Metric, Model

_LIMIT = 4  # what a definition can still be told apart from in one glance
Reason = Literal["word", "numerator", "denominator", "chain", "part"]
_ORDER: tuple[Reason, ...] = ("word", "numerator", "denominator", "chain", "part")


@dataclass(frozen=True, slots=True, kw_only=True)
class Confusable:
    """Another metric and why it is taken for the first."""

    key: str
    reason: Reason
    detail: str
    """The shared word, or the key of the shared part."""

    def say(self, model: Model, lang: Lang) -> str:
        """The reason in words."""
        part = model.by_key[self.detail].label[lang] if self.detail in model.by_key else ""
        return say(lang, f"define.confused_{self.reason}", word=self.detail, part=part)


def confused_with(model: Model, metric: Metric) -> tuple[Confusable, ...]:
    """At most four others, the strongest reason first; one reason each."""
    found: dict[str, Confusable] = {}
    for candidate in _all(model, metric):
        held = found.get(candidate.key)
        if held is None or _ORDER.index(candidate.reason) < _ORDER.index(held.reason):
            found[candidate.key] = candidate
    ranked = sorted(found.values(), key=lambda c: _ORDER.index(c.reason))
    return tuple(ranked[:_LIMIT])


def _all(model: Model, metric: Metric) -> Iterator[Confusable]:
    for other in model.metrics:
        if other.key == metric.key or other.hidden:
            continue
        word = shared_word(metric, other)
        if word:
            yield Confusable(key=other.key, reason="word", detail=word)
        yield from _shared_parts(metric, other)


def shared_word(metric: Metric, other: Metric) -> str:
    """The longest name of one that is also a name, or the start of a name, of the other; "" for none."""
    shared = [
        a
        for mine, theirs in ((metric.words(), other.words()), (other.words(), metric.words()))
        for a in mine
        for b in theirs
        if len(a) > 1 and b.casefold().startswith(a.casefold())
    ]
    return max(shared, key=len, default="")


def _shared_parts(metric: Metric, other: Metric) -> Iterator[Confusable]:
    a, b = metric.additivity, other.additivity
    if a.kind == "ratio" and b.kind == "ratio":
        if a.numerator and a.numerator == b.numerator:
            yield Confusable(key=other.key, reason="numerator", detail=a.numerator)
        if a.denominator and a.denominator == b.denominator:
            yield Confusable(key=other.key, reason="denominator", detail=a.denominator)
        if a.numerator and a.numerator == b.denominator:
            yield Confusable(key=other.key, reason="chain", detail=a.numerator)
        if b.numerator and b.numerator == a.denominator:
            yield Confusable(key=other.key, reason="chain", detail=b.numerator)
    if other.key == a.numerator:
        yield Confusable(key=other.key, reason="part", detail=other.key)
    if metric.key == b.numerator:
        yield Confusable(key=other.key, reason="part", detail=metric.key)
