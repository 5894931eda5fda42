"""The change of a leaf entity as what its peers' change explains and what is its own."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from askcore.checks.sql import Binder, Expressions, MissingInput, listed, quote, readable
from askcore.semantic.model import Level, Metric
from askcore.stats.contributions import MarketSplit, split_market
from askcore.tools.compare.source_delta import level_ids
from askcore.tools.explain.asked import Asked
from askcore.tools.explain.read import Store, Sums

MAX_PEER_MOVE = 0.10  # a peer group that changed by more is another group
_AVG, _COUNT = "peer_avg", "peer_count"
Reason = Literal["no_column", "no_rows", "peers_moved", "many"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Peers:
    """One leaf entity's peers in both periods, (baseline, current)."""

    id: str
    average: tuple[float, float]
    """Mean of the peers' daily averages; of rates weighted by the peers' denominator where it is known."""
    count: tuple[float | None, float | None]
    """Mean number of peers; None where the source does not tell."""

    @property
    def moved(self) -> float:
        """How much the number of peers changed, as a fraction; 0 when unknown."""
        base, current = self.count
        return abs(current / base - 1) if base and current else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Market:
    """The split, or the reason why there is none."""

    split: MarketSplit | None = None
    reason: Reason | None = None
    peers: tuple[Peers, ...] = ()


def market_of(store: Store, asked: Asked, leaf: Level, totals: tuple[float, float]) -> Market:
    """Σ over the entities of y0 · (peer1 / peer0 - 1); of a rate for one entity only."""
    try:
        peers = _read(store, asked.metric, leaf)
    except MissingInput:
        return Market(reason="no_column")
    shops = {s.id: s for s in store.sums(leaf.key, leaf.key)}
    traded = {k for k, s in shops.items() if all(s.rows)}
    if not peers or {p.id for p in peers} < traded:
        return Market(reason="no_rows", peers=peers)
    if not asked.is_sum and len(shops) > 1:
        return Market(reason="many", peers=peers)
    if any(p.moved > MAX_PEER_MOVE for p in peers):
        return Market(reason="peers_moved", peers=peers)
    return Market(split=_split(store, asked, peers, shops, totals), peers=peers)


def _split(
    store: Store,
    asked: Asked,
    peers: tuple[Peers, ...],
    shops: Mapping[str, Sums],
    totals: tuple[float, float],
) -> MarketSplit:
    """Peers' totals: daily averages times days, so that a longer period is no growth of the market."""
    before, after = totals
    if not asked.is_sum:
        return split_market(before, after, peers[0].average)
    parts = store.reader.components.parts[asked.metric.key]
    days = [p.days for p in asked.periods]
    market = math.fsum(
        split_market(
            shops[p.id].all[parts.top][0], 0.0, (p.average[0] * days[0], p.average[1] * days[1])
        ).market
        for p in peers
        if p.id in shops
    )
    return MarketSplit(before=before, after=after, market=market, own=after - before - market)


def _read(store: Store, metric: Metric, leaf: Level) -> tuple[Peers, ...]:
    """Entities with peer averages in both periods. Raises: MissingInput when the source has none."""
    model, view = store.model, store.reader.view
    expressions = Expressions(
        model=model, columns=frozenset(view.catalog.columns), raw_fields=frozenset(view.raw_fields)
    )
    templates = model.raw.columns
    if _AVG not in templates:
        raise MissingInput(_AVG)
    average = expressions.field(templates[_AVG].format(key=metric.key))
    weight = _optional(expressions, templates[_AVG].format(key=metric.additivity.denominator or ""), "1.0")
    count = _optional(expressions, templates.get(_COUNT, ""), "CAST(NULL AS DOUBLE)")
    binder = Binder()
    ids = level_ids(store.reader, leaf)
    same = " AND ".join(f"f.{quote(c)} = r.{quote(c)}" for c in ("date", "scope", "_dup_n", *ids))
    columns = listed(
        (
            f"CAST(f.{quote(leaf.id)} AS VARCHAR)",
            f"sum({average} * {weight})",
            f"sum(CASE WHEN {average} IS NOT NULL THEN {weight} END)",
            f"avg({count})",
        )
    )
    statement = " UNION ALL ".join(
        f"SELECT {side}, {columns} FROM fact f JOIN raw r ON {same} "  # noqa: S608 - quoted names
        f"WHERE {store.reader.where(binder, leaf.key, period)} GROUP BY 2"
        for side, period in enumerate(store.reader.periods)
    )
    store.sql.append(readable(statement, binder.values))
    sides: dict[str, dict[int, tuple[Any, ...]]] = {}
    for row in view.run(statement, binder.values).rows:
        if row[2] and row[3]:
            sides.setdefault(str(row[1]), {})[row[0]] = row
    return tuple(_peers(key, found) for key, found in sorted(sides.items()) if len(found) == 2)


def _optional(expressions: Expressions, name: str, default: str) -> str:
    try:
        return expressions.field(name)
    except MissingInput:
        return default


def _peers(key: str, sides: Mapping[int, tuple[Any, ...]]) -> Peers:
    base, current = sides[0], sides[1]
    return Peers(
        id=key,
        average=(float(base[2]) / float(base[3]), float(current[2]) / float(current[3])),
        count=(base[4], current[4]),
    )
