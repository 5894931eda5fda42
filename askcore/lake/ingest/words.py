"""Headers as words: splitting, comparing and hinting, for English and Chinese alike."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from askcore.lake.ingest.lexicon import ABBREVIATIONS, TOTAL_WORDS

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_ASCII_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_BRACKETED = re.compile(r"\s*[(\uff08\[\u3010][^)\uff09\]\u3011]*[)\uff09\]\u3011]\s*$")
_IGNORED = re.compile(r"[\s_\-]+")


def words_of(name: str) -> tuple[str, ...]:
    """Lower-case English words of a header: "Weekly_Sales", "weeklySales" -> ("weekly", "sales")."""
    return tuple(w.lower() for w in _ASCII_WORD.findall(_CAMEL.sub(" ", name.replace("_", " "))))


def without_unit(name: str) -> str:
    """The header without a bracketed ending, e.g. a unit."""
    return _BRACKETED.sub("", name) or name


def normal(name: str) -> str:
    """For comparing names: width, case, spaces, "_" and "-" do not count."""
    return _IGNORED.sub("", unicodedata.normalize("NFKC", name).casefold())


def is_chinese(text: str) -> bool:
    """Whether any CJK character occurs."""
    return any("\u4e00" <= c <= "\u9fff" for c in text)


def has_word(name: str, words: Iterable[str]) -> bool:
    """Whether an English word of the header is listed, or its Chinese equals or ends with a listed one."""
    known = set(words)
    if known.intersection(words_of(name)):
        return True
    plain = normal(without_unit(name))
    return any(plain == w or (len(w) > 1 and is_chinese(w) and plain.endswith(w)) for w in known)


def longest_ending(name: str, endings: Iterable[str]) -> int:
    """Length of the longest listed ending of the header, 0 when none."""
    plain = normal(without_unit(name))
    return max((len(e) for e in endings if plain.endswith(normal(e))), default=0)


def english_label(name: str) -> str:
    """Weekly_Sales -> "Weekly Sales"; abbreviations keep their capitals."""
    parts = _CAMEL.sub(" ", without_unit(name).replace("_", " ")).split()
    return " ".join(p.upper() if p.lower() in ABBREVIATIONS else p for p in parts) or name


def is_total(text: str) -> bool:
    """Whether a cell is exactly a word for a total."""
    return _bare(text) in TOTAL_WORDS


def names_total(text: str) -> bool:
    """Whether a cell is or ends with a word for a total, e.g. "2018 Total"."""
    bare = _bare(text)
    return bare in TOTAL_WORDS or any(bare.endswith(w if is_chinese(w) else f" {w}") for w in TOTAL_WORDS)


def _bare(text: str) -> str:
    return unicodedata.normalize("NFKC", text).strip().rstrip(":").strip().casefold()
