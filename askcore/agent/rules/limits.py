"""Recogniser of row limits: "top 5", "the last three"."""

# ruff: noqa: E501 - one pattern a line
from __future__ import annotations

import re
from collections.abc import Iterator

from askcore.agent.rules import lexicon
from askcore.agent.rules.normalise import Text
from askcore.agent.rules.spans import Claim
from askcore.agent.rules.times import lexicon as time_lexicon
from askcore.agent.rules.times.values import number


def one_of(words: tuple[str, ...]) -> str:
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
    (re.compile(rf"{one_of(lexicon.RANKED)}?{one_of(lexicon.AHEAD)}\s*{_ZH}\s*{_COUNT}?{_NO_UNIT}"), "front"),
    (re.compile(rf"{one_of(lexicon.BEHIND)}\s*{_ZH}\s*{_COUNT}?{_NO_UNIT}"), "back"),
    (re.compile(rf"(?<![{_chars(lexicon.NOT_BEHIND)}]){one_of(lexicon.BEHIND_COUNTED)}\s*{_ZH}\s*{_COUNT}{_NO_UNIT}"), "back"),
    (re.compile(rf"(?<![a-z])top[\s-]*{_EN}{_NO_UNIT}"), "front"),
    (re.compile(rf"(?<![a-z])bottom[\s-]*{_EN}{_NO_UNIT}"), "back"),
    (re.compile(rf"(?<={one_of(lexicon.OF)})\s*{_ZH}\s*{_COUNT}{_NO_UNIT}"), ""),
    (re.compile(rf"(?<=[{_chars(lexicon.ADJECTIVE_ENDS)}])\s*{_ZH}\s*{_COUNT}{_NO_UNIT}"), ""),
    (re.compile(rf"(?<![a-z0-9]){_EN}(?=\s+{_BEST}(?![a-z]))"), ""),
    (re.compile(rf"(?:(?<=est)|(?<=worst)|(?<=most))\s+{_EN}{_NO_UNIT}"), ""),
    (re.compile(rf"(?<=which)\s+{_EN}(?=\s+[a-z])"), ""),
    (re.compile(rf"(?<![a-z])top[\s-]*{_EN}(?=\s+{_EN_UNIT}(?:\s+(?:by|for|with|of|in)(?![a-z])|\s*$))"), "front"),
    (re.compile(rf"(?<={one_of(lexicon.SUPERLATIVE_MARKS)}[{_chars(lexicon.ADJECTIVE_ENDS)}]{lexicon.OF[0]})\s*{_ZH}\s*"
                rf"(?={one_of(lexicon.TIME_UNITS)})"), ""),
    (re.compile(rf"(?<![a-z])(?:number|no\.?)\s+one(?![a-z])|{one_of(lexicon.ORDERED_FIRST)}"), "first"),
)  # fmt: skip


def limit_claims(text: Text) -> Iterator[Claim]:
    """Row limits; the claim's name says from which end ("" when a superlative says it)."""
    for pattern, side in _LIMITS:
        for match in pattern.finditer(text.norm):
            count = 1 if side == "first" else number(match["n"].strip())
            if count:
                yield Claim(match.start(), match.end(), "number", side or "count", count)
