"""Checks the claims that a text makes by words against the cells of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import isfinite
from typing import Final

from askcore.base.values import Cell
from askcore.checks.claims.bind import Binder
from askcore.checks.claims.bound import find_bounds
from askcore.checks.claims.case import Case
from askcore.checks.claims.comparison import find_comparisons
from askcore.checks.claims.direction import find_directions
from askcore.checks.claims.doubt import is_doubtful
from askcore.checks.claims.figure import find_figures
from askcore.checks.claims.first import find_firsts
from askcore.checks.claims.multiple import find_multiples
from askcore.checks.claims.page import Segment, read_page
from askcore.checks.claims.rank import find_ranks
from askcore.checks.claims.share import find_shares
from askcore.checks.claims.streak import find_streaks
from askcore.checks.claims.superlative import find_superlatives
from askcore.checks.claims.word_claim import WordClaim, WordReport
from askcore.checks.claims.world import Groups, worlds_of
from askcore.checks.provenance.lexicon import METRIC_WORDS
from askcore.checks.provenance.mask import mask
from askcore.checks.provenance.metric_names import MetricNames

Finder = Callable[[Case, Segment], Iterator[WordClaim]]
FINDERS: Final[tuple[Finder, ...]] = (
    find_directions,
    find_superlatives,
    find_ranks,
    find_comparisons,
    find_streaks,
    find_shares,
    find_multiples,
    find_firsts,
    find_figures,
    find_bounds,
)


def check_words(
    text: str,
    *,
    cells: Sequence[Cell],
    entities: Sequence[str],
    metric_words: Mapping[str, Sequence[str]] | None = None,
    polarity: Mapping[str, int] | None = None,
    groups: Groups | None = None,
    aliases: Mapping[str, str] | None = None,
) -> WordReport:
    """Every claim that `text` makes by words, recomputed from the cells.

    entities: names as written in texts; they may hold words that claim something elsewhere.
    metric_words: metric key -> labels and synonyms in both languages; None: a built-in table.
    polarity: metric key -> +1 when more is better, -1 when less is; without it "improved" is not decided.
    groups: name of a group ("shops", "departments") -> its members; without it, the entities of one result
        that have the metric are compared with one another.
    aliases: other ways to write an entity, such as an id -> its name.
    """
    words = _with_common_words(metric_words)
    finite = [c for c in cells if isfinite(c.value)]
    known = frozenset(c.metric for c in finite if c.metric in words)
    names = MetricNames({k: v for k, v in words.items() if k in known or metric_words is not None})
    rows = dict.fromkeys(c.entity for c in finite if c.entity)
    masked = mask(text, entities=(*entities, *rows), names=names, aliases=aliases)
    page = read_page(masked)
    case = Case(
        page=page,
        bind=Binder(page, known, words),
        worlds=worlds_of(finite, groups or {}),
        metric_words=words,
        polarity=polarity or {},
    )
    found = [
        _unless_doubtful(case, segment, claim)
        for segment in page.segments
        if segment.is_asserted and segment.tokens
        for finder in FINDERS
        for claim in finder(case, segment)
    ]
    return WordReport(items=tuple(sorted(found, key=lambda c: (c.start, c.end))))


def _unless_doubtful(case: Case, segment: Segment, claim: WordClaim) -> WordClaim:
    """The claim; undecided where its refutation may be of something that was not read."""
    if claim.status == "contradicted" and is_doubtful(case, segment, claim):
        return replace(claim, status="unknown", why="")
    return claim


def _with_common_words(given: Mapping[str, Sequence[str]] | None) -> Mapping[str, Sequence[str]]:
    if given is None:
        return METRIC_WORDS
    return {key: (*labels, *METRIC_WORDS.get(key, ())) for key, labels in given.items()}
