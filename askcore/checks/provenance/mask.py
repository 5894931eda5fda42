"""Blanks out what holds digits but is no figure: names, dates, references, list numbers.

Every blanked stretch with a number in it is recorded with its reason, so that an audit can see
what was not checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from askcore.checks.provenance.lexicon import STORE_WORDS
from askcore.checks.provenance.mask_patterns import MASKS
from askcore.checks.provenance.metric_names import MetricNames, NameSpan
from askcore.checks.provenance.numerals import DIGIT_CHARS
from askcore.checks.provenance.wording import fold
from askcore.semantic.names import names_within

BLANK = "\x01"
HAS_NUMBER = re.compile(f"[0-9{DIGIT_CHARS}]")
AFTER_STORE_WORD = re.compile("(?:" + "|".join(map(re.escape, STORE_WORDS)) + r")\s?$")
NORMAL_FORMS = {
    **{0xFF10 + digit: str(digit) for digit in range(10)},
    0xFF05: "%",
    0xFF0B: "+",
    0xFF0E: ".",
    0x2212: "-",
    0xFF0D: "-",
    0x00A0: " ",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A blanked stretch of the text."""

    start: int
    end: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Masked:
    """A text ready for reading numbers; all indices are those of the text as given."""

    original: str
    plain: str
    """Normalised and ASCII-lowered, nothing blanked."""
    text: str
    """As `plain`, with names, dates and the like blanked."""
    exempt: tuple[Span, ...]
    """Blanked stretches that hold a number, in text order."""
    entities: tuple[NameSpan, ...]
    metrics: tuple[NameSpan, ...]


def normalise(text: str) -> str:
    """Full-width digits and signs as ASCII, one character for one.

    Full-width commas stay: as ASCII they would fuse two figures into one.
    """
    return text.translate(NORMAL_FORMS)


def mask(
    original: str, *, entities: Iterable[str], names: MetricNames, aliases: Mapping[str, str] | None = None
) -> Masked:
    """The text with everything blanked that is not a figure.

    aliases: other ways to write an entity, such as its id -> its name among `entities`.
    """
    plain = fold(normalise(original))
    canvas = _Canvas(plain)
    entity_spans = _find_entities(canvas, _spoken(entities, names, aliases or {}))
    metric_spans = names.find(canvas.text())
    for span in metric_spans:
        canvas.blank(span.start, span.end, "metric", only_numbers=True)
    for reason, pattern in MASKS:
        for match in list(pattern.finditer(canvas.text())):
            canvas.blank(match.start(), match.end(), reason)
    return Masked(
        original=original,
        plain=plain,
        text=canvas.text(),
        exempt=tuple(sorted(canvas.exempt, key=lambda s: s.start)),
        entities=entity_spans,
        metrics=metric_spans,
    )


class _Canvas:
    """The text under work; blanking keeps its length and its line ends."""

    def __init__(self, text: str) -> None:
        self._source = text
        self._chars = list(text)
        self._joined: str | None = text
        self.exempt: list[Span] = []

    def text(self) -> str:
        if self._joined is None:
            self._joined = "".join(self._chars)
        return self._joined

    def blank(self, start: int, end: int, reason: str, *, only_numbers: bool = False) -> None:
        has_number = HAS_NUMBER.search(self._source, start, end) is not None
        if only_numbers and not any(c.isdigit() for c in self._source[start:end]):
            return
        if has_number:
            self.exempt.append(_trimmed(self._source, start, end, reason))
        self._chars[start:end] = ["\n" if c == "\n" else BLANK for c in self._chars[start:end]]
        self._joined = None


def _trimmed(source: str, start: int, end: int, reason: str) -> Span:
    """The stretch without surrounding white space."""
    text = source[start:end]
    lead = len(text) - len(text.lstrip())
    return Span(start=start + lead, end=start + max(len(text.rstrip()), lead), reason=reason)


def _spoken(entities: Iterable[str], names: MetricNames, aliases: Mapping[str, str]) -> Mapping[str, str]:
    """Every way to write an entity -> its name; of two that claim one way, the name itself wins."""
    whole = {e: e for e in entities if e.strip()}
    parts = {part: name for part, name in names_within(whole).items() if not names.find(fold(part))}
    known = {alias: name for alias, name in aliases.items() if name in whole}
    return {**parts, **whole, **known}


def _find_entities(canvas: _Canvas, spoken: Mapping[str, str]) -> tuple[NameSpan, ...]:
    """Blank the names of entities, longest first, and say where they stood."""
    spans: list[NameSpan] = []
    for written in sorted(spoken, key=lambda e: (-len(e), e)):
        wanted = fold(normalise(written))
        starts = _occurrences(canvas.text(), wanted)
        for start in starts:
            end = start + len(wanted)
            canvas.blank(start, end, "entity")
            spans.append(NameSpan(start=start, end=end, names=frozenset({spoken[written]})))
    return tuple(sorted(spans, key=lambda s: s.start))


def _occurrences(text: str, wanted: str) -> Sequence[int]:
    starts: list[int] = []
    at = text.find(wanted)
    while at >= 0:
        if _stands_alone(text, at, wanted):
            starts.append(at)
        at = text.find(wanted, at + len(wanted))
    return starts


def _stands_alone(text: str, start: int, wanted: str) -> bool:
    """Whether the match is not a piece of a longer word or number."""
    end = start + len(wanted)
    before, after = text[start - 1 : start], text[end : end + 1]
    if _joined(before, wanted[0]) or _joined(wanted[-1], after):
        return False
    if not wanted.isdigit():
        return True
    in_number = before in (".", ",") or (after in (".", ",") and text[end + 1 : end + 2].isdigit())
    return not in_number and AFTER_STORE_WORD.search(text[max(0, start - 8) : start]) is not None


def _joined(left: str, right: str) -> bool:
    """Whether two neighbouring characters read as one word or number."""
    return left.isascii() and right.isascii() and left.isalnum() and right.isalnum()
