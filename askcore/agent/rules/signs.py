"""What in a question speaks for the name, where a name of the data is a word of the grammar too."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from askcore.agent.rules import lexicon
from askcore.agent.rules.homonyms import QUOTES, Range, meanings, raw_range
from askcore.agent.rules.question import Question
from askcore.agent.rules.spans import Claim

PLAIN = 2  # signs that make the name plain; a single one makes it a question
IDLE = ("cue", "grain", "unit", "stop")  # words that may do nothing for a plan
_BINDING = frozenset({"each", "which_one", "which_many", "highest", "lowest", "best", "worst", "ranking"})
_TOTALS = frozenset({"whole", "all"})  # say what holds anyway
_BETWEEN = " :#-" + QUOTES
_OF_EN = ("of", "for", "in", "at", "from", "'s", "s")


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubtful:
    """A claim of the dataset on a word of the grammar, in a question that reads it as that word."""

    q: Question
    claim: Claim

    @property
    def range(self) -> Range:
        """Where it stands in the question as typed."""
        return raw_range(self.q.scan.text, self.claim)

    @property
    def word(self) -> str:
        """The word as typed."""
        first, last = self.range
        return self.q.scan.text.raw[first:last]

    @property
    def words(self) -> tuple[Claim, ...]:
        """What the word means by itself."""
        return meanings(self.claim, self.q.scan.text, self.q.vocab)


def signs_for_name(d: Doubtful, *, is_plan: bool, does_nothing: bool) -> int:
    """How many things in the question speak for the name.

    is_plan: the grammar's reading leads to a plan. does_nothing: that plan is the same without the word.
    """
    signs = (
        is_beside_level(d),
        _is_part_of_metric(d),
        _is_listed(d),
        _stands_after_of(d),
        _is_repeated(d),
        len(d.words) > 1,
        _ranks_nothing(d),
        does_nothing and _could_do_something(d),
        not is_plan,
    )
    return sum(signs) + _fills_gap(d, is_plan=is_plan)


def _fills_gap(d: Doubtful, *, is_plan: bool) -> int:
    """A metric where none is named; a value of a dimension where the grammar leads nowhere."""
    if d.claim.kind == "metric":
        return 0 if d.q.frame.metrics or d.q.frame.unclear else PLAIN
    return 1 if d.claim.kind == "dimension" and not is_plan else 0


def _neighbours(d: Doubtful) -> Iterator[tuple[Claim, str, bool]]:
    """(claim beside the word, what stands between, whether the claim comes first)."""
    norm = d.q.scan.text.norm
    claims = [c for c in d.q.scan.claims if c.kind != "stop"]
    before = [c for c in claims if c.end <= d.claim.start]
    after = [c for c in claims if c.start >= d.claim.end]
    if before:
        yield before[-1], norm[before[-1].end : d.claim.start].strip(_BETWEEN), True
    if after:
        yield after[0], norm[d.claim.end : after[0].start].strip(_BETWEEN), False


def is_beside_level(d: Doubtful) -> bool:
    """As in "shop total"; not where the word works on the level itself, as in "top 5 shops"."""
    if any(w.kind == "number" or (w.kind == "cue" and w.value & _BINDING) for w in d.words):
        return False
    return any(not gap and _names_kind(d, c) for c, gap, _ in _neighbours(d))


def _names_kind(d: Doubtful, claim: Claim) -> bool:
    if d.claim.kind == "entity" and claim.kind == "level":
        return any(e.level == claim.value.level for e in d.claim.value.entities)
    own = d.claim.kind == "dimension" and claim.kind == "dimension" and claim.value.value is None
    return own and claim.value.dimension == d.claim.value.dimension


def _is_part_of_metric(d: Doubtful) -> bool:
    """A metric of a metric is none: "the orders of sales" speaks about something called sales."""
    if d.claim.kind != "entity" or not any(w.kind == "metric" for w in d.words):
        return False
    of = (*lexicon.OF, *_OF_EN)
    return any(c.kind == "metric" and gap in of for c, gap, _ in _neighbours(d))


def _is_listed(d: Doubtful) -> bool:
    """Joined with another one of its kind by "and" or "vs"."""
    claims = [c for c in d.q.scan.claims if c.kind != "stop"]
    at = [c for c in claims if c.start < d.claim.end and d.claim.start < c.end]
    if not at:
        return False
    first, last = claims.index(at[0]), claims.index(at[-1])
    for link, other in ((first - 1, first - 2), (last + 1, last + 2)):
        if min(link, other) < 0 or max(link, other) >= len(claims):
            continue
        joins = claims[link].kind == "cue" and claims[link].value & {"and", "compare"}
        if joins and claims[other].kind == d.claim.kind:
            return True
    return False


def _stands_after_of(d: Doubtful) -> bool:
    """As in "sales of total last week": a word of the grammar, where a name belongs."""
    norm = d.q.scan.text.norm
    if any(w.kind not in ("cue", "grain", "unit") for w in d.words):
        return False
    after = next((c for c in d.q.scan.claims if c.start >= d.claim.end and c.kind != "stop"), None)
    heads = norm[: d.claim.start].split()
    return bool(heads) and heads[-1] in _OF_EN and (after is None or after.kind == "time")


def _is_repeated(d: Doubtful) -> bool:
    """The grammar has the same word twice: once would do."""
    here = [c for c in d.q.scan.claims if c.start == d.claim.start and c.end == d.claim.end]
    return any(
        c.kind == h.kind and h.kind in ("metric", "level", "time") and _same(c, h)
        for h in here
        for c in d.q.scan.claims
        if c is not h
    )


def _ranks_nothing(d: Doubtful) -> bool:
    """A number of rows, and no word for what is ranked."""
    asked = d.q.scan.of("level") or d.q.scan.of("unit") or d.q.scan.of("grain")
    return any(w.kind == "number" for w in d.words) and not asked


def _could_do_something(d: Doubtful) -> bool:
    """Whether a word that leaves the plan as it is says something else than that: no filler, no total."""
    word = d.q.scan.word(d.claim)
    if any(w.kind not in IDLE or (w.kind == "stop" and word.isascii()) for w in d.words):
        return False
    return not any(w.kind == "cue" and w.value & (_TOTALS | _BINDING) for w in d.words)


def _same(one: Claim, other: Claim) -> bool:
    if one.kind == "metric":
        return bool(one.value.keys == other.value.keys)
    if one.kind == "level":
        return bool(one.value.level == other.value.level)
    return bool(one.value.period is not None and one.value.period == other.value.period)
