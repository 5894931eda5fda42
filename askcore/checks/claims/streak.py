"""So many periods in a row: rose, fell, lay above a value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from askcore.checks.claims import lexicon as words
from askcore.checks.claims.bind import When
from askcore.checks.claims.case import Case
from askcore.checks.claims.number_words import count_of
from askcore.checks.claims.outcome import UNKNOWN, Outcome, all_of, any_of, decided
from askcore.checks.claims.page import Segment
from askcore.checks.claims.predicate import Level, Moved, Predicate, predicate_in
from askcore.checks.claims.token import Token
from askcore.checks.claims.word_claim import WordClaim
from askcore.checks.claims.world import Step, World
from askcore.checks.provenance.lexicon import LATIN_NUMBERS
from askcore.checks.provenance.numerals import NUMERAL_CHARS
from askcore.checks.provenance.wording import either

_N: Final = rf"(?:[0-9]{{1,3}}|[{NUMERAL_CHARS}]{{1,3}}|{either((*LATIN_NUMBERS, *words.LATIN_ORDINALS))})"
_GRAIN: Final = either(words.GRAINS)
_COUNTED: Final = re.compile(
    rf"(?P<n1>{_N})[\s-]*(?:{either(words.STREAK_LATIN)}\s+)?(?P<g1>{_GRAIN})"
    rf"|(?P<n2>{_N})\s?{words.STREAK_MARK}[{''.join(words.STREAK_MOVES)}]"
)
_SHORT: Final = re.compile(rf"{words.STREAK_MARK}(?P<move>[{''.join(words.STREAK_MOVES)}])")
_DAYS: Final = {"day": 1, "week": 7, "month": 28, "quarter": 84, "year": 360}


@dataclass(frozen=True, slots=True, kw_only=True)
class Streak:
    """How many of which periods."""

    count: int
    """0: every step of the stretch."""
    grain: str
    start: int
    end: int


def find_streaks(case: Case, segment: Segment) -> Iterator[WordClaim]:
    """The claim of a streak in the statement, if any."""
    token = next(iter(segment.all("streak", "stepwise")), None)
    short = _SHORT.search(case.page.canvas, segment.start, segment.end)
    if token is None and short is None:
        return
    streak = _streak(case, segment, token)
    predicate = _predicate(case, segment, short)
    if streak is None or predicate is None:
        return
    if token is None and short is not None:
        token = Token(kind="streak", start=short.start(), end=short.end(), text=short.group())
    if token is not None:
        yield case.claim(token, "streak", _judge(case, segment, token, streak, predicate))


def _streak(case: Case, segment: Segment, token: Token | None) -> Streak | None:
    for match in _COUNTED.finditer(case.page.canvas, segment.start, segment.end):
        if any(p.start <= match.start() < p.end for p in segment.all("period", "rank")):
            continue
        written, grain = match["n1"] or match["n2"], match["g1"]
        return Streak(
            count=count_of(written),
            grain=words.GRAINS.get(grain or "", ""),
            start=match.start(),
            end=match.end(),
        )
    if token is not None and token.kind == "stepwise":
        grain = next((g for w, g in words.GRAINS.items() if w in token.text), "")
        return Streak(count=0, grain=grain, start=token.start, end=token.end)
    return None


def _predicate(case: Case, segment: Segment, short: re.Match[str] | None) -> Predicate | None:
    moves = segment.all("move", "flat")
    if moves:
        return Moved(token=moves[0])
    if short is not None:
        sign = words.STREAK_MOVES[short["move"]]
        return Moved(
            token=Token(kind="move", start=short.start(), end=short.end(), text=short.group(), sign=sign)
        )
    return predicate_in(case, segment, None)


def _judge(case: Case, segment: Segment, token: Token, streak: Streak, predicate: Predicate) -> Outcome:
    if segment.has("not") and isinstance(predicate, Moved):
        return UNKNOWN
    if segment.has("all", "none", "only", "most", "rest", "except"):
        return UNKNOWN
    metrics = case.bind.metrics(segment, token)
    owners = case.bind.owners(segment, token)
    when = case.bind.when(segment, token)
    anywhere = segment.has("once") or _goes_on(case, segment)

    def of(world: World, metric: str, entity: str) -> Outcome:
        return _of_series(case, world, metric, entity, streak, predicate, when, anywhere)

    def judge(world: World, metric: str) -> Outcome:
        theirs = all_of(of(world, metric, e) for e in owners.names or ("",))
        return theirs if owners.is_firm else any_of((theirs, of(world, metric, "")))

    return case.over_metrics(metrics, judge)


def _goes_on(case: Case, segment: Segment) -> bool:
    """Whether the sentence tells what came before or after the streak."""
    near = [s for s in case.page.segments if s.sentence == segment.sentence]
    return any(s.has("after") for s in near)


def _of_series(
    case: Case,
    world: World,
    metric: str,
    entity: str,
    streak: Streak,
    predicate: Predicate,
    when: When,
    anywhere: bool,
) -> Outcome:
    series = world.series(metric, entity)
    if len(series) < 2:
        return UNKNOWN
    flags = _flags(world, metric, series, predicate)
    labels = [label for label, _ in series]
    holds = _holds(labels, flags, streak, when, anywhere)
    longest, last = _longest(flags)
    run = series[max(last - longest, 0) : last + 1] or series
    values = " → ".join(case.value(v, world.units[metric]) for _, v in run)
    label = labels[last] if longest else ""
    why = case.say(
        "streak", who=case.who(entity, label or "cur"), metric=case.label(metric), values=values, n=longest
    )
    if streak.grain and streak.grain != world.grain:
        if holds and _cannot_be(streak, world.grain, len(series)):
            return decided(False, case.say("grain", grain=case.say(world.grain), n=streak.count))
        return UNKNOWN
    return decided(holds, why)


def _cannot_be(streak: Streak, grain: str, length: int) -> bool:
    """Whether the series is too short or too coarse for the unit that the text names."""
    own, said = _DAYS[grain], _DAYS[streak.grain]
    return said < own or streak.count * said > length * own


def _flags(
    world: World, metric: str, series: Sequence[tuple[str, float]], predicate: Predicate
) -> list[bool | None]:
    """Of each period whether the predicate holds; None where the period before is not known."""
    first: bool | None = None
    if isinstance(predicate, Level):
        first = predicate.holds(series[0][1])
    pairs = pairwise(series)
    steps = (Step(old=a[1], new=b[1], old_label=a[0], new_label=b[0]) for a, b in pairs)
    return [first, *(predicate.holds_between(world, metric, s) for s in steps)]


def _holds(
    labels: list[str], flags: list[bool | None], streak: Streak, when: When, anywhere: bool
) -> bool | None:
    named = [i for i, label in enumerate(labels) if any(label in s.labels(labels) for s in when.spans)]
    if when.spans and not named:
        return None
    if named and (named[0] != named[-1] or when.is_since):
        return _in_stretch(
            flags, named[0], named[-1] if named[0] != named[-1] else len(flags) - 1, streak, when
        )
    if not streak.count:
        return all(flags[1:]) if not named else None
    if named:
        at = named[0]
        return _any(_window(flags, a, streak.count) for a in (at - streak.count + 1, at, at + 1))
    ends = _window(flags, len(flags) - streak.count, streak.count)
    if ends is not False or not anywhere:
        return ends
    return _any(_window(flags, a, streak.count) for a in range(len(flags)))


def _in_stretch(flags: list[bool | None], first: int, last: int, streak: Streak, when: When) -> bool | None:
    """Every step of the stretch, and as many as told."""
    if when.is_since and streak.count:
        return _any(_window(flags, a, streak.count) for a in (first, first + 1))
    size = last - first
    if streak.count and streak.count not in (size, size + 1):
        return False
    if streak.count == size + 1:
        return _window(flags, first, streak.count)
    return all(flags[first + 1 : last + 1])


def _window(flags: list[bool | None], start: int, count: int) -> bool | None:
    inside = flags[max(start, 0) : start + count]
    if False in inside or start + count > len(flags):
        return False
    if start < 0 or None in inside:
        return None
    return True


def _any(found: Iterator[bool | None]) -> bool | None:
    known = list(found)
    return True if True in known else None if None in known else False


def _longest(flags: list[bool | None]) -> tuple[int, int]:
    """Length and last index of the longest run; the later one of two that are equal."""
    best, last, run = 0, 0, 0
    for index, flag in enumerate(flags):
        run = run + 1 if flag else 0
        if run and run >= best:
            best, last = run, index
    return best, last
