"""The words of a sentence that matter to claims, as tokens."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from askcore.checks.claims import lexicon as words
from askcore.checks.provenance.wording import either

TokenKind = Literal[
    "entity",
    "metric",
    "figure",
    "period",
    "base",
    "now",
    "move",
    "flat",
    "steady",
    "better",
    "faster",
    "change",
    "top",
    "fastest",
    "steepest",
    "best",
    "peak",
    "rank",
    "list_top",
    "next_to",
    "versus_level",
    "versus_good",
    "same",
    "than",
    "versus",
    "more",
    "good",
    "streak",
    "stepwise",
    "multiple",
    "times_of",
    "fraction",
    "share",
    "all",
    "both",
    "none",
    "only",
    "most",
    "except",
    "rest",
    "first",
    "whole",
    "together",
    "mean",
    "noun",
    "other_noun",
    "since",
    "after",
    "once",
    "not",
    "supposed",
    "expected",
    "advised",
    "denied",
    "neutral",
    "in_order",
    "outside",
    "ascending",
    "list_joint",
    "clause_joint",
    "respectively",
    "gap",
    "adverb",
    "ordinal",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """One word, name or figure."""

    kind: TokenKind
    start: int
    end: int
    text: str
    sign: int = 0
    """+1 up, high or good; -1 down, low or bad."""
    value: float = 0.0
    names: frozenset[str] = frozenset()
    """The entity, or the metrics that a metric word may stand for."""
    groups: tuple[str, ...] = ()
    """Of a noun: the groups that it may mean."""


_TABLES: Final[tuple[tuple[TokenKind, int, Iterable[str]], ...]] = (
    ("neutral", 0, words.NEUTRAL),
    ("adverb", 0, words.ADVERBS),
    ("list_joint", 0, words.LIST_JOINTS),
    ("clause_joint", 0, words.CLAUSE_JOINTS),
    ("after", 0, words.AFTERWARDS),
    ("since", 0, words.SINCE),
    ("now", 0, words.NOW),
    ("base", 0, words.BASE),
    ("move", 1, words.UP),
    ("move", -1, words.DOWN),
    ("flat", 0, words.FLAT),
    ("steady", 0, words.STEADY),
    ("better", 1, words.IMPROVED),
    ("better", -1, words.WORSENED),
    ("faster", 1, words.FASTER),
    ("faster", -1, words.SLOWER),
    ("change", 1, words.CHANGE_UP),
    ("change", -1, words.CHANGE_DOWN),
    ("change", 0, words.CHANGE_ANY),
    ("gap", 0, words.GAP_NOUNS),
    ("more", 1, words.MORE),
    ("more", -1, words.LESS),
    ("good", 1, words.COMPARE_BETTER),
    ("good", -1, words.COMPARE_WORSE),
    ("top", 1, words.HIGHEST),
    ("top", -1, words.LOWEST),
    ("fastest", 1, words.FASTEST),
    ("steepest", 1, words.STEEPEST),
    ("best", 1, words.BEST),
    ("best", -1, words.WORST),
    ("peak", 1, words.PEAK),
    ("peak", -1, words.TROUGH),
    ("next_to", 0, words.NEXT_TO),
    ("in_order", 0, words.IN_ORDER),
    ("ascending", 0, words.IN_ASCENDING),
    ("versus_level", 1, words.ABOVE),
    ("versus_level", -1, words.BELOW),
    ("versus_good", 1, words.BETTER),
    ("versus_good", -1, words.WORSE),
    ("same", 0, words.SAME),
    ("than", 0, words.THAN),
    ("versus", 0, words.VERSUS),
    ("streak", 0, words.STREAK),
    ("stepwise", 0, words.STEPWISE),
    ("share", 0, words.SHARE),
    ("all", 0, words.ALL),
    ("both", 0, words.BOTH),
    ("none", 0, words.NONE),
    ("only", 0, words.ONLY),
    ("most", 0, words.MOST),
    ("except", 0, words.EXCEPT),
    ("rest", 0, words.REST),
    ("first", 0, (*words.FIRST, *words.FIRST_TIME)),
    ("together", 0, words.TOGETHER),
    ("whole", 0, words.WHOLE),
    ("mean", 0, words.MEAN),
    ("noun", 0, words.NOUNS),
    ("other_noun", 0, words.OTHER_NOUNS),
    ("once", 0, words.ONCE),
    ("respectively", 0, words.RESPECTIVELY),
    ("multiple", 0, words.MULTIPLES),
    ("times_of", 0, words.TIMES_OF),
    ("fraction", 0, words.FRACTIONS),
    ("not", 0, words.NOT),
    ("supposed", 0, words.SUPPOSED),
    ("expected", 0, words.EXPECTED),
    ("advised", 0, words.ADVISED),
    ("denied", 0, words.DENIED),
    ("outside", 0, words.OUTSIDE),
)
_MEANING: Final[Mapping[str, tuple[TokenKind, int]]] = {
    word: (kind, sign) for kind, sign, entries in _TABLES for word in entries
}
_STEMS: Final = tuple(
    sorted(((w.rstrip("*"), m) for w, m in _MEANING.items() if w.endswith("*")), key=lambda s: -len(s[0]))
)
_NUMBERED: Final[Mapping[str, float]] = {**words.MULTIPLES, **words.TIMES_OF, **words.FRACTIONS}
_WORD: Final = re.compile(either(_MEANING).replace(r"(?<![a-z])n't", "n't"))
_LATIN_GLUED: Final = re.compile(r"\s+")


def words_in(text: str) -> list[Token]:
    """The lexicon's words in the folded `text`, the longest first at each place."""
    return [_token(m) for m in _WORD.finditer(text)]


def _token(match: re.Match[str]) -> Token:
    written = _LATIN_GLUED.sub(" ", match.group())
    kind, sign, known = _meaning(written)
    return Token(
        kind=kind,
        start=match.start(),
        end=match.end(),
        text=written,
        sign=sign,
        value=_NUMBERED.get(known, 0.0),
        groups=words.NOUNS.get(written, ()),
    )


@lru_cache(maxsize=2048)
def _meaning(written: str) -> tuple[TokenKind, int, str]:
    if written in _MEANING:
        return (*_MEANING[written], written)
    for stem, meaning in _STEMS:
        if written.startswith(stem):
            return (*meaning, stem + "*")
    return "neutral", 0, written
