"""When a refutation is withdrawn: the sentence holds something that the finders do not read.

A true sentence called false costs more trust than a false one left to the tracing of its numbers. Each doubt
names one construction: another time ("the next day"), a base for the whole sentence ("compared with May, …"),
a figure of before beside the one of now, everybody else, a subject that is described and not named.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from askcore.checks.claims import lexicon as words
from askcore.checks.claims.case import Case
from askcore.checks.claims.page import Segment
from askcore.checks.claims.word_claim import WordClaim
from askcore.checks.provenance.wording import either

Doubt = Callable[[Case, Segment, WordClaim], bool]
_MOVING: Final = ("direction", "quantity", "comparison", "superlative", "entity")
_OTHER_TIME: Final = re.compile(either(words.OTHER_TIME))
_AGAINST: Final = re.compile(either(words.AGAINST))
_BEFORE: Final = re.compile(either(words.OF_BEFORE))
_SET_AGAINST: Final = re.compile(either(words.SET_AGAINST))
_OTHERS: Final = re.compile(either(words.THE_OTHERS))
_WHOLE_ONES: Final = re.compile(either(words.WHOLE_ONES))
_NEVER: Final = re.compile(either(words.NEVER))
_RELATIVE: Final = re.compile(rf"\s?(?:{either(words.RELATIVE)})")
_PART_OF: Final = re.compile(rf"(?:{either(words.OF_A_WHOLE)})\s+[0-9,.]*\s*$")
_NEXT_DAY: Final = re.compile(rf"\s*(?:{either(words.BARE_JOINTS)})\s*[0-9]{{1,2}}(?![0-9.%]|,[0-9])")
_JOINT: Final = re.compile(rf"\s*(?:{either(words.BARE_JOINTS)})\s?[\x01]")
_DESCRIBED: Final = re.compile(rf"\bthe\s+(?:[a-z]+\s+){{0,3}}(?:{either(words.DESCRIBED)})\b")
_CJK_RUN: Final = re.compile(r"[\u3400-\u9fff]{3,}")
_REACH: Final = 24


def is_doubtful(case: Case, segment: Segment, claim: WordClaim) -> bool:
    """Whether a refuted claim may be true of something that was not read."""
    return any(doubt(case, segment, claim) for doubt in _DOUBTS)


def _sentence_before(case: Case, segment: Segment, claim: WordClaim) -> str:
    """The sentence up to the claim."""
    start = min(s.start for s in case.page.segments if s.sentence == segment.sentence)
    return case.page.canvas[start : claim.start]


def _tells_another_time(case: Case, segment: Segment, claim: WordClaim) -> bool:
    if claim.kind not in _MOVING:
        return False
    return _OTHER_TIME.search(_sentence_before(case, segment, claim)) is not None


def _has_its_own_base(case: Case, segment: Segment, claim: WordClaim) -> bool:
    """Of several times named, one is what all others are compared with."""
    if claim.kind != "direction":
        return False
    own = [s for s in case.page.segments if s.sentence == segment.sentence]
    periods = sum(len(s.all("period")) for s in own)
    return periods > 1 and any(_AGAINST.search(case.page.canvas, s.start, s.end) for s in own)


def _is_of_before(case: Case, segment: Segment, claim: WordClaim) -> bool:
    """As in "Fell from 56,100 to 44,900": the first figure is nobody's now."""
    if claim.kind != "entity":
        return False
    near = case.page.canvas[max(segment.start, claim.start - _REACH) : claim.start]
    return _BEFORE.search(near) is not None


def _is_of_a_pair(case: Case, segment: Segment, claim: WordClaim) -> bool:
    """As in "(9 versus 18)", and the cells of a table that the text itself draws."""
    if claim.kind != "entity":
        return False
    line = case.page.original.rfind("\n", 0, claim.start) + 1
    if case.page.original[line:].lstrip().startswith("|"):
        return True
    return segment.is_aside and _SET_AGAINST.search(case.page.canvas, segment.start, segment.end) is not None


def _stands_before_its_owner(case: Case, segment: Segment, claim: WordClaim) -> bool:
    """As in "With 12 complaints, X is …": named behind the figure and the comma."""
    if claim.kind != "entity" or segment.has("entity"):
        return False
    later = [s for s in case.page.segments if s.sentence == segment.sentence and s.start >= segment.end]
    return any(s.has("entity") for s in later[:1])


