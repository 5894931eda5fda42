"""Recogniser of entities called by a bare number ("store 20")."""

from __future__ import annotations

import re
from collections.abc import Iterator

from askcore.agent.rules import lexicon
from askcore.agent.rules.limits import one_of
from askcore.agent.rules.normalise import Text
from askcore.agent.rules.spans import Claim
from askcore.agent.rules.times.values import alternation
from askcore.agent.rules.vocabulary import EntityTerm, Vocabulary
from askcore.semantic.catalog import Entity

_LIST_LINK = rf"\s*(?:,\s*and|,|{one_of(lexicon.LIST_LINKS)}|and|&)\s*(?:no\.?\s*|#\s*)?"
_MARK = rf"\s*(?:{one_of(lexicon.NUMBER_MARKS)}|numbers?|nos?\.?|ids?|#|:)*\s*#?\s*"
_NOT_COUNT = (
    rf"(?![\d.%a-z])(?!\s*(?:{one_of((*lexicon.COUNTERS, *lexicon.TIME_UNITS, *lexicon.FLOORS))}|%|"
    r"days?|weeks?|months?|years?))"
)
_YEAR_LIKE = re.compile(r"(?:19|20)\d\d")


def numbered_claims(text: Text, vocab: Vocabulary) -> Iterator[Claim]:
    """Entities whose id or name is a plain number, beside the word for their level."""
    for level, words in vocab.levels.items():
        numbered = _numbered(vocab, level)
        if not numbered:
            continue
        spoken = alternation(_spelled(words))
        first = re.compile(rf"{spoken}{_MARK}(?P<list>\d{{1,6}}(?:{_LIST_LINK}\d{{1,6}})*){_NOT_COUNT}")
        for match in first.finditer(text.norm):
            yield from _list_claims(match, numbered)
        for match in re.finditer(
            rf"(?<!\d)(?P<n>\d{{1,6}})\s*{one_of(lexicon.NUMBERED)}\s*{spoken}", text.norm
        ):
            yield Claim(match.start(), match.end(), "entity", "", _term(match["n"], numbered))


def _numbered(vocab: Vocabulary, level: str) -> dict[str, Entity]:
    found: dict[str, Entity] = {}
    for entity in vocab.catalog.by_level.get(level, ()):
        for name in (entity.name, entity.id):
            if name.isdecimal():
                found[name.lstrip("0") or "0"] = entity
    return found


def _spelled(words: dict[tuple[str, ...], int]) -> list[str]:
    """Terms as they may be typed: English ones also in the plural."""
    found: list[str] = []
    for stems in words:
        if stems[0].isascii():
            name = " ".join(stems)
            found += [name, f"{name}s", f"{name}es"]
        else:
            found.append("".join(stems))
    return found


def _list_claims(match: re.Match[str], numbered: dict[str, Entity]) -> Iterator[Claim]:
    base = match.start("list")
    start = match.start()
    for one in re.finditer(r"\d+", match["list"]):
        term = _term(one[0], numbered)
        if not term.entities and _YEAR_LIKE.fullmatch(one[0]):
            return
        end = base + one.end()
        yield Claim(start, end, "entity", "", term)
        start = end


def _term(digits: str, numbered: dict[str, Entity]) -> EntityTerm:
    entity = numbered.get(digits.lstrip("0") or "0")
    return EntityTerm(() if entity is None else (entity,))
