"""Plans of the conversion funnel and of definitions."""

from __future__ import annotations

import re
from itertools import pairwise

from askcore.agent.rules.outcome import no_data, refuse
from askcore.agent.rules.parts import ask_time, is_outside, reading_of, thought
from askcore.agent.rules.question import Question
from askcore.agent.rules.target import query_args, target_of
from askcore.agent.rules.timing import single_timing
from askcore.agent.rules.understanding import PlannedCall, Understanding
from askcore.base.values import ChartSpec, Reading


def plan_funnel(q: Question) -> Understanding:
    """The steps that the model's own inequality or ratios put in order."""
    steps = _between(funnel_steps(q), q)
    if len(steps) < 2:
        return refuse(q, "unsupported", "no_funnel")
    rates = [
        m.key
        for above, below in pairwise(steps)
        for m in q.model.metrics
        if m.additivity.kind == "ratio"
        and (m.additivity.numerator, m.additivity.denominator) == (below, above)
    ]
    timing = single_timing("funnel", q)
    if timing.problem is not None or timing.current is None:
        return ask_time(q, timing.problem or "two_periods")
    target = target_of(q, (*steps, *rates), q.frame.splits.levels)
    reading = reading_of(q, target, timing.current)
    if is_outside(q, timing.current):
        return no_data(q, timing.current, reading)
    call = PlannedCall(
        tool="query_report",
        args=query_args(target, timing.current),
        thought=thought(q, target, timing.current),
    )
    chart = ChartSpec(type="funnel", x="metric", y=steps)
    return Understanding(
        lang=q.lang, intent="funnel", reading=reading, calls=(call,), chart=chart, notes=timing.notes
    )


def _between(steps: tuple[str, ...], q: Question) -> tuple[str, ...]:
    """The steps from the first to the last one named; all where fewer than two are."""
    named = [at for at, key in enumerate(steps) if key in q.frame.metrics]
    return steps[named[0] : named[-1] + 1] if len(named) > 1 else steps


def funnel_steps(q: Question) -> tuple[str, ...]:
    """Widest step first: from `a >= b AND b >= c`, else from ratios that chain."""
    for identity in q.model.identities:
        pairs = re.findall(r"(\w+)\s*>=\s*(\w+)", identity.expr)
        if len(pairs) > 1 and all(a[1] == b[0] for a, b in pairwise(pairs)):
            return (pairs[0][0], *(p[1] for p in pairs))
    below = {
        m.additivity.denominator: m.additivity.numerator
        for m in q.model.metrics
        if m.additivity.kind == "ratio" and m.unit == "ratio"
    }
    chains: list[tuple[str, ...]] = []
    for first in below:
        chain, at = [first], below.get(first)
        while at is not None and at not in chain:
            chain.append(at)
            at = below.get(at)
        chains.append(tuple(k for k in chain if k is not None))
    best = max(chains, key=len, default=())
    return best if len(best) > 2 else ()


def plan_definition(q: Question) -> Understanding:
    """What metrics mean."""
    keys = list(q.frame.metrics)
    for claim in q.frame.unclear:
        keys.extend(k for k in claim.value.keys if k not in keys)
    if not keys:
        return refuse(q, "unsupported", "unknown_metric", word=q.scan.text.raw, names="")
    call = PlannedCall(
        tool="define_metric", args={"metrics": keys}, thought=q.say("thought_define", names=q.labels(keys))
    )
    reading = Reading(metrics=tuple(keys), as_of=q.clock.as_of, entity=q.entity)
    return Understanding(lang=q.lang, intent="definition", reading=reading, calls=(call,))
