"""Places: ranked third, the second highest, the top three are A, B and C, second only to A."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from askcore.checks.claims import lexicon as words
from askcore.checks.claims.aim import Aim, aim_of
from askcore.checks.claims.case import Case
from askcore.checks.claims.field import Field
from askcore.checks.claims.outcome import UNKNOWN, Outcome, any_of, decided
from askcore.checks.claims.page import Segment
from askcore.checks.claims.superlative import change_near, fields_for, is_nearly
from askcore.checks.claims.token import Token
from askcore.checks.claims.when import points
from askcore.checks.claims.word_claim import WordClaim
from askcore.checks.claims.world import World

_OF_OTHERS: Final = re.compile(r"\s?/\s?[0-9]")


def find_ranks(case: Case, segment: Segment) -> Iterator[WordClaim]:
    """All claims of a place."""
    for token in segment.all("rank", "list_top", "next_to"):
        outcome = _judge(case, segment, token)
        if outcome is not None:
            yield case.claim(token, "rank", outcome)
    if segment.has("list_top"):
        return
    for token in segment.all("in_order", "ascending"):
        names = tuple(min(t.names) for t in case.bind.run(segment, "entity", start=token.end))
        if len(names) > 1:
            yield case.claim(token, "rank", _in_order(case, segment, token, names))


def _in_order(case: Case, segment: Segment, token: Token, names: Sequence[str]) -> Outcome:
    """Each of the names lies before the next."""
    sign = -1 if token.kind == "ascending" else 1
    metrics = case.bind.metrics(segment, token)
    when = case.bind.when(segment, token)

    def judge(world: World, metric: str) -> Outcome:
        found: list[Outcome] = []
        for period in points(world, metric, names[0], when):
            values = [world.value(metric, e, period) for e in names]
            known = [v for v in values if v is not None]
            if len(known) == len(names):
                shown = case.listed(
                    f"{e} {case.value(v, case.unit(metric))}" for e, v in zip(names, known, strict=True)
                )
                holds = all((a - b) * sign >= 0 for a, b in pairwise(known))
                found.append(decided(holds, case.say("top_list", metric=case.label(metric), names=shown)))
        return any_of(found)

    return case.over_metrics(metrics, judge)


def _judge(case: Case, segment: Segment, token: Token) -> Outcome | None:
    aim = _paired(case, segment, token) or aim_of(case, segment, token)
    if aim is None or _OF_OTHERS.match(case.page.canvas, token.end):
        return None
    if token.kind == "list_top" and segment.has("share"):
        return UNKNOWN
    if aim.is_restricted or segment.has("not", "gap") or is_nearly(case, token):
        return UNKNOWN
    change = change_near(segment, token) or _change_before(segment, token)
    if change is not None and change.kind == "move" and 0 <= token.start - change.end <= 6:
        change = None  # "rose to second": the place moved
    metrics = case.bind.metrics(segment, token)

    def judge(world: World, metric: str) -> Outcome:
        if token.kind == "next_to":
            return _after_named(case, segment, token, world, metric, aim)
        signs = _signs(case, segment, token, metric)
        fields = fields_for(case, segment, world, metric, aim, change)
        return any_of(_placed(case, segment, token, metric, f, s) for f in fields for s in signs)

    return case.over_metrics(metrics, judge)


def _change_before(segment: Segment, token: Token) -> Token | None:
    """As in "A fell the most, B came next": the next by the same measure."""
    if token.text not in words.FOLLOWERS or segment.before is None:
        return None
    tops = segment.before.all("top", "fastest", "steepest")
    return change_near(segment.before, tops[-1]) if tops else None


def _paired(case: Case, segment: Segment, token: Token) -> Aim | None:
    """As in "the third and fourth are A and B": each its own."""
    ranks = segment.all("rank")
    run = case.bind.run(segment, "entity", start=ranks[-1].end) if ranks else []
    if len(ranks) < 2 or len(run) != len(ranks):
        return None
    aim = aim_of(case, segment, ranks[-1])
    mine = run[ranks.index(token)] if token in ranks else run[-1]
    return None if aim is None else replace(aim, names=(min(mine.names),), is_entity=True)


def _signs(case: Case, segment: Segment, token: Token, metric: str) -> tuple[int, ...]:
    """Counted from the top or the bottom; where less is better, "first" may mean either end."""
    if token.text in words.FOLLOWERS:
        earlier = segment.before
        while earlier is not None:
            tops = earlier.all("top", "best")
            if tops and change_near(earlier, tops[-1]) is None:
                return (tops[-1].sign,)
            earlier = earlier.before
    if segment.has("ascending"):
        return (-1,)
    tops = [t for t in segment.all("top") if t.end <= token.start]
    if tops:
        return (tops[-1].sign,)
    if token.sign > 0 and case.polarity.get(metric, 0) < 0 and not words.is_explicit(token.text):
        return (1, -1)
    return (token.sign,)


def _placed(case: Case, segment: Segment, token: Token, metric: str, field: Field, sign: int) -> Outcome:
    if not field.targets or not set(field.targets) <= field.values.keys() or len(field.values) < 2:
        return UNKNOWN
    if not field.is_level and any(field.values[t] <= 0 for t in field.targets):
        return decided(False, _order(case, metric, field, sign))
    place = int(token.value)
    if token.kind == "list_top":
        return _listed(case, segment, metric, field, sign, place)
    first, last = field.places(field.targets[0], sign)
    why = _place(case, metric, field, field.targets[0], sign)
    if len(field.targets) > 1:
        holds = all(a <= place <= b for a, b in (field.places(t, sign) for t in field.targets))
        return decided(holds if field.is_whole else None, why)
    if field.is_whole and field.dense_place(field.targets[0], sign) == place:
        return decided(True, why)
    if first > place:
        return decided(False, why)
    return decided(first <= place <= last if field.is_whole else None, why)


def _listed(case: Case, segment: Segment, metric: str, field: Field, sign: int, size: int) -> Outcome:
    """All named are among the first `size`; when told in order, also in that order."""
    places = [field.places(t, sign) for t in field.targets]
    why = _order(case, metric, field, sign)
    if any(first > size for first, _ in places):
        return decided(False, why)
    in_order = segment.has("in_order", "ascending", "respectively")
    if in_order and any(a[0] > b[1] for a, b in pairwise(places)):
        return decided(False, why)
    return decided(True if field.is_whole else None, why)


def _after_named(case: Case, segment: Segment, token: Token, world: World, metric: str, aim: Aim) -> Outcome:
    """A comes right after B."""
    ahead = [min(t.names) for t in segment.all("entity") if t.start >= token.end]
    behind = [n for n in aim.names if n not in ahead]
    if not ahead or not behind:
        return UNKNOWN
    found: list[Outcome] = []
    for field in fields_for(case, segment, world, metric, aim, None):
        if not {ahead[0], behind[0]} <= field.values.keys():
            return UNKNOWN
        for sign in _signs(case, segment, token, metric) if token.sign else (1,):
            a, b = field.places(ahead[0], sign), field.places(behind[0], sign)
            holds = b[0] == a[1] + 1 and a[0] == 1
            found.append(
                decided(holds if field.is_whole or b[0] <= a[0] else None, _order(case, metric, field, sign))
            )
    return any_of(found)


def _place(case: Case, metric: str, field: Field, name: str, sign: int) -> str:
    first, last = field.places(name, sign)
    unit = case.unit(metric)
    value = case.value(field.values[name], unit)
    key = "placed" if first == last else "placed_tied"
    return case.say(
        key, who=case.say("owner", name=name), metric=case.label(metric), value=value, first=first, last=last
    )


def _order(case: Case, metric: str, field: Field, sign: int) -> str:
    return case.say("top_list", metric=case.label(metric), names=case.listed(field.ordered(sign)[:5]))
