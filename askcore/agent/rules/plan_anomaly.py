"""Plans of what stands out: single days, or the day from which a level changed."""

from __future__ import annotations

from typing import Any

from askcore.agent.rules.outcome import no_data, refuse
from askcore.agent.rules.parts import ask_time, is_outside, reading_of
from askcore.agent.rules.question import Question
from askcore.agent.rules.target import Target, main_metric, target_of
from askcore.agent.rules.timing import single_timing
from askcore.agent.rules.understanding import PlannedCall, Understanding
from askcore.base.values import Note, Period
from askcore.semantic.averages import split_key
from askcore.tools.level_args import filter_args

_LEVEL_DAYS = 60  # a change of level is looked for over two months when no days are named
_LEAST_DAYS = 14  # a level needs a week on either side of its change


def plan_anomaly(q: Question) -> Understanding:
    """One search per metric, over the finest level unless a higher one is asked for."""
    if q.model.time.grain != "day":
        return refuse(q, "unsupported", "no_daily_data")
    named = tuple(dict.fromkeys(split_key(key)[0] for key in q.frame.metrics))
    metrics = named or (main_metric(q),)
    notes: tuple[Note, ...] = ()
    if not named:
        notes = (q.note("ambiguous", "assumed_metric", name=q.label(metrics[0])),)
    mode = "changepoint" if q.cues & {"since_when", "when_did"} else "anomaly"
    timing = single_timing("anomaly", q)
    if timing.problem is not None or timing.current is None:
        return ask_time(q, timing.problem or "two_periods")
    current, time_notes = timing.current, timing.notes
    if mode == "changepoint" and (timing.assumed or current.days < _LEAST_DAYS):
        current = _longer(current, q)
        time_notes = (q.note("ambiguous", "level_window", days=q.days(current)),)
    targets = [target_of(q, metrics, levels) for levels in _searched(q, mode)]
    target = targets[0]
    reading = reading_of(q, target, current)
    if is_outside(q, current):
        return no_data(q, current, reading)
    return Understanding(
        lang=q.lang,
        intent="anomaly",
        reading=reading,
        calls=tuple(_call(key, mode, one, current, q) for key in metrics for one in targets),
        notes=(*notes, *time_notes),
        extra={"mode": mode},
    )


def _longer(period: Period, q: Question) -> Period:
    """Two months up to the end of the period, as far as there is data."""
    start = period.shift(period.days - _LEVEL_DAYS).start
    first = start if q.clock.data is None else q.clock.data.start
    return period if first > period.end else Period(start=max(start, first), end=period.end)


def _searched(q: Question, mode: str) -> list[tuple[str, ...]]:
    """Levels that are looked through; "since when" of nobody in particular: the whole, then its parts."""
    levels = _levels(q)
    several = len(q.catalog.scopes) > 1 and len(q.model.levels) > 1
    named = q.frame.entities or q.frame.splits.by or q.frame.splits.mentioned or "whole" in q.cues
    asks = q.cues & {"which_one", "which_many"}
    return [(), levels] if mode == "changepoint" and several and not named and not asks else [levels]


def _levels(q: Question) -> tuple[str, ...]:
    """The level named, that of the entities named, else the finest."""
    asked = [k for k in (*q.frame.splits.by, *q.frame.splits.mentioned) if k in q.model.levels_by_key]
    if asked:
        return tuple(asked[:1])
    if "whole" in q.cues:
        return ()
    named = [e.level for use in q.frame.entities for e in use.entities]
    top = q.model.top_level
    narrower = [k for k in named if top is None or k != top.key]
    leaf = q.model.leaf_level
    return tuple(narrower[:1]) or (() if leaf is None else (leaf.key,))


def _call(key: str, mode: str, target: Target, period: Period, q: Question) -> PlannedCall:
    args: dict[str, Any] = {
        "metric": key,
        "mode": mode,
        "scope": target.scope,
        "from": period.start.isoformat(),
        "to": period.end.isoformat(),
        **filter_args(target.filters),
    }
    return PlannedCall(tool="detect_changes", args=args, thought=q.say("thought_detect", name=q.label(key)))
