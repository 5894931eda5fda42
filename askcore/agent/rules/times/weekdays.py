"""Recogniser of weekdays: of a week that is named, or the newest one; "last Friday" may mean two days."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta

from askcore.agent.rules.times import lexicon
from askcore.agent.rules.times.values import Clock, TimeRef, alternation
from askcore.base.values import Period
from askcore.semantic.periods import week_start

_ZH_DAYS = "|".join(sorted((w for w in lexicon.WEEKDAYS if not w.isascii()), key=len, reverse=True))
_ZH = re.compile(
    rf"(?:(?P<w>{lexicon.WEEK_HEADS})|{lexicon.NOT_EVERY})(?P<d>{_ZH_DAYS}){lexicon.NOT_AVERAGE}{lexicon.NOT_A_COUNT}"
)
_EN_DAY = alternation(w for w in lexicon.WEEKDAYS if w.isascii())
_EN = re.compile(
    r"(?<![a-z])(?:on\s+)?(?:(?P<in_last>last|previous)\s+week(?:'s)?\s+(?:on\s+)?|(?P<in_this>this)\s+week(?:'s)?\s+(?:on\s+)?|"
    rf"(?P<last>last|previous|past)\s+|(?P<this>this)\s+)?(?P<d>{_EN_DAY})"
    r"(?:\s+(?:of\s+)?(?:(?P<of_last>last|previous)|(?P<of_this>this))\s+week(?![a-z]))?"
)


def weekday_refs(text: str, clock: Clock) -> Iterator[TimeRef]:
    """Every weekday in the normalised text; see `TimeRef.weekday`."""
    for match in _ZH.finditer(text):
        back = None
        if head := match["w"]:
            back = lexicon.WEEK_BACK.get(head.removesuffix(lexicon.COUNTED), 0)
        yield _ref(match, lexicon.WEEKDAYS[match["d"]], back, clock)
    for match in _EN.finditer(text):
        weekday = lexicon.WEEKDAYS[match["d"]]
        back = _week_named(match)
        ref = _ref(match, weekday, back, clock)
        yield _either(ref, weekday, clock) if match["last"] and back is None else ref


def _week_named(match: re.Match[str]) -> int | None:
    """How many weeks back an English weekday is; None when its week is not named."""
    if match["of_last"] or match["in_last"]:
        return 1
    return 0 if match["of_this"] or match["in_this"] or match["this"] else None


def _ref(match: re.Match[str], weekday: int, weeks_back: int | None, clock: Clock) -> TimeRef:
    """weeks_back: of the week named; None = the newest such day that can be settled."""
    if weeks_back is None:
        day = newest(weekday, clock.anchor)
    else:
        day = week_start(clock.as_of) + timedelta(days=weekday - 7 * weeks_back)
    return TimeRef(
        start=match.start(),
        end=match.end(),
        unit="day",
        period=_one(day),
        relative=True,
        weekday=weekday,
        is_week_open=weeks_back is None,
    )


def _either(ref: TimeRef, weekday: int, clock: Clock) -> TimeRef:
    """As in "last Friday": the newest one before today, or that of last week; settled when they are one."""
    recent = newest(weekday, clock.as_of - timedelta(days=1))
    of_last_week = week_start(clock.as_of) + timedelta(days=weekday - 7)
    if recent == of_last_week:
        return replace(ref, period=_one(recent), is_week_open=False)
    return replace(ref, period=_one(recent), either=(_one(recent), _one(of_last_week)), is_week_open=False)


def newest(weekday: int, until: date) -> date:
    """The last such weekday by a day."""
    return until - timedelta(days=(until.weekday() - weekday) % 7)


def in_week_of(ref: TimeRef, other: TimeRef) -> TimeRef:
    """A weekday whose week is not named, in the week of another one."""
    if not ref.is_week_open or other.weekday is None or other.period is None or ref.weekday is None:
        return ref
    return replace(ref, period=_one(week_start(other.period.start) + timedelta(days=ref.weekday)))


def fitted(left: TimeRef, right: TimeRef) -> tuple[Period | None, Period | None]:
    """Both ends of a range; an open end is the nearest such weekday that keeps the order."""
    first, last = left.period, right.period
    if first is None or last is None:
        return first, last
    if left.is_week_open and left.weekday is not None:
        return _one(newest(left.weekday, last.start)), last
    if right.is_week_open and right.weekday is not None:
        return first, _one(newest(right.weekday, first.start + timedelta(days=6)))
    return first, last


def settled_weeks(refs: Sequence[TimeRef]) -> list[TimeRef]:
    """As in "last week's Friday and Saturday": the second day is of the week that the first one names."""
    found: list[TimeRef] = []
    for ref in refs:
        found.append(in_week_of(ref, found[-1]) if found else ref)
    return found


def _one(day: date) -> Period:
    return Period(start=day, end=day)
