"""Plans of reports: a week's or a month's, of the data's health, of peers; by their names or their days."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final, Literal

from askcore.agent.rules.outcome import no_data, refuse
from askcore.agent.rules.parts import ask_time, is_outside
from askcore.agent.rules.peers import peer_metrics
from askcore.agent.rules.question import Question
from askcore.agent.rules.target import company_of
from askcore.agent.rules.timing import single_timing
from askcore.agent.rules.understanding import PlannedCall, Understanding
from askcore.base.values import Note, Period, Reading
from askcore.semantic.periods import month_period, month_start, week_start

Kind = Literal["weekly", "monthly", "health", "peers"]
_WEEK_DAYS = 7
_LENGTHS: Final = ("report_weekly", "report_monthly")
_NAMED: Final = (*_LENGTHS, "report_any", "report_health", "report_peers")


def plan_report(q: Question) -> Understanding:
    """One call; files of an answer are its own buttons, and other lengths have no report."""
    if not q.cues & {*_NAMED} - {"report_any"} and "report_other" in q.cues:
        return refuse(q, "unsupported", "report_lengths")
    if not q.cues & {*_NAMED}:
        return refuse(q, "unsupported", "report_of_answer")
    if _is_narrowed(q):
        return refuse(q, "unsupported", "report_narrowed")
    found = _subjects(q)
    if len(found) > 1 or _asks_several(q, found):
        return refuse(q, "unsupported", "report_one")
    if found == ["peers"] and not peer_metrics(q.model, q.catalog):
        return refuse(q, "unsupported", "no_peers")
    period = _named_length(q) if found else None
    notes: tuple[Note, ...] = ()
    if q.frame.refs:
        timing = single_timing("report", q)
        if timing.problem is not None or timing.current is None:
            return ask_time(q, timing.problem or "two_periods")
        if is_outside(q, timing.current):
            return no_data(q, timing.current, None)
        period, notes = timing.current, timing.notes
    kind: Kind = found[0] if found else _length(q, period)
    args = {"kind": kind, **({} if period is None else period.as_json())}
    thought = q.say(f"thought_report_{kind}" if found else "thought_report")
    call = PlannedCall(tool="build_report", args=args, thought=thought)
    reading = Reading(metrics=(), as_of=q.clock.as_of, entity=company_of(q), period=period)
    return Understanding(lang=q.lang, intent="report", reading=reading, calls=(call,), notes=notes, deep=True)


def _is_narrowed(q: Question) -> bool:
    """A report is of a whole company and its headline metrics; nothing asked for is left out in silence."""
    top, frame = q.model.top_level, q.frame
    below = any(top is None or e.level != top.key for use in frame.entities for e in use.entities)
    one_layer = top is not None and len(q.model.levels) < 2 and bool(frame.entities)
    parts = frame.metrics or frame.unclear or frame.ranking or frame.splits.values or frame.splits.by
    return bool(below or one_layer or parts)


def _subjects(q: Question) -> list[Literal["health", "peers"]]:
    """What the report is about when it is not the business: by its name, or by words beside "report"."""
    found: list[Literal["health", "peers"]] = []
    if "report_health" in q.cues or _is_about(q, "quality"):
        found.append("health")
    if "report_peers" in q.cues or _is_about(q, "peer"):
        found.append("peers")
    return found


def _asks_several(q: Question, found: Sequence[str]) -> bool:
    """Whether a week's or month's report is asked for and another one, or peers in it."""
    named = q.cues & {"report_health", "report_peers"}
    return bool(q.cues & {*_LENGTHS}) and bool(named or ("peer" in q.cues and not found))


def _is_about(q: Question, cue: str) -> bool:
    """Whether a plain report is asked for with this word, or a weekly one with the word just before it.

    A weekly report that is to tell of data quality too has a chapter on it.
    """
    lengths = [c for name in _LENGTHS for c in q.scan.says(name)]
    if not lengths:
        return cue in q.cues and "report_any" in q.cues
    ends = [c.end for c in q.scan.says(cue)]
    return any(
        not q.scan.text.norm[end : c.start].strip(_OF) for c in lengths for end in ends if end <= c.start
    )


_OF: Final = " \u7684"
"""What may stand between a word and the report that is of it."""


def _named_length(q: Question) -> Period | None:
    """The newest whole week or month when the report is called weekly or monthly."""
    following = q.clock.anchor + timedelta(days=1)
    if "report_weekly" in q.cues:
        return _until(week_start(following), _WEEK_DAYS)
    if "report_monthly" in q.cues:
        end = month_start(following) - timedelta(days=1)
        return month_period(end.year, end.month)
    return None


def _until(following: date, days: int) -> Period:
    return Period(start=following - timedelta(days=days), end=following - timedelta(days=1))


def _length(q: Question, period: Period | None) -> Literal["weekly", "monthly"]:
    """By its name, else by its days."""
    if "report_monthly" in q.cues:
        return "monthly"
    if "report_weekly" in q.cues or period is None:
        return "weekly"
    is_month = period == month_period(period.start.year, period.start.month)
    return "monthly" if is_month or period.days > 2 * _WEEK_DAYS else "weekly"
