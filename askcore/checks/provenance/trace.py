"""Traces every figure of a text to the cells of a run."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import isfinite

from askcore.base.values import Cell, Claim
from askcore.checks.provenance.cell_index import CellIndex
from askcore.checks.provenance.direction import read_wording
from askcore.checks.provenance.extract import extract, with_heading_unit
from askcore.checks.provenance.fit import readings
from askcore.checks.provenance.gate import Context
from askcore.checks.provenance.lexicon import LATIN_NUMBERS, METRIC_WORDS, WINDOW_UNITS
from askcore.checks.provenance.mask import Masked, Span, mask, normalise
from askcore.checks.provenance.mask_patterns import RECENT_WINDOW
from askcore.checks.provenance.match import Matcher
from askcore.checks.provenance.mention import Mention
from askcore.checks.provenance.metric_names import MetricNames
from askcore.checks.provenance.numerals import read_numeral
from askcore.checks.provenance.result import WINDOW_MISMATCH, Provenance
from askcore.checks.provenance.scope import Sentence, Sentences

_FIRST_NUMBER = re.compile(r"[0-9]{1,15}(?:\.[0-9]{1,15})?")


def trace_numbers(
    text: str,
    *,
    cells: Sequence[Cell],
    entities: Sequence[str],
    metric_words: Mapping[str, Sequence[str]] | None = None,
    aliases: Mapping[str, str] | None = None,
) -> Provenance:
    """Where each figure of `text` comes from.

    entities: names as written in texts; their digits are no figures.
    aliases: other ways to write one of them, such as an id -> its name.
    metric_words: metric key -> labels and synonyms in both languages; None: a built-in table.
    """
    index = CellIndex([c for c in cells if isfinite(c.value)])
    names = MetricNames(_with_common_words(metric_words))
    masked = mask(text, entities=(*entities, *index.entities), names=names, aliases=aliases)
    tracer = _Tracer(masked, index, names)
    claims = [tracer.claim(*pair) for pair in _with_previous(extract(masked.text))]
    exempt = [_exempt(span, masked, index) for span in masked.exempt]
    return Provenance(items=tuple(sorted((*claims, *exempt), key=lambda c: c.start)))


def _with_common_words(given: Mapping[str, Sequence[str]] | None) -> Mapping[str, Sequence[str]]:
    """The caller's words and, for the same metrics, the short forms of everyday speech."""
    if given is None:
        return METRIC_WORDS
    return {key: (*labels, *METRIC_WORDS.get(key, ())) for key, labels in given.items()}


class _Tracer:
    """Grades the figures of one text."""

    def __init__(self, masked: Masked, index: CellIndex, names: MetricNames) -> None:
        self._masked = masked
        self._index = index
        self._names = names
        self._sentences = Sentences(masked)
        self._matcher = Matcher(index)

    def claim(self, mention: Mention, previous: Mention | None) -> Claim:
        """The graded figure."""
        sentence = self._sentences.at(mention.start)
        heading = self._heading(sentence, mention)
        mention = with_heading_unit(mention, heading)
        wording = read_wording(mention, self._masked.text, previous)
        written = self._masked.original[mention.start : mention.end]
        options = readings(mention, wording, normalise(written))
        match = self._matcher.match(options, self._context(mention, sentence, heading))
        return Claim(
            text=written,
            value=-mention.value if mention.explicit_sign < 0 else mention.value,
            unit=mention.unit,
            status=match.status,
            flags=("unit_assumed",) if match.assumed else (),
            source=match.source,
            formula=match.formula,
            start=mention.start,
            end=mention.end,
        )

    def _context(self, mention: Mention, sentence: Sentence, heading: str) -> Context:
        spans = self._names.find(heading)
        return Context(
            index=self._index,
            names=self._names,
            sentence=sentence,
            clause=sentence.clause(mention.start),
            heading_metrics=frozenset().union(*(s.names for s in spans)),
            digits=mention.digits,
            unit=mention.unit,
        )

    def _heading(self, sentence: Sentence, mention: Mention) -> str:
        """The column heading over the figure; "" outside tables."""
        if sentence.header is None:
            return ""
        return sentence.header.over(self._masked.plain[sentence.line_start : mention.start])


def _with_previous(mentions: Sequence[Mention]) -> list[tuple[Mention, Mention | None]]:
    return list(zip(mentions, (None, *mentions), strict=False))


def _exempt(span: Span, masked: Masked, index: CellIndex) -> Claim:
    """A stretch that was not checked, with the reason as its flag."""
    written = masked.plain[span.start : span.end]
    number = _FIRST_NUMBER.search(written)
    mismatch = span.reason == "window" and _contradicts_range(written, index)
    return Claim(
        text=masked.original[span.start : span.end],
        value=float(number.group()) if number else 0.0,
        unit="plain",
        status="exempt",
        flags=(span.reason, WINDOW_MISMATCH) if mismatch else (span.reason,),
        start=span.start,
        end=span.end,
    )


def _contradicts_range(written: str, index: CellIndex) -> bool:
    """Whether "last N days" names another range than the one that was queried."""
    match = RECENT_WINDOW.fullmatch(written)
    if match is None or not index.day_counts:
        return False
    shortest, longest = WINDOW_UNITS[match["unit"]]
    count = _count(match["count"])
    return not any(shortest * count <= days <= longest * count for days in index.day_counts)


def _count(written: str) -> float:
    if written.isdigit():
        return float(written)
    return LATIN_NUMBERS.get(written) or read_numeral(written)
