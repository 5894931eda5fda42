"""Small detectors of each planted fact, written over the delivered tables only; nothing of the generator."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np
import pandas as pd

from askcore.lake.demo import DemoData

IDS = ["companyId", "chainId", "shopId"]
KEY = ["date", "scope", *IDS]
SUMS = [
    "grossAmt", "incomeAmt", "expenseAmt", "actualPayAmt", "validOrderCnt", "invalidOrderCnt",
    "activitySubsidyAmt", "serviceFeeAmt", "promoSpendAmt", "promoOrderAmt", "overtimeOrderCnt",
    "badReviewCnt",
]  # fmt: skip
PEOPLE = ["exposureUv", "visitUv", "orderUv", "newOrderUv", "oldOrderUv"]
OTHERS = ["shopScore", "cookingMin", "openMinutes"]
FIRST, LAST = date(2025, 8, 1), date(2026, 10, 17)
SOURCE_DIFFS = {  # raw column -> (our value, absolute tolerance)
    "gross_amt": ("grossAmt", 0.05),
    "income_amt": ("incomeAmt", 0.05),
    "actual_pay": ("actualPayAmt", 0.05),
    "valid_order_cnt": ("validOrderCnt", 0.5),
    "exp_uv": ("exposureUv", 0.5),
    "clk_uv": ("visitUv", 0.5),
    "order_user_cnt": ("orderUv", 0.5),
    "clk_exp_rate": ("visitRate", 0.0005),
    "ord_clk_rate": ("orderRate", 0.0005),
}
SOURCE_RATES = {  # raw column -> sums whose quotient it is
    "clk_exp_rate": ("visitUv", "exposureUv"),
    "ord_clk_rate": ("orderUv", "visitUv"),
    "aov": ("grossAmt", "validOrderCnt"),
    "per_actual_pay": ("actualPayAmt", "validOrderCnt"),
    "shopduty_overtime_cook_ord_rate": ("overtimeOrderCnt", "validOrderCnt"),
    "mkt_act_roi": ("promoOrderAmt", "promoSpendAmt"),
}
HOLIDAYS = [date(2026, 9, d) for d in (25, 26, 27)] + [date(2026, 10, d) for d in range(1, 8)]
Keys = set[tuple[str, ...]]


@dataclass(frozen=True)
class Seen:
    """A demo as pandas tables: rows (twins included), raw fields in the same order, sync log."""

    data: DemoData
    rows: pd.DataFrame
    raw: pd.DataFrame
    sync: pd.DataFrame

    @property
    def once(self) -> pd.Series:
        return ~self.rows.duplicated(KEY)


def see(data: DemoData) -> Seen:
    rows = pd.DataFrame(data.delivery_table.to_pydict())
    rows[IDS] = rows[IDS].fillna("")
    rows["visitRate"] = rows["visitUv"] / rows["exposureUv"].where(rows["exposureUv"] > 0)
    rows["orderRate"] = rows["orderUv"] / rows["visitUv"].where(rows["visitUv"] > 0)
    raw = pd.DataFrame([json.loads(text) for text in rows.pop("raw")])
    return Seen(data=data, rows=rows, raw=raw, sync=pd.DataFrame(data.sync_rows.to_pydict()))


def keys_of(rows: pd.DataFrame) -> Keys:
    return {(d.isoformat(), *rest) for d, *rest in rows[KEY].itertuples(index=False)}


def manifest_keys(data: DemoData, fault: str) -> Keys:
    return {tuple(k[c] for c in KEY) for k in data.manifest.fault(fault).keys}


def grouped_keys(data: DemoData, check: str) -> Keys:
    return {
        tuple(k[c] for c in KEY)
        for fault in data.manifest.faults
        for seen in fault.grouped_under
        if seen.check == check
        for k in seen.keys
    }


def zero_rows(seen: Seen) -> Keys:
    values = seen.rows[[*SUMS, *PEOPLE, *OTHERS]].fillna(0)
    return keys_of(seen.rows[(values == 0).all(axis=1)])


def doubled_rows(seen: Seen) -> Keys:
    return keys_of(seen.rows[seen.rows.duplicated(KEY)])


def missing_days(seen: Seen) -> Keys:
    found: Keys = set()
    for ids, group in seen.rows.groupby(["scope", *IDS]):
        days = set(group["date"])
        span = (max(days) - min(days)).days
        for n in range(span):
            day = min(days) + timedelta(days=n)
            if day not in days:
                found.add((day.isoformat(), *ids))
    return found


def identity_gaps(seen: Seen) -> Keys:
    r = seen.rows
    gap = (r["incomeAmt"] + r["expenseAmt"] - r["grossAmt"]).abs()
    return keys_of(r[gap > np.maximum(0.05, 0.001 * r["grossAmt"])])


def null_rows(seen: Seen) -> Keys:
    return keys_of(seen.rows[seen.rows[[*SUMS, *PEOPLE, *OTHERS]].isna().any(axis=1)])


def failed_syncs(seen: Seen) -> Keys:
    failed = seen.sync[seen.sync["state"] != "success"]
    return {
        (t.date().isoformat(), "company", e, "", "")
        for t, e in failed[["time", "entity"]].itertuples(index=False)
    }


def source_deltas(seen: Seen, distance: int = 1) -> Keys:
    """Rows whose own change differs from the source's, in any column that has one."""
    name = {1: "last_period_{}_diff", 7: "last_week_{}_diff"}[distance]
    once = seen.rows[seen.once]
    before = once[[*KEY, *(v for v, _ in SOURCE_DIFFS.values())]].copy()
    before["date"] = before["date"].map(lambda d: d + timedelta(days=distance))
    joined = once[KEY].merge(before, on=KEY, how="left")
    bad = np.zeros(len(once), dtype=bool)
    for column, (metric, tolerance) in SOURCE_DIFFS.items():
        source = seen.raw.loc[once.index, name.format(column)].to_numpy(dtype=float)
        change = once[metric].to_numpy(dtype=float) - joined[metric].to_numpy(dtype=float)
        bad |= np.nan_to_num(np.abs(change - source)) > tolerance
    return keys_of(once[bad])


