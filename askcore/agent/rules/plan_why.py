"""Plans of "why": did it change, which parts does the change lie in, and can the data be trusted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from askcore.agent.rules.outcome import no_data, refuse
from askcore.agent.rules.parts import ask_time, is_outside, reading_of
from askcore.agent.rules.peers import peer_metrics
from askcore.agent.rules.question import Question
from askcore.agent.rules.target import Target, compare_args, main_metric, target_of
from askcore.agent.rules.timing import Timing, compare_timing
from askcore.agent.rules.understanding import PlannedCall, Understanding
from askcore.agent.rules.why_limits import has_arithmetic, why_notes
from askcore.base.values import Note, Period
from askcore.checks.catalogue import check_ids, reconciling_ids
from askcore.semantic.averages import split_key
from askcore.semantic.calendar import day_type, days_of
from askcore.semantic.model import Model
from askcore.semantic.periods import week_start

_ORDINARY_WITHIN = 8  # weeks that are looked back for one without holidays


_ROW_CHECKS = ("missing_days", "dup_keys", "nulls", "all_zero_rows", "volume")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What is to be explained, and by what."""

    metric: str
    compared: tuple[str, ...]
    """Metrics whose change is stated: the named ones and the drivers that were asked about."""
    drivers: tuple[str, ...]
    notes: tuple[Note, ...] = ()


def plan_why(q: Question) -> Understanding:
    """Compare, explain, check the levels; one shop is also held against its peers."""
    asked = _asked(q)
    if has_arithmetic(q, asked.metric, asked.drivers):
        return refuse(q, "unsupported", "why_arithmetic")
    timing = _timing(q)
    if timing.problem is not None:
        return ask_time(q, timing.problem)
    current, baseline = timing.current, timing.baseline
    assert current is not None  # noqa: S101 - no problem means both periods
    assert baseline is not None  # noqa: S101
    target = target_of(q, asked.compared, ())
    by = _levels_below(target, q)
    reading = reading_of(q, target_of(q, (asked.metric,), ()), current, baseline=baseline)
    for period in (current, baseline):
        if is_outside(q, period):
            return no_data(q, period, reading)
    return Understanding(
        lang=q.lang,
        intent="why",
        reading=reading,
        calls=tuple(_calls(asked, target, by, current, baseline, q)),
        notes=(*asked.notes, *timing.notes),
        extra={"said": _said(q), "way": _way(q)},
    )


def _way(q: Question) -> str:
    """Which contributions are asked for: those that pulled "down" or "up", "" for all."""
    if "pulls_down" in q.cues:
        return "down"
    return "up" if "pulls_up" in q.cues else ""


def _said(q: Question) -> str:
    """The direction that the question takes for granted: "up", "down" or "" where it names none or both."""
    up, down = "went_up" in q.cues, "went_down" in q.cues
    if up == down or "negation" in q.cues or len(q.frame.metrics) > 1:
        return ""
    return "up" if up else "down"


def _calls(
    asked: _Asked, target: Target, by: tuple[str, ...], current: Period, baseline: Period, q: Question
) -> list[PlannedCall]:
    args = compare_args(target, current, baseline)
    why = {k: v for k, v in args.items() if k not in ("metrics", "by")}
    explained = {"metric": asked.metric, **why, "by": list(by), "drivers": list(asked.drivers)}
    days = {"from": current.start.isoformat(), "to": current.end.isoformat()}
    compare = q.say("thought_compare", now=q.days(current), before=q.days(baseline))
    calls = [
        PlannedCall(tool="compare_periods", args=args, thought=compare),
        PlannedCall(
            tool="explain_change",
            args=explained,
            thought=q.say("thought_explain", name=q.label(asked.metric)),
        ),
        _data_check(q, days),
    ]
    peers = _peer_metric(asked, target, q)
    if peers is not None:
        narrowed = {k: v for k, v in why.items() if k not in ("current", "baseline", "scope")}
        calls.append(
            PlannedCall(
                tool="peer_benchmark",
                args={"metrics": [peers], **days, **narrowed},
                thought=q.say("thought_peers", names=q.label(peers)),
            )
        )
    return calls


def _data_check(q: Question, days: dict[str, str]) -> PlannedCall:
    """Whether the data is to blame: levels and identities; the rows where there is one level only."""
    if reconciling_ids(q.model):
        return PlannedCall(tool="cross_check", args=days, thought=q.say("thought_check"))
    known = check_ids(q.model)
    args = {**days, "checks": [one for one in _ROW_CHECKS if one in known]}
    return PlannedCall(tool="data_quality", args=args, thought=q.say("thought_check"))


