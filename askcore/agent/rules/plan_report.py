"""Plans of reports: a week's or a month's, by its name or by its days."""

from __future__ import annotations

from typing import Literal

from askcore.agent.rules.outcome import no_data, refuse
from askcore.agent.rules.parts import ask_time, is_outside
from askcore.agent.rules.question import Question
from askcore.agent.rules.target import company_of
from askcore.agent.rules.timing import single_timing
from askcore.agent.rules.understanding import PlannedCall, Understanding
from askcore.base.values import Note, Period, Reading
from askcore.semantic.periods import month_period

_WEEK_DAYS = 7


def plan_report(q: Question) -> Understanding:
    """One call; files of an answer are its own buttons, and other lengths have no report."""
    if "report_weekly" not in q.cues and "report_monthly" not in q.cues and "report_other" in q.cues:
        return refuse(q, "unsupported", "report_lengths")
    if not q.cues & {"report_weekly", "report_monthly", "report_any"}:
        return refuse(q, "unsupported", "report_of_answer")
    if _is_narrowed(q):
        return refuse(q, "unsupported", "report_narrowed")
    period: Period | None = None
    notes: tuple[Note, ...] = ()
    if q.frame.refs:
        timing = single_timing("report", q)
        if timing.problem is not None or timing.current is None:
            return ask_time(q, timing.problem or "two_periods")
        if is_outside(q, timing.current):
            return no_data(q, timing.current, None)
        period, notes = timing.current, timing.notes
    args = {"kind": _kind(q, period), **({} if period is None else period.as_json())}
    call = PlannedCall(tool="build_report", args=args, thought=q.say("thought_report"))
    reading = Reading(metrics=(), as_of=q.clock.as_of, entity=company_of(q), period=period)
    return Understanding(lang=q.lang, intent="report", reading=reading, calls=(call,), notes=notes, deep=True)


def _is_narrowed(q: Question) -> bool:
    """A report is of a whole company and its headline metrics; nothing asked for is left out in silence."""
    top, frame = q.model.top_level, q.frame
    below = any(top is None or e.level != top.key for use in frame.entities for e in use.entities)
    one_layer = top is not None and len(q.model.levels) < 2 and bool(frame.entities)
    parts = frame.metrics or frame.unclear or frame.ranking or frame.splits.values or frame.splits.by
    return bool(below or one_layer or parts)


def _kind(q: Question, period: Period | None) -> Literal["weekly", "monthly"]:
    """By its name, else by its days."""
    if "report_monthly" in q.cues:
        return "monthly"
    if "report_weekly" in q.cues or period is None:
        return "weekly"
    is_month = period == month_period(period.start.year, period.start.month)
    return "monthly" if is_month or period.days > 2 * _WEEK_DAYS else "weekly"
