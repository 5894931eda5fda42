"""Recogniser of counts ("top 5") and of entities called by a bare number ("store 20")."""

# ruff: noqa: E501 - one pattern a line
from __future__ import annotations

import re
from collections.abc import Iterator

from askcore.agent.rules import lexicon
from askcore.agent.rules.normalise import Text
from askcore.agent.rules.spans import Claim
from askcore.agent.rules.times import lexicon as time_lexicon
from askcore.agent.rules.times.values import alternation, number
from askcore.agent.rules.vocabulary import EntityTerm, Vocabulary
from askcore.semantic.catalog import Entity


def _one(words: tuple[str, ...]) -> str:
    """A group of words without word limits: they are Chinese."""
    return "(?:" + "|".join(words) + ")"


def _chars(words: tuple[str, ...]) -> str:
    """One-character words as the inside of a character class."""
    return "".join(words)


_ZH = rf"(?P<n>\d{{1,4}}|[{time_lexicon.HAN_DIGITS}]{{1,3}})"
_EN = r"(?P<n>\d{1,4}|" + "|".join(w for w in time_lexicon.NUMERALS if w.isascii()) + ")(?![a-z0-9.])"
_COUNT = "(?:" + "|".join(lexicon.COUNTERS) + ")"
_NO_UNIT = r"(?!\s*(?:" + "|".join(lexicon.TIME_UNITS) + r"|%|\d|days?|weeks?|months?|years?|quarters?))"
_EN_UNIT = "(?:days|weeks|months|quarters|years)"
_BEST = "(?:best|worst|highest|lowest|largest|smallest|biggest|fewest|slowest|fastest)"
_LIMITS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(rf"{_one(lexicon.RANKED)}?{_one(lexicon.AHEAD)}\s*{_ZH}\s*{_COUNT}?{_NO_UNIT}"), "front"),
    (re.compile(rf"{_one(lexicon.BEHIND)}\s*{_ZH}\s*{_COUNT}?{_NO_UNIT}"), "back"),
    (re.compile(rf"(?<![{_chars(lexicon.NOT_BEHIND)}]){_one(lexicon.BEHIND_COUNTED)}\s*{_ZH}\s*{_COUNT}{_NO_UNIT}"), "back"),
    (re.compile(rf"(?<![a-z])top[\s-]*{_EN}{_NO_UNIT}"), "front"),
    (re.compile(rf"(?<![a-z])bottom[\s-]*{_EN}{_NO_UNIT}"), "back"),
    (re.compile(rf"(?<={_one(lexicon.OF)})\s*{_ZH}\s*{_COUNT}{_NO_UNIT}"), ""),
    (re.compile(rf"(?<=[{_chars(lexicon.ADJECTIVE_ENDS)}])\s*{_ZH}\s*{_COUNT}{_NO_UNIT}"), ""),
    (re.compile(rf"(?<![a-z0-9]){_EN}(?=\s+{_BEST}(?![a-z]))"), ""),
    (re.compile(rf"(?:(?<=est)|(?<=worst)|(?<=most))\s+{_EN}{_NO_UNIT}"), ""),
    (re.compile(rf"(?<=which)\s+{_EN}(?=\s+[a-z])"), ""),
    (re.compile(rf"(?<![a-z])top[\s-]*{_EN}(?=\s+{_EN_UNIT}(?:\s+(?:by|for|with|of|in)(?![a-z])|\s*$))"), "front"),
    (re.compile(rf"(?<={_one(lexicon.SUPERLATIVE_MARKS)}[{_chars(lexicon.ADJECTIVE_ENDS)}]{lexicon.OF[0]})\s*{_ZH}\s*"
                rf"(?={_one(lexicon.TIME_UNITS)})"), ""),
    (re.compile(rf"(?<![a-z])(?:number|no\.?)\s+one(?![a-z])|{_one(lexicon.ORDERED_FIRST)}"), "first"),
)  # fmt: skip
_LIST_LINK = rf"\s*(?:,\s*and|,|{_one(lexicon.LIST_LINKS)}|and|&)\s*(?:no\.?\s*|#\s*)?"
_MARK = rf"\s*(?:{_one(lexicon.NUMBER_MARKS)}|numbers?|nos?\.?|ids?|#|:)*\s*#?\s*"
_NOT_COUNT = (
    rf"(?![\d.%a-z])(?!\s*(?:{_one((*lexicon.COUNTERS, *lexicon.TIME_UNITS, *lexicon.FLOORS))}|%|"
    r"days?|weeks?|months?|years?))"
)
_YEAR_LIKE = re.compile(r"(?:19|20)\d\d")


def limit_claims(text: Text) -> Iterator[Claim]:
    """Row limits; the claim's name says from which end ("" when a superlative says it)."""
    for pattern, side in _LIMITS:
        for match in pattern.finditer(text.norm):
            count = 1 if side == "first" else number(match["n"].strip())
            if count:
                yield Claim(match.start(), match.end(), "number", side or "count", count)


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
            rf"(?<!\d)(?P<n>\d{{1,6}})\s*{_one(lexicon.NUMBERED)}\s*{spoken}", text.norm
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