def drifted_rates(seen: Seen) -> Keys:
    """The source's rate is a percentage where ours is a fraction."""
    own, source = seen.rows["visitRate"], seen.raw["clk_exp_rate"]
    drifted = (source / 100 - own).abs() <= 0.0005
    assert ((source - own).abs()[~drifted & own.notna()] <= 0.0005).all()
    return keys_of(seen.rows[drifted])


def openings_and_closures(seen: Seen) -> Keys:
    found: Keys = set()
    for ids, group in seen.rows.groupby(["scope", *IDS]):
        first, last = group["date"].min(), group["date"].max()
        if first > FIRST:
            found.add((first.isoformat(), *ids))
        if last < LAST:
            found.add(((last + timedelta(days=1)).isoformat(), *ids))
    return found


def standing_drops(seen: Seen) -> Keys:
    """Shops whose exposure falls against their peers for good; dated by the best split."""
    found: Keys = set()
    shops = seen.rows[seen.once & (seen.rows["scope"] == "shop")]
    for ids, group in shops.groupby(["scope", *IDS]):
        own = group.set_index("date")["exposureUv"]
        peers = pd.Series(seen.raw.loc[group.index, "exp_uv_mall_avg"].to_numpy(), index=own.index)
        gap = np.log(own.where(own > 0) / peers)
        if own.index.min() > date(2026, 8, 1) or own.index.max() < LAST:
            continue
        best = min(
            (date(2026, 9, 8) + timedelta(days=n) for n in range(23)),
            key=lambda day: _spread(gap, day),
        )
        before, after = _sides(gap, best)
        if after.median() - before.median() < -0.3:
            found.add((best.isoformat(), *ids))
    return found


