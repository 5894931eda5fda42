"""All times of a question: dates and relative times, joined to ranges, with the year settled."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

from askcore.agent.rules.spans import Claim, resolve
from askcore.agent.rules.times import lexicon
from askcore.agent.rules.times.points import points
from askcore.agent.rules.times.relative import relative_refs
from askcore.agent.rules.times.values import Clock, Point, TimeRef, alternation, to_date
from askcore.agent.rules.times.weekdays import fitted, settled_weeks
from askcore.base.values import Period
from askcore.semantic.calendar import days_of
from askcore.semantic.periods import week_start

_LINK = re.compile(r"\s*" + alternation(lexicon.RANGE_LINKS) + r"\s*")
_AND = re.compile(rf"\s*(?:and|{lexicon.BETWEEN_LINK})\s*")
_BETWEEN = re.compile(r"(?<![a-z])between\s*(?:the\s+)?$")
_BETWEEN_TAIL = re.compile(rf"\s*{lexicon.BETWEEN_TAIL}")
_SINCE_HEAD = re.compile(
    r"(?:(?<![a-z])(?:ever\s+)?since\s+(?:the\s+(?:start|beginning)\s+of\s+)?|"
    rf"{lexicon.SINCE_HEADS_ZH})\s*$"
)
_SINCE_WORD = re.compile(r"(?<![a-z])since\s+(?:the\s+(?:start|beginning)\s+of\s+)?$")
_SINCE_TAIL = re.compile(r"\s*(?:" + alternation(lexicon.SINCE_TAILS) + r"|onwards?|on(?!\s*\w))")
_TO_DATE_TAIL = re.compile(r"\s*" + alternation(lexicon.TO_DATE_TAILS))
_WEEK_OF = re.compile(
    r"(?:the\s+)?week\s+(?:of|starting|beginning|from|commencing)\s+(?:on\s+)?(?:monday,?\s+)?$"
)
_ON_THE_DAY = re.compile(r"\s*" + alternation(lexicon.ON_THE_DAY))
_WEEK_AROUND = re.compile(r"\s*" + alternation(lexicon.WEEK_AROUND))
_MONTHS_A_YEAR = 12


def time_refs(text: str, clock: Clock) -> tuple[TimeRef, ...]:
    """Every time that the normalised text names, in order, without overlap."""
    claims = [Claim(p.start, p.end, "time", "point", p) for p in points(text, clock)]
    claims += [Claim(r.start, r.end, "time", "ref", r) for r in relative_refs(text, clock)]
    parts: list[Point | TimeRef] = [c.value for c in resolve(claims)]
    found = settled_weeks(_same_years(_joined(parts, text, clock), parts))
    return tuple(_tailed(ref, text, clock) for ref in found)


def _joined(parts: Sequence[Point | TimeRef], text: str, clock: Clock) -> list[TimeRef]:
    found: list[TimeRef] = []
    at = 0
    while at < len(parts):
        ref, used = _range(parts, at, text, clock)
        if ref is None:
            ref, used = _single(parts[at], text, clock), 1
        if ref is not None:
            found.append(ref)
        at += used
    return found


def _same_years(refs: list[TimeRef], parts: Sequence[Point | TimeRef]) -> list[TimeRef]:
    """A date without a year beside one with a year is of that year, or of the next one."""
    dated = [r for r in refs if r.period is not None and not r.assumed_year and not r.relative]
    if not dated or dated[0].period is None:
        return refs
    near = dated[0].period
    points = {p.start: p for p in parts if isinstance(p, Point)}
    found: list[TimeRef] = []
    for ref in refs:
        point = points.get(ref.start)
        if not ref.assumed_year or ref.unit == "range" or point is None or point.unit == "day_only":
            found.append(ref)
            continue
        year = near.start.year
        moved = {y: point.in_year(y) for y in (year, year - 1, year + 1)}
        if moved[year] == near:  # the same days of two years are compared
            found.append(ref)
            continue
        known = [y for y, p in moved.items() if p is not None]
        best = min(known, key=lambda y: _distance(moved[y], near, y == year), default=None)
        period = None if best is None else moved[best]
        found.append(ref if period is None else replace(ref, period=period, assumed_year=False))
    return found


def _distance(period: Period | None, near: Period, same_year: bool) -> int:
    """Months apart; another year only counts as nearer when the months are neighbours."""
    if period is None:
        return 99
    months = abs(
        (period.start.year - near.start.year) * _MONTHS_A_YEAR + period.start.month - near.start.month
    )
    return months if same_year or months <= 1 else 99


def _range(parts: Sequence[Point | TimeRef], at: int, text: str, clock: Clock) -> tuple[TimeRef | None, int]:
    """A range of two neighbouring dates with a link between them."""
    if at + 1 >= len(parts):
        return None, 0
    left, right = parts[at], parts[at + 1]
    gap = text[left.end : right.start]
    if not _is_link(gap, text, left.start, right.end):
        return None, 0
    period, assumed = _ends(left, right, clock)
    if period is None:
        return None, 0
    relative = any(isinstance(p, TimeRef) and p.relative for p in (left, right))
    others = left.either if isinstance(left, TimeRef) and isinstance(right, TimeRef) else None
    ref = TimeRef(
        start=left.start,
        end=right.end,
        unit="range",
        period=period,
        relative=relative,
        assumed_year=assumed,
        ends=_both_ends(left, right, period),
        either=None if others is None else _each_whole(left, right, others),
    )
    return ref, 2


def _both_ends(left: Point | TimeRef, right: Point | TimeRef, whole: Period) -> tuple[Period, Period] | None:
    """The two months, quarters … that a range was made of, when they are of one kind."""
    if not isinstance(left, Point) or not isinstance(right, Point) or left.unit != right.unit:
        return None
    first, last = left.in_year(whole.start.year), right.in_year(whole.end.year)
    return None if first is None or last is None else (first, last)


def _is_link(gap: str, text: str, start: int, end: int) -> bool:
    if _LINK.fullmatch(gap):
        return True
    if not _AND.fullmatch(gap):
        return False
    return bool(_BETWEEN.search(text[:start])) or bool(_BETWEEN_TAIL.match(text, end))


def _ends(left: Point | TimeRef, right: Point | TimeRef, clock: Clock) -> tuple[Period | None, bool]:
    """First day of the left to last day of the right; whether a year was assumed."""
    if isinstance(left, Point) and isinstance(right, Point):
        return _point_ends(left, right, clock)
    if isinstance(left, TimeRef) and isinstance(right, TimeRef):
        return _whole(*fitted(left, right)), False
    first = left.newest(clock) if isinstance(left, Point) and left.year is None else _days(left)
    last = right.newest(clock) if isinstance(right, Point) and right.year is None else _days(right)
    return _whole(first, last), False


def _each_whole(
    left: Point | TimeRef, right: Point | TimeRef, starts: Sequence[Period]
) -> tuple[Period, ...]:
    """The range from each day that its first end may be."""
    if not isinstance(left, TimeRef) or not isinstance(right, TimeRef):
        return ()
    found = (_whole(*fitted(replace(left, period=start), right)) for start in starts)
    return tuple(period for period in found if period is not None)


def _whole(first: Period | None, last: Period | None) -> Period | None:
    """From the one to the other; None when an end is unknown or they are in the wrong order."""
    if first is None or last is None or last.end < first.start:
        return None
    return Period(start=first.start, end=last.end)


def _days(part: Point | TimeRef) -> Period | None:
    if isinstance(part, TimeRef):
        return part.period
    return part.in_year(part.year) if part.year is not None else None


def _point_ends(left: Point, right: Point, clock: Clock) -> tuple[Period | None, bool]:
    if right.unit == "day_only":
        if left.unit not in ("day", "day_only"):
            return None, False
        right = replace(right, unit=left.unit, first=left.first, year=right.year or left.year)
    assumed = left.year is None and right.year is None
    year = left.year
    if year is None and right.year is not None:
        year = right.year - 1 if _order(left) > _order(right) else right.year
    first = _newest_day_only(left, clock) if left.unit == "day_only" else (
        left.newest(clock) if year is None else left.in_year(year)
    )  # fmt: skip
    if first is None:
        return None, False
    last = _right_end(right, first, clock)
    if last is None or last.end < first.start:
        return None, False
    return Period(start=first.start, end=last.end), assumed


def _order(point: Point) -> int:
    per = {"quarter": 3, "half": 6}.get(point.unit, 1)
    return point.first * per


def _right_end(right: Point, first: Period, clock: Clock) -> Period | None:
    if right.unit == "day_only":
        try:
            day = first.start.replace(day=right.day)
        except ValueError:
            return None
        return Period(start=day, end=day)
    if right.year is not None:
        return right.in_year(right.year)
    for year in (first.start.year, first.start.year + 1):
        found = right.in_year(year)
        if found is not None and found.start >= first.start:
            return found
    return None


def _newest_day_only(point: Point, clock: Clock) -> Period | None:
    day = clock.anchor_day
    for _ in range(62):  # two months hold every day number that exists
        if day.day == point.day:
            return Period(start=day, end=day)
        day -= timedelta(days=1)
    return None


def _single(part: Point | TimeRef, text: str, clock: Clock) -> TimeRef | None:
    if isinstance(part, TimeRef):
        return part
    if part.unit == "day_only":
        period = _newest_day_only(part, clock)
    else:
        period = part.newest(clock) if part.year is None else part.in_year(part.year)
    if period is None:
        is_day = part.unit in ("day", "month")
        return TimeRef(start=part.start, end=part.end, unit="day", role="no_such_day") if is_day else None
    if part.unit == "holiday" and (tail := _ON_THE_DAY.match(text, part.end)):
        return _festival(part, period, tail.end())
    unit = "part" if part.name and part.unit == "month" else part.unit
    ref = TimeRef(
        start=part.start,
        end=part.end,
        unit="day" if unit == "day_only" else unit,
        period=period,
        assumed_year=part.year is None,
    )
    return _around(ref, text) if ref.unit == "day" else ref


def _festival(part: Point, period: Period, end: int) -> TimeRef:
    """The day itself of a holiday of several days: known where its date is fixed, else one of them."""
    ref = TimeRef(start=part.start, end=end, unit="day", period=period, assumed_year=part.year is None)
    if fixed := lexicon.FIXED_FESTIVALS.get(part.name):
        day = date(period.end.year, *fixed)
        return replace(ref, period=Period(start=day, end=day))
    days = tuple(Period(start=day, end=day) for day in days_of(period))
    return replace(ref, period=days[0], either=days if len(days) > 1 else None)


def _around(ref: TimeRef, text: str) -> TimeRef:
    """The whole week of a day: "week of Oct 5"."""
    head = _WEEK_OF.search(text[: ref.start])
    tail = _WEEK_AROUND.match(text, ref.end)
    if (head is None and tail is None) or ref.period is None:
        return ref
    monday = week_start(ref.period.start)
    return replace(
        ref,
        start=head.start() if head else ref.start,
        end=tail.end() if tail else ref.end,
        unit="week",
        period=Period(start=monday, end=monday + timedelta(days=6)),
    )


def _tailed(ref: TimeRef, text: str, clock: Clock) -> TimeRef:
    """As in "since X", "X to date": from its first day to the last settled one."""
    if ref.period is None:
        return ref
    tail = _SINCE_TAIL.match(text, ref.end)
    head = _SINCE_HEAD.search(text[: ref.start])
    if tail and head is None and tail[0].strip() in lexicon.SINCE_NEEDS_HEAD:
        tail = None
    if ref.to_date:
        more = _TO_DATE_TAIL.match(text, ref.end)
        return ref.moved(ref.start, more.end()) if more else ref
    if tail is None and _SINCE_WORD.search(text[: ref.start]) is None:
        return ref
    start = head.start() if head else ref.start
    return replace(
        ref,
        start=start,
        end=tail.end() if tail else ref.end,
        unit="range",
        period=to_date(ref.period.start, clock),
    )
