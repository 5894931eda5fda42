"""Same seed, same bytes; another seed, other names and places of the same kinds."""

from __future__ import annotations

import re
import time
from datetime import date

import pyarrow as pa
import pytest

from askcore.lake.demo import DemoData, build_demo
from askcore.lake.demo.placement import placement_for
from askcore.lake.demo.roster import Roster, roster_for
from askcore.lake.demo.world import build_world

SEEDS = range(20)


def table_bytes(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()


def fingerprint(data: DemoData) -> tuple[bytes, bytes, str]:
    return table_bytes(data.delivery_table), table_bytes(data.sync_rows), data.manifest.text()


@pytest.mark.parametrize(("seed", "clean"), [(0, False), (7, False), (0, True)])
def test_the_same_seed_gives_the_same_bytes(seed: int, clean: bool):
    assert fingerprint(build_demo(seed, clean)) == fingerprint(build_demo(seed, clean))


def test_a_demo_is_made_in_under_four_seconds():
    start = time.perf_counter()
    build_demo(11)
    assert time.perf_counter() - start < 4


def test_columns_are_the_documented_delivery():
    table = build_demo(0).delivery_table
    assert table.column_names[:8] == [
        "date", "scope", "companyId", "companyName", "chainId", "chainName", "shopId", "shopName",
    ]  # fmt: skip
    assert table.column_names[-1] == "raw"
    stored = {m.key for m in build_demo(0).model.metrics if m.additivity.kind not in
              ("ratio", "derived_sum", "distinct")}  # fmt: skip
    assert set(table.column_names[8:-1]) == stored - {"rebuyRate30d"}


def test_the_model_is_marked_synthetic_and_on_the_demo_clock():
    model = build_demo(0).model
    assert (model.synthetic, model.time.fixed_as_of, model.default_entity) == (
        True,
        date(2026, 10, 18),
        "E01",
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_every_roster_has_its_traps(seed: int):
    roster = roster_for(seed)
    assert len(roster.companies) == 2
    first = roster.companies[0].id
    sizes = sorted(len(roster.shops_of(c.id)) for c in roster.chains_of(first))
    assert sizes == [4, 4, 6]
    for ids in ([c.id for c in roster.companies], [c.id for c in roster.chains],
                [s.id for s in roster.shops]):  # fmt: skip
        assert len(set(ids)) == len(ids)
    mine = [s for s in roster.shops if s.company == first]
    clashes = [(a, b) for a in mine for b in mine if a.id < b.id and a.name == b.name]
    assert len(clashes) == 1
    assert clashes[0][0].chain != clashes[0][1].chain
    assert sum(bool(re.search(r"\d", s.name)) for s in mine) >= 2


@pytest.mark.parametrize("seed", SEEDS)
def test_faults_keep_apart(seed: int):
    roster = roster_for(seed)
    p = placement_for(seed, roster)
    carriers = [
        p.zero_shop, p.drop_shop, p.missing_shop, p.twin_shop, p.gap_shop, p.delta_shop,
        p.rank_shop, p.drift_shop, p.closed_shop, p.opened_shop,
    ]  # fmt: skip
    assert len(set(carriers)) == 10
    simpson = {s.id for s in roster.shops_of(p.simpson_chain)}
    assert set(p.simpson_shops) == simpson
    assert not simpson & {p.zero_shop, p.missing_shop, p.rank_shop, p.closed_shop, p.opened_shop}
    days = [*p.zero_days, p.missing_day, p.twin_day, p.gap_day, p.delta_day, p.sync_day]
    assert len(set(days)) == 8
    assert max(days) < date(2026, 10, 17)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_seed_tells_the_same_story(seed: int):
    """The first company: less gross and a larger basket in the last seven days, on any seed, clean or not."""
    for clean in (False, True):
        company = build_world(seed, clean=clean).companies
        gross, orders = company["grossAmt"][0], company["validOrderCnt"][0]
        assert gross[-7:].sum() < 0.99 * gross[-14:-7].sum()
        assert gross[-7:].sum() / orders[-7:].sum() > 1.005 * gross[-14:-7].sum() / orders[-14:-7].sum()


def test_names_ids_and_places_differ_between_seeds():
    rosters = [roster_for(seed) for seed in SEEDS]
    for field in ("name", "id"):
        per_seed = [frozenset(getattr(s, field) for s in roster.shops) for roster in rosters]
        assert len(set(per_seed)) == len(rosters)
    placements = [placement_for(seed, r) for seed, r in zip(SEEDS, rosters, strict=True)]
    assert len({p.missing_day for p in placements}) > 4
    assert len({p.drop_start for p in placements}) > 4
    assert {p.rank_holiday for p in placements} == {"national_day", "mid_autumn"}
    assert len({_position(r, p.zero_shop) for r, p in zip(rosters, placements, strict=True)}) > 4


def _position(roster: Roster, shop: str) -> int:
    return roster.shop_index(shop)


def test_the_documented_names():
    roster = roster_for(0)
    names = {s.id: s.name for s in roster.shops}
    assert (names["S0105"], names["S0106"]) == ("798店", "1912街区店")
    assert names["S0102"] == names["S0303"] == "大学城店"
    assert [c.name for c in roster.companies] == ["悦食餐饮", "禾味集团"]


def test_a_clean_demo_names_no_fault_and_has_all_shops_all_the_time():
    manifest = build_demo(0, clean=True).manifest
    assert manifest.faults == ()
    assert set(manifest.expected) == {"gross_change"}
    assert {(e.first_day, e.last_day) for e in manifest.entities} == {("2025-08-01", "2026-10-17")}
