"""A part of the whole: a third of the sales, more than half, less than three tenths."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from askcore.checks.claims.bind import When
from askcore.checks.claims.case import Case
from askcore.checks.claims.outcome import UNKNOWN, Outcome, any_of, decided
from askcore.checks.claims.page import Segment
from askcore.checks.claims.quantity import hedge_of
from askcore.checks.claims.token import Token
from askcore.checks.claims.when import points, steps
from askcore.checks.claims.word_claim import WordClaim
from askcore.checks.claims.world import World

SLACK: Final = 0.05  # "a third" of 0.29 is still a third to a reader; 0.27 is a quarter


def find_shares(case: Case, segment: Segment) -> Iterator[WordClaim]:
    """The claim of a part of the whole in the statement, if any."""
    if segment.has("not", "gap", "multiple", "times_of", "rest", "all"):
        return
    for token in segment.all("fraction", "most"):
        anchor = _anchor(case, segment, token)
        if anchor is not None:
            yield case.claim(token, "share", _judge(case, segment, token, anchor))


def _anchor(case: Case, segment: Segment, token: Token) -> Token | None:
    """What makes a fraction one of a total: a word of sharing here or right before, or "of the total"."""
    own = segment.all("share", "together")
    if own:
        return own[0]
    if segment.has("move", "change", "entity"):
        return None
    if any(t.start >= token.end for t in segment.all("whole")):
        return token
    if segment.has("noun"):
        return None
    if segment.before is not None and segment.before.has("share"):
        return token
    metrics = [t for t in segment.all("metric") if t.start >= token.end]
    return token if metrics and case.page.canvas[: token.end].endswith(" of") else None


def _judge(case: Case, segment: Segment, token: Token, anchor: Token) -> Outcome:
    metrics = case.bind.metrics(segment, anchor)
    owners = case.bind.owners(segment, anchor)
    if not owners.names:
        owners = case.bind.named_before(segment)
    when = case.bind.when(segment, anchor)
    tops = segment.all("list_top")
    if not (owners.names and owners.is_firm) and not tops:
        return UNKNOWN

    of_change = segment.has("move", "change")

    def judge(world: World, metric: str) -> Outcome:
        if metric in world.additive and of_change:
            return _of_change(case, world, metric, owners.names, when, token)
        if metric not in world.additive:
            return UNKNOWN
        names: Sequence[str] = owners.names
        if tops and not segment.has("entity"):
            names = _first(world, metric, tops[0], when)
        return any_of(_of(case, world, metric, names, p, token) for p in _periods(world, metric, names, when))

    return case.over_metrics(metrics, judge)


def _periods(world: World, metric: str, names: Sequence[str], when: When) -> list[str]:
    return points(world, metric, names[0], when) if names else []


def _first(world: World, metric: str, top: Token, when: When) -> list[str]:
    peers = world.peers(metric, ())
    if not world.is_complete(metric, peers, ()):
        return []
    period = next(iter(_periods(world, metric, peers, when)), "cur")
    known = {e: v for e in peers if (v := world.value(metric, e, period)) is not None}
    return sorted(known, key=lambda e: -known[e] * top.sign)[: int(top.value)]


def share_of(world: World, metric: str, names: Sequence[str], period: str) -> float | None:
    """Part of the total, or of all peers where no total is known."""
    values = [world.value(metric, e, period) for e in names]
    if not values or any(v is None for v in values):
        return None
    peers = world.peers(metric, names)
    parts = [world.value(metric, e, period) for e in peers]
    summed = sum(v for v in parts if v is not None) if world.is_complete(metric, peers, names) else None
    total = world.value(metric, "", period)
    whole = total if total is not None else summed
    return sum(v for v in values if v is not None) / whole if whole else None


def _of(case: Case, world: World, metric: str, names: Sequence[str], period: str, token: Token) -> Outcome:
    share = share_of(world, metric, names, period)
    if share is None:
        return UNKNOWN
    return _compared(case, metric, names, share, token)


def _of_change(
    case: Case, world: World, metric: str, names: Sequence[str], when: When, token: Token
) -> Outcome:
    """Part of the change of the whole."""
    whole = steps(world, metric, "", when)[:1]
    own = [s for e in names for s in steps(world, metric, e, when)[:1]]
    total = sum(s.new - s.old for s in whole)
    if not total or len(own) < len(names):
        return UNKNOWN
    return _compared(case, metric, names, sum(s.new - s.old for s in own) / total, token)


def _compared(case: Case, metric: str, names: Sequence[str], share: float, token: Token) -> Outcome:
    why = case.say(
        "share",
        who=case.say("owner", name=case.listed(names)),
        metric=case.label(metric),
        share=f"{share:.1%}",
    )
    if token.kind == "most":
        return decided(share > 0.5, why)
    hedge = hedge_of(case.page, token)
    if hedge == "over":
        return decided(share > token.value, why)
    if hedge == "under":
        return decided(share < token.value, why)
    return decided(abs(share - token.value) <= SLACK, why)
