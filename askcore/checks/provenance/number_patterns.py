"""The regular expressions that read figures; all work on normalised, ASCII-lowered text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final, cast

from askcore.base.values import CellUnit
from askcore.checks.provenance import lexicon as words
from askcore.checks.provenance.numerals import DIGIT_CHARS, NUMERAL_CHARS
from askcore.checks.provenance.wording import chars, either, fold

MULTIPLIER_SCALES: Final[Mapping[str, float]] = {**words.MULTIPLIERS, **words.LATIN_MULTIPLIERS}
UNIT_SCALES: Final = cast(
    Mapping[str, tuple[CellUnit, float]],
    {
        **words.SYMBOL_UNITS,
        **words.UNITS,
        **words.LATIN_UNITS,
        words.TIMES_SIGN: ("x", 1.0),
    },
)
THOUSAND: Final = next(w for w, scale in words.MULTIPLIERS.items() if scale == 1e3)


def _unit_branch(word: str) -> str:
    if word.isascii() and word.isalpha() and word != "x":
        return rf"{word}(?![a-z])"
    if word == "x":
        return "x(?![a-z0-9])"
    if " " in word:
        return word.replace(" ", r"\s+") + "(?![a-z])"
    barred = words.NOT_AFTER_UNIT.get(word, "")
    return re.escape(word) + (f"(?!{chars(barred)})" if barred else "")


def _multiplier_branch(word: str) -> str:
    if word.isascii():
        return f"{word}(?![a-z])"
    return word + (f"(?!{chars(words.NOT_AFTER_THOUSAND)})" if word == THOUSAND else "")


def _branches(table: Mapping[str, object], branch: Callable[[str], str]) -> str:
    return "|".join(branch(w) for w in sorted(table, key=len, reverse=True))


_CURRENCY: Final = rf"(?:[{words.YEN}$]|{'|'.join(fold(c) for c in words.CURRENCIES)})"
_DIGITS: Final = r"[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?|(?<![0-9])\.[0-9]+"

NUMBER: Final = re.compile(
    rf"(?:(?P<currency>{_CURRENCY})\s?)?(?P<sign>[-+\u2013](?=[0-9.{words.YEN}$]))?"
    rf"(?P<currency_inside>{_CURRENCY})?(?P<number>{_DIGITS})"
    rf"(?:\s?(?P<multiplier>{_branches(MULTIPLIER_SCALES, _multiplier_branch)}))?"
    rf"(?:\s?(?P<unit>{_branches(UNIT_SCALES, _unit_branch)}))?"
)
HEADING_UNIT: Final = re.compile(
    rf"[({words.OPEN_PAREN}]\s*(?P<multiplier>{_branches(MULTIPLIER_SCALES, _multiplier_branch)})?"
    rf"\s?(?P<unit>{_branches(UNIT_SCALES, _unit_branch)})?\s*[){words.CLOSE_PAREN}]"
)
_DECIMAL_NUMERAL: Final = rf"[{NUMERAL_CHARS}]{{1,30}}(?:{words.POINT}[{DIGIT_CHARS}]{{1,10}})?"
NUMERAL_PART: Final = re.compile(
    rf"{words.PERCENT_OF}(?P<percent>{_DECIMAL_NUMERAL})"
    rf"|{words.PERMILLE_OF}(?P<permille>{_DECIMAL_NUMERAL})"
    rf"|(?P<tenths>(?<!{chars(NUMERAL_CHARS)})[{DIGIT_CHARS}]){words.TENTHS}"
    rf"(?!{chars(words.NOT_AFTER_TENTHS)})(?P<half>{words.HALF_MARK})?"
)
_FIRST: Final = f"[{DIGIT_CHARS}{next(iter(words.PLACES))}]"
_NUMERAL_UNIT: Final = "|".join(_unit_branch(w) for w in sorted(words.NUMERAL_UNITS, key=len, reverse=True))
NUMERAL_CLAIM: Final = re.compile(
    rf"(?<![{NUMERAL_CHARS}{words.NOT_BEFORE_NUMERAL}])"
    rf"(?P<numeral>{_FIRST}[{NUMERAL_CHARS}]{{0,30}}"
    rf"(?:{words.POINT}[{DIGIT_CHARS}]{{1,10}}{chars(''.join(words.MYRIADS))}?)?)"
    rf"(?P<unit>{_NUMERAL_UNIT})?"
)
WORD_NUMBER: Final = re.compile(
    rf"(?<!first )(?<!second ){either(words.WORD_NUMBERS)}"
    rf"(?![\s-]{either(words.NOT_AFTER_HALF)})"
)
RANK: Final = re.compile(
    rf"{words.RANK_PREFIX}\s*([0-9]{{1,6}}|[{NUMERAL_CHARS}]{{1,8}})\s*{either(words.RANK_SUFFIX)}?"
    r"|(?<![a-z])no\.?\s?([0-9]{1,6})|#([0-9]{1,6})|(?<![0-9.,])([0-9]{1,6})(?:st|nd|rd|th)(?![a-z])"
    rf"|{either(words.RANK_WORDS)}\s*([0-9]{{1,6}})(?![0-9]|[.,][0-9])"
    r"|(?<![a-z])rank(?:ed|s)?\s+([0-9]{1,6})(?![0-9]|[.,][0-9])"
)
LINK: Final = re.compile(
    rf"\s*(?:[-\u2013\u2014{words.WAVES}{words.LIST_COMMA}]|{either(words.RANGE_WORDS)}"
    rf"|{words.LATIN_RANGE})\s*"
)