def _is_a_day(case: Case, segment: Segment, claim: WordClaim) -> bool:
    """The second day of "October 5 and 6"."""
    if claim.kind != "entity" or not claim.text.isdigit() or len(claim.text) > 2:
        return False
    periods = [t for t in segment.all("period") if t.end <= claim.start]
    gap = case.page.canvas[periods[-1].end : claim.start] if periods else "x" * _REACH
    return re.fullmatch(rf"\s*(?:{either(words.BARE_JOINTS)})\s*", gap) is not None


def _lists_days(case: Case, segment: Segment, claim: WordClaim) -> bool:
    """As in "on October 6 and 7": only the first of them was read."""
    if claim.kind not in _MOVING:
        return False
    start = min(s.start for s in case.page.segments if s.sentence == segment.sentence)
    periods = [t for s in case.page.segments if s.sentence == segment.sentence for t in s.all("period")]
    return any(
        t.end >= start and _NEXT_DAY.match(case.page.canvas, t.end) for t in periods if t.end <= claim.start
    )


def _list_goes_on(case: Case, segment: Segment, claim: WordClaim) -> bool:
    """As in "only A and B did": the reader cut the list in two."""
    return claim.kind == "quantity" and _JOINT.match(case.page.canvas, segment.end) is not None


def _has_several_times(case: Case, segment: Segment, claim: WordClaim) -> bool:
    """A streak whose weeks are named apart from another week."""
    if claim.kind != "streak":
        return False
    return sum(len(s.all("period")) for s in case.page.segments if s.sentence == segment.sentence) > 1


def _is_of_all_others(case: Case, segment: Segment, claim: WordClaim) -> bool:
    if claim.kind not in ("direction", "quantity"):
        return False
    own = [s for s in case.page.segments if s.sentence == segment.sentence]
    return len(own) > 1 and _OTHERS.search(case.page.canvas, own[0].start, own[-1].end) is not None


def _is_part_of_a_change(case: Case, segment: Segment, claim: WordClaim) -> bool:
    return _PART_OF.search(case.page.canvas[segment.start : claim.start]) is not None


def _is_of_whole_ones(case: Case, segment: Segment, claim: WordClaim) -> bool:
    """An extreme among whole months or weeks; the cells do not say which ones are cut."""
    if claim.kind not in ("superlative", "rank"):
        return False
    return _WHOLE_ONES.search(case.page.canvas, segment.start, segment.end) is not None


def _is_turned_round(case: Case, segment: Segment, claim: WordClaim) -> bool:
    """A bound that is denied, or counted: "no more than", "four of them lay below"."""
    if claim.kind != "comparison":
        return False
    before = case.page.canvas[segment.start : claim.start]
    return _NEVER.search(before) is not None or _RELATIVE.match(case.page.canvas, claim.end) is not None


def _has_a_described_subject(case: Case, segment: Segment, claim: WordClaim) -> bool:
    """As in "while the two larger shops lost ground": somebody, but nobody that is named."""
    if claim.kind != "direction" or segment.has("entity") or segment.before is None:
        return False
    before = case.page.canvas[segment.start : claim.start]
    if _DESCRIBED.search(before):
        return True
    return not segment.has("metric") and _CJK_RUN.search(_unread(segment, before)) is not None


def _unread(segment: Segment, before: str) -> str:
    """The stretch with every word that was read blanked."""
    for token in segment.tokens:
        at = token.start - segment.start
        if 0 <= at < len(before):
            width = min(token.end - segment.start, len(before)) - at
            before = before[:at] + " " * width + before[at + width :]
    return before


_DOUBTS: Final[tuple[Doubt, ...]] = (
    _tells_another_time,
    _has_its_own_base,
    _is_of_before,
    _is_of_a_pair,
    _stands_before_its_owner,
    _is_a_day,
    _lists_days,
    _list_goes_on,
    _has_several_times,
    _is_of_all_others,
    _is_part_of_a_change,
    _is_of_whole_ones,
    _is_turned_round,
    _has_a_described_subject,
)
