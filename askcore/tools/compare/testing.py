"""Significance of the changes of a comparison, and the verdicts about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from askcore.base.text import say
from askcore.base.values import Lang, Verdict
from askcore.semantic.model import Metric
from askcore.tools.compare.significance import MIN_DAYS, Significance, amount_change, ratio_change
from askcore.tools.compare.study import Study


@dataclass(frozen=True, slots=True, kw_only=True)
class Tested:
    """One metric's test; `result` None: too few days, or nothing that can be tested."""

    metric: Metric
    result: Significance | None
    days: tuple[int, int]


def tested(found: Study, wanted: bool | None) -> Mapping[str, Tested]:
    """Metric key -> its test. wanted: True every metric, None rates only, False none."""
    if wanted is False:
        return {}
    tests: dict[str, Tested] = {}
    for metric in found.metrics:
        if wanted is None and not metric.is_rate:
            continue
        if metric.key not in found.parts:
            tests[metric.key] = Tested(metric=metric, result=None, days=(0, 0))
            continue
        sides = [found.daily(metric, side) for side in (0, 1)]
        if metric.is_additive:
            result = amount_change(*([(d, x) for d, x, _ in side] for side in sides))
        else:
            result = ratio_change(*([(x, n) for _, x, n in side] for side in sides))
        days = (len(sides[0]), len(sides[1]))
        tests[metric.key] = Tested(metric=metric, result=result, days=days)
    return tests


def significance_verdicts(tests: Mapping[str, Tested], lang: Lang) -> tuple[Verdict, ...]:
    """pass: beyond the spread of days; warn: within it; skip: too few days."""
    return tuple(_verdict(test, lang) for test in tests.values())


def _p_words(p: float) -> str:
    """The figure with its sign: =0.016, or <0.001 where the digits would all be 0."""
    return f"={p:.3f}" if p >= 0.001 else "<0.001"


def _reason(test: Tested) -> str:
    """Why there is no result: not made of daily sums, too few days, or days that do not differ."""
    if not any(test.days):
        return "impossible"
    return "few_days" if min(test.days) < MIN_DAYS else "no_spread"


def _verdict(test: Tested, lang: Lang) -> Verdict:
    label, result = test.metric.label[lang], test.result
    if result is None:
        return Verdict(
            id="",
            kind="significance",
            check="significance",
            status="skip",
            target=label,
            note=say(lang, f"compare.significance_{_reason(test)}", label=label, n=MIN_DAYS),
        )
    scale, unit = 100, say(lang, "compare.unit_pp" if test.metric.is_rate else "compare.unit_pct")
    if not test.metric.is_additive and not test.metric.is_rate:
        scale, unit = 1, ""
    low, high = (f"{v * scale:+.2f}{unit}" for v in (result.low, result.high))
    word = "significant" if result.is_significant else "not_significant"
    return Verdict(
        id="",
        kind="significance",
        check="significance",
        status="pass" if result.is_significant else "warn",
        severity="info" if result.is_significant else "minor",
        target=label,
        expect=say(lang, "compare.significance_expect"),
        actual=say(lang, "compare.significance_actual", p=_p_words(result.p), low=low, high=high),
        n_checked=sum(result.days),
        note=say(lang, f"compare.{word}", label=label),
    )
