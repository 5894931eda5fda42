"""Points and stretches of time that a text names, and the time buckets that they stand for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final, Literal

from askcore.checks.claims import lexicon as words
from askcore.checks.provenance.lexicon import LATIN_MONTHS, WAVES
from askcore.checks.provenance.numerals import NUMERAL_CHARS, read_numeral

Grain = Literal["day", "week", "month", "quarter", "year"]
Point = tuple[int, int]
"""(month, day) of a day, (0, number) of a week, month, quarter or year."""

_MONTHS: Final = "|".join(words.MONTH_NAMES)
_LATIN_MONTH: Final = rf"(?<![a-z])(?:{_MONTHS})(?![a-z])(?:\.(?=\s?[0-9]))?"
_DASH: Final = rf"\s*(?:[-\u2013{WAVES}]|{'|'.join(words.CJK_RANGE)}|to|through|until)\s*"
_N: Final = rf"(?:[0-9]{{1,2}}|[{NUMERAL_CHARS}]{{1,3}})"
_W: Final = words.CJK_WEEK
_M: Final = words.CJK_MONTH
_D: Final = rf"[{words.CJK_DAY}]"
_Q: Final = words.CJK_QUARTER
_YEAR: Final = rf"(?:(?:19|20)[0-9]{{2}}\s?[-{words.CJK_YEAR}/]\s?)?"


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A named stretch of time; a single point when both ends are equal."""

    start: int
    end: int
    grain: Grain
    first: Point
    last: Point

    @property
    def is_range(self) -> bool:
        """Whether two ends were named."""
        return self.first != self.last

    def labels(self, known: Sequence[str]) -> list[str]:
        """The time buckets among `known` that it covers."""
        return [label for label in known if self._covers(label)]

    def _covers(self, label: str) -> bool:
        point = _point(label, self.grain)
        if point is None:
            return False
        if self.first[0] == 0 and self.grain == "day":  # "on the 8th": the month goes without saying
            return self.first[1] <= point[1] <= self.last[1]
        return self.first <= point <= self.last


_SOURCES: Final[tuple[tuple[Grain, str], ...]] = (
        ("day", r"(?<![0-9])(?:19|20)[0-9]{2}[-/](?P<m1>[01]?[0-9])[-/](?P<a>[0-3]?[0-9])(?![0-9])"
                rf"(?:{_DASH}(?:19|20)[0-9]{{2}}[-/](?P<m2>[01]?[0-9])[-/](?P<b>[0-3]?[0-9])(?![0-9]))?"),
        ("day", rf"{_YEAR}(?<![0-9])(?P<m1>{_N})\s?{_M}\s?(?P<a>{_N})\s?{_D}?"
                rf"(?:{_DASH}(?:(?P<m2>{_N})\s?{_M}\s?)?(?P<b>{_N})\s?{_D})?"),
        ("day", rf"(?P<m1>{_LATIN_MONTH})\s+(?P<a>[0-9]{{1,2}})(?:st|nd|rd|th)?(?![0-9]|[.,][0-9])"
                rf"(?:{_DASH}(?:(?P<m2>{_LATIN_MONTH})\s+)?(?P<b>[0-9]{{1,2}})(?:st|nd|rd|th)?"
                rf"(?![0-9,.]?[0-9]))?"),
        ("day", rf"(?<![0-9.])(?P<a>[0-9]{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<m1>{_LATIN_MONTH})"),
        ("day", r"(?<![0-9.,/-])(?P<m1>0[1-9]|1[0-2])-(?P<a>[0-3][0-9])(?![0-9%.])"),
        ("week", rf"{words.RANK_PREFIX}\s?(?P<a>{_N})\s?{_W}?{_DASH}{words.RANK_PREFIX}?\s?(?P<b>{_N})\s?{_W}"
                 rf"|{words.RANK_PREFIX}\s?(?P<c>{_N})\s?{_W}"),
        ("week", rf"(?<![a-z])weeks?\s(?P<a>[0-9]{{1,2}})(?:{_DASH}(?:week\s)?(?P<b>[0-9]{{1,2}})"
                 rf"(?![0-9,.]*[0-9]))?(?![0-9])"),
        ("week", rf"(?<![a-z0-9])(?:20[0-9]{{2}}-)?w(?P<a>[0-9]{{1,2}})(?![0-9])(?:{_DASH}"
                 rf"(?:20[0-9]{{2}}-)?w(?P<b>[0-9]{{1,2}})(?![0-9]))?"),
        ("quarter", rf"(?<![a-z0-9])q(?P<a>[1-4])(?![0-9])(?:{_DASH}q(?P<b>[1-4]))?"
                    rf"|{words.RANK_PREFIX}?(?P<c>{_N})\s?{_Q}"),
        ("month", r"(?<![0-9])(?:19|20)[0-9]{2}-(?P<a>0[1-9]|1[0-2])(?![0-9-])"),
        ("month", rf"{_YEAR}(?<![0-9{NUMERAL_CHARS}])(?P<a>{_N})\s?{_M}?{words.CJK_MONTH_TAIL}?{_DASH}"
                  rf"(?P<b>{_N})\s?{_M}{words.CJK_MONTH_TAIL}?"),
        ("month", rf"{_YEAR}(?<![0-9{NUMERAL_CHARS}])(?P<a>{_N})\s?{_M}{words.CJK_MONTH_TAIL}?(?!\s?[0-9])"),
        ("month", rf"(?P<a>{_LATIN_MONTH})(?:\s+(?:19|20)[0-9]{{2}})?(?:{_DASH}(?P<b>{_LATIN_MONTH}))?"),
        ("day", rf"(?<![0-9.,])(?P<a>[0-9]{{1,2}})(?:{_DASH}(?P<b>[0-9]{{1,2}}))?[{words.CJK_DAY}](?![0-9])"),
        ("day", r"(?<![a-z])the\s(?P<a>[0-9]{1,2})(?:st|nd|rd|th)(?:\s(?:to|through)\s(?:the\s)?"
                r"(?P<b>[0-9]{1,2})(?:st|nd|rd|th))?"),
)  # fmt: skip
_PATTERNS: Final = tuple((grain, re.compile(source)) for grain, source in _SOURCES)
_MODAL_MAY: Final = re.compile(r"may(?!\s+[0-9])")
_BEFORE_MAY: Final = re.compile(r"(?:in|of|since|from|to|and|through|until|by)\s$")


