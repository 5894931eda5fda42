"""Faults of the data, planted on finished rows: what a broken pipeline would have delivered."""

from __future__ import annotations

import numpy as np
import pandas as pd

from askcore.lake.demo.facts import PEER, SCOPES
from askcore.lake.demo.panel import MONEY, ORDERS, PEOPLE, WEIGHTED
from askcore.lake.demo.placement import GAP_SHARE, Placement
from askcore.lake.demo.raw import RawFields

METRICS = (*MONEY, *ORDERS, *PEOPLE, *WEIGHTED, "openMinutes")
"""Every metric column that is delivered."""
PROMO = ("promoSpendAmt", "promoOrderAmt")
"""Columns that a chain without ad reports does not have (F7)."""
DRIFT = 100.0
"""F11: a percentage where a fraction belongs."""
DELTA_ERROR_YUAN = 888.0  # F9: far beyond any rounding


def plant_values(rows: pd.DataFrame, placement: Placement) -> None:
    """F7 nulls, F1 zeros, F6 gap, in place; raw fields are made afterwards and agree with them."""
    _null_promo(rows, placement.null_chain)
    zeros = at_shop(rows, placement.zero_shop, *placement.zero_days)
    for key in METRICS:
        rows.loc[zeros & rows[key].notna(), key] = 0.0
    gap = at_shop(rows, placement.gap_shop, placement.gap_day)
    rows.loc[gap, "incomeAmt"] -= np.round(rows.loc[gap, "grossAmt"] * GAP_SHARE, 2)
    rows.loc[gap, "incomeAmt"] = rows.loc[gap, "incomeAmt"].round(2)


def plant_raw(rows: pd.DataFrame, fields: RawFields, placement: Placement) -> None:
    """F9 wrong change against yesterday, F11 percentages, in place."""
    wrong = at_shop(rows, placement.delta_shop, placement.delta_day).to_numpy()
    change = fields["last_period_gross_amt_diff"]
    change[wrong] = np.round(change[wrong] + DELTA_ERROR_YUAN, 2)
    drifted = at_shop(rows, placement.drift_shop, *placement.drift_days).to_numpy()
    rate = fields["clk_exp_rate"]
    rate[drifted] = np.round(rate[drifted] * DRIFT, 4)


def plant_row_faults(rows: pd.DataFrame, placement: Placement) -> pd.DataFrame:
    """F4 takes a row away, F5 delivers one twice in a row."""
    missing = at_shop(rows, placement.missing_shop, placement.missing_day)
    twin = at_shop(rows, placement.twin_shop, placement.twin_day)
    repeats = np.where(missing, 0, np.where(twin, 2, 1))
    return rows.loc[rows.index.repeat(repeats)].reset_index(drop=True)


def at_shop(rows: pd.DataFrame, shop: str, *days: object) -> pd.Series[bool]:
    """Which rows are the shop's own of these days."""
    return (rows["shopId"] == shop) & rows["date"].isin(days)


def _null_promo(rows: pd.DataFrame, chain: str) -> None:
    """Chain and shops have no ad columns; the company's total then covers the other chains only."""
    inside = rows["chainId"] == chain
    own = rows[inside & (rows["scope"] == SCOPES[1])]
    company = (rows["scope"] == SCOPES[0]) & (rows["companyId"] == own["companyId"].iloc[0])
    for key in PROMO:
        lost = own.set_index("date")[key]
        rest = rows.loc[company, key] - rows.loc[company, "date"].map(lost)
        rows.loc[company, key] = rest.round(2)
        rows.loc[inside, key] = np.nan


def without_peers(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows without the columns that only served the raw fields."""
    return rows.drop(columns=[c for c in rows.columns if c.startswith(PEER)])
