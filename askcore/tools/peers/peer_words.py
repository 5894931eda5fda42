"""Ranks, gaps and findings as a reader says them."""

from __future__ import annotations

from collections.abc import Iterable

from askcore.base.text import say
from askcore.base.values import Lang
from askcore.semantic.format import format_change, format_pct
from askcore.semantic.model import Metric
from askcore.tools.peers.peer_table import whole
from askcore.tools.peers.standing import MOVED, Standing


def rank_text(rank: float | None, group: float | None) -> str:
    """As the field prints it: "10/69"; "" without a rank."""
    if rank is None:
        return ""
    return place(rank) if group is None else f"{place(rank)}/{place(group)}"


def place(value: float) -> str:
    """A rank, a mean rank or a number of places."""
    found = whole(round(value, 1))
    return str(found)


def gap_text(metric: Metric, gap: float, lang: Lang) -> str:
    """Signed: "-12.30%", "+0.95 pp"."""
    sign = "-" if gap < 0 else "+"
    return sign + (format_change(metric, gap, lang) if metric.is_rate else format_pct(gap))


def moved_text(metric: Metric, change: float | None, lang: Lang) -> str:
    """What the peers' mean did: fell by, rose by, or stayed."""
    if change is None:
        return say(lang, "peers.moved_unknown")
    if abs(change) < MOVED:
        return say(lang, "peers.moved_flat")
    size = format_change(metric, change, lang) if metric.is_rate else format_pct(change)
    return say(lang, "peers.moved_down" if change < 0 else "peers.moved_up", size=size)


def fallen_text(one: Standing, lang: Lang) -> str:
    """The finding of a shop that lost places: from where to where, and what its peers did meanwhile."""
    before = one.prev.rank_mean if one.prev else None
    return say(
        lang,
        "peers.fallen",
        name=one.name,
        label=one.metric.label[lang],
        before=place(before or 0),
        after=place(one.cur.rank_mean or 0),
        places=place(-(one.rank_change or 0)),
        peers=place(one.cur.rank_group or one.cur.group or 0),
        moved=moved_text(one.metric, one.peer_change, lang),
    )


def some_names(names: Iterable[str], lang: Lang, *, most: int = 5) -> str:
    """The first few names, and that there are more."""
    listed = list(dict.fromkeys(names))
    shown = say(lang, "compare.list_joint").join(listed[:most])
    return shown + (say(lang, "compare.and_more") if len(listed) > most else "")
