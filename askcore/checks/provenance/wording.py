"""How words of the lexicon become regular expressions."""

from __future__ import annotations

import re
from collections.abc import Iterable

ASCII_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def fold(text: str) -> str:
    """ASCII letters lowered, everything else untouched, so that indices stay valid."""
    return text.translate(ASCII_LOWER)


def either(words: Iterable[str]) -> str:
    """A group matching one of `words`, the longest first.

    A Latin word is matched whole; with a trailing `*` it is a stem.
    """
    ordered = sorted(words, key=len, reverse=True)
    return "(?:" + "|".join(_word(word) for word in ordered) + ")"


def chars(letters: str) -> str:
    """A character class of `letters`."""
    return "[" + re.escape(letters) + "]"


def found(pattern: re.Pattern[str], text: str) -> bool:
    """Whether `pattern` occurs in `text`."""
    return pattern.search(text) is not None


def _word(word: str) -> str:
    stem = word.rstrip("*")
    escaped = re.escape(stem).replace(r"\ ", r"\s+")
    if not _is_latin(stem):
        return escaped
    return rf"(?<![a-z]){escaped}" + ("[a-z]*" if stem != word else "(?![a-z])")


def _is_latin(word: str) -> bool:
    return word.isascii() and word[:1].isalpha()
