"""The clean twin: sports halls of two networks over nine weeks, drawn from a seed.

    2 networks > 2 districts each > 3 halls each; money adds up, people are 95 % of the sum below
    takings = passes + extras; joinRate = members / guests; spend = takings / tickets

The source delivers its own rates, the change since the day before, and for halls what others take. All rules
of the model hold exactly, so that whatever is found is a mutation's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from functools import cache

import numpy as np
import pandas as pd

from askcore.base.views import SyncRow
from askcore.semantic.model import Model
from askcore.semantic.parse import parse_model
from askcore.semantic.shape import Shape

START = date(2026, 7, 6)  # a Monday; no holiday of the calendar within nine weeks
DAYS = 63
END = START + timedelta(days=DAYS - 1)
AS_OF = END + timedelta(days=1)
TREE: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    n: {f"{n}-{d}": tuple(f"{n}-{d}-{h}" for h in "XYZ") for d in "KL"} for n in ("NA", "NB")
}
HALLS = tuple(h for districts in TREE.values() for halls in districts.values() for h in halls)
DISTRICTS = tuple(d for districts in TREE.values() for d in districts)
NETWORKS = tuple(TREE)

MODEL_TEXT = """
version: 1
model: halls
dataset:
  time: {column: date, settlement_lag_days: 1}
  levels:
  - {key: network, zh: Network, en: Network, id: networkId, name: networkName, rollup_of: district}
  - {key: district, zh: District, en: District, id: districtId, name: districtName, rollup_of: hall}
  - {key: hall, zh: Hall, en: Hall, id: hallId, name: hallName}
  raw_suffixes: {last_period_diff: '{key}__since', peer_avg: '{key}__others', peer_rank: '{key}__place',
    peer_count: othersCnt}
metrics:
- {key: takings, label: {zh: Takings, en: Takings}, unit: CNY, polarity: up, additivity: {kind: sum}}
- {key: passes, label: {zh: Passes, en: Passes}, unit: CNY, polarity: up, additivity: {kind: sum}}
- {key: extras, label: {zh: Extras, en: Extras}, unit: CNY, polarity: up, additivity: {kind: sum}}
- {key: tickets, label: {zh: Tickets, en: Tickets}, unit: order, polarity: up, additivity: {kind: sum}}
- {key: guests, label: {zh: Guests, en: Guests}, unit: person, polarity: up,
   additivity: {kind: sum, person_days: true, across_entities: upper_bound}}
- {key: members, label: {zh: Members, en: Members}, unit: person, polarity: up,
   additivity: {kind: sum, person_days: true, across_entities: upper_bound}}
- {key: joinRate, label: {zh: Join rate, en: Join rate}, unit: ratio, polarity: up,
   additivity: {kind: ratio, numerator: members, denominator: guests}}
- {key: spend, label: {zh: Spend per ticket, en: Spend per ticket}, unit: CNY, polarity: up,
   additivity: {kind: ratio, numerator: takings, denominator: tickets}}
- {key: mark, label: {zh: Mark, en: Mark}, unit: score, polarity: up,
   additivity: {kind: last, across_entities: weighted_mean, weight: tickets}}
- {key: posters, label: {zh: Poster cost, en: Poster cost}, unit: CNY, reserved: true,
   additivity: {kind: sum}}
identities:
- {id: whole, left: passes + extras, right: takings, row_tol: {abs: 0.01}, warn: 0.001, fail: 0.2}
- {id: joined, left: members / guests, right: src.joinRate, row_tol: {abs: 0.0005}, warn: 0.001, fail: 0.2,
   guard: guests > 0, unit_probe: [1, 100]}
- {id: narrows, kind: inequality, expr: guests >= members}
cross_layer:
- {id: sum_hall_district, lower: hall, upper: district, warn: 0.005, fail: 0.02, abs_floor: 1.0}
- {id: sum_district_network, lower: district, upper: network, warn: 0.005, fail: 0.02, abs_floor: 1.0}
- {id: uv_bound}
- {id: ratio_recomputed, warn: 0.001, fail: 0.005}
- {id: all_zero_child}
source_delta:
  abs_tol: {CNY: 0.05, order: 0.5, person: 0.5, ratio: 0.0005}
  rel_tol: 0.005
"""
MONEY = ("takings", "passes", "extras")
SUMS = (*MONEY, "tickets")
PEOPLE = ("guests", "members")
RAW = ("src.joinRate", "src.spend", "takings__since", "takings__others", "takings__place", "othersCnt")
IDS = ("networkId", "districtId", "hallId")
PEERS, PLACE = 40, 11


@cache
def model() -> Model:
    """The model of the halls."""
    return parse_model(MODEL_TEXT)


def days() -> list[date]:
    """Every day of the lake."""
    return [START + timedelta(days=n) for n in range(DAYS)]


def clean(seed: int) -> pd.DataFrame:
    """Rows of all three levels with the source's own values."""
    return _clean(seed).copy()