def _asked(q: Question) -> _Asked:
    named = list(dict.fromkeys(split_key(key)[0] for key in q.frame.metrics))
    notes: tuple[Note, ...] = ()
    if not named:
        named = [main_metric(q)]
        notes = (q.note("ambiguous", "assumed_metric", name=q.label(named[0])),)
    metric = next((k for k in named if _is_made_of(k, named, q.model)), named[0])
    named += [f for f in _spoken_factors(metric, q) if f not in named]
    pair = _pair(metric, named, q.model)
    drivers = pair or factors_of(metric, q.model)
    aside = [k for k in q.frame.metrics if k not in (metric, *drivers, *_ratios_over(metric, q.model))]
    if aside:
        notes += (q.note("ambiguous", "why_one_metric", name=q.label(metric)),)
    compared = tuple(dict.fromkeys((*named, *pair)))
    return _Asked(metric=metric, compared=compared, drivers=drivers, notes=(*notes, *why_notes(q, metric)))


def factors_of(key: str, model: Model) -> tuple[str, ...]:
    """The model's own product chain of a metric; () when it gives none."""
    return next((d.factors for d in model.decompositions if d.metric == key), ())


def _is_made_of(key: str, others: list[str], model: Model) -> bool:
    """Whether another named metric is a factor of this one."""
    factors = {*factors_of(key, model), *(r for r in _ratios_over(key, model))}
    return bool(factors & (set(others) - {key}))


def _ratios_over(key: str, model: Model) -> list[str]:
    """Ratios whose numerator is the metric: it is their denominator times them."""
    return [m.key for m in model.metrics if m.additivity.kind == "ratio" and m.additivity.numerator == key]


def _pair(metric: str, named: list[str], model: Model) -> tuple[str, ...]:
    """Volume and ratio when exactly these were named as what moved the metric, else ()."""
    others = [k for k in named if k != metric]
    for ratio in _ratios_over(metric, model):
        volume = model.by_key[ratio].additivity.denominator
        if volume in model.by_key and others and set(others) <= {ratio, volume}:
            return (volume, ratio) if volume is not None else ()
    return ()


def _spoken_factors(metric: str, q: Question) -> list[str]:
    """Factors called by what they stand for: traffic, conversion, price."""
    factors = factors_of(metric, q.model)
    rates = [f for f in factors if q.model.by_key[f].is_rate]
    found: list[str] = []
    if "traffic" in q.cues:
        found += factors[:1]
    if "conversion" in q.cues:
        found += rates
    if "price" in q.cues and len(factors) > 1:
        found += factors[-1:]
    return found


def _timing(q: Question) -> Timing:
    """As for a comparison; a sharp fall with no day named is held against the last ordinary week."""
    found = compare_timing("why", q)
    plain = not q.frame.refs and not q.frame.cues & {"mom", "yoy"}
    if found.problem is not None or not plain or "sharply" not in q.cues or q.clock.is_stale:
        return found
    current = found.current
    if current is None or q.model.time.grain != "day":
        return found
    ordinary = _ordinary_week(current)
    if ordinary is None:
        return found
    note = q.note("like_for_like", "ordinary_week", days=q.days(ordinary))
    return Timing(current=current, baseline=ordinary, notes=(*found.notes, note), assumed=True)


def _ordinary_week(current: Period) -> Period | None:
    """The last Monday-to-Sunday week before the period that holds no holiday and no working weekend."""
    monday = week_start(current.start) - timedelta(days=7)
    for _ in range(_ORDINARY_WITHIN):
        week = Period(start=monday, end=monday + timedelta(days=6))
        if all(day_type(day).kind in ("workday", "weekend") for day in days_of(week)):
            return week
        monday -= timedelta(days=7)
    return None


def _levels_below(target: Target, q: Question) -> tuple[str, ...]:
    """The levels named, else all below the rows that are read, if they have rows of their own."""
    stored = [k for k in (level.key for level in q.model.levels) if k in q.catalog.scopes]
    asked = [k for k in (*q.frame.splits.by, *q.frame.splits.mentioned) if k in q.model.levels_by_key]
    dimensions = [
        k for k in (*q.frame.splits.by, *q.frame.splits.mentioned) if k in q.model.dimensions_by_key
    ]
    if len(q.model.levels) == 1:  # one layer: its entities are the parts of the whole
        only = q.model.levels[0].key
        one = len(target.filters.get(only, ())) == 1
        return tuple(dict.fromkeys((*(() if one else (only,)), *dimensions)))
    if target.scope not in stored:
        return tuple(dict.fromkeys((*asked, *dimensions)))
    below = stored[stored.index(target.scope) + 1 :]
    several = [k for k, ids in target.filters.items() if k == target.scope and len(ids) > 1]
    wanted = [k for k in asked if k in below]
    return tuple(dict.fromkeys((*several, *(wanted or below), *dimensions)))


def _peer_metric(asked: _Asked, target: Target, q: Question) -> str | None:
    """The first metric with peers, when the question is about one entity of the finest level."""
    leaf = q.model.leaf_level
    if leaf is None or len(target.filters.get(leaf.key, ())) != 1:
        return None
    held = peer_metrics(q.model, q.catalog)
    order = (*asked.compared, *asked.drivers)
    return next((k for k in order if k in held), None)
