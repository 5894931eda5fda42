"""Ranks and fractions in words and digits, as tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from askcore.checks.claims import lexicon as words
from askcore.checks.claims.token import Token, TokenKind
from askcore.checks.provenance.lexicon import LATIN_NUMBERS
from askcore.checks.provenance.numerals import DIGIT_CHARS, NUMERAL_CHARS, read_numeral
from askcore.checks.provenance.wording import chars, either

_N: Final = rf"(?:[0-9]{{1,3}}|[{NUMERAL_CHARS}]{{1,3}})"
_ORDINAL: Final = either(words.LATIN_ORDINALS) + r"|(?<![0-9.,])[0-9]{1,3}(?:st|nd|rd|th)(?![a-z])"
_LATIN_N: Final = rf"(?:[0-9]{{1,3}}|{either(LATIN_NUMBERS)})"
_EXTREME_UP: Final = either(
    ("highest", "largest", "biggest", "most", "best", "greatest", "longest", "strongest", "slowest")
)
_EXTREME_DOWN: Final = either(
    ("lowest", "smallest", "fewest", "least", "worst", "shortest", "weakest", "fastest")
)
_GOES_ON: Final = (
    r"(?=\s*(?:$|[,.;:)]|(?:in|by|for|on|among|out|of|overall|from|with|at|place|position|and|but)(?![a-z])))"
)

_GOES_ON_OR_COLON: Final = _GOES_ON.replace("[,.;:)]", r"[,.;:)\u2014-]")
_SOURCES: Final[tuple[tuple[TokenKind, int, str], ...]] = (
        ("rank", -1, rf"{words.FROM_BOTTOM}{words.RANK_PREFIX}\s?(?P<n>{_N})"
                     rf"(?!{chars(words.NOT_RANK)})[{words.RANK_TAIL}]?"),
        ("rank", 1, rf"{words.RANK_PREFIX}\s?(?P<n>{_N})[{words.ORDINAL_HIGH}](?![a-z])"),
        ("rank", -1, rf"{words.RANK_PREFIX}\s?(?P<n>{_N})[{words.ORDINAL_LOW}]"),
        ("rank", 1, rf"(?:{either(words.RANK_VERBS)}\s?)?{words.RANK_PREFIX}\s?(?P<n>{_N})"
                    rf"(?!{chars(words.NOT_RANK)}|\s?[{NUMERAL_CHARS}0-9])"
                    rf"[{words.RANK_TAIL}]?"),
        ("rank", 1, rf"{either(words.RANK_VERBS[:5])}\s?(?P<n>[0-9]{{1,3}})(?![0-9]|[.,][0-9])"),
        ("list_top", -1, rf"(?:{words.FROM_BOTTOM}|"
                         rf"(?<!{chars(words.NOT_BEFORE_BOTTOM)})[{words.BOTTOM_OF}])\s?"
                         rf"(?P<n>{_N})\s?{either(words.TOP_TAIL)}"),
        ("list_top", 1, rf"(?<!{chars(words.NOT_BEFORE_TOP)}){words.TOP_OF}\s?(?P<n>{_N})"
                        rf"(?:\s?{either(words.TOP_TAIL)}|(?![0-9.,]|\s?{either(words.GRAINS)}))"),
        ("list_top", 1, rf"(?<![a-z])top[\s-]+(?P<n>{_LATIN_N})(?![0-9]|[.,][0-9])"),
        ("list_top", -1, rf"(?<![a-z])(?:bottom|last)[\s-]+(?P<n>{_LATIN_N})(?=\s+(?:shop|store|channel"
                         rf"|region|department|by|in|are|were|:))"),
        ("rank", 1, rf"(?P<n>{_ORDINAL})[\s-]+{_EXTREME_UP}"),
        ("rank", -1, rf"(?P<n>{_ORDINAL})[\s-]+{_EXTREME_DOWN}"),
        ("rank", -1, rf"(?P<n>{_ORDINAL})[\s-]+(?:from\s+(?:the\s+)?(?:bottom|last)|to\s+last)|"
                     rf"(?P<m>next)[\s-]to[\s-]last"),
        ("rank", 1, rf"(?<![a-z])rank(?:s|ed|ing)?\s+(?:at\s+)?(?:only\s+)?(?:(?P<n>{_ORDINAL})|"
                    rf"(?:no\.?\s?|number\s|\#)?(?P<d>[0-9]{{1,3}}))(?![0-9]|[.,][0-9])"),
        ("rank", 1, rf"(?<![a-z])(?:comes?|came|finish(?:es|ed)|remain(?:s|ed)?|stay(?:s|ed)?|plac(?:es"
                    rf"|ed)|stands?|stood|sits?|sat|takes?|took|held|holds?|lies|lay)\s+"
                    rf"(?:in\s+|at\s+)?(?:the\s+)?(?P<n>{_ORDINAL})(?:\s+(?:place|position|spot))?"),
        ("rank", 1, rf"(?<![a-z])in\s+(?P<n>{_ORDINAL})\s+(?:place|position)"),
        ("rank", 1, rf"(?<![a-z])(?:is|was|are|were)\s+(?:only\s+|still\s+|in\s+)?"
                    rf"(?P<n>{_ORDINAL}){_GOES_ON}"),
        ("rank", 1, rf"(?:(?<![a-z])(?:no\.?|number)\s?|\#)(?P<n>{_LATIN_N})(?![0-9]|[.,][0-9])"),
        ("ordinal", 1, rf"(?P<n>{_ORDINAL}){_GOES_ON_OR_COLON}"),
        ("rank", 1, rf"(?P<two>{either(words.NEXT_HIGH)})|(?P<three>{either(words.THIRD)})"),
        ("rank", -1, rf"(?P<two>{either(words.NEXT_LOW)})"),
)  # fmt: skip
_RANKS: Final = tuple((kind, sign, re.compile(source)) for kind, sign, source in _SOURCES)
_MULTIPLIED: Final = re.compile(rf"{either(words.MULTIPLIED)}(?P<n>{_N}){words.TIMES_CHAR}")
_FRACTION: Final = re.compile(
    rf"(?P<of>[{DIGIT_CHARS}0-9]){words.PART_OF}(?P<part>[{DIGIT_CHARS}0-9])"
    rf"|(?<![{NUMERAL_CHARS}0-9.])(?P<tenths>[{DIGIT_CHARS}1-9]){words.TENTHS}"
    rf"(?!{chars(words.NOT_AFTER_TENTHS)})"
    rf"(?P<half>{words.HALF_MARK})?"
)
_FIXED: Final[Mapping[str, int]] = {"two": 2, "three": 3, "m": 2}


def ranks_in(text: str) -> Iterator[Token]:
    """Ranks ("rank": one place, "list_top": the first or last N)."""
    for kind, sign, pattern in _RANKS:
        for match in pattern.finditer(text):
            number = _rank_of(match)
            if number:
                yield Token(
                    kind=kind, sign=sign, value=number,
                    start=match.start(), end=match.end(), text=match.group(),
                )  # fmt: skip


def fractions_in(text: str) -> Iterator[Token]:
    """Fractions in numerals: one of three parts, three tenths."""
    for match in _FRACTION.finditer(text):
        if match["tenths"]:
            value = count_of(match["tenths"]) / 10 + (0.05 if match["half"] else 0)
        else:
            value = count_of(match["part"]) / max(count_of(match["of"]), 1)
        yield Token(kind="fraction", start=match.start(), end=match.end(), text=match.group(), value=value)


def multiples_in(text: str) -> Iterator[Token]:
    """As in "grew by N times": N + 1 times as much."""
    for match in _MULTIPLIED.finditer(text):
        value = count_of(match["n"]) + 1
        yield Token(kind="multiple", start=match.start(), end=match.end(), text=match.group(), value=value)


def count_of(written: str) -> int:
    """A small whole number in digits or words of either language."""
    if written.isdigit():
        return int(written)
    return LATIN_NUMBERS.get(written) or words.LATIN_ORDINALS.get(written) or int(read_numeral(written))


def _rank_of(match: re.Match[str]) -> int:
    for key, written in match.groupdict().items():
        if written is None:
            continue
        if key in _FIXED:
            return _FIXED[key]
        digits = re.match(r"[0-9]+", written)
        return int(digits.group()) if digits else count_of(written)
    return 0
