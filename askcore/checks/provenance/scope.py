"""The sentence around a figure: what it names, and in which mood it speaks."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from askcore.checks.provenance import lexicon as words
from askcore.checks.provenance.dates import Day, days_in
from askcore.checks.provenance.mask import Masked
from askcore.checks.provenance.mask_patterns import TOP_N
from askcore.checks.provenance.metric_names import NameSpan
from askcore.checks.provenance.numerals import NUMERAL_CHARS, read_numeral
from askcore.checks.provenance.table import Header, headers_of
from askcore.checks.provenance.wording import either, found

CARRY_BACK: Final = 3  # sentences that may go on about an entity named before them
_ENDS: Final = re.compile(
    rf"[{words.SENTENCE_ENDS}!?;\n]+"
    r"|(?<!\bvs)(?<!\be\.g)(?<!\bi\.e)(?<!\bno)(?<!approx)\.(?=\s+\S|\s*$)"
)
_CLAUSE: Final = re.compile(rf"[{words.CLAUSE_ENDS}]|,(?![0-9]{{3}})|[;|\n]")
_SHOP_COUNT: Final = re.compile(
    rf"(?<![0-9.,])([0-9]{{1,3}}|[{NUMERAL_CHARS}]{{1,3}})\s?{either(words.SHOP_WORDS)}"
)
_HYPOTHETICAL: Final = re.compile(either(words.HYPOTHETICAL))
_MEAN: Final = re.compile(either(words.MEAN_WORDS))
_EACH: Final = re.compile(either(words.EACH_WORDS))
_BASE: Final = re.compile(either(words.BASE_WORDS))
_CONTRIBUTION: Final = re.compile(either(words.CONTRIBUTION))
_TOTAL: Final = re.compile(either(words.TOTAL_WORDS))
_VERSUS_BETWEEN: Final = re.compile(either(words.VERSUS_BETWEEN))
_VERSUS_BEFORE: Final = re.compile(either(words.VERSUS_BEFORE))
_RATIO_BETWEEN: Final = re.compile(either(words.RATIO_BETWEEN))


@dataclass(frozen=True, kw_only=True)
class Sentence:
    """One sentence or table row."""

    start: int
    end: int
    line_start: int
    plain: str
    """Normalised and lowered, nothing blanked."""
    text: str
    """With names blanked."""
    own_entities: tuple[NameSpan, ...]
    metric_spans: tuple[NameSpan, ...]
    carried: frozenset[str]
    """Entities of the sentences before, used when this one names none."""
    header: Header | None

    @cached_property
    def entities(self) -> frozenset[str]:
        """Entities that a figure here may belong to."""
        own = _names(self.own_entities)
        return own or self.carried

    @cached_property
    def metrics(self) -> frozenset[str]:
        """Metrics named anywhere in the sentence."""
        return _names(self.metric_spans)

    @cached_property
    def days(self) -> tuple[Day, ...]:
        """Days that the sentence names."""
        return days_in(self.plain)

    @cached_property
    def is_hypothetical(self) -> bool:
        """Whether it speaks of what would be."""
        return found(_HYPOTHETICAL, self.text)

    @cached_property
    def says_mean(self) -> bool:
        """Whether it speaks of an average."""
        return found(_MEAN, self.text)

    @cached_property
    def says_each(self) -> bool:
        """Whether it speaks of a value per day, shop or the like."""
        return found(_EACH, self.text)

    @cached_property
    def says_base(self) -> bool:
        """Whether it speaks of the period compared with."""
        return found(_BASE, self.text)

    @cached_property
    def top_counts(self) -> frozenset[int]:
        """The N of "top N" and of "the N shops"."""
        found_in = (*TOP_N.finditer(self.plain), *_SHOP_COUNT.finditer(self.text))
        return frozenset(_count_of(g) for m in found_in for g in m.groups() if g)

    @cached_property
    def order(self) -> tuple[str, str] | None:
        """(compared, basis) where "A is higher than B" leaves no doubt which is which."""
        return self._ordered(_VERSUS_BETWEEN, refuse_before=True)

    @cached_property
    def ratio_order(self) -> tuple[str, str] | None:
        """(numerator, denominator) of "A is N times B"."""
        return self._ordered(_RATIO_BETWEEN, refuse_before=False)

    def clause(self, position: int) -> Clause:
        """The part between commas that holds `position`; a table row is one clause."""
        index = max(bisect_right(self._clause_starts, position) - 1, 0)
        if index not in self._clauses:
            starts = (*self._clause_starts, self.end)
            self._clauses[index] = self._build_clause(starts[index], starts[index + 1])
        return self._clauses[index]

    @cached_property
    def _clauses(self) -> dict[int, Clause]:
        return {}

    @cached_property
    def _clause_starts(self) -> tuple[int, ...]:
        if self.header is not None:
            return (self.start,)
        ends = (m.end() for m in _CLAUSE.finditer(self.text))
        return (self.start, *(self.start + end for end in ends))

    def _build_clause(self, start: int, end: int) -> Clause:
        text = self.text[start - self.start : end - self.start]
        return Clause(
            entities=_names(_within(self.own_entities, start, end)),
            metrics=_names(_within(self.metric_spans, start, end)),
            says_total=found(_TOTAL, text),
            says_share=found(_CONTRIBUTION, text),
        )

    def _ordered(self, between: re.Pattern[str], *, refuse_before: bool) -> tuple[str, str] | None:
        if len(self.own_entities) != 2:
            return None
        first, second = self.own_entities
        gap = self.text[first.end - self.start : second.start - self.start]
        if not found(between, gap) or (
            refuse_before and found(_VERSUS_BEFORE, self.text[: first.start - self.start])
        ):
            return None
        return min(first.names), min(second.names)


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """What the part of a sentence between two commas names."""

    entities: frozenset[str]
    metrics: frozenset[str]
    says_total: bool
    says_share: bool


class Sentences:
    """The sentences of a text, found by position."""

    def __init__(self, masked: Masked) -> None:
        self._bounds = _bounds(masked)
        self._starts = [start for start, _ in self._bounds]
        self._masked = masked
        self._headers = headers_of(masked.plain)
        self._built: dict[int, Sentence] = {}

    def at(self, position: int) -> Sentence:
        """The sentence that holds the character at `position`."""
        index = max(bisect_right(self._starts, position) - 1, 0)
        if index not in self._built:
            self._built[index] = self._build(index)
        return self._built[index]

    def _build(self, index: int) -> Sentence:
        start, end = self._bounds[index]
        masked = self._masked
        line_start = masked.plain.rfind("\n", 0, start) + 1
        return Sentence(
            start=start,
            end=end,
            line_start=line_start,
            plain=masked.plain[start:end],
            text=masked.text[start:end],
            own_entities=_within(masked.entities, start, end),
            metric_spans=_within(masked.metrics, start, end),
            carried=self._carried(index),
            header=self._headers.get(line_start),
        )

    def _carried(self, index: int) -> frozenset[str]:
        """The entities that the nearest of the sentences before names."""
        start, end = self._bounds[index]
        if self._masked.text[start:end].lstrip().startswith("|"):
            return frozenset()
        for start, end in reversed(self._bounds[max(0, index - CARRY_BACK) : index]):
            if names := _names(_within(self._masked.entities, start, end)):
                return names
        return frozenset()


def _bounds(masked: Masked) -> list[tuple[int, int]]:
    """Start and end of every sentence that holds anything; never empty."""
    text = masked.text
    bounds: list[tuple[int, int]] = []
    start = 0
    for match in _ENDS.finditer(text):
        if match.group() == "." and _goes_on(masked, match.end()):
            continue
        bounds.append((start, match.end()))
        start = match.end()
    bounds.append((start, len(text)))
    return [b for b in bounds if text[b[0] : b[1]].strip()] or [(0, len(text))]


def _goes_on(masked: Masked, end: int) -> bool:
    """Whether a small letter follows the full stop, as after an abbreviation; `text` itself is lowered."""
    rest = masked.text[end:]
    at = end + len(rest) - len(rest.lstrip())
    return (
        masked.text[at : at + 1].isalpha() and masked.original[at].isascii() and masked.original[at].islower()
    )


def _within(spans: Sequence[NameSpan], start: int, end: int) -> tuple[NameSpan, ...]:
    first = bisect_right([s.start for s in spans], start - 1)
    last = bisect_right([s.start for s in spans], end - 1)
    return tuple(spans[first:last])


def _names(spans: Sequence[NameSpan]) -> frozenset[str]:
    return frozenset().union(*(s.names for s in spans))


def _count_of(written: str) -> int:
    if written.isdigit():
        return int(written)
    return words.LATIN_NUMBERS.get(written) or int(read_numeral(written))
