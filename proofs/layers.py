"""Mutants of levels, loads and time: sums that disagree, late data, failed syncs, columns that change."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import numpy as np
import pandas as pd

from askcore.base.views import SyncRow
from proofs import halls
from proofs.spoil import Key, Spoil, Spoiled, at, changed, key, of_catalogue, pick

Rng = np.random.Generator


def sum_off(depth: int, share: float, status: str) -> Spoil:
    """A level above counts more than the rows below it."""

    def spoil(rows: pd.DataFrame, rng: Rng) -> Spoiled:
        day, hall = pick(rng)
        owner = hall[:depth]
        mask = at(rows, day, owner)
        more = (rows.loc[mask, "takings"] * share).round(2)
        values = {name: rows.loc[mask, name] + more for name in ("takings", "passes")}
        return Spoiled(
            rows=changed(rows, mask, values), keys=frozenset({key(day, owner)}), status=status
        )  # fmt: skip

    return spoil


def people_above_the_sum(rows: pd.DataFrame, rng: Rng) -> Spoiled:
    day, hall = pick(rng)
    mask = at(rows, day, hall[:4])
    values = {"guests": (rows.loc[mask, "guests"] / 0.95 * 1.02).round()}
    return Spoiled(rows=changed(rows, mask, values), keys=_own_only(day, hall), status="warn")


def people_below_the_largest(rows: pd.DataFrame, rng: Rng) -> Spoiled:
    day, hall = pick(rng)
    district, network = at(rows, day, hall[:4]), at(rows, day, hall[:2])
    (other,) = (d for d in halls.TREE[hall[:2]] if d != hall[:4])
    spoiled = changed(rows, network, {"members": rows.loc[at(rows, day, other), "members"].item() + 20})
    spoiled = changed(spoiled, district, {"members": 50.0})
    return Spoiled(rows=spoiled, keys=_own_only(day, hall), status="fail")


def _own_only(day: date, hall: str) -> frozenset[Key]:
    return frozenset({key(day, hall[:4])})


def plain_mean(rows: pd.DataFrame, rng: Rng) -> Spoiled:
    """A district's rate is the mean of its halls' rates, unweighted; guests differ most at one hall."""
    day, hall = pick(rng)
    mine = (rows["date"] == day) & (rows["districtId"] == hall[:4]) & (rows["scope"] == "hall")
    big = mine & rows["hallId"].str.endswith("Z")
    spoiled = changed(rows, big, {n: rows.loc[big, n] * 2 for n in halls.PEOPLE})
    above = (rows["date"] == day) & (rows["districtId"].isin([hall[:4], ""]))
    above &= rows["hallId"].eq("") & (rows["networkId"] == hall[:2])
    spoiled = changed(spoiled, above, {n: (rows.loc[above, n] * 1.3).round() for n in halls.PEOPLE})
    spoiled = halls.with_raw(spoiled)
    mean = (spoiled.loc[mine, "members"] / spoiled.loc[mine, "guests"]).mean()
    spoiled = changed(spoiled, at(spoiled, day, hall[:4]), {"src.joinRate": mean})
    return Spoiled(rows=spoiled, keys=frozenset({key(day, hall[:4])}), status="fail")


def zero_children(rows: pd.DataFrame, rng: Rng) -> Spoiled:
    day, hall = pick(rng)
    mask = (rows["date"] == day) & (rows["districtId"] == hall[:4]) & (rows["scope"] == "hall")
    zero = dict.fromkeys((*halls.SUMS, *halls.PEOPLE), 0.0)
    return Spoiled(
        rows=halls.with_raw(changed(rows, mask, zero)), keys=frozenset({key(day, hall[:4])}), status="fail"
    )


def late(lag: int, status: str) -> Spoil:
    """A network's newest day lies `lag` days behind today."""

    def spoil(rows: pd.DataFrame, rng: Rng) -> Spoiled:
        network = halls.NETWORKS[int(rng.integers(2))]
        newest = halls.AS_OF - timedelta(days=lag)
        kept = rows[(rows["networkId"] != network) | (rows["date"] <= newest)]
        keys = frozenset(
            (newest.isoformat(), scope, network, "", "") for scope in ("network", "district", "hall")
        )
        return Spoiled(rows=kept, keys=keys, status=status)

    return spoil


def sync_failed(rows: pd.DataFrame, rng: Rng) -> Spoiled:
    day, hall = pick(rng)
    log = _failing(day, hall[:2], "failed")
    return Spoiled(rows=rows, keys=frozenset({key(day, hall[:2])}), status="warn", sync=log)


def sync_empty(rows: pd.DataFrame, rng: Rng) -> Spoiled:
    network = halls.NETWORKS[int(rng.integers(2))]
    log = _failing(halls.AS_OF, network, "success")
    return Spoiled(rows=rows, keys=frozenset({key(halls.AS_OF, network)}), status="fail", sync=log)


def _failing(day: date, network: str, state: str) -> list[SyncRow]:
    return [
        SyncRow(time=row.time, entity=network, state=state, rows=0, message="gateway shut")
        if row.entity == network and row.time.startswith(day.isoformat())
        else row
        for row in halls.sync_log()
    ]


