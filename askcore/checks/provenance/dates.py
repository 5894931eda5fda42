"""Days named in a text and days that label a time bucket."""

from __future__ import annotations

import re
from datetime import date
from typing import Final

from askcore.checks.provenance import lexicon as words

Day = tuple[int, int]
"""(month, day): a text seldom says the year."""

_LABEL: Final = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])")
_MONTHS: Final = "|".join(words.LATIN_MONTHS)
_DAY: Final = re.compile(
    r"(?:19|20)[0-9]{2}[-/.](?P<m1>[01]?[0-9])[-/.](?P<d1>[0-3]?[0-9])(?![0-9])"
    r"|(?<![0-9])(?:19|20)[0-9]{2}(?P<m2>[01][0-9])(?P<d2>[0-3][0-9])(?![0-9])"
    rf"|(?<![0-9])(?P<m3>[01]?[0-9])\s?{words.MONTH}\s?(?P<d3>[0-3]?[0-9])(?![0-9])"
    r"|(?<![0-9.,/-])(?P<m4>[01][0-9])[-/](?P<d4>[0-3][0-9])(?![0-9%.])"
    rf"|(?<![a-z])(?P<m5>{_MONTHS})[a-z]{{0,6}}\.?\s+(?P<d5>[0-3]?[0-9])(?![0-9])"
    rf"|(?<![0-9])(?P<d6>[0-3]?[0-9])(?:st|nd|rd|th)?\s+(?P<m6>{_MONTHS})(?![a-z]{{7}})"
)


def days_in(plain: str) -> tuple[Day, ...]:
    """The days that the lowered text names, in order."""
    return tuple(_day(m) for m in _DAY.finditer(plain))


def label_day(label: str) -> Day | None:
    """The day that labels a bucket; None when the bucket is no day."""
    match = _LABEL.fullmatch(label)
    return (int(match[1]), int(match[2])) if match else None


def bucket_date(label: str) -> date | None:
    """The date that labels a bucket; None when the bucket is no day."""
    try:
        return date.fromisoformat(label) if _LABEL.fullmatch(label) else None
    except ValueError:  # a day that no calendar has
        return None


def _day(match: re.Match[str]) -> Day:
    named = {name[0]: value for name, value in match.groupdict().items() if value}
    month = named["m"]
    if month in words.LATIN_MONTHS:
        return words.LATIN_MONTHS.index(month) + 1, int(named["d"])
    return int(month), int(named["d"])
