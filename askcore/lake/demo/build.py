"""From a seed to everything that makes up one demo lake."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pyarrow as pa

from askcore.base.config import REPO_ROOT
from askcore.lake.demo.delivery import deliver
from askcore.lake.demo.expected import expected_results
from askcore.lake.demo.manifest import EntityLine, Manifest
from askcore.lake.demo.planted import planted_faults
from askcore.lake.demo.season import AS_OF, COVERED, Floats, all_days
from askcore.lake.demo.world import World, build_world
from askcore.semantic.model import Model
from askcore.semantic.parse import load_model

MODEL_FILE = REPO_ROOT / "data" / "semantic" / "takeaway_daily.yaml"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DemoData:
    """A delivery, its model and what is known about it."""

    delivery_table: pa.Table
    sync_rows: pa.Table
    model: Model
    """The shipped model, marked synthetic, with the demo clock."""
    manifest: Manifest


def build_demo(seed: int = 0, clean: bool = False) -> DemoData:
    """The demo lake of a seed; the same seed gives the same bytes.

    seed: 0 = the documented names and places; others move both. clean: plant nothing.
    """
    world = build_world(seed, clean=clean)
    model = demo_model(world)
    table, sync_rows = deliver(world, model)
    return DemoData(
        delivery_table=table,
        sync_rows=sync_rows,
        model=model,
        manifest=_manifest(world, table.num_rows),
    )


def demo_model(world: World) -> Model:
    """The shipped model on the demo clock, asked about the first company by default."""
    shipped = load_model(MODEL_FILE)
    return replace(
        shipped,
        time=replace(shipped.time, fixed_as_of=AS_OF),
        default_entity=world.roster.companies[0].id,
        synthetic=True,
    )


def _manifest(world: World, row_count: int) -> Manifest:
    placement = world.placement
    return Manifest(
        seed=world.seed,
        clean=placement is None,
        as_of=AS_OF.isoformat(),
        period=COVERED.as_json(),
        default_entity=world.roster.companies[0].id,
        row_count=row_count,
        entities=_entities(world),
        faults=() if placement is None else planted_faults(world.roster, placement),
        expected=expected_results(world),
    )


def _entities(world: World) -> tuple[EntityLine, ...]:
    first, last = COVERED.start.isoformat(), COVERED.end.isoformat()
    roster = world.roster
    found = [
        EntityLine(level="company", id=c.id, name=c.name, companyId=c.id, first_day=first, last_day=last)
        for c in roster.companies
    ]
    for chain in roster.chains:
        found.append(
            EntityLine(
                level="chain",
                id=chain.id,
                name=chain.name,
                companyId=chain.company,
                chainId=chain.id,
                first_day=first,
                last_day=last,
            )
        )
    for shop, orders in zip(roster.shops, world.shops["validOrderCnt"], strict=True):
        opened, closed = _trading_days(orders)
        found.append(
            EntityLine(
                level="shop",
                id=shop.id,
                name=shop.name,
                companyId=shop.company,
                chainId=shop.chain,
                first_day=opened,
                last_day=closed,
            )
        )
    return tuple(found)


def _trading_days(orders: Floats) -> tuple[str, str]:
    """First and last day with a row, ISO."""
    days = [d for d, value in zip(all_days(), orders.tolist(), strict=True) if value == value]
    return days[0].isoformat(), days[-1].isoformat()
