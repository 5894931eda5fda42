"""The benchmark's findings as plain data for the composer and the screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from askcore.base.values import Lang
from askcore.tools.peers.peer_reading import PeerRows
from askcore.tools.peers.peer_table import whole
from askcore.tools.peers.peer_words import fallen_text, rank_text
from askcore.tools.peers.standing import MOVED, Standing

_MOST = 20  # entries a list; the counts beside it are of all
_ListName = Literal["behind", "ahead", "peers_fell", "peers_rose", "rank_fell", "rank_improved", "regrouped"]
_GAP = ("own", "peer", "gap", "rank")
_RANK = ("rank_mean_before", "rank_mean", "rank_change", "peers")
_KEYS: Mapping[_ListName, tuple[str, ...]] = {
    "behind": _GAP,
    "ahead": _GAP,
    "peers_fell": ("peer_change",),
    "peers_rose": ("peer_change",),
    "rank_fell": _RANK,
    "rank_improved": _RANK,
    "regrouped": ("peers_before", "peers"),
}


def metric_facts(shops: Sequence[Standing], lang: Lang) -> dict[str, Any]:
    """Who is behind, ahead or hidden in one metric, and whose peers moved."""
    metric = shops[0].metric
    behind = sorted((s for s in shops if s.side == "behind"), key=lambda s: -abs(s.gap or 0))
    ahead = sorted((s for s in shops if s.side == "ahead"), key=lambda s: -abs(s.gap or 0))
    ranked = [s for s in shops if s.rank_change is not None]
    lists: dict[_ListName, list[Standing]] = {
        "behind": behind,
        "ahead": ahead,
        "peers_fell": _by_peers([s for s in shops if (s.peer_change or 0) <= -MOVED]),
        "peers_rose": _by_peers([s for s in shops if (s.peer_change or 0) >= MOVED]),
        "rank_fell": fallen(shops),
        "rank_improved": sorted(
            (s for s in ranked if (s.rank_change or 0) > 0 and not s.is_regrouped),
            key=lambda s: -(s.rank_change or 0),
        ),
        "regrouped": [s for s in shops if s.is_regrouped],
    }
    return {
        "label": metric.label[lang],
        "unit": metric.unit,
        "gap_unit": "pp" if metric.is_rate else "pct",
        "polarity": metric.polarity,
        "counts": counts(shops),
        **{name: [_brief(s, name) for s in found[:_MOST]] for name, found in lists.items()},
        "hidden_small": [{"id": s.id, "name": s.name} for s in shops if s.state == "small_group"][:_MOST],
        "no_peers": [{"id": s.id, "name": s.name} for s in shops if s.state == "no_peers"][:_MOST],
    }


def counts(shops: Sequence[Standing]) -> dict[str, int]:
    """How many shops are checked, behind, ahead, level, below, above, hidden, without peers, fallen."""
    return {
        "checked": sum(s.side is not None for s in shops),
        "behind": sum(s.side == "behind" for s in shops),
        "ahead": sum(s.side == "ahead" for s in shops),
        "level": sum(s.side == "level" for s in shops),
        "below": sum(s.is_below is True for s in shops),
        "above": sum(s.is_below is False for s in shops),
        "hidden_small": sum(s.state == "small_group" for s in shops),
        "no_peers": sum(s.state == "no_peers" for s in shops),
        "rank_fell": len(fallen(shops)),
        "ranks_compared": sum(s.has_fallen is not None for s in shops),
        "regrouped": sum(s.is_regrouped for s in shops),
        "peers_fell": sum((s.peer_change or 0) <= -MOVED for s in shops),
        "peers_rose": sum((s.peer_change or 0) >= MOVED for s in shops),
    }


def fallen(shops: Sequence[Standing]) -> list[Standing]:
    """Shops whose rank fell by more than the stated share of the group, the deepest fall first."""
    return sorted((s for s in shops if s.has_fallen), key=lambda s: s.rank_change or 0)


def findings(found: PeerRows, lang: Lang) -> list[dict[str, Any]]:
    """One entry a shop and metric whose rank fell, with what its peers did meanwhile."""
    every = [s for shops in found.standings.values() for s in fallen(shops)]
    return [
        {
            "kind": "rank_fell_with_peers" if (s.peer_change or 0) <= -MOVED else "rank_fell",
            "metric": s.metric.key,
            **_entry(s),
            "text": fallen_text(s, lang),
        }
        for s in every[:_MOST]
    ]


def _brief(one: Standing, name: _ListName) -> dict[str, Any]:
    """What a list of this name is read for; the table has the rest."""
    entry = _entry(one)
    return {k: entry[k] for k in ("id", "name", *_KEYS[name])}


def _entry(one: Standing) -> dict[str, Any]:
    """Numbers are raw: fractions for rates and %, positive `rank_change` = places gained."""
    prev = one.prev
    return {
        "id": one.id,
        "name": one.name,
        "own": one.cur.own,
        "peer": one.cur.peer,
        "gap": one.gap,
        "rank": rank_text(one.cur.rank, one.cur.rank_group),
        "rank_mean": one.cur.rank_mean,
        "rank_before": "" if prev is None else rank_text(prev.rank, prev.rank_group),
        "rank_mean_before": None if prev is None else prev.rank_mean,
        "rank_change": one.rank_change,
        "peers": whole(one.cur.rank_group or one.cur.group),
        "peers_before": None if prev is None else whole(prev.rank_group or prev.group),
        "peer_change": one.peer_change,
        "own_change": one.own_change,
        "days": one.cur.days,
    }


def _by_peers(shops: Sequence[Standing]) -> list[Standing]:
    return sorted(shops, key=lambda s: -abs(s.peer_change or 0))


def day_facts(found: PeerRows) -> Mapping[str, Any]:
    """Shop-days that were left out, and why."""
    shops = [s for each in found.standings.values() for s in each]
    return {
        "without_peers": max(
            (sum(s.cur.without_peers for s in each) for each in found.standings.values()), default=0
        ),
        "small_group": max(
            (sum(s.cur.small_days for s in each) for each in found.standings.values()), default=0
        ),
        "bad_ranks": sum(s.cur.bad_ranks for s in shops),
        "contradicted_zeros": [
            {"id": i, "name": n, "date": d.isoformat()} for i, n, d in found.zero_rows[:_MOST]
        ],
    }
