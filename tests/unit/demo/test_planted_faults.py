"""Each planted fact is there, on exactly the manifest's keys, and nowhere else."""

from __future__ import annotations

from datetime import date, timedelta

import demo_detectors as find
import pytest
from demo_detectors import LAST, Seen, grouped_keys, manifest_keys

DATA_FAULTS = {
    "F1": find.zero_rows,
    "F4": find.missing_days,
    "F5": find.doubled_rows,
    "F6": find.identity_gaps,
    "F7": find.null_rows,
    "F8": find.failed_syncs,
    "F9": find.source_deltas,
    "F11": find.drifted_rates,
    "F12": find.openings_and_closures,
}


@pytest.mark.parametrize("fault", DATA_FAULTS)
def test_a_fault_lies_on_exactly_the_manifests_keys(planted: Seen, fault: str):
    assert DATA_FAULTS[fault](planted) == manifest_keys(planted.data, fault)


@pytest.mark.parametrize("fault", DATA_FAULTS)
def test_a_clean_lake_has_none(clean: Seen, fault: str):
    assert DATA_FAULTS[fault](clean) == set()


def test_the_drop_is_where_the_manifest_says_within_a_day(planted: Seen):
    [(day, *shop)] = find.standing_drops(planted)
    [(expected_day, *expected_shop)] = manifest_keys(planted.data, "F2")
    assert shop == expected_shop
    assert abs((date.fromisoformat(day) - date.fromisoformat(expected_day)).days) <= 1


def test_the_rank_falls_from_8_to_31_and_comes_back(planted: Seen):
    fault = planted.data.manifest.fault("F10")
    start, end = (date.fromisoformat(fault.detail["during"][k]) for k in ("from", "to"))
    assert find.rank_falls(planted, start, end) == manifest_keys(planted.data, "F10")
    mine = planted.rows["shopId"] == fault.keys[0]["shopId"]
    days = planted.rows["date"]
    rank = planted.raw["exp_uv_mall_avg_rank"]
    assert set(rank[mine & (days >= start) & (days <= end)]) == {31}
    assert set(rank[mine & (days >= start - timedelta(days=7)) & (days < start)]) == {8}


def test_a_clean_lake_has_no_drop_and_no_rank_fall(clean: Seen):
    assert find.standing_drops(clean) == set()
    assert find.rank_falls(clean, date(2026, 10, 1), date(2026, 10, 7)) == set()
    assert find.rank_falls(clean, date(2026, 9, 25), date(2026, 9, 27)) == set()


def test_cross_layer_checks_see_only_what_is_grouped_under_a_fault(planted: Seen):
    assert find.sums_off(planted, "shop", "chain") == grouped_keys(planted.data, "sum_shop_chain")
    assert find.sums_off(planted, "chain", "company") == set()
    assert find.people_out_of_bounds(planted, "shop", "chain") == grouped_keys(planted.data, "uv_bound")
    assert find.people_out_of_bounds(planted, "chain", "company") == set()
    assert find.rates_off(planted, "shop", "chain") <= grouped_keys(planted.data, "ratio_recomputed")
    assert find.rates_off(planted, "chain", "company") == set()


def test_the_gap_is_3_2_percent_and_the_chain_keeps_the_true_sums(documented: Seen):
    r = documented.rows
    row = r[(r["shopId"] == "S0202") & (r["date"] == date(2026, 10, 12))].iloc[0]
    gap = (row["incomeAmt"] + row["expenseAmt"]) / row["grossAmt"] - 1
    assert gap == pytest.approx(-0.032, abs=1e-5)


def test_twins_are_identical(planted: Seen):
    twins = planted.rows[planted.rows.duplicated(find.KEY, keep=False)]
    assert len(twins) == 2
    assert len(twins.drop_duplicates()) == 1


def test_the_failed_sync_is_made_up_the_next_morning(planted: Seen):
    fault = planted.data.manifest.fault("F8")
    entity, failed = fault.detail["entity"], date.fromisoformat(fault.keys[0]["date"])
    log = planted.sync[planted.sync["entity"] == entity]
    log = log.set_index(log["time"].dt.date)
    rows = planted.rows[planted.rows["companyId"] == entity].groupby("date").size()
    one = timedelta(days=1)
    assert log.loc[failed, "rows"] == 0
    assert log.loc[failed + one, "state"] == "success"
    assert log.loc[failed + one, "rows"] == rows[failed - one] + rows[failed]
    assert log["rows"].sum() == rows.sum()


def test_documented_placement():
    from askcore.lake.demo import build_demo

    keys = {f.id: f.keys for f in build_demo(0).manifest.faults}
    assert [(k["shopId"], k["date"]) for k in keys["F1"]] == [
        ("S0301", "2026-10-08"),
        ("S0301", "2026-10-09"),
        ("S0301", "2026-10-10"),
    ]
    single = {f: (keys[f][0]["shopId"], keys[f][0]["date"]) for f in ("F2", "F4", "F5", "F6", "F9")}
    assert single == {
        "F2": ("S0203", "2026-09-21"),
        "F4": ("S0302", "2026-10-13"),
        "F5": ("S0104", "2026-10-05"),
        "F6": ("S0202", "2026-10-12"),
        "F9": ("S0101", "2026-10-15"),
    }
    assert {k["chainId"] for k in keys["F3"]} == {"C02"}
    assert {k["chainId"] for k in keys["F7"]} == {"C03"}
    assert keys["F8"][0] == {
        "date": "2026-10-14", "scope": "company", "companyId": "E01", "chainId": "", "shopId": "",
    }  # fmt: skip
    assert [k["date"] for k in keys["F10"]] == [f"2026-10-0{n}" for n in range(1, 8)]
    assert {k["shopId"] for k in keys["F10"]} == {"S0103"}
    assert [(k["shopId"], k["date"]) for k in keys["F11"]] == [
        ("S0204", f"2026-09-0{n}") for n in range(1, 8)
    ]
    assert [(k["shopId"], k["date"]) for k in keys["F12"]] == [
        ("S0105", "2026-09-28"),
        ("S0106", "2026-10-03"),
    ]


def test_the_day_before_the_clock_is_always_there(planted: Seen):
    newest = planted.rows[planted.rows["date"] == LAST]
    assert set(newest["scope"]) == {"company", "chain", "shop"}
    assert planted.rows["date"].max() == LAST