def _sides(gap: pd.Series, day: date) -> tuple[pd.Series, pd.Series]:
    """Ordinary days before and from `day`, holidays and the Simpson week left out."""
    window = gap[(gap.index >= date(2026, 8, 10)) & ~gap.index.isin(HOLIDAYS)].dropna()
    return window[window.index < day], window[(window.index >= day) & (window.index < date(2026, 10, 11))]


def _spread(gap: pd.Series, day: date) -> float:
    return float(sum(((side - side.median()).abs()).sum() for side in _sides(gap, day)))


def rank_falls(seen: Seen, start: date, end: date) -> Keys:
    """Shops that lose more than 15 ranks in the days and win them back, while their peers fall too."""
    found: Keys = set()
    shops = seen.rows[seen.once & (seen.rows["scope"] == "shop")]
    for _, group in shops.groupby(IDS):
        ranks = pd.Series(seen.raw.loc[group.index, "exp_uv_mall_avg_rank"].to_numpy(), index=group["date"])
        peers = pd.Series(seen.raw.loc[group.index, "exp_uv_mall_avg"].to_numpy(), index=group["date"])
        week = timedelta(days=7)
        before = (ranks.index >= start - week) & (ranks.index < start)
        during = (ranks.index >= start) & (ranks.index <= end)
        after = (ranks.index > end) & (ranks.index <= end + week)
        if not before.any() or not during.any() or not after.any():
            continue
        fell = ranks[during].median() - ranks[before].median() > 15
        recovered = ranks[during].median() - ranks[after].median() > 12
        if fell and recovered and peers[during].mean() < peers[before].mean():
            found |= keys_of(group[during])
    return found


def sums_off(seen: Seen, lower: str, upper: str) -> Keys:
    """Parents whose children do not add up, by more than 0.5 % and 1."""
    id_columns = {"company": IDS[:1], "chain": IDS[:2]}[upper]
    rows = seen.rows[seen.once]
    children = rows[rows["scope"] == lower].groupby(["date", *id_columns])[SUMS].sum(min_count=1)
    parents = rows[rows["scope"] == upper].set_index(["date", *id_columns])
    gaps = (children.reindex(parents.index) - parents[SUMS]).abs()
    bad = (gaps > np.maximum(1.0, 0.005 * parents[SUMS].abs())).any(axis=1)
    return keys_of(parents[bad].reset_index())


def rates_off(seen: Seen, lower: str, upper: str) -> Keys:
    """Parents whose source rate is more than 0.001 from the children's sum over sum."""
    id_columns = {"company": IDS[:1], "chain": IDS[:2]}[upper]
    rows = seen.rows[seen.once]
    below = rows[rows["scope"] == lower].groupby(["date", *id_columns])[[*SUMS, *PEOPLE]].sum()
    above = rows[rows["scope"] == upper]
    below = below.loc[pd.MultiIndex.from_frame(above[["date", *id_columns]])]
    bad = np.zeros(len(above), dtype=bool)
    for column, (top, bottom) in SOURCE_RATES.items():
        gap = (below[top] / below[bottom]).to_numpy() - seen.raw.loc[above.index, column].to_numpy()
        bad |= np.nan_to_num(np.abs(gap)) > 0.001
    return keys_of(above[bad])


def people_out_of_bounds(seen: Seen, lower: str, upper: str, slack: float = 0.005) -> Keys:
    id_columns = {"company": IDS[:1], "chain": IDS[:2]}[upper]
    rows = seen.rows[seen.once]
    groups = rows[rows["scope"] == lower].groupby(["date", *id_columns])[PEOPLE]
    parents = rows[rows["scope"] == upper].set_index(["date", *id_columns])
    most, least = groups.sum().reindex(parents.index), groups.max().reindex(parents.index)
    bad = ((parents[PEOPLE] > most * (1 + slack)) | (parents[PEOPLE] < least)).any(axis=1)
    return keys_of(parents[bad].reset_index())
