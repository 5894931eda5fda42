"""Plans that show one row as the source delivered it."""

from __future__ import annotations

from typing import Any

from askcore.agent.rules.outcome import clarify, near_entities, no_data
from askcore.agent.rules.parts import ask_time, is_outside, reading_of
from askcore.agent.rules.question import Question
from askcore.agent.rules.target import target_of
from askcore.agent.rules.understanding import PlannedCall, Understanding
from askcore.base.values import Period
from askcore.semantic.averages import split_key
from askcore.semantic.calendar import days_of

_OFFERED = 3


def plan_raw(q: Question) -> Understanding:
    """The row of one entity on one day; asks for what is not said."""
    named = [e for use in q.frame.entities if (e := use.entity) is not None]
    order = [level.key for level in q.model.levels]
    finest = max(named, key=lambda e: order.index(e.level), default=None)
    days = [r.period for r in q.frame.refs if r.period is not None]
    if any(r.role for r in q.frame.refs):
        return ask_time(q, "time_needs_other")
    if finest is None and q.model.levels:
        return clarify(q, q.say("raw_which_entity"), [] if q.follows else _entity_options(q))
    if len(days) != 1 or days[0].days > 1:
        return clarify(q, q.say("raw_which_day"), [] if q.follows else _day_options(q))
    metrics = tuple(dict.fromkeys(split_key(key)[0] for key in q.frame.metrics))
    target = target_of(q, metrics, ())
    reading = reading_of(q, target, days[0])
    if is_outside(q, days[0]):
        return no_data(q, days[0], reading)
    key: dict[str, Any] = {"date": days[0].start.isoformat()}
    if finest is not None:
        key[finest.level] = finest.id
    args: dict[str, Any] = {"key": key}
    if metrics:
        args["fields"] = list(metrics)
    call = PlannedCall(tool="raw_inspect", args=args, thought=q.say("thought_raw"))
    return Understanding(lang=q.lang, intent="raw", reading=reading, calls=(call,))


def _entity_options(q: Question) -> list[tuple[str, str]]:
    """The question with some of the finest entities put into it."""
    return [(name, q.rewritten(-1, -1, name)) for name, _ in near_entities(q, "")[:_OFFERED]]


def _day_options(q: Question) -> list[tuple[str, str]]:
    """The days named one by one; the first ones of a longer period, the newest ones when none is named."""
    refs = [r for r in q.frame.refs if r.period is not None]
    if not refs:
        last = q.clock.anchor
        offered = [Period(start=last, end=last).shift(-n) for n in range(_OFFERED)]
        return [(q.days(day), q.rewritten(-1, -1, q.days(day))) for day in offered]
    start, end = min(r.start for r in refs), max(r.end for r in refs)
    days = [day for r in refs if r.period is not None for day in days_of(r.period)][:_OFFERED]
    named = [q.days(Period(start=day, end=day)) for day in days]
    return [(day, q.rewritten(start, end, day)) for day in named]
