"""A question in one spelling, with the way back to the characters as typed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from askcore.agent.rules.filler.lexicon import TRADITIONAL
from askcore.agent.rules.language import is_cjk

# By code point: the characters look alike in a listing.
_DASHES = frozenset(map(chr, (0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2015, 0x2212, 0xFF0D, 0x30FC)))
_TILDES = frozenset(map(chr, (0xFF5E, 0x301C, 0x223C)))
_QUOTES = frozenset(map(chr, (0x2018, 0x2019, 0x60, 0xB4, 0xFF07)))
_FULL_FIRST, _FULL_LAST, _FULL_SHIFT = 0xFF01, 0xFF5E, 0xFEE0  # full-width forms are ASCII moved by 0xFEE0
# A name that runs into a year or month ("Bistro9" + the character for month) ends before its digits.
_NAME_BEFORE_DATE = r"[a-z]{2,}(?=\d{1,4}[\u5e74\u6708])"
_TOKEN = re.compile(rf"[\u3400-\u9fff\uf900-\ufaff]|{_NAME_BEFORE_DATE}|[^\W_\u3400-\u9fff\uf900-\ufaff]+")
_ES_TAILS = ("ches", "shes", "sses", "xes", "zes")
_NO_PLURAL = ("ss", "us", "is")


@dataclass(frozen=True, slots=True)
class Token:
    """One Chinese character, or one run of letters and digits."""

    text: str
    start: int
    end: int
    stem: str
    """`text` without an English plural ending."""

    @property
    def is_word(self) -> bool:
        """A run of letters or digits rather than a Chinese character."""
        return not is_cjk(self.text)


@dataclass(frozen=True)
class Text:
    """A question as typed and as it is read."""

    raw: str
    norm: str
    origin: tuple[int, ...]
    """Position in `norm` -> position in `raw`; one longer than `norm`."""
    fixes: tuple[tuple[str, str], ...] = ()
    """Typing errors that were mended: (as typed, as read)."""

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """Tokens of `norm` in order."""
        return tuple(
            Token(text=m[0], start=m.start(), end=m.end(), stem=stem(m[0]))
            for m in _TOKEN.finditer(self.norm)
        )

    def raw_range(self, start: int, end: int) -> tuple[int, int]:
        """The typed characters behind a range of `norm`."""
        first = self.origin[start]
        last = self.origin[end - 1] + 1 if end > start else first
        return first, max(first, last)

    def replaced(self, changes: list[tuple[int, int, str]]) -> Text:
        """The text with some ranges of `norm` written differently; ranges are in order."""
        parts: list[str] = []
        origin: list[int] = []
        at = 0
        fixes = list(self.fixes)
        for start, end, word in changes:
            parts.append(self.norm[at:start])
            origin.extend(self.origin[at:start])
            parts.append(word)
            last = self.origin[max(start, end - 1)]
            origin.extend(min(self.origin[start] + i, last) for i in range(len(word)))
            fixes.append((self.norm[start:end], word))
            at = end
        parts.append(self.norm[at:])
        origin.extend(self.origin[at:])
        return Text(raw=self.raw, norm="".join(parts), origin=tuple(origin), fixes=tuple(fixes))


def normalise(question: str) -> Text:
    """Full-width forms, dashes, quotes and case unified; one character stays one character."""
    norm = "".join(_char(c) for c in question)
    return Text(raw=question, norm=norm, origin=tuple(range(len(norm) + 1)))


def _char(char: str) -> str:
    code = ord(char)
    if char in _DASHES:
        return "-"
    if char in _TILDES:
        return "~"
    if char in _QUOTES:
        return "'"
    if _FULL_FIRST <= code <= _FULL_LAST:
        char = chr(code - _FULL_SHIFT)
    if char == "~" or char.isspace():
        return "~" if char == "~" else " "
    char = TRADITIONAL.get(char, char)
    lower = char.lower()
    return lower if len(lower) == 1 else char


def words_of(text: str) -> tuple[str, ...]:
    """Stems of a name or label, as the vocabulary stores them."""
    norm = "".join(_char(c) for c in text)
    return tuple(stem(m[0]) for m in _TOKEN.finditer(norm))


def stem(word: str) -> str:
    """An English word without its plural ending; other words as they are."""
    if len(word) < 4 or not word.isascii() or not word.endswith("s"):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(_ES_TAILS):
        return word[:-2]
    return word if word.endswith(_NO_PLURAL) else word[:-1]
