"""Rose, fell, stayed, improved: of the entities named, of the whole, or of so many of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from askcore.checks.claims.bind import Alternatives, When
from askcore.checks.claims.case import Case
from askcore.checks.claims.outcome import UNKNOWN, Outcome, all_of, any_of, decided
from askcore.checks.claims.page import PREDICATES, Segment
from askcore.checks.claims.predicate import Level, Moved, Predicate, predicate_in
from askcore.checks.claims.quantity import Quantity, matches, quantity_of
from askcore.checks.claims.token import Token
from askcore.checks.claims.when import points
from askcore.checks.claims.word_claim import WordClaim
from askcore.checks.claims.world import Step, World

_MOVES: Final = ("move", "flat", "steady", "better", "faster")
_OTHER_READERS: Final = ("streak", "stepwise", "first", "gap")
_TO_RANK: Final = 6
_NOT_REACH: Final = 3  # characters between a Chinese negation and what it denies
_NOT_REACH_LATIN: Final = 20


def find_directions(case: Case, segment: Segment) -> Iterator[WordClaim]:
    """All claims of direction in the statement."""
    if segment.has(*_OTHER_READERS):
        return
    for token in segment.all(*_MOVES, "change"):
        if _belongs_to_other_claim(case, segment, token):
            continue
        if token.kind == "move" and _rises_to_rank(segment, token):
            continue
        quantity = quantity_of(case.page, case.bind, segment, token)
        if quantity is not None and quantity.kind == "count":
            listed = _listed_behind(case, segment, quantity.count)
            quantity = replace(quantity, kind="only", names=listed) if listed else quantity
        outcome = _judge(case, segment, token, quantity)
        yield case.claim(token, "direction" if quantity is None else "quantity", outcome)


def _listed_behind(case: Case, segment: Segment, count: int) -> tuple[str, ...]:
    """The names that a count is spelled out with: "in two shops - A and B", "two shops (A, B)"."""
    at = case.page.segments.index(segment)
    for following in case.page.segments[at + 1 : at + 2]:
        names = tuple(dict.fromkeys(min(t.names) for t in following.all("entity")))
        bare = all(t.kind in ("entity", "list_joint", "neutral", "adverb") for t in following.tokens)
        if following.sentence == segment.sentence and bare and len(names) == count:
            return names
    return ()


def _belongs_to_other_claim(case: Case, segment: Segment, token: Token) -> bool:
    if token.kind == "change":
        return not (token.sign and _figure_follows(segment, token)) or _near_extreme(segment, token)
    if _near_extreme(segment, token):
        return True
    return bool(case.bind.comparands(segment)) and not segment.has("base")


def _figure_follows(segment: Segment, token: Token) -> bool:
    return any(t.kind == "figure" and 0 <= t.start - token.end <= 3 for t in segment.tokens)


def _near_extreme(segment: Segment, token: Token) -> bool:
    """Part of "the largest drop", "fell the most"."""
    for other in segment.all("top", "steepest", "fastest", "best", "rank", "list_top", "peak"):
        gap = other.start - token.end if other.start > token.start else token.start - other.end
        if gap <= (14 if token.text.isascii() else 3):
            return True
    return False


def negated(case: Case, segment: Segment, token: Token) -> bool:
    """Whether a negation stands right before the word."""
    reach = _NOT_REACH_LATIN if token.text.isascii() else _NOT_REACH
    for other in segment.all("not"):
        if 0 <= token.start - other.end <= reach:
            between = [t for t in segment.tokens if other.end <= t.start < token.start]
            if all(t.kind in ("adverb", "neutral", "whole", "not") for t in between):
                return True
    return False


def _judge(case: Case, segment: Segment, token: Token, quantity: Quantity | None) -> Outcome:
    metrics = case.bind.metrics(segment, token)
    when = case.bind.when(segment, token)
    is_denied = negated(case, segment, token)
    predicate = predicate_in(case, segment, token, is_denied=is_denied) or Moved(token=token)
    if not is_denied and any(t.end <= token.start for t in segment.all("not")):
        return UNKNOWN
    if quantity is None and floating_quantity(segment):
        return UNKNOWN
    if quantity is not None:
        if is_denied:
            return UNKNOWN
        return judge_quantity(case, quantity, predicate, metrics, when)
    return of_owners(case, segment, token, predicate, metrics, when)


def floating_quantity(segment: Segment) -> bool:
    """Whether a part before only says of how many: "every day of the first week, sales …"."""
    if segment.has("entity"):
        return False
    earlier = segment.before
    return (
        earlier is not None
        and earlier.has("all", "none", "most", "only", "except", "rest")
        and not any(t.kind in PREDICATES for t in earlier.tokens)
    )


def _rises_to_rank(segment: Segment, token: Token) -> bool:
    """As in "climbed to third": the place moved, and not the value."""
    return any(0 <= t.start - token.end <= _TO_RANK for t in segment.all("rank", "list_top"))


def of_owners(
    case: Case,
    segment: Segment,
    token: Token,
    predicate: Predicate,
    metrics: Sequence[Alternatives],
    when: When,
) -> Outcome:
    """Said of everybody named, or of the whole."""
    owners = case.bind.owners(segment, token)

    def judge(world: World, metric: str) -> Outcome:
        whole = predicate.judge(case, world, metric, "", when)
        if not owners.names:
            return whole if whole.status != "unknown" else _of_single(case, world, metric, predicate, when)
        theirs = all_of(predicate.judge(case, world, metric, e, when) for e in owners.names)
        return theirs if owners.is_firm else any_of((theirs, whole))

    return case.over_metrics(metrics, judge)


def _of_single(case: Case, world: World, metric: str, predicate: Predicate, when: When) -> Outcome:
    """The only entity that has the metric goes without saying."""
    owners = world.owners(metric)
    if len(owners) != 1 or world.has(metric, ""):
        return UNKNOWN
    return predicate.judge(case, world, metric, owners[0], when)


def judge_quantity(
    case: Case, quantity: Quantity, predicate: Predicate, metrics: Sequence[Alternatives], when: When
) -> Outcome:
    """Said of all, none, most, so many."""
    if quantity.kind == "unclear":
        return UNKNOWN

    if len(metrics) > 1 and quantity.kind not in ("all", "rest", "except"):
        return UNKNOWN  # of both together, or of each: the words do not say

    def judge(world: World, metric: str) -> Outcome:
        if quantity.grain:
            return _of_buckets(case, quantity, predicate, world, metric, when)
        peers = world.peers(metric, quantity.names, quantity.nouns)
        if not peers:
            return UNKNOWN
        return _of_peers(case, quantity, predicate, world, metric, when, peers)

    return case.over_metrics(metrics, judge)


def _of_peers(
    case: Case,
    quantity: Quantity,
    predicate: Predicate,
    world: World,
    metric: str,
    when: When,
    peers: Sequence[str],
) -> Outcome:
    verdicts = {e: predicate.judge(case, world, metric, e, when).status for e in peers}
    if quantity.kind == "first":
        peers = _first(world, metric, quantity, when, peers)
        verdicts = {e: verdicts[e] for e in peers}
        quantity = replace(quantity, kind="all" if peers else "unclear")
    yes = [e for e, status in verdicts.items() if status == "supported"]
    no = [e for e, status in verdicts.items() if status == "contradicted"]
    why = case.say("counted", metric=case.label(metric), n=len(yes), all=len(peers), names=case.listed(yes))
    is_whole = len(yes) + len(no) == len(peers) and world.is_complete(
        metric, peers, quantity.names, quantity.nouns
    )
    holds: bool | None
    if quantity.kind == "all":
        if quantity.total and quantity.total != len(peers):
            return UNKNOWN
        holds = False if no else True if is_whole else None
    elif quantity.kind == "none":
        holds = False if yes else True if is_whole else None
    elif quantity.kind == "only":
        others = [e for e in yes if e not in quantity.names]
        missed = [e for e in no if e in quantity.names]
        holds = False if others or missed else True if is_whole else None
    elif quantity.kind in ("rest", "except"):
        others = [e for e in peers if e not in quantity.names]
        if quantity.count and quantity.count != len(others):
            return UNKNOWN
        if not quantity.names:
            return UNKNOWN
        holds = False if any(e in no for e in others) else True if is_whole else None
    else:
        holds = matches(quantity, len(yes), len(peers)) if is_whole else None
    return decided(holds, why)


def _first(world: World, metric: str, quantity: Quantity, when: When, peers: Sequence[str]) -> Sequence[str]:
    """The top or bottom N by level; () when nobody may be missing and somebody is."""
    if not world.is_complete(metric, peers, (), quantity.nouns):
        return ()
    values: dict[str, float] = {}
    for entity in peers:
        period = next(iter(points(world, metric, entity, when)), "")
        value = world.value(metric, entity, period)
        if value is None:
            return ()
        values[entity] = value
    return sorted(values, key=lambda e: -values[e] * quantity.sign)[: quantity.count]


def _of_buckets(
    case: Case, quantity: Quantity, predicate: Predicate, world: World, metric: str, when: When
) -> Outcome:
    """Days or weeks of a stretch; without one, of the whole series if the text says how long it is."""
    series = world.series(metric, "")
    labels = [label for label, _ in series]
    flags = _flags(world, metric, series, predicate)
    if quantity.kind == "only":
        return _only_these(case, metric, flags, labels, when)
    inside = _stretch(labels, when, quantity)
    if quantity.grain != world.grain or not inside:
        return UNKNOWN
    if quantity.kind not in ("count", "all", "none", "most"):
        return UNKNOWN
    if quantity.total and quantity.total != len(inside):
        return UNKNOWN
    known = [flags[label] for label in inside if label in flags]
    yes = [label for label in inside if flags.get(label)]
    why = case.say("counted", metric=case.label(metric), n=len(yes), all=len(inside), names=case.listed(yes))
    if len(known) < len(inside) or None in known:
        return UNKNOWN
    if quantity.kind == "all":
        return decided(len(yes) == len(inside), why)
    if quantity.kind == "none":
        return decided(not yes, why)
    return decided(matches(quantity, len(yes), len(inside)), why)


def _only_these(
    case: Case, metric: str, flags: dict[str, bool | None], labels: list[str], when: When
) -> Outcome:
    """It holds of the buckets named and of no other."""
    named = {label for s in when.spans for label in s.labels(labels)}
    yes = [label for label, holds in flags.items() if holds]
    if not named or len(named) != len(when.spans):
        return UNKNOWN
    why = case.say("counted", metric=case.label(metric), n=len(yes), all=len(labels), names=case.listed(yes))
    return decided(set(yes) == named, why)


def _stretch(labels: list[str], when: When, quantity: Quantity) -> list[str]:
    """The buckets counted; [] when the text does not say."""
    if not when.spans:
        return labels if quantity.total else []
    if len(when.spans) > 1:
        return []
    named = when.spans[0].labels(labels)
    if when.spans[0].is_range:
        return named
    if (when.is_since or when.is_after) and named:
        return [label for label in labels if label > named[-1]]
    return []


def _flags(
    world: World, metric: str, series: Sequence[tuple[str, float]], predicate: Predicate
) -> dict[str, bool | None]:
    found: dict[str, bool | None] = {}
    for before, (label, value) in zip([None, *series], series, strict=False):
        if isinstance(predicate, Level):
            found[label] = predicate.holds(value)
        elif before is not None:
            step = Step(old=before[1], new=value, old_label=before[0], new_label=label)
            found[label] = predicate.holds_between(world, metric, step)
    return found
