"""The world as long rows, one per entity and day, in the order in which they are delivered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from askcore.lake.demo.panel import MONEY, Panel
from askcore.lake.demo.roster import Chain, Roster, Shop
from askcore.lake.demo.season import COVERED, Floats, all_days
from askcore.lake.demo.world import World

SCOPES = ("company", "chain", "shop")
LEVEL_COLUMNS = ("companyId", "companyName", "chainId", "chainName", "shopId", "shopName")
PEER = "peer."
"""Prefix of the columns with the peers' mean; they go into `raw`."""
PEER_COUNT = "peer.count"
Labels = Mapping[str, str | None]


def fact_rows(world: World) -> pd.DataFrame:
    """Columns: date (datetime.date), scope, ids and names (None above the row's level), metrics, peers.

    Money in yuan. Sorted by day, scope from the top down, then roster order.
    """
    roster = world.roster
    peers = {PEER + key: mean for key, mean in world.market.means.items()}
    peers[PEER_COUNT] = np.repeat(world.market.counts[:, None], COVERED.days, axis=1)
    parts = [
        _long(world.companies, "company", [_company(roster, c.id) for c in roster.companies]),
        _long(world.chains, "chain", [_chain(roster, c) for c in roster.chains]),
        _long({**world.shops, **peers}, "shop", [_shop(roster, s) for s in roster.shops]),
    ]
    rows = pd.concat(parts, ignore_index=True)
    order = np.lexsort((rows["place"], rows["scope"].map(SCOPES.index), rows["date"]))
    return rows.iloc[order].drop(columns="place").reset_index(drop=True)


def _long(panel: Panel, scope: str, labels: Sequence[Labels]) -> pd.DataFrame:
    shape = (len(labels), COVERED.days)
    columns: dict[str, object] = {
        "date": np.tile(np.array(all_days(), dtype=object), shape[0]),
        "scope": np.full(shape[0] * shape[1], scope, dtype=object),
        "place": np.repeat(np.arange(shape[0]), shape[1]),
    }
    for column in LEVEL_COLUMNS:
        names = np.array([entity[column] for entity in labels], dtype=object)
        columns[column] = pd.Series(np.repeat(names, shape[1]), dtype=object)
    for key, values in panel.items():
        columns[key] = _delivered(key, values).ravel()
    rows = pd.DataFrame(columns)
    return rows[rows["validOrderCnt"].notna()]


def _delivered(key: str, values: Floats) -> Floats:
    """Cents become yuan; everything else stays."""
    return values / 100 if key in MONEY else values


def _company(roster: Roster, company_id: str) -> dict[str, str | None]:
    company = next(c for c in roster.companies if c.id == company_id)
    found: dict[str, str | None] = dict.fromkeys(LEVEL_COLUMNS)
    found |= {"companyId": company.id, "companyName": company.name}
    return found


def _chain(roster: Roster, chain: Chain) -> dict[str, str | None]:
    return {**_company(roster, chain.company), "chainId": chain.id, "chainName": chain.name}


def _shop(roster: Roster, shop: Shop) -> dict[str, str | None]:
    chain = next(c for c in roster.chains if c.id == shop.chain)
    return {**_chain(roster, chain), "shopId": shop.id, "shopName": shop.name}
