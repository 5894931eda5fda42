"""Names that people use for inferred columns, in both languages, and their units and formats."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from askcore.base.values import Lang
from askcore.lake.ingest import lexicon
from askcore.lake.ingest.infer_keys import level_word
from askcore.lake.ingest.words import (
    english_label,
    has_word,
    is_chinese,
    longest_ending,
    normal,
    without_unit,
    words_of,
)
from askcore.semantic.model import Polarity, Synonyms, Texts

_NOT_KEY = re.compile(r"\W+")
RESERVED = frozenset({"date", "scope", "month", "raw", "_dup_n", "fields"})


def column_key(name: str, taken: Collection[str]) -> str:
    """A column name for the lake: the header itself where it can be one, unique without case."""
    key = _NOT_KEY.sub("_", without_unit(name).strip()).strip("_") or "column"
    if key[0].isdigit():
        key = f"c_{key}"
    used = {t.lower() for t in taken} | RESERVED
    if key.lower() not in used:
        return key
    number = 2
    while f"{key}_{number}".lower() in used:
        number += 1
    return f"{key}_{number}"


def labels(name: str) -> Texts:
    """Chinese and English label of a header; the language that the header lacks comes from the lexicon."""
    plain = without_unit(name).strip()
    if is_chinese(plain):
        return {"zh": plain, "en": lexicon.ZH_EN.get(plain, plain)}
    english = english_label(plain)
    return {"zh": _chinese(plain) or english, "en": english}


def _chinese(name: str) -> str:
    """Word by word, only when every word is known."""
    words = words_of(name)
    found = [lexicon.EN_ZH.get(w, "") for w in words]
    return "".join(found) if words and all(found) else ""


def synonyms(name: str, label: Texts, used: Collection[str]) -> Synonyms:
    """Other words for the column that no other column is called by."""
    words = words_of(without_unit(name))
    zh: list[str] = []
    en: list[str] = []
    if words and not is_chinese(name):
        en += [" ".join(words), *_single(words)]
    for stem in dict.fromkeys((normal(without_unit(name)), *_single(words))):
        more_zh, more_en = lexicon.MORE.get(stem, ((), ()))
        zh += more_zh
        en += more_en
        zh += [lexicon.EN_ZH[stem]] if stem in lexicon.EN_ZH and len(stem) > 3 else []
    zh_en = lexicon.ZH_EN.get(without_unit(name))
    en += [zh_en.lower()] if zh_en else []
    own = {label["zh"].lower(), label["en"].lower()}
    return _present(zh, en, own | {u.lower() for u in used})


def _single(words: tuple[str, ...]) -> list[str]:
    """The last word, and the first of two, unless it only modifies."""
    found = [words[-1], words[0]] if len(words) == 2 else list(words[-1:])
    return [w for w in found if w not in lexicon.MODIFIERS]


def _present(zh: list[str], en: list[str], barred: Collection[str]) -> Synonyms:
    found: dict[Lang, tuple[str, ...]] = {}
    pairs: tuple[tuple[Lang, list[str]], ...] = (("zh", zh), ("en", en))
    for lang, words in pairs:
        kept = tuple(w for w in dict.fromkeys(words) if w.lower() not in barred)
        if kept:
            found[lang] = kept
    return found


def level_names(name: str, taken: Collection[str]) -> tuple[str, Texts, Synonyms]:
    """(key, label, synonyms) of the level whose id is in the column `name`."""
    word = level_word(name)
    stem = _stem(name)
    if word is None:
        ascii_words = words_of(stem)
        key = "_".join(ascii_words) or "entity"
        label = labels(stem)
        return _free(key, taken), label, synonyms(stem, label, ())
    zh, en = lexicon.LEVEL_LABELS[word]
    own = labels(stem)
    label = {"zh": own["zh"] if is_chinese(stem) else zh, "en": en if is_chinese(stem) else own["en"]}
    more_zh, more_en = lexicon.LEVEL_SYNONYMS.get(word, ((), ()))
    barred = {label["zh"].lower(), label["en"].lower()}
    return _free(word, taken), label, _present([zh, *more_zh], [en.lower(), *more_en], barred)


def _free(key: str, taken: Collection[str]) -> str:
    number, found = 2, key
    while found in taken:
        found, number = f"{key}_{number}", number + 1
    return found


def _stem(name: str) -> str:
    """The thing that an id or name column is about: without the word for id or name."""
    plain = without_unit(name).strip()
    for ending in (*lexicon.ID_ENDINGS, *lexicon.NAME_ENDINGS):
        if plain.endswith(ending) and len(plain) > len(ending):
            return plain[: -len(ending)].strip(" _-")
    return plain


def flag_values(name: str) -> Mapping[str, Texts]:
    """What 1 and 0 of a flag column are called."""
    words = [w for w in words_of(name) if w not in lexicon.FLAG_WORDS]
    english = " ".join(words) or without_unit(name)
    plain = without_unit(name)
    for word in (w for w in lexicon.FLAG_WORDS if is_chinese(w)):
        plain = plain.replace(word, "")
    known = [lexicon.EN_ZH.get(w, "") for w in words]
    chinese = plain if is_chinese(plain) else "".join(known) if all(known) and known else english
    if is_chinese(plain):
        english = lexicon.ZH_EN.get(plain, plain).lower()
    return {
        "1": {"zh": chinese, "en": english},
        "0": {"zh": f"{lexicon.FLAG_NOT_ZH}{chinese}", "en": f"{lexicon.NON_EN}{english}"},
    }


def unit_of(name: str, *, currency: str, title: str, is_percent: bool) -> str:
    """Unit of a measure: what the cells, the header or the title say; "" when nothing does."""
    if is_percent:
        return "ratio"
    if currency:
        return currency
    if _hints(name, lexicon.ORDER_WORDS, lexicon.ORDER_PARTS):
        return "order"
    if _hints(name, lexicon.PERSON_WORDS, lexicon.PERSON_PARTS):
        return "person"
    bracket = name[len(without_unit(name)) :]
    said = _currency(bracket) or _currency(title)
    is_money = _hints(name, lexicon.MONEY_WORDS, lexicon.MONEY_PARTS)
    return said if said and (is_money or _currency(bracket)) else ""


def _currency(text: str) -> str:
    lowered = text.lower()
    for sign, unit in lexicon.CURRENCY_SIGNS.items():
        found = (
            re.search(rf"\b{sign}\b", lowered) is not None
            if sign.isascii() and sign.isalpha()
            else sign in lowered
        )
        if found:
            return unit
    return ""


def _hints(name: str, words: Collection[str], parts: Collection[str]) -> bool:
    return bool(words_of(name)[-1:] and has_word(words_of(name)[-1], words)) or bool(
        longest_ending(name, parts)
    )


def polarity_of(name: str) -> Polarity:
    """Whether more of it is good, as far as the name tells."""
    if _hints(name, lexicon.UP_WORDS, lexicon.UP_PARTS):
        return "up"
    if _hints(name, lexicon.DOWN_WORDS, lexicon.DOWN_PARTS):
        return "down"
    return "neutral"


def format_of(unit: str, scale: int) -> str:
    """How values are shown."""
    if unit == "ratio":
        return "0.00%"
    return "#,##0" if scale == 0 else "#,##0.00" if scale <= 2 else "#,##0.00##"
