"""What a text does not assert: what would be, what is asked, advised, expected, denied, quoted or a title."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from askcore.checks.claims import lexicon as words
from askcore.checks.claims.token import Token, TokenKind

_WHOLE_SENTENCE: Final[frozenset[TokenKind]] = frozenset({"supposed", "outside"})
_FROM_HERE: Final[frozenset[TokenKind]] = frozenset({"expected", "advised"})
_QUESTION: Final = re.compile("|".join(re.escape(w) for w in words.QUESTION) + r"[\"'\s*]*$")
_QUOTED: Final = re.compile(
    "|".join(f"{a}[^{a}{b}\n]*{b}" for a, b in words.QUOTES) + r"|(?<![a-z0-9])[\"][^\"\n]+[\"]"
)
_HEADING: Final = re.compile(r"[ \t]*(?:#{1,6}\s|\*\*[^*\n]+\*\*\s*$|__[^_\n]+__\s*$)")
_COLON: Final = re.compile(r"[:\uff1a]")
_CLAUSE_BREAK: Final = re.compile(rf"[{words.CLAUSE_ENDS}]|,(?![0-9]{{3}})")


def spoken_by_others(original: str) -> list[tuple[int, int]]:
    """Quoted stretches."""
    return [m.span() for m in _QUOTED.finditer(original)]


def is_title(original: str, start: int, end: int) -> bool:
    """Whether the sentence is a heading: marked as one, or all bold."""
    line_start = original.rfind("\n", 0, start) + 1
    line_end = original.find("\n", end - 1)
    line = original[line_start : len(original) if line_end < 0 else line_end]
    return _HEADING.match(line) is not None


def asserted(sentence: str, tokens: Sequence[Token], start: int) -> tuple[int, int]:
    """The stretch of the sentence that is asserted, as positions in the text; empty when none is."""
    end = start + len(sentence)
    if _QUESTION.search(sentence.rstrip()) or any(t.kind in _WHOLE_SENTENCE for t in tokens):
        return start, start
    denials = [t for t in tokens if t.kind == "denied"]
    if denials:
        colon = _COLON.search(sentence, denials[-1].end - start)
        return (start + colon.start(), end) if colon else (start, start)
    marks = [t.start for t in tokens if t.kind in _FROM_HERE]
    if not marks:
        return start, end
    clauses = [start, *(start + m.end() for m in _CLAUSE_BREAK.finditer(sentence))]
    return start, max(at for at in clauses if at <= marks[0])
