"""The ways in which people may name a model's metrics, each with how near it is to the model's own words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from askcore.agent.rules import lexicon
from askcore.agent.rules.language import is_cjk
from askcore.agent.rules.normalise import words_of
from askcore.semantic.model import Metric, Model

Stems = tuple[str, ...]
LABEL, SYNONYM, TAIL_VARIANT, HEAD_DROPPED, CONCEPT, COUNTED = range(6)
_HIDDEN = 10  # a hidden metric is only meant when nothing else carries the word
_BRACKETS = re.compile(r"[(\uff08\[][^)\uff09\]]*[)\uff09\]]")
_HEADS = tuple(words_of(w) for w in lexicon.GENERIC_HEADS)
_TAILS = tuple(tuple(words_of(w) for w in words) for words in lexicon.COUNT_TAILS)
_BARE_CLASSES = 2  # counts and amounts may be said without their last word; people and times may not
_CONCEPTS = tuple(tuple(words_of(w) for w in group) for group in lexicon.CONCEPTS)


def plain(text: str) -> str:
    """A label without what stands in brackets."""
    return _BRACKETS.sub("", text).strip() or text


def metric_terms(model: Model, reserved: frozenset[Stems]) -> Mapping[Stems, tuple[int, tuple[str, ...]]]:
    """Term -> (rank, metric keys); several keys when the term is ambiguous.

    reserved: terms of levels and grammar words that only a label or synonym may override.
    """
    best: dict[Stems, tuple[int, list[str]]] = {}
    for metric in model.metrics:
        for stems, rank in _own_terms(metric):
            if rank > SYNONYM and stems in reserved:
                continue
            _keep(best, stems, rank + (_HIDDEN if metric.hidden else 0), metric.key)
    for group in _CONCEPTS:
        named = {k for stems in group if stems in best for k in best[stems][1]}
        if len(named) == 1:
            for stems in group:
                if stems not in reserved:
                    _keep(best, stems, CONCEPT, next(iter(named)))
    _add_counters(best, model)
    return {stems: (rank, tuple(keys)) for stems, (rank, keys) in best.items()}


def _add_counters(best: dict[Stems, tuple[int, list[str]]], model: Model) -> None:
    """Counters by themselves, and before the verb of a measure: "how many people" + "ordered"."""
    for unit, words in lexicon.COUNTED.items():
        for word in words:
            for key in _counted(model, unit):
                _keep(best, words_of(word), COUNTED, key)
            for metric in model.metrics:
                for stem in _verbs(metric) if metric.unit == unit else ():
                    _keep(best, words_of(word + stem), HEAD_DROPPED, metric.key)


def _verbs(metric: Metric) -> Iterator[str]:
    """What a count's name says was done: the name without its word for the counted."""
    for name in metric.words("zh"):
        for tail in lexicon.COUNTED_TAILS:
            if name.endswith(tail) and len(name) > len(tail):
                yield name[: -len(tail)]


def _counted(model: Model, unit: str) -> Sequence[str]:
    """Metrics that a bare counter can mean: the main one of its unit, else all of them."""
    fits = [m.key for m in model.metrics if m.unit == unit and not m.hidden and not m.reserved]
    main = [key for key in model.headline_metrics() if key in fits]
    return main[:1] or fits


def _keep(best: dict[Stems, tuple[int, list[str]]], stems: Stems, rank: int, key: str) -> None:
    if not stems:
        return
    known = best.get(stems)
    if known is None or rank < known[0]:
        best[stems] = (rank, [key])
    elif rank == known[0] and key not in known[1]:
        known[1].append(key)


def _own_terms(metric: Metric) -> Iterator[tuple[Stems, int]]:
    yield words_of(metric.key), LABEL
    joined = "".join(words_of(metric.key))
    yield (joined,), LABEL
    labels = [p for text in metric.label.values() for p in plain(text).split("/")]
    synonyms = [plain(s) for s in metric.words() if s not in metric.label.values()]
    for rank, phrases in ((LABEL, labels), (SYNONYM, synonyms)):
        for phrase in phrases:
            stems = words_of(phrase)
            yield stems, rank
            yield from _variants(stems)


def _variants(stems: Stems) -> Iterator[tuple[Stems, int]]:
    for variant in _tail_variants(stems):
        yield variant, TAIL_VARIANT
    dropped = _without_head(stems)
    if dropped is not None:
        yield dropped, HEAD_DROPPED
        for variant in _tail_variants(dropped):
            yield variant, HEAD_DROPPED


def _tail_variants(stems: Stems) -> Iterator[Stems]:
    for number, tails in enumerate(_TAILS):
        for tail in tails:
            base = stems[: -len(tail)]
            if stems[-len(tail) :] != tail or not _can_stand(base):
                continue
            if number < _BARE_CLASSES:
                yield base
            for other in tails:
                if is_cjk(other[0]) == is_cjk(tail[0]):
                    yield base + other
    if stems and all(not is_cjk(s) for s in stems):
        yield (*words_of("number"), "of", *stems)


def _can_stand(base: Sequence[str]) -> bool:
    """Whether a name's first part still says what is measured."""
    return len(base) >= 2 or (len(base) == 1 and not is_cjk(base[0]) and len(base[0]) > 2)


def _without_head(stems: Stems) -> Stems | None:
    for head in _HEADS:
        rest = stems[len(head) :]
        if stems[: len(head)] == head and _can_stand(rest):
            return rest
    return None
