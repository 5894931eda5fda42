"""The ways in which people may name a model's metrics, each with how near it is to the model's own words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from askcore.agent.rules import lexicon
from askcore.agent.rules.language import is_cjk
from askcore.agent.rules.measures import lexicon as measure_lexicon
from askcore.agent.rules.normalise import words_of
from askcore.semantic.model import Metric, Model

Stems = tuple[str, ...]
LABEL, SYNONYM, TAIL_VARIANT, HEAD_DROPPED, CONCEPT, COUNTED = range(6)
_HIDDEN = 10  # a hidden metric is only meant when nothing else carries the word
_BRACKETS = re.compile(r"[(\uff08\[][^)\uff09\]]*[)\uff09\]]")
_HEADS = tuple(words_of(w) for w in measure_lexicon.GENERIC_HEADS)
_TAILS = tuple(tuple(words_of(w) for w in words) for words in measure_lexicon.COUNT_TAILS)
_PERSON = "person"
_SHORTEST_ROOT = 3  # letters; "order" is no one who "ord"s
_BARE_CLASSES = 2  # counts and amounts may be said without their last word; people and times may not
_CONCEPTS = tuple(tuple(words_of(w) for w in group) for group in measure_lexicon.CONCEPTS)


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
    _add_exchanged(best, model)
    _add_counters(best, model)
    _add_people(best, model)
    return {stems: (rank, tuple(keys)) for stems, (rank, keys) in best.items()}


def _add_counters(best: dict[Stems, tuple[int, list[str]]], model: Model) -> None:
    """Counters by themselves, and before the verb of a measure: "how many people" + "ordered"."""
    for unit, words in measure_lexicon.COUNTED.items():
        for word in words:
            for key in _counted(model, unit):
                _keep(best, words_of(word), COUNTED, key)
            for metric in model.metrics:
                for stem in deeds_of(metric, measure_lexicon.COUNTED_TAILS) if metric.unit == unit else ():
                    _keep(best, words_of(word + stem), HEAD_DROPPED, metric.key)


def deeds_of(metric: Metric, tails: Sequence[str] = measure_lexicon.DEED_ENDS) -> Iterator[str]:
    """What a count's name says was done: the name without its word for the counted."""
    for name in metric.words("zh"):
        for tail in tails:
            if name.endswith(tail) and len(name) > len(tail):
                yield name[: -len(tail)]


def _add_people(best: dict[Stems, tuple[int, list[str]]], model: Model) -> None:
    """People by what they did ("customers who ordered"); by themselves they can be any count of people."""
    people = [m for m in model.metrics if m.unit == _PERSON]
    for metric in people:
        for deed in deeds_of(metric, measure_lexicon.COUNTED_TAILS):
            for word in measure_lexicon.PEOPLE_ASKED:
                _keep(best, words_of(word + deed), HEAD_DROPPED, metric.key)
        for past in dict.fromkeys(_pasts(metric, model)):
            for part in (metric, *_parts_of(metric, model)):
                for phrase in _who_did(part, metric, past):
                    _keep(best, words_of(phrase), HEAD_DROPPED, part.key)
    asked = [f"how many {word}" for word in measure_lexicon.PEOPLE if words_of(word) not in best]
    for phrase in (*asked, *measure_lexicon.PEOPLE_ASKED):
        for metric in people:
            if not (metric.hidden or metric.reserved):
                _keep(best, words_of(phrase), COUNTED, metric.key)


def _who_did(part: Metric, whole: Metric, past: str) -> Iterator[str]:
    """The wordings of one deed; a part of the people ("new customers") is named by its own words."""
    names = measure_lexicon.PEOPLE if part is whole else part.words("en")
    for name in names:
        for head in measure_lexicon.PEOPLE_HEADS:
            for who in measure_lexicon.WHO:
                yield f"{head} {name} {who} {past}"


def _parts_of(metric: Metric, model: Model) -> Iterator[Metric]:
    """Counts of some of these people: named after them, or divided by them in a ratio of the model."""
    shares = {m.additivity.numerator for m in model.metrics if m.additivity.denominator == metric.key}
    for part in model.metrics:
        longer = any(
            name != whole and name.endswith(whole)
            for name in part.words("zh")
            for whole in metric.words("zh")
        )
        counts = part.unit == _PERSON and (longer or part.key in shares)
        if counts and part is not metric and _is_named_people(part):
            yield part


def _is_named_people(metric: Metric) -> bool:
    stems = {s for word in measure_lexicon.PEOPLE for s in words_of(word)}
    return any(words_of(name)[-1:] and words_of(name)[-1] in stems for name in metric.words("en"))


def _pasts(metric: Metric, model: Model) -> Iterator[str]:
    """Past tense of the deed in an English name: "ordered" of "ordering users", "visited" of "visitors"."""
    filler = {s for word in (*measure_lexicon.PEOPLE, *lexicon.SHOP_WORDS) for s in words_of(word)}
    for name in metric.words("en"):
        rest = [s for s in words_of(plain(name)) if s not in filler]
        for end in measure_lexicon.DOER_ENDS if len(rest) == 1 else ():
            root = rest[0].removesuffix(end)
            if root != rest[0] and (root in measure_lexicon.PAST or len(root) > _SHORTEST_ROOT):
                yield measure_lexicon.PAST.get(root, f"{root}ed")


def _add_exchanged(best: dict[Stems, tuple[int, list[str]]], model: Model) -> None:
    """Names with an exchangeable word said differently; a rate by the whole name of its numerator."""
    for metric in model.metrics:
        if metric.hidden:
            continue
        for name in dict.fromkeys((*metric.words(), *_rate_names(metric, model))):
            for said in (name.lower(), *_exchanged(name.lower())):
                _keep(best, words_of(plain(said)), CONCEPT, metric.key)


def _exchanged(name: str) -> Iterator[str]:
    for group in measure_lexicon.ALIKE:
        for word in group:
            if word in name:
                yield from (name.replace(word, other) for other in group if other != word)


def _rate_names(metric: Metric, model: Model) -> Iterator[str]:
    """As in "promotion subsidy rate", where the subsidy rate divides the promotion subsidy."""
    numerator = model.by_key.get(metric.additivity.numerator or "")
    if metric.additivity.kind != "ratio" or numerator is None:
        return
    for name in metric.words():
        for tail in measure_lexicon.RATE_TAILS:
            base = name.lower().removesuffix(tail).strip()
            if base and base != name.lower():
                wholes = [w for w in numerator.words() if w.lower().endswith(base) and w.lower() != base]
                yield from (f"{whole}{'' if is_cjk(tail[0]) else ' '}{tail}" for whole in wholes)


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
