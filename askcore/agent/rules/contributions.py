"""Whether a contribution is one to a change, whose causes are asked for, or to a level: a share."""

from __future__ import annotations

from askcore.agent.rules.causes import lexicon as causes
from askcore.agent.rules.language import is_cjk
from askcore.agent.rules.question import Question
from askcore.agent.rules.spans import Claim

MOVES = frozenset({"went_up", "went_down", "change"})
RELATIONS = frozenset({*MOVES, "mom", "yoy", "compare"})
SUPERLATIVES = frozenset({"highest", "lowest", "best", "worst", "slowest", "fastest"})
_STOPS = frozenset(".?!;\u3002\uff1f\uff01\uff1b")


def contributes_to_change(q: Question) -> bool:
    """As in "which shop contributed most to the drop"; "to sales" alone asks for a share.

    A follow-up that names no change means the one of the question before.
    """
    said = q.scan.says("contributes")
    moves = [c for c in q.scan.claims if c.kind == "cue" and c.value & MOVES and "gap" not in c.value]
    if any(_belong(q, claim, move) for claim in said for move in moves):
        return True
    return bool(said) and q.follows and not moves and bool(q.cues & RELATIONS)


def _belong(q: Question, claim: Claim, move: Claim) -> bool:
    """Whether the contribution is one to this move, by its place and form."""
    before = move.start < claim.start
    first, last = (move, claim) if before else (claim, move)
    if _STOPS & set(q.scan.gap(first, last)):
        return False
    word = q.scan.word(claim).strip()
    if is_cjk(word[0]):
        return not _is_picked(q, move) if before else _has_given(q, claim)
    if word not in causes.CONTRIBUTION:
        return not (before and _is_picked(q, move))
    # "how did the contribution to sales change": the share moved
    asked = set(q.scan.text.norm[: claim.start].split()) & set(causes.AUXILIARIES)
    return not before and not asked


def _is_picked(q: Question, move: Claim) -> bool:
    """As in "the shop that grew fastest": the move picks the row, its level is asked for."""
    after = next((c for c in q.scan.claims if c.start >= move.end and c.kind != "stop"), None)
    return after is not None and after.kind == "cue" and bool(after.value & SUPERLATIVES)


def _has_given(q: Question, claim: Claim) -> bool:
    """Chinese says the gain after the verb only once it is done."""
    return q.scan.text.norm[claim.end :].lstrip().startswith(causes.DONE)
