"""Mutants of single rows: missing, doubled, empty, out of range, in another unit, against an identity."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import numpy as np
import pandas as pd

from proofs import halls
from proofs.spoil import Spoiled, at, changed, key, of_catalogue, pick

Rng = np.random.Generator


def lost_row(rows: pd.DataFrame, rng: Rng) -> Spoiled:
    day, hall = pick(rng)
    return Spoiled(rows=rows[~at(rows, day, hall)], keys=frozenset({key(day, hall)}), status="fail")


def lost_at_the_end(rows: pd.DataFrame, rng: Rng) -> Spoiled:
    _, hall = pick(rng)
    lost = [halls.END - timedelta(days=1), halls.END]
    kept = rows[~(at(rows, lost[0], hall) | at(rows, lost[1], hall))]
    return Spoiled(rows=kept, keys=frozenset(key(d, hall) for d in lost), status="fail")


def lost_day(rows: pd.DataFrame, rng: Rng) -> Spoiled:
    day, _ = pick(rng)
    keys = frozenset({(day.isoformat(), "hall", "", "", "")})
    return Spoiled(rows=rows[rows["date"] != day], keys=keys, status="warn")


def lost_halls(rows: pd.DataFrame, rng: Rng) -> Spoiled:
    """Two of a network's six halls have no row on a day; told of the network, which delivers them."""
    day, hall = pick(rng)
    district = hall[:4]
    lost = (rows["date"] == day) & rows["hallId"].str.startswith(district) & (rows["hallId"] != hall)
    keys = frozenset({(day.isoformat(), "hall", hall[:2], "", "")})
    return Spoiled(rows=rows[~lost], keys=keys, status="fail")


def twice_the_same(rows: pd.DataFrame, rng: Rng) -> Spoiled:
    day, hall = pick(rng)
    twin = rows[at(rows, day, hall)]
    return Spoiled(rows=pd.concat([rows, twin]), keys=frozenset({key(day, hall)}), status="warn")


def twice_and_different(rows: pd.DataFrame, rng: Rng) -> Spoiled:
    day, hall = pick(rng)
    twin = rows[at(rows, day, hall)].copy()
    twin["tickets"] += 3
    return Spoiled(rows=pd.concat([rows, twin]), keys=frozenset({key(day, hall)}), status="fail")


def zero_row(rows: pd.DataFrame, rng: Rng) -> Spoiled:
    day, hall = pick(rng)
    zero = dict.fromkeys((*halls.SUMS, *halls.PEOPLE), 0.0)
    spoiled = halls.with_raw(changed(rows, at(rows, day, hall), zero))
    return Spoiled(rows=spoiled, keys=frozenset({key(day, hall)}), status="fail")


def no_mark_in_a_district(rows: pd.DataFrame, rng: Rng) -> Spoiled:
    """From one source (the halls of a district) the column never comes."""
    district = halls.DISTRICTS[int(rng.integers(len(halls.DISTRICTS)))]
    mask = (rows["districtId"] == district) & (rows["scope"] == "hall")
    keys = frozenset(key(d, h) for d in halls.days() for h in halls.HALLS if h.startswith(district))
    return Spoiled(rows=changed(rows, mask, {"mark": np.nan}), keys=keys, status="fail")


def no_mark_in_a_row(rows: pd.DataFrame, rng: Rng) -> Spoiled:
    day, hall = pick(rng)
    spoiled = changed(rows, at(rows, day, hall), {"mark": np.nan})
    return Spoiled(rows=spoiled, keys=frozenset({key(day, hall)}), status="warn")


def below_zero(rows: pd.DataFrame, rng: Rng) -> Spoiled:
    day, hall = pick(rng)
    spoiled = changed(rows, at(rows, day, hall), {"tickets": -7.0})
    return Spoiled(rows=spoiled, keys=frozenset({key(day, hall)}), status="fail")


def tomorrow(rows: pd.DataFrame, rng: Rng) -> Spoiled:
    _, hall = pick(rng)
    ahead = halls.AS_OF + timedelta(days=int(rng.integers(1, 30)))
    extra = rows[at(rows, halls.END, hall)].assign(date=ahead)
    return Spoiled(rows=pd.concat([rows, extra]), keys=frozenset({key(ahead, hall)}), status="fail")


