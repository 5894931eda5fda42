"""Verdicts of an explanation: do the parts add up, does the whole move against them, peers, restored rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from askcore.base.text import say
from askcore.base.values import Lang, Verdict
from askcore.semantic.format import format_change
from askcore.semantic.model import Metric
from askcore.stats.contributions import RatioSplit
from askcore.tools.base import ToolContext
from askcore.tools.compare.verdicts import day_ranges
from askcore.tools.explain.explanation import Explanation
from askcore.tools.explain.market import MAX_PEER_MOVE
from askcore.tools.explain.segments import LevelSplit, Segment

_MAX_KEYS = 50
_MAX_WORDED = 4


def explanation_verdicts(found: Explanation, ctx: ToolContext) -> tuple[Verdict, ...]:
    """Sums always, Simpson for ratios, market at the leaf, rows restored and rows missing where there are."""
    return (
        _sum(found, ctx),
        *_simpson(found, ctx),
        *_market(found, ctx.lang),
        *_restored(found, ctx.lang),
        *_missing(found, ctx.lang),
    )


def signed(metric: Metric, value: float, lang: Lang) -> str:
    """A change with its sign: "+0.59 pp"."""
    text = format_change(metric, value, lang)
    return text if not any(c in "123456789" for c in text) else ("+" if value > 0 else "-") + text


def _sum(found: Explanation, ctx: ToolContext) -> Verdict:
    lang, checks = ctx.lang, found.checks
    target = say(lang, "explain.target_sum")
    if not checks:
        return _skip("attribution_sum", target, say(lang, "explain.sum_skip"))
    bad = [c for c in checks if not c.is_exact]
    shown = (bad or checks)[0]
    n_parts = sum(c.n_parts for c in checks)
    if bad:
        note = say(lang, "explain.sum_fail", parts=say(lang, "compare.list_joint").join(c.part for c in bad))
    else:
        note = say(lang, "explain.sum_pass", splits=len(checks), n=n_parts)
    return Verdict(
        id="",
        kind="attribution",
        check="attribution_sum",
        status="fail" if bad else "pass",
        severity="major" if bad else "info",
        target=target,
        expect=signed(found.metric, shown.expected, lang),
        actual=signed(found.metric, shown.actual, lang),
        n_checked=n_parts,
        n_bad=len(bad),
        tolerance=say(lang, "explain.sum_tolerance"),
        note=note,
    )


def _simpson(found: Explanation, ctx: ToolContext) -> Iterator[Verdict]:
    if found.asked.is_sum:
        return
    lang = ctx.lang
    if not found.levels:
        label = found.metric.label[lang]
        yield _skip("simpson", label, say(lang, "explain.simpson_skip"))
    for level in found.levels:
        if isinstance(level.split, RatioSplit):
            yield _simpson_of(found.metric, level, level.split, lang)


def _simpson_of(metric: Metric, level: LevelSplit, split: RatioSplit, lang: Lang) -> Verdict:
    words: Mapping[str, str] = {
        "level": level.label,
        "label": metric.label[lang],
        "whole": say(lang, f"explain.whole_{'total' if level.of_total else 'layer'}", level=level.label),
        "change": signed(metric, split.change, lang),
        "rate": signed(metric, split.rate_effect, lang),
        "mix": signed(metric, split.mix_effect, lang),
    }
    found = split.simpson
    holds = split.is_reversed
    stem = "pass" if not holds else "both" if found.all_against else "sign"
    if found.holds and not holds:
        stem = "slight"
    return Verdict(
        id="",
        kind="attribution",
        check="simpson",
        status="warn" if holds else "pass",
        severity="minor" if holds else "info",
        target=say(lang, "explain.target_simpson", **words),
        expect=say(lang, "explain.simpson_expect"),
        actual=say(lang, "explain.simpson_actual", **words),
        n_checked=len(split.parts),
        note=say(lang, f"explain.simpson_{stem}", **words),
    )


def _market(found: Explanation, lang: Lang) -> Iterator[Verdict]:
    market = found.market
    if market is None:
        return
    metric, limit = found.metric, f"{MAX_PEER_MOVE:.0%}"
    target = say(lang, "explain.target_market")
    if market.split is None:
        note = say(lang, f"explain.market_{market.reason}", label=metric.label[lang], limit=limit)
        yield _skip("attribution_market", target, note)
        return
    words = {
        "market": signed(metric, market.split.market, lang),
        "own": signed(metric, market.split.own, lang),
    }
    yield Verdict(
        id="",
        kind="attribution",
        check="attribution_market",
        status="pass",
        target=target,
        expect=say(lang, "explain.market_expect", limit=limit),
        actual=say(lang, "explain.market_actual", **words),
        n_checked=len(market.peers),
        note=say(lang, "explain.market_pass", **words),
    )


def _restored(found: Explanation, lang: Lang) -> Iterator[Verdict]:
    """One warning naming every restored row and every difference that stayed; none when nothing was amiss."""
    restored = {_same(s): s for _, s in reversed(found.restored)}
    segments = [*reversed(restored.values()), *found.unrestored]
    if not segments:
        return
    keys = found.lacking
    yield Verdict(
        id="",
        kind="attribution",
        check="restored_rows",
        status="warn",
        severity="minor",
        target=say(lang, "explain.target_restored"),
        expect=say(lang, "explain.restored_expect"),
        actual=say(lang, "explain.restored_actual", n=len(keys)),
        n_checked=len(keys),
        n_bad=len(keys),
        keys=keys[:_MAX_KEYS],
        note=_restored_note(segments, lang),
        remedy=say(lang, "explain.restored_remedy"),
    )


def _missing(found: Explanation, lang: Lang) -> Iterator[Verdict]:
    """Rows that nothing stands in for: of the total itself, and of the parts alone."""
    missing = found.missing
    if missing.own:
        yield _missing_of(found, missing.own, "total", is_poor=missing.is_poor, lang=lang)
    if missing.below:
        yield _missing_of(found, missing.below, "parts", is_poor=False, lang=lang)


def _missing_of(
    found: Explanation, missing: tuple[Segment, ...], whose: str, *, is_poor: bool, lang: Lang
) -> Verdict:
    keys = [k for s in missing for k in s.keys]
    shown = missing[:_MAX_WORDED]
    rows = [say(lang, "explain.missing_row", name=s.name, days=day_ranges(s.days)) for s in shown]
    more = say(lang, "compare.and_more") if len(missing) > _MAX_WORDED else ""
    words = say(lang, "compare.sentence_joint").join(rows) + more
    return Verdict(
        id="",
        kind="attribution",
        check="missing_rows",
        status="fail" if is_poor else "warn",
        severity="major" if is_poor else "minor",
        target=say(lang, "explain.target_restored"),
        expect=say(lang, "explain.missing_expect"),
        actual=say(lang, "explain.missing_actual", n=len(keys)),
        n_checked=len(keys),
        n_bad=len(keys),
        keys=tuple(keys[:_MAX_KEYS]),
        note=say(lang, f"explain.missing_{whose}", rows=words, label=found.metric.label[lang]),
        remedy=say(lang, "explain.restored_remedy"),
    )


def _same(segment: Segment) -> tuple[str, ...]:
    """The rows that were restored: a chain and its shop tell of the same ones."""
    return tuple(sorted(str(sorted(k.items())) for k in segment.keys))


def _restored_note(segments: list[Segment], lang: Lang) -> str:
    words = []
    for segment in segments[:_MAX_WORDED]:
        stem = "row" if segment.kind == "restored" else "left"
        days = day_ranges(segment.days)
        words.append(say(lang, f"explain.restored_{stem}", name=segment.name, days=days))
    more = say(lang, "compare.and_more") if len(segments) > _MAX_WORDED else ""
    return say(lang, "compare.sentence_joint").join(words) + more


def _skip(check: str, target: str, note: str) -> Verdict:
    return Verdict(id="", kind="attribution", check=check, status="skip", target=target, note=note)
