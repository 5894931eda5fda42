"""What may hold of an entity at a time: it rose, it is zero, it lies above a value."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Protocol

from askcore.base.values import CellUnit
from askcore.checks.claims import lexicon as words
from askcore.checks.claims.bind import When
from askcore.checks.claims.case import Case
from askcore.checks.claims.outcome import UNKNOWN, Outcome, any_of, decided
from askcore.checks.claims.page import Segment
from askcore.checks.claims.token import Token
from askcore.checks.claims.when import points, steps
from askcore.checks.claims.world import CUR, Step, World
from askcore.checks.provenance.wording import either

FLAT_SHARE: Final = 0.01  # "flat" allows for rounding
STEADY_SHARE: Final = 0.05  # "roughly flat", "stable"
REACH: Final = 24  # characters between a bound and what it belongs to
_BOUNDS: Final = tuple(
    (
        sign,
        re.compile(rf"{either(ahead)}{words.DONE}?\s*[\u00a5\uffe5$]?$"),
        re.compile(rf"\s?{either(behind)}"),
    )
    for sign, ahead, behind in (
        (-1, words.UNDER, words.UNDER_AFTER),
        (1, words.OVER, words.OVER_AFTER),
    )
)
_LEVEL: Final = re.compile(either(words.LEVEL_BOUNDS))
_INCLUSIVE: Final = re.compile(either(words.INCLUSIVE))
_COUNTED: Final = re.compile(rf"\s?[{words.MEASURE}]?(?:{either((*words.NOUNS, *words.GRAINS))})")
_ZERO: Final = re.compile(either(words.ZERO))
FLAT_POINTS: Final = 0.0005  # rates equal when shown with one decimal


class Predicate(Protocol):
    """Judged for one metric, entity and time."""

    def judge(self, case: Case, world: World, metric: str, entity: str, when: When) -> Outcome:
        """What the cells say."""
        ...

    def holds_between(self, world: World, metric: str, step: Step) -> bool | None:
        """Whether it holds of one step of a series."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """Rose, fell or stayed."""

    token: Token
    is_denied: bool = False
    """As in "did not fall": judged pair by pair, since any pair may be meant."""

    def judge(self, case: Case, world: World, metric: str, entity: str, when: When) -> Outcome:
        """Any of the pairs that may be meant."""
        pairs = steps(world, metric, entity, when)
        if not pairs:
            return self._by_change(case, world, metric, entity, when)
        return any_of(
            decided(self._holds(case, world, metric, p), case.moved(world, metric, entity, p)) for p in pairs
        )

    def holds_between(self, world: World, metric: str, step: Step) -> bool | None:
        """Strictly, for a streak."""
        if self.token.kind in ("flat", "steady"):
            return _is_flat(step, world.units[metric], FLAT_SHARE)
        return (step.new - step.old) * self.token.sign > 0

    def _holds(self, case: Case, world: World, metric: str, step: Step) -> bool | None:
        kind, unit = self.token.kind, world.units[metric]
        if kind in ("flat", "steady"):
            share = FLAT_SHARE if kind == "flat" else STEADY_SHARE
            return _is_flat(step, unit, share) != self.is_denied
        sign = self.sign(case, world, metric)
        return ((step.new - step.old) * sign > 0) != self.is_denied if sign else None

    def sign(self, case: Case, world: World, metric: str) -> int:
        """+1 for larger values, 0 when it depends on what is not known."""
        if self.token.kind == "better":
            return self.token.sign * case.polarity.get(metric, 0)
        if self.token.kind == "faster":
            return -self.token.sign if world.units.get(metric) == "min" else 0
        return self.token.sign

    def _by_change(self, case: Case, world: World, metric: str, entity: str, when: When) -> Outcome:
        sign = world.change_sign(metric, entity)
        wanted = self.sign(case, world, metric)
        if sign is None or not wanted or when.spans or world.labels(metric, entity):
            return UNKNOWN
        verb = case.say("rose" if sign > 0 else "fell" if sign < 0 else "same")
        why = case.say("changed", who=case.who(entity), metric=case.label(metric), verb=verb)
        return decided((sign == wanted) != self.is_denied, why)


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """Lies above (+1), below (-1) or at (0) a value."""

    sign: int
    bound: float
    unit: CellUnit
    is_strict: bool = True

    def judge(self, case: Case, world: World, metric: str, entity: str, when: When) -> Outcome:
        """At the periods named."""
        found: list[Outcome] = []
        unit = world.units.get(metric)
        if self.sign and self.unit != unit and (self.unit != "plain" or unit == "pct"):
            return UNKNOWN
        told = points(world, metric, entity, when)
        if self.sign == 0 and when.spans and told == [CUR]:
            return UNKNOWN  # nothing on some days says nothing of the whole period
        for period in told:
            value = world.value(metric, entity, period)
            if value is not None:
                why = case.say(
                    "is_value",
                    who=case.who(entity, period),
                    metric=case.label(metric),
                    value=case.value(value, world.units[metric]),
                )
                found.append(decided(self.holds(value), why))
        return any_of(found)

    def holds_between(self, world: World, metric: str, step: Step) -> bool | None:
        """Of the later value."""
        return self.holds(step.new)

    def holds(self, value: float) -> bool:
        """Of one value."""
        if self.sign == 0:
            return abs(value - self.bound) < 1e-9
        distance = (value - self.bound) * self.sign
        return distance > 0 if self.is_strict else distance >= 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedBy:
    """Rose or fell by more (+1) or less (-1) than so much."""

    move: Token
    sign: int
    bound: float
    unit: CellUnit

    def judge(self, case: Case, world: World, metric: str, entity: str, when: When) -> Outcome:
        """Any of the pairs that may be meant."""
        found: list[Outcome] = []
        for step in steps(world, metric, entity, when):
            holds = self.holds_between(world, metric, step)
            if holds is not None:
                found.append(decided(holds, case.moved(world, metric, entity, step)))
        return any_of(found)

    def holds_between(self, world: World, metric: str, step: Step) -> bool | None:
        """In the right direction and by as much."""
        size = (step.new - step.old) * self.move.sign
        unit = world.units[metric]
        if self.unit == "pct":
            if not step.old:
                return None
            size /= abs(step.old)
        elif self.unit != ("pp" if unit == "pct" else unit) and self.unit != "plain":
            return None
        return size > 0 and (size - self.bound) * self.sign >= 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """A figure that bounds a value, and the words that say so."""

    figure: Token
    sign: int
    start: int
    end: int
    is_strict: bool
    is_level: bool
    """As in "fell below 45k" names a level, "fell by over 45k" a size."""


def bounds(case: Case, segment: Segment) -> list[Bound]:
    """Figures with "over", "under", "or more" beside them; counts of shops or days are none."""
    found: list[Bound] = []
    for figure in segment.all("figure"):
        before = case.page.canvas[max(segment.start, figure.start - REACH) : figure.start]
        for sign, ahead, behind in _BOUNDS:
            if match := ahead.search(before):
                start = figure.start - len(before) + match.start()
                strict = not _INCLUSIVE.search(match.group())
                level = _LEVEL.match(match.group()) is not None
                found.append(
                    Bound(
                        figure=figure,
                        sign=sign,
                        start=start,
                        end=figure.end,
                        is_strict=strict,
                        is_level=level,
                    )
                )
                break
            if match := behind.match(case.page.canvas, figure.end):
                strict = not _INCLUSIVE.search(match.group())
                found.append(
                    Bound(
                        figure=figure,
                        sign=sign,
                        start=figure.start,
                        end=match.end(),
                        is_strict=strict,
                        is_level=False,
                    )
                )
                break
    return found


def predicate_in(
    case: Case, segment: Segment, move: Token | None, *, is_denied: bool = False
) -> Predicate | None:
    """What the statement says of each of those that it speaks of."""
    if move is not None:
        return Moved(token=move, is_denied=True) if is_denied else _moved(case, segment, move)
    level = level_bound(case, segment)
    if level is not None:
        mention = case.page.figures[level.figure.start]
        return Level(sign=level.sign, bound=mention.value, unit=mention.unit, is_strict=level.is_strict)
    metrics = segment.all("metric")
    for token in segment.all("not"):
        if any(0 <= m.start - token.end <= 1 for m in metrics) and token.text in words.NOTHING:
            return Level(sign=0, bound=0.0, unit="plain")
    zero = _ZERO.search(case.page.canvas, segment.start, segment.end)
    return Level(sign=0, bound=0.0, unit="plain") if zero else None


def level_bound(case: Case, segment: Segment) -> Bound | None:
    """The bound of a level: no move, no difference and no count stands before it."""
    if segment.has("mean", "together", "share", "than", "gap", "multiple", "times_of", "change"):
        return None
    for bound in bounds(case, segment):
        mention = case.page.figures[bound.figure.start]
        if mention.unit in ("rank", "x", "pp", "days") or is_count(case, bound.figure):
            continue
        if not bound.is_level and any(0 <= bound.start - t.end <= REACH for t in segment.all("move")):
            continue
        return bound
    return None


def is_count(case: Case, figure: Token) -> bool:
    """A count of shops or days, not a value."""
    return figure.text.endswith(words.UNIT_COUNTS) or _COUNTED.match(case.page.canvas, figure.end) is not None


def _moved(case: Case, segment: Segment, move: Token) -> Predicate:
    """With the size that the move is said to have at least or at most."""
    for bound in bounds(case, segment):
        mention = case.page.figures[bound.figure.start]
        near = 0 <= bound.start - move.end <= REACH
        if near and bound.is_level and move.sign and not segment.has("base"):
            continue
        if near and move.sign and mention.unit != "x" and not is_count(case, bound.figure):
            return MovedBy(move=move, sign=bound.sign, bound=mention.value, unit=mention.unit)
    return Moved(token=move)


def _is_flat(step: Step, unit: str, share: float) -> bool:
    difference = abs(step.new - step.old)
    if unit == "pct" and difference <= FLAT_POINTS * (share / FLAT_SHARE):
        return True
    return difference <= share * abs(step.old)