def no_district_row(rows: pd.DataFrame, rng: Rng) -> Spoiled:
    day, hall = pick(rng)
    under = frozenset(key(day, h) for h in halls.HALLS if h.startswith(hall[:4]))
    return Spoiled(rows=rows[~at(rows, day, hall[:4])], keys=under, status="warn")


def unit_times(factor: float) -> Callable[[pd.DataFrame, Rng], Spoiled]:
    """The source writes a rate in another unit for two days."""

    def spoil(rows: pd.DataFrame, rng: Rng) -> Spoiled:
        day, hall = pick(rng)
        wrong = (day, day + timedelta(days=1))
        mask = at(rows, wrong[0], hall) | at(rows, wrong[1], hall)
        values = {"src.joinRate": rows.loc[mask, "src.joinRate"] * factor}
        return Spoiled(
            rows=changed(rows, mask, values), keys=frozenset(key(d, hall) for d in wrong), status="fail"
        )

    return spoil


def part_short(rows: pd.DataFrame, rng: Rng) -> Spoiled:
    day, hall = pick(rng)
    mask = at(rows, day, hall)
    values = {"passes": rows.loc[mask, "passes"] - 40.0}
    return Spoiled(rows=changed(rows, mask, values), keys=frozenset({key(day, hall)}), status="warn")


def rate_off(rows: pd.DataFrame, rng: Rng) -> Spoiled:
    day, hall = pick(rng)
    mask = at(rows, day, hall)
    values = {"src.joinRate": rows.loc[mask, "src.joinRate"] + 0.03}
    return Spoiled(rows=changed(rows, mask, values), keys=frozenset({key(day, hall)}), status="warn")


def more_members_than_guests(rows: pd.DataFrame, rng: Rng) -> Spoiled:
    day, hall = pick(rng)
    mask = at(rows, day, hall)
    values = {"members": rows.loc[mask, "guests"] + 6}
    return Spoiled(rows=changed(rows, mask, values), keys=frozenset({key(day, hall)}), status="fail")


def change_misreported(rows: pd.DataFrame, rng: Rng) -> Spoiled:
    day, hall = pick(rng)
    mask = at(rows, day, hall)
    values = {"takings__since": rows.loc[mask, "takings__since"] + 77.0}
    return Spoiled(rows=changed(rows, mask, values), keys=frozenset({key(day, hall)}), status="warn")


PROOFS = (
    of_catalogue("missing_days", "one hall's row of one day is not delivered", lost_row),
    of_catalogue("missing_days", "one hall's last two days are not delivered", lost_at_the_end),
    of_catalogue("missing_days", "nobody has a row on one day", lost_day),
    of_catalogue(
        "missing_days", "one lost row, seen by the whole catalogue, is one issue", lost_row, alone=True
    ),
    of_catalogue("volume", "two of a network's six halls have no row on one day", lost_halls),
    of_catalogue("dup_keys", "a row is delivered twice, identical", twice_the_same),
    of_catalogue("dup_keys", "a row is delivered twice, with other tickets", twice_and_different),
    of_catalogue("all_zero_rows", "a row holds zeros while the district counted it", zero_row),
    of_catalogue(
        "all_zero_rows", "one zero row, seen by the whole catalogue, is one issue", zero_row, alone=True
    ),
    of_catalogue("nulls", "the halls of one district never have a mark", no_mark_in_a_district),
    of_catalogue("nulls", "one row has no mark", no_mark_in_a_row),
    of_catalogue("range", "a count is negative", below_zero),
    of_catalogue("future_date", "a row bears a day after today", tomorrow),
    of_catalogue("orphans", "a district has no row on one day, its halls have", no_district_row),
    of_catalogue("unit_drift", "the source's rate ×100 on two days", unit_times(100)),
    of_catalogue("unit_drift", "the source's rate ÷100 on two days", unit_times(0.01)),
    of_catalogue(
        "unit_drift", "one drift, seen by the whole catalogue, is one issue", unit_times(1e4), alone=True
    ),
    of_catalogue("identity:whole", "a part is 40 short of its whole", part_short),
    of_catalogue("identity:joined", "the source's rate is 3 points off", rate_off),
    of_catalogue("identity:narrows", "more members than guests", more_members_than_guests),
    of_catalogue("source_delta", "the source reports another change than the rows show", change_misreported),
)
