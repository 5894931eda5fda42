"""A text as sentences of segments: the stretches that make one statement each."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Final

from askcore.checks.claims import lexicon as words
from askcore.checks.claims.mood import asserted, is_title, spoken_by_others
from askcore.checks.claims.number_words import fractions_in, multiples_in, ranks_in
from askcore.checks.claims.periods import Span, spans_in
from askcore.checks.claims.token import Token, TokenKind, words_in
from askcore.checks.provenance.extract import extract
from askcore.checks.provenance.mask import BLANK, Masked
from askcore.checks.provenance.mention import Mention
from askcore.checks.provenance.scope import Sentences

_CODE: Final = re.compile(r"(?s)```.*?```|`[^`\n]*`|https?://[^\s)]+")
_TABLE_ROW: Final = re.compile(r"(?m)^[ \t]*\|.*$")
_ASIDE: Final = re.compile(r"[(\uff08]([^()\uff08\uff09\n]*)[)\uff09]")
_PLACE: Final = re.compile(r"(?:\s(?:too|also|off))?\s(?:at|in|for)\s")
_MERELY: Final = ("figure", "than", "versus_level", "more")
_COLON: Final = re.compile(r"[:\uff1a]")
_HARD: Final = re.compile(rf"[{words.CLAUSE_ENDS}]|,(?![0-9]{{3}})|\s[-\u2013]{{1,2}}\s")
PREDICATES: Final[frozenset[TokenKind]] = frozenset({
    "move", "flat", "steady", "better", "faster", "top", "best", "peak", "rank", "list_top", "versus_level",
    "versus_good", "same", "streak", "multiple", "share", "next_to", "fastest", "steepest", "figure", "more",
})  # fmt: skip
NAMES: Final[frozenset[TokenKind]] = frozenset({"entity", "metric", "period"})
_LISTED: Final[frozenset[TokenKind]] = frozenset({"entity", "metric", "period"})


@dataclass(eq=False, kw_only=True)
class Segment:
    """One statement: words between two cuts, or an aside in parentheses."""

    start: int
    end: int
    tokens: tuple[Token, ...]
    before: Segment | None
    """The segment that it goes on from; of an aside the one that it stands in."""
    sentence: int
    is_aside: bool
    is_asserted: bool

    def all(self, *kinds: TokenKind) -> list[Token]:
        """Tokens of these kinds."""
        return [t for t in self.tokens if t.kind in kinds]

    def has(self, *kinds: TokenKind) -> bool:
        """Whether there is a token of one of these kinds."""
        return any(t.kind in kinds for t in self.tokens)


@dataclass(frozen=True, eq=False, kw_only=True)
class Page:
    """A text ready for finding claims; all indices are those of the text as given."""

    original: str
    canvas: str
    """Folded, with names blanked."""
    segments: tuple[Segment, ...]
    spans: dict[int, Span] = field(default_factory=dict)
    """The stretch of time of a period token, by its start."""
    figures: dict[int, Mention] = field(default_factory=dict)
    """The figure of a figure token, by its start."""
    masked: str = ""
    """The text with everything blanked that holds digits and is no figure."""

    def text(self, start: int, end: int) -> str:
        """As written."""
        return self.original[start:end]

    @cached_property
    def is_chinese(self) -> bool:
        """Whether the text outside of names is Chinese."""
        return re.search(r"[\u3400-\u9fff]", self.canvas) is not None


def read_page(masked: Masked) -> Page:
    """A text, its names known, with its segments."""
    text, canvas = masked.original, _blanked(masked)
    spans = {s.start: s for s in spans_in(canvas, text)}
    figures = {m.start: m for m in extract(masked.text)}
    tokens = _tokens(masked, canvas, spans, figures)
    canvas = _without(canvas, (t for t in tokens if t.kind == "metric"))
    segments = tuple(_segments(masked, canvas, tokens))
    return Page(
        original=text, canvas=canvas, segments=segments, spans=spans, figures=figures, masked=masked.text
    )


def _blanked(masked: Masked) -> str:
    """The text without names, code and table rows."""
    text = masked.plain
    for start, end in (
        *((s.start, s.end) for s in masked.entities),
        *(m.span() for m in _CODE.finditer(text)),
        *(m.span() for m in _TABLE_ROW.finditer(text)),
    ):
        text = text[:start] + BLANK * (end - start) + text[end:]
    return text


def _without(text: str, tokens: Iterable[Token]) -> str:
    for token in tokens:
        text = text[: token.start] + BLANK * (token.end - token.start) + text[token.end :]
    return text


def _tokens(masked: Masked, canvas: str, spans: dict[int, Span], figures: dict[int, Mention]) -> list[Token]:
    """All tokens in text order; of two that overlap the earlier and longer one stays."""
    found = [
        *(Token(kind="entity", start=s.start, end=s.end, text="", names=s.names) for s in masked.entities),
        *(Token(kind="period", start=s.start, end=s.end, text="") for s in spans.values()),
        *(
            Token(kind="metric", start=s.start, end=s.end, text=canvas[s.start : s.end], names=s.names)
            for s in masked.metrics
        ),
        *ranks_in(canvas),
        *fractions_in(canvas),
        *multiples_in(canvas),
        *words_in(canvas),
        *(
            Token(kind="figure", start=m.start, end=end, text=canvas[m.start : end], value=m.value)
            for m in figures.values()
            if (end := _figure_end(m, masked))
        ),
    ]
    kept: list[Token] = []
    for token in sorted(found, key=lambda t: (t.start, -t.end, t.kind == "figure")):
        if not kept or token.start >= kept[-1].end:
            kept.append(token)
    return _settled(kept, canvas)


def _settled(tokens: list[Token], canvas: str) -> list[Token]:
    """Words whose kind depends on their neighbours."""
    found: list[Token] = []
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        before = found[-1] if found else None
        settled = _settle(token, before, following, canvas)
        if settled is not None:
            found.append(settled)
    return found


def _settle(token: Token, before: Token | None, following: Token | None, canvas: str) -> Token | None:
    gap = canvas[token.end : following.start] if following is not None else ""
    if token.kind == "ordinal":  # "A ranks first and B second", "third: C"
        is_told = before is not None and before.kind in ("entity", "period") and token.start - before.end <= 1
        is_rank = is_told or canvas[token.end : token.end + 1] == ":"
        return replace(token, kind="rank") if is_rank else None
    if following is None:
        return token
    if token.text in words.LEAD_VERBS and following.kind in ("entity", "figure") and len(gap) <= 1:
        return replace(token, kind="versus_level")  # "A leads B" compares; "A leads" is an extreme
    if token.kind == "only" and following.kind in _MERELY and len(gap) <= 1:
        return token if following.text.endswith(words.UNIT_COUNTS) else replace(token, kind="adverb")
    if token.kind == "good" and _PLACE.match(canvas, token.end):
        return replace(token, kind="better")
    if token.text in words.JOINS_IN_TIME and following.kind == "move" and len(gap) <= 1:
        return replace(token, kind="clause_joint")
    return token


def _figure_end(mention: Mention, masked: Masked) -> int:
    """Where the figure ends: "4,560 orders" leaves its noun to the metric of that name."""
    return min(
        (s.start for s in masked.metrics if mention.start < s.start < mention.end), default=mention.end
    )


def _segments(masked: Masked, canvas: str, tokens: Sequence[Token]) -> Iterator[Segment]:
    sentences = Sentences(masked)
    starts = [t.start for t in tokens]
    position, number = 0, 0
    quoted = spoken_by_others(masked.original)
    while position < len(canvas):
        sentence = sentences.at(position)
        start, end = max(sentence.start, position), max(sentence.end, position + 1)
        own = tokens[bisect_left(starts, start) : bisect_left(starts, end)]
        yield from _of_sentence(
            canvas, own, (start, end), number, quoted, is_title(masked.original, start, end)
        )
        position, number = end, number + 1


def _of_sentence(
    canvas: str,
    tokens: Sequence[Token],
    bounds: tuple[int, int],
    number: int,
    quoted: Sequence[tuple[int, int]],
    titled: bool,
) -> Iterator[Segment]:
    start, end = bounds
    asides = [m.span() for m in _ASIDE.finditer(canvas, start, end)]
    main = [t for t in tokens if not _inside(t.start, asides)]
    stretch = (start, start) if titled else asserted(canvas[start:end], tokens, start)
    cuts = [start, *_cuts(canvas, main, start, end, asides), end]
    before: Segment | None = None
    for left, right in pairwise(cuts):
        own = tuple(t for t in main if left <= t.start < right)
        segment = Segment(
            start=left, end=right, tokens=own, before=before, sentence=number, is_aside=False,
            is_asserted=stretch[0] <= left < stretch[1] and not _inside(left, quoted),
        )  # fmt: skip
        yield segment
        for a, b in asides:
            if left <= a < right:
                yield Segment(
                    start=a, end=b, tokens=tuple(t for t in tokens if a <= t.start < b), before=segment,
                    sentence=number, is_aside=True, is_asserted=segment.is_asserted,
                )  # fmt: skip
        if own:
            before = segment


def _inside(position: int, stretches: Sequence[tuple[int, int]]) -> bool:
    return any(a <= position < b for a, b in stretches)


def _cuts(
    canvas: str, tokens: Sequence[Token], start: int, end: int, asides: Sequence[tuple[int, int]]
) -> list[int]:
    """Where a sentence falls into segments."""
    hard = [m.start() for m in _HARD.finditer(canvas, start, end) if not _inside(m.start(), asides)]
    hard = [at for at in hard if not _within_list(canvas, tokens, at)]
    if any(t.kind == "denied" for t in tokens):  # what is denied ends where the right statement begins
        hard = sorted({*hard, *(m.start() for m in _COLON.finditer(canvas, start, end))})
    cuts: list[int] = []
    last = start
    joints = [t for t in tokens if t.kind in ("list_joint", "clause_joint")]
    borders = sorted([*((at, False) for at in hard), *((t.start, True) for t in joints)])
    for index, (at, is_soft) in enumerate(borders):
        following = next((p for p, soft in borders[index + 1 :]), end)
        left = [t for t in tokens if last <= t.start < at]
        right = [t for t in tokens if at < t.start < following]
        if not is_soft or (not _is_pair(tokens, at) and _is_statement(left) and _is_statement(right)):
            cuts.append(at)
            last = at
    return cuts


def _is_pair(tokens: Sequence[Token], at: int) -> bool:
    """Whether a joint only joins two of a kind: "the third and the fourth"."""
    before = [t for t in tokens if t.end <= at]
    after = [t for t in tokens if t.start > at]
    return bool(before and after) and before[-1].kind == after[0].kind == "rank"


def _is_statement(tokens: Sequence[Token]) -> bool:
    kinds = {t.kind for t in tokens}
    return bool(kinds & PREDICATES) and bool(kinds & NAMES or kinds & (PREDICATES - {"figure"}))


def _within_list(canvas: str, tokens: Sequence[Token], at: int) -> bool:
    """Whether a comma only parts the members of a list."""
    if canvas[at] != ",":
        return False  # a Chinese list has its own comma
    left = next((t for t in reversed(tokens) if t.end <= at), None)
    right = next((t for t in tokens if t.start > at and t.kind != "list_joint"), None)
    if left is None or right is None or left.kind != right.kind or left.kind not in _LISTED:
        return False
    return not re.sub(r"\s|and|&|\x01", "", canvas[left.end : at] + canvas[at + 1 : right.start])
