"""Verdicts of the benchmark: who is behind, whose rank fell, whether the groups compare at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from askcore.base.text import say
from askcore.base.values import Lang, Period, Verdict
from askcore.semantic.calendar import days_of
from askcore.semantic.model import Level, Metric
from askcore.tools.base import ToolContext
from askcore.tools.compare.availability import joined
from askcore.tools.compare.keys import row_key
from askcore.tools.peers.peer_facts import fallen
from askcore.tools.peers.peer_words import fallen_text, gap_text, some_names
from askcore.tools.peers.standing import FALLEN_SHARE, MAX_REGROUPED, MIN_GROUP, Standing

_MAX_KEYS = 200
_MAX_WORDED = 3


def peer_verdicts(
    standings: Mapping[str, Sequence[Standing]],
    level: Level | None,
    current: Period,
    *,
    has_baseline: bool,
    ctx: ToolContext,
) -> tuple[Verdict, ...]:
    """`peer_gap` a metric, then `peer_rank` and `peer_group` over all of them."""
    every = [s for shops in standings.values() for s in shops]
    keys = _Keys(level, current, ctx)
    return (
        *(_gap(shops, keys, ctx.lang) for shops in standings.values()),
        _rank(every, keys, has_baseline=has_baseline, lang=ctx.lang),
        _group(every, keys, has_baseline=has_baseline, lang=ctx.lang),
    )


class _Keys:
    """Row keys of shops, as verdicts name them."""

    def __init__(self, level: Level | None, current: Period, ctx: ToolContext) -> None:
        self._level, self._current, self._ctx = level, current, ctx

    def newest(self, shops: Sequence[Standing]) -> tuple[dict[str, str], ...]:
        """One key a shop, on the newest day of the window."""
        return tuple(self._key(s, s.cur.rank_day or self._current.end) for s in shops[:_MAX_KEYS])

    def every_day(self, shops: Sequence[Standing]) -> tuple[dict[str, str], ...]:
        """A key for every day of the window."""
        days = tuple(days_of(self._current))
        return tuple(self._key(s, day) for s in shops for day in days)[:_MAX_KEYS]

    def _key(self, one: Standing, day: date) -> dict[str, str]:
        view = self._ctx.view
        scope = "" if self._level is None else self._level.key
        return row_key(view.model, view.catalog, day=day, scope=scope, entity=one.id)


def _gap(shops: Sequence[Standing], keys: _Keys, lang: Lang) -> Verdict:
    """Behind the peer mean by polarity; a warning about the business, not about the data."""
    metric = shops[0].metric
    checked = [s for s in shops if s.side is not None]
    behind = sorted((s for s in checked if s.side == "behind"), key=lambda s: -abs(s.gap or 0))
    if not checked:
        return _skipped("peer_gap", metric.label[lang], _why_none(shops, lang), lang)
    worst = [f"{s.name} {gap_text(metric, s.gap, lang)}" for s in behind[:_MAX_WORDED] if s.gap is not None]
    note = say(lang, "peers.gap_note", n=len(checked), bad=len(behind), label=metric.label[lang])
    if worst:
        note += say(lang, "peers.gap_worst", names=joined(lang, worst))
    return Verdict(
        id="",
        kind="peer",
        check="peer_gap",
        expect=say(lang, "peers.peer_gap_expect"),
        remedy=say(lang, "peers.peer_gap_remedy") if behind else "",
        status="warn" if behind else "pass",
        severity="info",
        target=metric.label[lang],
        actual=say(lang, "peers.gap_actual", n=len(behind), total=len(checked)),
        n_checked=len(checked),
        n_bad=len(behind),
        keys=keys.newest(behind),
        tolerance=say(lang, "peers.gap_tolerance", n=MIN_GROUP),
        note=_sentences([note, _hidden_text(shops, lang)], lang),
    )


def _rank(every: Sequence[Standing], keys: _Keys, *, has_baseline: bool, lang: Lang) -> Verdict:
    compared = [s for s in every if s.has_fallen is not None]
    labels = joined(lang, list(dict.fromkeys(s.metric.label[lang] for s in every)))
    if not compared:
        reason = "peers.skip_no_ranks" if has_baseline else "peers.skip_no_baseline"
        return _skipped("peer_rank", labels, say(lang, reason), lang)
    bad = fallen(compared)
    words = [fallen_text(s, lang) for s in bad[:_MAX_WORDED]]
    down = [s.metric for s in every if s.metric.polarity == "down"]
    return Verdict(
        id="",
        kind="peer",
        check="peer_rank",
        expect=say(lang, "peers.peer_rank_expect"),
        remedy=say(lang, "peers.peer_rank_remedy") if bad else "",
        status="warn" if bad else "pass",
        severity="minor" if bad else "info",
        target=labels,
        actual=say(lang, "peers.rank_actual", n=len(bad), total=len(compared)),
        n_checked=len(compared),
        n_bad=len(bad),
        keys=keys.every_day(bad),
        tolerance=say(lang, "peers.rank_tolerance", share=f"{FALLEN_SHARE:.0%}"),
        note=_sentences([*(words or [say(lang, "peers.rank_ok")]), _down_text(down, lang)], lang),
    )


def _group(every: Sequence[Standing], keys: _Keys, *, has_baseline: bool, lang: Lang) -> Verdict:
    target = say(lang, "peers.target_group")
    by_shop = {s.id: s for s in every if s.regrouped is not None}
    if not by_shop:
        reason = "peers.skip_no_counts" if has_baseline else "peers.skip_no_baseline"
        return _skipped("peer_group", target, say(lang, reason), lang)
    bad = sorted((s for s in by_shop.values() if s.is_regrouped), key=lambda s: -abs(s.regrouped or 0))
    note = say(lang, "peers.group_ok")
    if bad:
        worst = [f"{s.name} {s.regrouped:+.1%}" for s in bad[:_MAX_WORDED]]
        note = say(lang, "peers.group_note", names=joined(lang, worst))
    return Verdict(
        id="",
        kind="peer",
        check="peer_group",
        expect=say(lang, "peers.peer_group_expect"),
        remedy=say(lang, "peers.peer_group_remedy") if bad else "",
        status="warn" if bad else "pass",
        severity="minor" if bad else "info",
        target=target,
        actual=say(lang, "peers.group_actual", n=len(bad), total=len(by_shop)),
        n_checked=len(by_shop),
        n_bad=len(bad),
        keys=keys.newest(bad),
        tolerance=say(lang, "peers.group_tolerance", share=f"{MAX_REGROUPED:.0%}"),
        note=note,
    )


def _why_none(shops: Sequence[Standing], lang: Lang) -> str:
    return _hidden_text(shops, lang) or say(lang, "peers.skip_no_rows")


def _hidden_text(shops: Sequence[Standing], lang: Lang) -> str:
    """Shops without a comparison, and why."""
    small = [s.name for s in shops if s.state == "small_group"]
    lacking = [s.name for s in shops if s.state == "no_peers"]
    found = []
    if small:
        found.append(say(lang, "peers.hidden_small", names=some_names(small, lang), n=MIN_GROUP))
    if lacking:
        found.append(say(lang, "peers.hidden_none", names=some_names(lacking, lang)))
    return _sentences(found, lang)


def _down_text(metrics: Sequence[Metric], lang: Lang) -> str:
    """A metric that should be low keeps the source's meaning of a rank."""
    if not metrics:
        return ""
    labels = list(dict.fromkeys(m.label[lang] for m in metrics))
    return say(lang, "peers.rank_down", labels=joined(lang, labels))


def _sentences(parts: Sequence[str], lang: Lang) -> str:
    return ("" if lang == "zh" else " ").join(p for p in parts if p)


def _skipped(check: str, target: str, reason: str, lang: Lang) -> Verdict:
    return Verdict(
        id="",
        kind="peer",
        check=check,
        status="skip",
        target=target,
        expect=say(lang, f"peers.{check}_expect"),
        note=reason,
    )
