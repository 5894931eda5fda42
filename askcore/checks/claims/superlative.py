"""Highest, lowest, peak, best, and the largest rise or drop."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from askcore.checks.claims import lexicon as words
from askcore.checks.claims.aim import Aim, aim_of
from askcore.checks.claims.case import Case
from askcore.checks.claims.field import Field, change_fields, level_fields
from askcore.checks.claims.outcome import UNKNOWN, Outcome, any_of, decided
from askcore.checks.claims.page import Segment
from askcore.checks.claims.token import Token
from askcore.checks.claims.word_claim import WordClaim
from askcore.checks.claims.world import World
from askcore.checks.provenance.mask import BLANK
from askcore.checks.provenance.wording import either

_EXTREMES: Final = ("top", "best", "fastest", "steepest", "peak")
_CJK_REACH, _LATIN_REACH = 3, 14
_GOES_ON: Final = re.compile(
    rf"\s*(?:{words.OF})?\s*(?:$|[{re.escape(words.HEAD_STOPS)}{BLANK}*]|{either(words.IS_WORDS)}|{either(words.NOUNS)}"
    rf"|{either(words.GRAINS)}|[{words.ONE_OF}]|{words.MEASURE}|[0-9]|(?<![a-z])(?:and|with|this|that|overall|again|'s|[\u2014-]))"
)
_NEARLY: Final = re.compile(rf"{either(words.ABOUT)}\s*(?:the\s|at\s)?$")
_WEAK_MOST: Final = ("most", "least")


def find_superlatives(case: Case, segment: Segment) -> Iterator[WordClaim]:
    """All claims that somebody or some time is an extreme."""
    for token in segment.all(*_EXTREMES):
        change = change_near(segment, token)
        if not _is_claim(case, segment, token, change):
            continue
        yield case.claim(token, "superlative", _judge(case, segment, token, change))


def change_near(segment: Segment, token: Token) -> Token | None:
    """The move that the extreme measures: "the largest drop", "fell the most"; a peak is one by itself."""
    if token.kind == "peak":
        return None
    near: list[tuple[int, Token]] = []
    for other in segment.all("move", "change", "better"):
        gap = other.start - token.end if other.start > token.start else token.start - other.end
        reach = _LATIN_REACH if other.text.isascii() else _CJK_REACH
        between = [
            t for t in segment.tokens if min(token.end, other.end) <= t.start < max(token.start, other.start)
        ]
        if gap <= reach and not any(t.kind in ("entity", "figure", "period") for t in between):
            near.append((gap, other))
    return min(near, key=lambda pair: pair[0])[1] if near else None


def _is_claim(case: Case, segment: Segment, token: Token, change: Token | None) -> bool:
    """Whether the word measures a metric at all, and not "the biggest problem"."""
    if change is not None:
        return True
    following = next((t for t in segment.tokens if t.start >= token.end), None)
    if following is not None and case.page.canvas[token.end : following.start].strip(f" {words.OF}") == "":
        if following.kind in (
            "metric",
            "entity",
            "period",
            "noun",
            "figure",
            "list_joint",
            "clause_joint",
            "same",
        ):
            return True
        if following.kind == "other_noun":
            return False
    if token.text in _WEAK_MOST:
        return False
    return _GOES_ON.match(case.page.canvas[: segment.end], token.end) is not None


def _judge(case: Case, segment: Segment, token: Token, change: Token | None) -> Outcome:
    if any(t.end <= token.start for t in segment.all("not")) or segment.has("gap") or is_nearly(case, token):
        return UNKNOWN
    aim = aim_of(case, segment, token)
    if aim is None or aim.is_restricted:
        return UNKNOWN
    metrics = case.bind.metrics(segment, token)

    def judge(world: World, metric: str) -> Outcome:
        sign = _sign(case, world, metric, token, change)
        if not sign:
            return UNKNOWN
        return any_of(of_fields(case, metric, fields_for(case, segment, world, metric, aim, change), sign))

    return case.over_metrics(metrics, judge)


def fields_for(
    case: Case, segment: Segment, world: World, metric: str, aim: Aim, change: Token | None
) -> list[Field]:
    """The fields in which the place is meant."""
    if change is None:
        return list(level_fields(case, world, metric, aim))
    direction = change.sign * case.polarity.get(metric, 0) if change.kind == "better" else change.sign
    if change.kind == "better" and not direction:
        return []
    return list(change_fields(case, world, metric, aim, direction, size_unit(case, segment, change)))


def size_unit(case: Case, segment: Segment, change: Token) -> str:
    """Unit of the size told with the change, in the statement or in the aside behind it; "" for none."""
    near = [segment, *(s for s in case.page.segments if s.is_aside and s.before is segment)]
    sizes = [case.page.figures[t.start] for s in near for t in s.all("figure") if t.start >= change.start]
    units = {m.unit for m in sizes if m.unit in ("pct", "pp", "money", "count")}
    return units.pop() if len(units) == 1 else ""


def of_fields(case: Case, metric: str, fields: Iterable[Field], sign: int) -> Iterator[Outcome]:
    """Whether the targets come first in each field."""
    for field in fields:
        if not field.targets or not set(field.targets) <= field.values.keys() or len(field.values) < 2:
            yield UNKNOWN
            continue
        if not field.is_level and sign < 0:  # the smallest drop is one of those that did drop
            field = Field(
                values={n: v for n, v in field.values.items() if v > 0 or n in field.targets},
                targets=field.targets, is_whole=field.is_whole, is_level=False,
            )  # fmt: skip
        first = field.ordered(sign)[0]
        holds = all(field.places(t, sign)[0] == 1 for t in field.targets)
        if not field.is_level and any(field.values[t] <= 0 for t in field.targets):
            holds = False
        yield decided(holds if not holds or field.is_whole else None, _why(case, metric, field, first, sign))


def _why(case: Case, metric: str, field: Field, first: str, sign: int) -> str:
    label = case.label(metric)
    if not field.is_level:
        return case.say("most_moved", metric=label, who=first)
    unit = case.unit(metric)
    key = "highest" if sign > 0 else "lowest"
    return case.say(key, metric=label, who=first, value=case.value(field.values[first], unit))


def is_nearly(case: Case, token: Token) -> bool:
    """As in "almost the highest" is not the highest."""
    return _NEARLY.search(case.page.canvas[max(0, token.start - 12) : token.start]) is not None


def _sign(case: Case, world: World, metric: str, token: Token, change: Token | None) -> int:
    if token.kind == "best":
        return 1 if change is not None else token.sign * case.polarity.get(metric, 0)
    if token.kind in ("fastest", "steepest"):
        if change is not None:
            return 1
        return -1 if token.kind == "fastest" and world.units.get(metric) == "min" else 0
    if token.text in words.SLOW_WORDS:
        return -1 if change is not None else 1 if world.units.get(metric) == "min" else -1
    return token.sign
