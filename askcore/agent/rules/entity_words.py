"""The ways in which people may name entities, levels and dimension values."""

from __future__ import annotations

import re
from collections.abc import Iterator

from askcore.agent.rules import lexicon
from askcore.agent.rules.language import is_cjk
from askcore.agent.rules.measures import lexicon as measure_lexicon
from askcore.agent.rules.metric_words import plain
from askcore.agent.rules.normalise import words_of
from askcore.semantic.catalog import Catalog, Entity
from askcore.semantic.model import Dimension, Level, Model, Synonyms, Texts

Stems = tuple[str, ...]
_PARTS = re.compile(
    r"[/|·;,()\uff08\uff09\u3010\u3011]|(?<=[\u3400-\u9fff])\s+(?=[A-Za-z])|(?<=[A-Za-z])\s+(?=[\u3400-\u9fff])"
)
_TAILS = tuple(sorted((words_of(w) for w in lexicon.NAME_TAILS), key=len, reverse=True))
_FLAG_TAILS = tuple(words_of(w) for w in lexicon.FLAG_TAILS)


def name_parts(name: str) -> tuple[str, ...]:
    """The names that one display name holds: a Chinese and an English one, split by a slash."""
    parts = [name, *(p.strip() for p in _PARTS.split(name))]
    return tuple(dict.fromkeys(p for p in parts if p))


def short_name(name: str) -> str:
    """The first of the names, for labels and options."""
    return name.split("/")[0].strip() or name


def entity_terms(entity: Entity) -> Iterator[tuple[Stems, bool]]:
    """(term, whether it is an alias that must be unambiguous)."""
    for part in name_parts(entity.name):
        stems = words_of(part)
        if _is_name(stems):
            yield stems, False
        for tail in _TAILS:
            base = stems[: -len(tail)]
            if stems[-len(tail) :] == tail and _is_alias(base):
                yield base, True
                break
    stems = words_of(entity.id)
    if _is_name(stems) and "".join(stems) != "":
        yield stems, False
        yield ("".join(stems),), False


def _is_name(stems: Stems) -> bool:
    """Plain numbers and single letters need the level's word beside them."""
    joined = "".join(stems)
    return bool(joined) and not joined.isdigit() and (len(joined) > 1 or is_cjk(joined))


def _is_alias(stems: Stems) -> bool:
    joined = "".join(stems)
    if not _is_name(stems):
        return False
    return len(joined) >= 2 if is_cjk(joined[0]) or len(stems) > 1 else len(joined) >= 3


def level_words(model: Model) -> dict[str, dict[Stems, int]]:
    """Level key -> {term: rank}: own words first, then everyday words of the same kind."""
    found: dict[str, dict[Stems, int]] = {}
    for level in model.levels:
        own = {words_of(w): 0 for w in _level_own(level)}
        found[level.key] = {stems: 0 for stems in own if stems}
    taken = {stems for words in found.values() for stems in words}
    matched_shop = False
    for number, group in enumerate(lexicon.LEVEL_GROUPS):
        terms = {words_of(w) for w in group}
        owners = [k for k, words in found.items() if terms & set(words)]
        if len(owners) == 1:
            matched_shop = matched_shop or number == 0
            found[owners[0]].update(dict.fromkeys(terms - taken, 1))
    _add_concepts(found, taken)
    leaf = model.leaf_level
    if leaf is not None and not matched_shop and not _is_other_kind(found[leaf.key]):
        found[leaf.key].update({t: 2 for w in lexicon.SHOP_WORDS if (t := words_of(w)) not in taken})
    return found


def _level_own(level: Level) -> tuple[str, ...]:
    labels = [p for text in level.label.values() for p in plain(text).split("/")]
    return (level.key, *labels, *_flat(level.synonyms))


def _add_concepts(found: dict[str, dict[Stems, int]], taken: set[Stems]) -> None:
    for group in measure_lexicon.CONCEPTS:
        terms = {words_of(w) for w in group}
        owners = [k for k, words in found.items() if terms & set(words)]
        if len(owners) == 1:
            found[owners[0]].update(dict.fromkeys(terms - taken, 1))


def _is_other_kind(words: dict[Stems, int]) -> bool:
    """A leaf that is a region, city or product is no shop."""
    return any(words_of(w) in words for group in measure_lexicon.CONCEPTS for w in group)


def dimension_words(dimension: Dimension) -> dict[Stems, int]:
    """Terms of a dimension itself."""
    names = (dimension.key, dimension.column, *_flat_texts(dimension.label), *_flat(dimension.synonyms))
    found: dict[Stems, int] = {}
    for name in names:
        stems = words_of(plain(name))
        if not stems:
            continue
        found.setdefault(stems, 0)
        for tail in _FLAG_TAILS:
            base = stems[: -len(tail)]
            if stems[-len(tail) :] == tail and len("".join(base)) > 1:
                found.setdefault(base, 1)
        if stems[:2] == lexicon.WHETHER and len(stems) > 3:
            found.setdefault(stems[2:], 1)
    for group in measure_lexicon.CONCEPTS:
        terms = {words_of(w) for w in group}
        if terms & set(found):
            for term in terms:
                found.setdefault(term, 2)
    return found


def value_words(dimension: Dimension, catalog: Catalog) -> Iterator[tuple[Stems, str]]:
    """(term, stored value) of a dimension's values; plain numbers and flags are left out."""
    stored = dict.fromkeys((*dimension.values, *catalog.dimension_values.get(dimension.key, ())))
    for value in stored:
        texts = dimension.values.get(value, {})
        for text in (value, *_flat_texts(texts)):
            joined = "".join(stems := words_of(text))
            flag = text.lower() in (*lexicon.TRUE_VALUES, *lexicon.FALSE_VALUES)
            if stems and not flag and not joined.isdigit() and len(joined) > 1:
                yield stems, value


def flag_values(dimension: Dimension, catalog: Catalog) -> tuple[str, str] | None:
    """(stored true, stored false) of a yes/no dimension, or None."""
    stored = catalog.dimension_values.get(dimension.key, ()) or tuple(dimension.values)
    true = [v for v in stored if v.lower() in lexicon.TRUE_VALUES]
    false = [v for v in stored if v.lower() in lexicon.FALSE_VALUES]
    if len(true) == 1 and len(false) == 1 and len(stored) == 2:
        return true[0], false[0]
    return None


def _flat(synonyms: Synonyms) -> tuple[str, ...]:
    return tuple(w for words in synonyms.values() for w in words)


def _flat_texts(texts: Texts) -> tuple[str, ...]:
    return tuple(texts.values())
