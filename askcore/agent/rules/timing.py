"""Which days a question is about, and which it is compared with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise

from askcore.agent.rules import lexicon
from askcore.agent.rules.question import Question
from askcore.agent.rules.times import lexicon as times
from askcore.agent.rules.times.values import Clock, TimeRef
from askcore.agent.rules.understanding import Intent
from askcore.base.values import Note, Period
from askcore.semantic.calendar import holidays_in
from askcore.semantic.periods import (
    baseline_of,
    month_period,
    month_start,
    months_before,
    quarter_of,
    quarter_period,
    week_start,
    years_before,
)

_LOOKUP_DAYS = 7
_DAYS: dict[Intent, int] = {"trend": 30, "quality": 30, "anomaly": 30}
_BUCKETS = {"week": 12, "month": 12, "quarter": 8, "year": 5}  # points of a series that names no period
_STALE_COMPARE = {"day": 7, "week": 28, "month": 31, "quarter": 92, "year": 365}
_MONTHS_DIFFER_BY = 3  # whole months are called the same length
_WEEKDAY_ALIGNED_UP_TO = 31  # shorter windows face the same weekdays of last year
_CALENDAR_UNITS = ("month", "quarter", "half", "year", "part", "range")


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """The days that are read; `problem` names the sentence that says why there are none."""

    current: Period | None = None
    baseline: Period | None = None
    grain: str | None = None
    """Several neighbouring periods are read as one, split by this grain."""
    notes: tuple[Note, ...] = ()
    problem: str | None = None
    assumed: bool = False


def default_period(intent: Intent, q: Question) -> Period:
    """Days of a question that names none; the whole range where "the last days" have no rows."""
    clock = q.clock
    data = clock.data
    if any(q.scan.word(c) in times.THAT_OR_THIS_YEAR for c in q.scan.says("same_year")):
        return Period(start=date(clock.last.year, 1, 1), end=clock.last)
    ahead = data is not None and data.start > clock.last
    if data is not None and not ahead and (clock.is_stale or q.model.time.grain != "day"):
        if intent in ("compare", "why", "overview"):
            days = _STALE_COMPARE[q.model.time.grain]
            return Period(start=data.end - timedelta(days=days - 1), end=data.end)
        return data
    grains = [g for g in q.frame.splits.grains if g in _BUCKETS]
    if grains and intent == "trend":
        return _whole_buckets(max(grains, key=list(_BUCKETS).index), clock)
    last = clock.anchor  # a day that has no rows yet belongs to no period that nobody named
    if intent == "reconcile" and len(q.frame.metrics) > 1:
        return Period(start=month_start(last), end=last)
    days = _DAYS.get(intent, _LOOKUP_DAYS)
    return Period(start=last - timedelta(days=days - 1), end=last)


def _whole_buckets(grain: str, clock: Clock) -> Period:
    """The last weeks, months … up to the newest day, the first of them whole."""
    last = clock.anchor
    count = _BUCKETS[grain]
    if grain == "week":
        start = week_start(last) - timedelta(days=7 * (count - 1))
    elif grain == "year":
        start = date(last.year - count + 1, 1, 1)
    else:
        months = count - 1 if grain == "month" else 3 * (count - 1)
        base = month_start(last) if grain == "month" else quarter_period(last.year, quarter_of(last)).start
        start = months_before(base, months)
    first = start if clock.data is None else clock.data.start
    if first > last:  # all data is later: days without rows, which the answer says
        return Period(start=start, end=last)
    return Period(start=max(start, first), end=last)


def single_timing(intent: Intent, q: Question) -> Timing:
    """The one period of a question that compares nothing."""
    refs = [r for r in q.frame.refs if r.period is not None]
    if any(r.role for r in q.frame.refs):
        return Timing(problem="time_needs_other")
    if not refs:
        period = default_period(intent, q)
        return Timing(current=period, assumed=True, notes=(_assumed_note(q, period),))
    if len(refs) == 1:
        return _settled(refs[0], q)
    joined = _neighbours(refs)
    if joined is None:
        return Timing(problem="two_periods")
    settled = _clamped(joined, q.clock)
    return Timing(current=settled, grain=refs[0].unit if refs[0].unit != "day" else "date")


def _assumed_note(q: Question, period: Period) -> Note:
    return q.note("ambiguous", "assumed_period", days=q.days(period))


def _settled(ref: TimeRef, q: Question) -> Timing:
    assert ref.period is not None  # noqa: S101 - the caller chose refs with days
    period = _clamped(ref.period, q.clock)
    notes: list[Note] = []
    if period != ref.period:
        notes.append(q.note("clamped", "clamped", days=q.days(period), last=q.clock.last.isoformat()))
    if ref.assumed_year:
        notes.append(q.note("ambiguous", "assumed_year", days=q.days(period)))
    if ref.vague_length:
        notes.append(q.note("ambiguous", "window_days", days=q.days(period)))
    if (ref.to_date and ref.unit in ("week", "month", "quarter", "year")) or period != ref.period:
        notes.append(q.note("partial_period", "partial", days=q.days(period)))
    return Timing(current=period, notes=tuple(notes))


def _clamped(period: Period, clock: Clock) -> Period:
    """Not past the last settled day; a period that lies wholly past it stays as asked."""
    if period.end <= clock.last or period.start > clock.last:
        return period
    return Period(start=period.start, end=clock.last)


def _neighbours(refs: list[TimeRef]) -> Period | None:
    """Neighbouring days, weeks, months, quarters or years as one period."""
    unit = refs[0].unit
    if unit not in ("day", "week", "month", "quarter", "year") or any(r.unit != unit for r in refs):
        return None
    periods = sorted((r.period for r in refs if r.period is not None), key=lambda p: p.start)
    for left, right in pairwise(periods):
        if (right.start - left.end).days != 1:
            return None
    return Period(start=periods[0].start, end=periods[-1].end)


def compare_timing(intent: Intent, q: Question) -> Timing:
    """Current period and baseline of a comparison."""
    refs = [r for r in q.frame.refs if r.period is not None]
    roles = [r.role for r in q.frame.refs if r.role]
    if len(refs) > 2 or (len(refs) == 2 and roles):
        return Timing(problem="two_periods")
    if len(refs) == 2:
        return _pair(refs, q)
    notes: tuple[Note, ...] = ()
    if refs and refs[0].ends is not None and not roles and _is_from_to(refs[0], q):
        before, now = refs[0].ends
        note = q.note("ambiguous", "from_to", now=q.days(now), before=q.days(before))
        return _timing(_clamped(now, q.clock), before, (note,), q, assumed=False)
    if len(refs) == 1 and not roles and _is_baseline(refs[0], q):
        return _against(refs[0], q)
    if refs:
        ref = refs[0]
        settled = _settled(ref, q)
        current, notes = settled.current, settled.notes
        assert current is not None  # noqa: S101 - settled from a ref with days
    else:
        current = _default_current(intent, roles, q)
        ref = TimeRef(start=0, end=0, unit="month" if "month_ago" in roles else "window",
                      period=current, to_date="month_ago" in roles)  # fmt: skip
        notes = (_assumed_note(q, current),)
    baseline = _baseline(ref, current, roles, q)
    if baseline is None:
        return Timing(problem="time_needs_other")
    return _timing(current, baseline, notes, q, assumed=not refs)


def _is_baseline(ref: TimeRef, q: Question) -> bool:
    """As in "than last week": the only period named is the one compared with."""
    norm = q.scan.text.norm
    head = norm[: ref.start].rstrip()
    if ref.start == ref.end:
        return False
    if head.endswith(lexicon.AGAINST_HEADS):
        return True
    return head.endswith(lexicon.JOIN_HEADS) and norm[ref.end :].lstrip().startswith(lexicon.JOIN_TAILS)


def _against(ref: TimeRef, q: Question) -> Timing:
    """The week, month, quarter or year after the one named, as far as it has gone."""
    base = ref.period
    assert base is not None  # noqa: S101
    start = base.end + timedelta(days=1)
    if not ref.relative or ref.unit not in ("day", "week", "month", "quarter", "year") or ref.to_date:
        return Timing(problem="time_needs_other")
    end = _unit_end(start, ref.unit)
    if start > q.clock.last:
        return Timing(current=Period(start=start, end=start), baseline=base)
    current = _clamped(Period(start=start, end=end), q.clock)
    cut = base if current.end == end else _same_days(current, base, ref.unit)
    note = q.note("ambiguous", "against", now=q.days(current), before=q.days(cut))
    return _timing(current, cut, (note,), q, assumed=False)


def _unit_end(start: date, unit: str) -> date:
    if unit == "day":
        return start
    if unit == "week":
        return start + timedelta(days=6)
    if unit == "month":
        return month_period(start.year, start.month).end
    if unit == "quarter":
        return quarter_period(start.year, quarter_of(start)).end
    return date(start.year, 12, 31)


def _is_from_to(ref: TimeRef, q: Question) -> bool:
    """As in "changed from August to September": a change from the one to the other."""
    head = q.scan.text.norm[: max(0, ref.start)].rstrip().split(" ")[-1]
    return "change" in q.cues and head.endswith(lexicon.SINGLE_HEADS) and not q.cues & {"yoy", "mom"}


def _default_current(intent: Intent, roles: Sequence[str], q: Question) -> Period:
    if "month_ago" in roles and not q.clock.is_stale:
        return Period(start=month_start(q.clock.last), end=q.clock.last)
    return default_period("compare", q)


def _pair(refs: list[TimeRef], q: Question) -> Timing:
    first, second = refs
    assert first.period is not None  # noqa: S101
    assert second.period is not None  # noqa: S101
    middle = range(min(first.end, second.end), max(first.start, second.start))
    directed = any(c.start in middle for c in q.scan.says("directed"))
    swap = second.period.start > first.period.start and not directed
    current_ref, base_ref = (second, first) if swap else (first, second)
    settled = _settled(current_ref, q)
    current, baseline = settled.current, base_ref.period
    assert current is not None  # noqa: S101
    assert baseline is not None  # noqa: S101
    notes = settled.notes
    if _is_year_of(current_ref, base_ref):
        return _timing(current, _year_before(current_ref, current), notes, q, assumed=False)
    same = current_ref.unit == base_ref.unit
    if current_ref.to_date and same and not base_ref.to_date:
        cut = _same_days(current, baseline, current_ref.unit)
        if cut != baseline:
            notes += (q.note("like_for_like", "same_days", days=q.days(cut)),)
            baseline = cut
    return _timing(current, _clamped(baseline, q.clock), notes, q, assumed=False)


def _is_year_of(current: TimeRef, base: TimeRef) -> bool:
    """As in "September against last year": the same days of that year, not the whole of it."""
    shorter = current.unit in ("day", "week", "month", "part", "quarter", "holiday", "window", "range")
    if current.period is None or base.period is None or not shorter:
        return False
    whole = base.unit == "year" and not base.to_date
    return whole and base.period.start.year == current.period.start.year - 1


def _same_days(current: Period, baseline: Period, unit: str) -> Period:
    """The first days of the earlier week, month … as many as the running one has."""
    del unit
    days = min(current.days, baseline.days)
    return Period(start=baseline.start, end=baseline.start + timedelta(days=days - 1))


def _timing(
    current: Period, baseline: Period, notes: tuple[Note, ...], q: Question, *, assumed: bool
) -> Timing:
    if abs(current.days - baseline.days) > _MONTHS_DIFFER_BY:
        notes += (q.note("like_for_like", "lengths_differ", now=current.days, before=baseline.days),)
    return Timing(current=current, baseline=baseline, notes=notes, assumed=assumed)


def _baseline(ref: TimeRef, current: Period, roles: Sequence[str], q: Question) -> Period | None:
    if "month_ago" in roles:
        return baseline_of(current, "mtd")
    if "week_ago" in roles:
        return current.shift(-7)
    if "year_ago" in roles or "yoy" in q.cues:
        return _year_before(ref, current)
    return _previous(ref, current)


def _year_before(ref: TimeRef, current: Period) -> Period:
    if ref.unit == "holiday" and holidays_in(current):
        try:
            return baseline_of(current, "holiday")
        except ValueError:
            return baseline_of(current, "yoy_date")
    if ref.unit in _CALENDAR_UNITS or current.days > _WEEKDAY_ALIGNED_UP_TO:
        return baseline_of(current, "yoy_date")
    return baseline_of(current, "yoy_week")


def _previous(ref: TimeRef, current: Period) -> Period:
    if ref.unit == "week" and ref.to_date:
        return current.shift(-7)
    if ref.unit == "month":
        if ref.to_date or ref.period != current:
            return baseline_of(current, "mtd")
        first = months_before(current.start, 1)
        return month_period(first.year, first.month)
    if ref.unit == "quarter":
        day = months_before(current.start, 3)
        whole = quarter_period(day.year, quarter_of(day))
        full = ref.period == current and not ref.to_date
        return whole if full else _same_days(current, whole, "quarter")
    if ref.unit == "year":
        return Period(start=years_before(current.start, 1), end=years_before(current.end, 1))
    return baseline_of(current, "previous")