def columns(change: dict[str, str | None], status: str) -> Spoil:
    """The newest load has other columns; those changed to None are gone."""

    def spoil(rows: pd.DataFrame, rng: Rng) -> Spoiled:
        now, before = halls.shapes()
        found = {k: v for k, v in {**now.columns, **change}.items() if v is not None}
        keys = frozenset({(halls.END.isoformat(), "hall", "", "", "")})
        return Spoiled(rows=rows, keys=keys, status=status, shapes=(replace(now, columns=found), before))

    return spoil


def unlike_its_days(rows: pd.DataFrame, rng: Rng) -> Spoiled:
    """A hall takes three times as much on one of the newest seven days and a tenth on another."""
    _, hall = pick(rng)
    high, low = (halls.END - timedelta(days=int(n)) for n in rng.choice(7, size=2, replace=False))
    spoiled = rows
    for day, factor in ((high, 3.0), (low, 0.1)):
        mask = at(rows, day, hall)
        spoiled = changed(
            spoiled, mask, {n: (rows.loc[mask, n] * factor).round(2) for n in ("takings", "passes")}
        )
    return Spoiled(rows=spoiled, keys=frozenset({key(high, hall), key(low, hall)}), status="warn")


def share_moved(rows: pd.DataFrame, rng: Rng) -> Spoiled:
    """One hall takes fifteen times as much in the newest 28 days; the levels above with it.

    Every split that it belongs to shifts: halls and districts of its network, and the networks.
    """
    _, hall = pick(rng)
    since = halls.END - timedelta(days=27)
    spoiled = rows.copy()
    grown = (rows["hallId"] == hall) & (rows["date"] >= since)
    more = rows.loc[grown].set_index("date")[list(halls.SUMS)] * 14
    spoiled.loc[grown, list(halls.SUMS)] *= 15
    for owner in (hall[:4], hall[:2]):
        depth = len(owner)
        own = (rows["date"] >= since) & (rows["scope"] == ("network" if depth == 2 else "district"))
        own &= rows["networkId" if depth == 2 else "districtId"] == owner
        spoiled.loc[own, list(halls.SUMS)] += more.to_numpy()
    spoiled[list(halls.SUMS)] = spoiled[list(halls.SUMS)].round(2)
    return Spoiled(rows=halls.with_raw(spoiled), keys=_movers(spoiled, since), status="warn")


def _movers(rows: pd.DataFrame, since: date) -> frozenset[Key]:
    """The parts that carry 80 % of an index over .2, recomputed here by pandas."""
    names: list[str] = []
    splits = (("hallId", "networkId"), ("districtId", "networkId"), ("networkId", ""))
    for child, parent in splits:
        scope = child.removesuffix("Id")
        mine = rows[rows["scope"] == scope]
        groups = [g for _, g in mine.groupby(parent)] if parent else [mine]
        names += [name for group in groups for name in _carriers(group, child, since)]
    return frozenset(key(halls.END, name) for name in names)


def _carriers(rows: pd.DataFrame, column: str, since: date) -> list[str]:
    inside = rows[rows["date"] >= since - timedelta(days=28)]
    is_new = inside["date"] >= since
    now, before = (inside[m].groupby(column)["takings"].sum() for m in (is_new, ~is_new))
    p, q = now / now.sum(), before / before.sum()
    moved = ((p - q) * np.log(p / q)).sort_values(ascending=False)
    if moved.sum() <= 0.2:
        return []
    return list(moved.index[(moved.cumsum() - moved) < 0.8 * moved.sum()])


PROOFS = (
    of_catalogue("freshness", "a network's data ends two days before today", late(2, "warn")),
    of_catalogue("freshness", "a network's data ends four days before today", late(4, "fail")),
    of_catalogue("sync_log", "a sync failed, the next day's went through", sync_failed),
    of_catalogue("sync_log", "the newest sync brought no rows", sync_empty),
    of_catalogue("schema_drift", "a column is gone in the newest load", columns({"mark": None}, "fail")),
    of_catalogue("schema_drift", "a column holds texts now", columns({"tickets": "text"}, "fail")),
    of_catalogue("schema_drift", "a column is new", columns({"posters": "money"}, "warn")),
    of_catalogue("sum_hall_district", "a district takes 1 % more than its halls", sum_off(4, 0.01, "warn")),
    of_catalogue("sum_hall_district", "a district takes 4 % more than its halls", sum_off(4, 0.04, "fail")),
    of_catalogue("sum_district_network", "a network takes 4 % more", sum_off(2, 0.04, "fail")),
    of_catalogue("uv_bound", "a district has more people than its halls together", people_above_the_sum),
    of_catalogue("uv_bound", "a district has fewer members than its largest hall", people_below_the_largest),
    of_catalogue("ratio_recomputed", "a district's rate is its halls' plain mean", plain_mean),
    of_catalogue("all_zero_child", "all halls of a district hold zeros on a day", zero_children),
    of_catalogue("dimension_share_shift", "one hall grows fifteenfold", share_moved),
    of_catalogue("anomaly", "a hall takes thrice as much on a day, a tenth on another", unlike_its_days),
)