@cache
def _clean(seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    return built(pd.concat([_hall(rng, hall) for hall in HALLS], ignore_index=True))


def built(halls: pd.DataFrame) -> pd.DataFrame:
    """All levels over rows of halls, with the source's own values."""
    districts = _above(halls, "district")
    networks = _above(districts, "network")
    return with_raw(pd.concat([networks, districts, halls], ignore_index=True))


def _hall(rng: np.random.Generator, hall: str) -> pd.DataFrame:
    """One hall: its own size, a weekly rhythm and 3 % of noise; people in hundreds, so that rates fit."""
    size = rng.uniform(0.8, 1.2)
    rhythm = np.array([1.3 if day.weekday() >= 5 else 1.0 for day in days()])
    wave = size * rhythm * rng.normal(1.0, 0.03, DAYS).clip(0.93, 1.07)
    passes, extras = (np.round(base * wave, 2) for base in (700.0, 400.0))
    guests = np.round(20 * wave) * 100
    share = {"X": 0.1, "Y": 0.2, "Z": 0.3}[hall[-1]]
    rows = pd.DataFrame({"date": days(), "scope": "hall", **dict(zip(IDS, _ids(hall), strict=True))})
    rows["passes"], rows["extras"], rows["takings"] = passes, extras, np.round(passes + extras, 2)
    rows["tickets"] = np.round(60 * wave)
    rows["guests"], rows["members"] = guests, np.round(guests * share)
    rows["mark"] = 4.0 + share
    return _named(rows)


def _ids(hall: str) -> tuple[str, str, str]:
    return hall[:2], hall[:4], hall


def _named(rows: pd.DataFrame) -> pd.DataFrame:
    for column, word in zip(IDS, ("Network", "District", "Hall"), strict=True):
        rows[column.replace("Id", "Name")] = [f"{word} {v}" if v else "" for v in rows[column]]
    return rows


def _above(below: pd.DataFrame, scope: str) -> pd.DataFrame:
    """The level above: sums, 95 % of the people, marks weighted by tickets."""
    kept = ["date", *(IDS[:2] if scope == "district" else IDS[:1])]
    weighted = below.assign(weighted=below["mark"] * below["tickets"])
    found = weighted.groupby(kept, as_index=False)[[*SUMS, *PEOPLE, "weighted"]].sum()
    found["mark"] = (found["weighted"] / found["tickets"]).round(3)
    found[list(PEOPLE)] = (found[list(PEOPLE)] * 0.95).round()
    found[list(MONEY)] = found[list(MONEY)].round(2)
    found["scope"] = scope
    for column in IDS:
        if column not in found:
            found[column] = ""
    return _named(found.drop(columns="weighted"))


def with_raw(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows with the source's values made from them as they are."""
    made = rows.drop(columns=[c for c in RAW if c in rows]).reset_index(drop=True)
    found = pd.concat([_with_rates(made, *pair) for pair in (("network", 1), ("district", 2), ("hall", 3))])
    found = found.sort_index()
    before = found.groupby(["scope", *IDS])["takings"].shift()
    found["takings__since"] = (found["takings"] - before).round(2)
    is_hall = found["scope"] == "hall"
    found["takings__others"] = (found["takings"] * 0.9).round(2).where(is_hall)
    found["takings__place"] = pd.Series(float(PLACE), index=found.index).where(is_hall)
    found["othersCnt"] = pd.Series(float(PEERS), index=found.index).where(is_hall)
    return found


def _with_rates(rows: pd.DataFrame, scope: str, depth: int) -> pd.DataFrame:
    """A level's rates from the rows one level below; the finest from its own."""
    mine = rows[rows["scope"] == scope].copy()
    source = mine if depth == len(IDS) else rows[rows["scope"] == ("district", "hall")[depth - 1]]
    key = ["date", *IDS[:depth]]
    sums = source.groupby(key)[[*SUMS, *PEOPLE]].sum()
    at = pd.MultiIndex.from_frame(mine[key])
    base = sums.reindex(at)
    mine["src.joinRate"] = (base["members"] / base["guests"].where(base["guests"] > 0)).to_numpy()
    mine["src.spend"] = (base["takings"] / base["tickets"].where(base["tickets"] > 0)).to_numpy()
    return mine


def packed(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows as delivered: the source's values in one field."""
    names = [c for c in RAW if c in rows]
    found = rows.drop(columns=names)
    values = rows[names].astype(object).where(rows[names].notna(), None)
    found["raw"] = pd.Series(values.to_dict("records"), index=found.index, dtype=object)
    return found


def shapes() -> tuple[Shape, Shape]:
    """Two loads that delivered the same: the newest, then the one before."""
    columns = dict.fromkeys(IDS, "text") | dict.fromkeys(SUMS, "money")
    columns |= dict.fromkeys((*PEOPLE, "mark"), "number")
    extra = tuple(f"raw.{name}" for name in RAW)
    return Shape(version=2, columns=columns, extra=extra), Shape(version=1, columns=columns, extra=extra)


def sync_log() -> Sequence[SyncRow]:
    """A good sync of every network the morning after."""
    return [
        SyncRow(time=f"{day + timedelta(days=1)} 05:40:00", entity=n, state="success", rows=9, message="")
        for day in days()
        for n in NETWORKS
    ]