def spans_in(text: str, original: str) -> list[Span]:
    """The stretches of time in the folded `text`, in order; of two that overlap the earlier pattern wins."""
    taken = bytearray(len(text))
    found: list[Span] = []
    for grain, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            if any(taken[match.start() : match.end()]) or _is_modal(match, text, original):
                continue
            span = _span(match, grain)
            if span is not None:
                found.append(span)
                taken[match.start() : match.end()] = b"\x01" * (match.end() - match.start())
    return _between(sorted(found, key=lambda s: s.start), text)


def _between(spans: list[Span], text: str) -> list[Span]:
    """Two points as one range in "between A and B"."""
    merged: list[Span] = []
    for span in spans:
        before = merged[-1] if merged else None
        if (
            before is not None
            and before.grain == span.grain
            and text[: before.start].endswith("between ")
            and text[before.end : span.start] == " and "
        ):
            merged[-1] = replace(before, end=span.end, last=span.last)
        else:
            merged.append(span)
    return merged


def _is_modal(match: re.Match[str], text: str, original: str) -> bool:
    """The month of May is written large and after a preposition or before a day."""
    if _MODAL_MAY.fullmatch(match.group()) is None:
        return False
    return original[match.start()] != "M" or _BEFORE_MAY.search(text[: match.start()]) is None


def _span(match: re.Match[str], grain: Grain) -> Span | None:
    parts = {key: _number(value) for key, value in match.groupdict().items() if value}
    first = parts.get("a", parts.get("c", 0))
    last = parts.get("b", first)
    if grain != "day":
        return Span(start=match.start(), end=match.end(), grain=grain, first=(0, first), last=(0, last))
    month = parts.get("m1", 0)
    if not 1 <= first <= 31 or month > 12:
        return None
    return Span(
        start=match.start(), end=match.end(), grain="day", first=(month, first),
        last=(parts.get("m2", month), last),
    )  # fmt: skip


def _number(written: str) -> int:
    if written.isdigit():
        return int(written)
    if written[:3] in LATIN_MONTHS:
        return LATIN_MONTHS.index(written[:3]) + 1
    return int(read_numeral(written))


def _point(label: str, grain: Grain) -> Point | None:
    """Where a bucket lies, counted in `grain`."""
    parts = re.findall(r"[0-9]+", label)
    is_week, is_quarter = "w" in label.lower(), "q" in label.lower()
    if len(parts) == 3 and grain == "day":
        return int(parts[1]), int(parts[2])
    if len(parts) == 3 and grain == "week":
        return _iso_week(label)
    if len(parts) != 2:
        return None
    if (
        (grain == "week") == is_week
        and (grain == "quarter") == is_quarter
        and grain in ("week", "quarter", "month")
    ):
        return 0, int(parts[1])
    return None


def _iso_week(label: str) -> Point | None:
    try:
        return 0, date.fromisoformat(label).isocalendar().week
    except ValueError:
        return None
