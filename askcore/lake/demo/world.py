"""What truly happened: shops, chains and companies with their numbers, before any fault of the data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from askcore.lake.demo.market import Market
from askcore.lake.demo.panel import Panel, panel
from askcore.lake.demo.placement import Placement, placement_for
from askcore.lake.demo.rollup import Flags, roll_up
from askcore.lake.demo.roster import Roster, roster_for
from askcore.lake.demo.season import BASELINE, COVERED, CURRENT, day_range, stream
from askcore.lake.demo.shops import traits
from askcore.lake.demo.traffic import traffic


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class World:
    """The truth that contributions are written from."""

    seed: int
    roster: Roster
    placement: Placement | None
    """None: a clean demo."""
    shops: Panel
    chains: Panel
    companies: Panel
    market: Market


def build_world(seed: int, *, clean: bool) -> World:
    """Draw everything from the seed."""
    roster = roster_for(seed)
    placement = None if clean else placement_for(seed, roster)
    constants = traits(seed, roster, placement)
    people = traffic(seed, roster, constants, placement)
    shops = panel(seed, roster, constants, people)
    chain_rows = [[roster.shop_index(s.id) for s in roster.shops_of(c.id)] for c in roster.chains]
    chains = roll_up(shops, chain_rows, stream(seed, "chains"), _plain(roster, placement))
    company_rows = [
        [i for i, c in enumerate(roster.chains) if c.company == company.id] for company in roster.companies
    ]
    nowhere = np.zeros((len(roster.companies), COVERED.days), dtype=np.bool_)
    companies = roll_up(chains, company_rows, stream(seed, "companies"), nowhere)
    return World(
        seed=seed,
        roster=roster,
        placement=placement,
        shops=shops,
        chains=chains,
        companies=companies,
        market=people.market,
    )


def _plain(roster: Roster, placement: Placement | None) -> Flags:
    """The Simpson chain's two weeks: its rate must be the shops' sum over sum, to the person."""
    found = np.zeros((len(roster.chains), COVERED.days), dtype=np.bool_)
    if placement is not None:
        row = next(i for i, c in enumerate(roster.chains) if c.id == placement.simpson_chain)
        for period in (BASELINE, CURRENT):
            found[row, day_range(period)] = True
    return found
