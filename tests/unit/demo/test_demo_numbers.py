"""The numbers add up: identities, layers, bounds, source fields; formulas are written out here."""

from __future__ import annotations

import demo_detectors as find
import numpy as np
import pandas as pd
from demo_detectors import PEOPLE, SUMS, Seen


def shop_days(seen: Seen) -> tuple[pd.DataFrame, pd.DataFrame]:
    mine = seen.rows["scope"] == "shop"
    return seen.rows[mine], seen.raw[mine]


def test_every_row_of_a_clean_lake_satisfies_every_identity(clean: Seen):
    r, raw = clean.rows, clean.raw
    cents = (r[["incomeAmt", "expenseAmt", "grossAmt"]] * 100).round().astype("int64")
    assert (cents["incomeAmt"] + cents["expenseAmt"] == cents["grossAmt"]).all()
    assert (r["newOrderUv"] + r["oldOrderUv"] == r["orderUv"]).all()
    assert (r["exposureUv"] >= r["visitUv"]).all()
    assert (r["visitUv"] >= r["orderUv"]).all()
    assert (r["validOrderCnt"] + r["invalidOrderCnt"] >= r["orderUv"]).all()
    parts = r["activitySubsidyAmt"] + r["serviceFeeAmt"] + r["promoSpendAmt"]
    assert (parts <= r["expenseAmt"]).all()
    assert (r["validOrderCnt"] > 0).all()
    assert (raw["aov"] - r["grossAmt"] / r["validOrderCnt"]).abs().max() <= 0.0001
    assert (raw["clk_exp_rate"] - r["visitUv"] / r["exposureUv"]).abs().max() <= 0.000001
    assert (raw["ord_clk_rate"] - r["orderUv"] / r["visitUv"]).abs().max() <= 0.000001
    assert (raw["per_actual_pay"] - r["actualPayAmt"] / r["validOrderCnt"]).abs().max() <= 0.0001


def test_money_has_whole_cents_and_counts_are_whole(clean: Seen):
    money = clean.rows[[c for c in SUMS if c.endswith("Amt")]]
    assert (money == money.round(2)).all(axis=None)
    assert (money > 0).all(axis=None)
    assert (clean.rows[PEOPLE] > 0).all(axis=None)
    assert not clean.rows.drop(columns=["chainName", "shopName"]).isna().any(axis=None)


def test_money_and_orders_add_up_to_the_cent_on_a_clean_lake(clean: Seen):
    r = clean.rows
    for lower, upper, ids in (("shop", "chain", find.IDS[:2]), ("chain", "company", find.IDS[:1])):
        below = r[r["scope"] == lower].groupby(["date", *ids])[SUMS].sum()
        above = r[r["scope"] == upper].set_index(["date", *ids])[SUMS]
        assert (below.loc[above.index] - above).abs().max(axis=None) < 0.005


def test_people_of_a_parent_lie_strictly_between_the_largest_child_and_the_sum(clean: Seen):
    r = clean.rows
    for lower, upper, ids in (("shop", "chain", find.IDS[:2]), ("chain", "company", find.IDS[:1])):
        below = r[r["scope"] == lower].groupby(["date", *ids])[PEOPLE]
        above = r[r["scope"] == upper].set_index(["date", *ids])[PEOPLE]
        assert (above < below.sum().loc[above.index]).all(axis=None)
        assert (above > below.max().loc[above.index]).all(axis=None)


def test_rates_of_a_parent_are_its_childrens_sum_over_sum(clean: Seen):
    assert find.rates_off(clean, "shop", "chain") == set()
    assert find.rates_off(clean, "chain", "company") == set()
    parents = clean.raw[clean.rows["scope"] != "shop"]
    assert parents[list(find.SOURCE_RATES)].notna().all(axis=None)
    assert parents["order_user_cnt_new_rate"].isna().all()


def test_a_parents_rating_and_cooking_time_are_weighted_by_orders(clean: Seen):
    r = clean.rows[(clean.rows["scope"] != "company")].copy()
    for column, tolerance in (("shopScore", 0.0051), ("cookingMin", 0.051)):
        r["weighted"] = r[column] * r["validOrderCnt"]
        shops = r[r["scope"] == "shop"].groupby(["date", "chainId"])[["weighted", "validOrderCnt"]]
        mean = shops.sum().eval("weighted / validOrderCnt")
        chains = r[r["scope"] == "chain"].set_index(["date", "chainId"])[column]
        assert (mean.loc[chains.index] - chains).abs().max() <= tolerance


def test_changes_of_the_source_are_ours_on_a_clean_lake(clean: Seen):
    assert find.source_deltas(clean, 1) == set()
    assert find.source_deltas(clean, 7) == set()
    assert clean.raw["last_period_gross_amt_diff"].notna().sum() == len(clean.rows) - 25
    assert clean.raw["last_week_exp_uv_diff"].notna().sum() == len(clean.rows) - 25 * 7


def test_changes_against_last_week_have_no_planted_fault(planted: Seen):
    assert find.source_deltas(planted, 7) == set()


def test_ranks_agree_with_the_distance_from_the_peer_mean(any_demo: Seen):
    rows, raw = shop_days(any_demo)
    counts = raw["peer_shop_cnt"]
    assert counts.notna().all()
    fields = (
        ("exp_uv", rows["exposureUv"].where(rows["exposureUv"] > 0)),
        ("clk_exp_rate", rows["visitRate"]),
        ("ord_clk_rate", rows["orderRate"]),
    )
    for name, own in fields:
        rank, ratio = raw[f"{name}_mall_avg_rank"], own / raw[f"{name}_mall_avg"]
        assert rank.dropna().between(1, counts.max()).all()
        assert (rank <= counts)[rank.notna()].all()
        assert (rank <= 1 + (counts - 1) / 2)[ratio > 1].all()
        assert (rank >= 1 + (counts - 1) / 2)[ratio < 0.93].all()
    parents = any_demo.raw[any_demo.rows["scope"] != "shop"]
    assert parents["exp_uv_mall_avg"].isna().all()


def test_peers_move_with_the_market(any_demo: Seen):
    """Weekday pattern: day-to-day changes of a shop and of its peers go together."""
    rows, raw = shop_days(any_demo)
    changes = pd.DataFrame(
        {
            "own": np.log(rows["exposureUv"].where(rows["exposureUv"] > 0)),
            "peers": np.log(raw["exp_uv_mall_avg"]),
        }
    )
    moved = changes.groupby(rows["shopId"].to_numpy()).diff(7)
    together = moved.groupby(rows["shopId"].to_numpy()).corr().unstack()[("own", "peers")]
    assert together.median() > 0.5


def test_holidays_lift_hearty_chains_and_spring_festival_empties_all(documented: Seen):
    r = documented.rows
    company = r[(r["scope"] == "company") & (r["companyId"] == "E01")].set_index("date")["grossAmt"]
    days = pd.to_datetime(pd.Series(company.index, index=company.index))
    in_festival = (days >= "2026-02-15") & (days <= "2026-02-23")
    before = (days >= "2026-01-26") & (days <= "2026-02-08")
    national = (days >= "2026-10-01") & (days <= "2026-10-07")
    ordinary = (days >= "2026-09-07") & (days <= "2026-09-13")
    assert company[in_festival].mean() < 0.75 * company[before].mean()
    assert company[national].mean() > 1.03 * company[ordinary].mean()
