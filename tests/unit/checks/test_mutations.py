"""Each check fires on exactly the keys that a mutation spoils, and on nothing of the clean twin."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

import numpy as np
import pandas as pd
import pytest

from askcore.base.values import Period, Verdict
from askcore.base.views import SyncRow
from askcore.checks.catalogue import check_ids, run_checks
from askcore.semantic.shape import Shape
from tests.unit.checks.memory_view import MemoryView
from tests.unit.checks.small_lake import (
    AREAS,
    AS_OF,
    END,
    PEOPLE,
    START,
    SUMS,
    days,
    facts,
    shapes,
    small_model,
    sync_log,
    with_raw,
)

MODEL = small_model()
SEEDS = (1, 2, 3)
Key = tuple[str, str, str, str]


@dataclass
class Mutant:
    """Spoiled rows and what must be found; `before` raw fields are made unless `after` spoils them."""

    rows: pd.DataFrame
    keys: set[Key]
    status: str
    sync: list[SyncRow] = field(default_factory=sync_log)
    shapes: tuple[Shape, ...] = field(default_factory=shapes)


def at(rows: pd.DataFrame, day: date, entity: str) -> pd.Series:
    column = "areaId" if entity in AREAS else "outletId"
    scope = "area" if entity in AREAS else "outlet"
    return (rows["date"] == day) & (rows[column] == entity) & (rows["scope"] == scope)


def key(day: date, entity: str) -> Key:
    if entity in AREAS:
        return (day.isoformat(), "area", entity, "")
    return (day.isoformat(), "outlet", f"A{entity[1]}", entity)


def pick(rng: np.random.Generator) -> tuple[date, str]:
    """A day inside the data and an outlet."""
    outlets = [o for found in AREAS.values() for o in found]
    return days()[int(rng.integers(3, 26))], outlets[int(rng.integers(len(outlets)))]


def missing_days(rows: pd.DataFrame, rng: np.random.Generator) -> Mutant:
    day, outlet = pick(rng)
    return Mutant(with_raw(rows)[~at(rows, day, outlet)], {key(day, outlet)}, "fail")


def late_at_the_end(rows: pd.DataFrame, rng: np.random.Generator) -> Mutant:
    _, outlet = pick(rng)
    lost = [END - timedelta(days=1), END]
    spoiled = ~(at(rows, lost[0], outlet) | at(rows, lost[1], outlet))
    return Mutant(with_raw(rows)[spoiled], {key(d, outlet) for d in lost}, "fail")


def nobody_has_the_day(rows: pd.DataFrame, rng: np.random.Generator) -> Mutant:
    day, _ = pick(rng)
    return Mutant(with_raw(rows)[rows["date"] != day], {(day.isoformat(), "outlet", "", "")}, "warn")


def identical_twin(rows: pd.DataFrame, rng: np.random.Generator) -> Mutant:
    day, outlet = pick(rng)
    full = with_raw(rows)
    return Mutant(pd.concat([full, full[at(rows, day, outlet)]]), {key(day, outlet)}, "warn")


def differing_twin(rows: pd.DataFrame, rng: np.random.Generator) -> Mutant:
    day, outlet = pick(rng)
    full = with_raw(rows)
    twin = full[at(rows, day, outlet)].copy()
    twin["orders"] += 1
    return Mutant(pd.concat([full, twin]), {key(day, outlet)}, "fail")


def all_zero_rows(rows: pd.DataFrame, rng: np.random.Generator) -> Mutant:
    day, outlet = pick(rng)
    spoiled = rows.copy()
    spoiled.loc[at(rows, day, outlet), [*SUMS, *PEOPLE]] = 0
    return Mutant(with_raw(spoiled), {key(day, outlet)}, "fail")


def nulls_of_one_source(rows: pd.DataFrame, rng: np.random.Generator) -> Mutant:
    area = f"A{int(rng.integers(1, 3))}"
    spoiled = rows.copy()
    spoiled.loc[rows["areaId"] == area, "rating"] = np.nan
    keys = {key(d, e) for d in days() for e in (area, *AREAS[area])}
    return Mutant(with_raw(spoiled), keys, "fail")


def nulls_of_one_row(rows: pd.DataFrame, rng: np.random.Generator) -> Mutant:
    day, outlet = pick(rng)
    spoiled = rows.copy()
    spoiled.loc[at(rows, day, outlet), "rating"] = np.nan
    return Mutant(with_raw(spoiled), {key(day, outlet)}, "warn")


def reserved_nulls(rows: pd.DataFrame, rng: np.random.Generator) -> Mutant:
    spoiled = rows.copy()
    spoiled["adSpend"] = np.where(rows["areaId"] == "A1", 5.0, np.nan)
    keys = {key(d, e) for d in days() for e in ("A2", *AREAS["A2"])}
    return Mutant(with_raw(spoiled), keys, "warn")


def negative_count(rows: pd.DataFrame, rng: np.random.Generator) -> Mutant:
    day, outlet = pick(rng)
    spoiled = rows.copy()
    spoiled.loc[at(rows, day, outlet), "orders"] = -4
    return Mutant(with_raw(spoiled), {key(day, outlet)}, "fail")


def future_date(rows: pd.DataFrame, rng: np.random.Generator) -> Mutant:
    outlet = pick(rng)[1]
    ahead = AS_OF + timedelta(days=int(rng.integers(1, 40)))
    full = with_raw(rows)
    extra = full[at(rows, END, outlet)].copy()
    extra["date"] = ahead
    return Mutant(pd.concat([full, extra]), {key(ahead, outlet)}, "fail")


def orphans(rows: pd.DataFrame, rng: np.random.Generator) -> Mutant:
    day, outlet = pick(rng)
    area = f"A{outlet[1]}"
    full = with_raw(rows)
    return Mutant(full[~at(rows, day, area)], {key(day, o) for o in AREAS[area]}, "warn")


def volume(rows: pd.DataFrame, rng: np.random.Generator) -> Mutant:
    """Rows of a whole area are gone below the area; missing_days owns what it lists."""
    day, outlet = pick(rng)
    area = f"A{outlet[1]}"
    lost = (rows["date"] == day) & (rows["areaId"] == area) & (rows["scope"] == "outlet")
    keep = lost & (rows["outletId"] != AREAS[area][0])
    return Mutant(with_raw(rows)[~keep], {(day.isoformat(), "outlet", area, "")}, "fail")


def unit_drift(rows: pd.DataFrame, rng: np.random.Generator) -> Mutant:
    first, outlet = pick(rng)
    factor = (100, 10_000, 0.01)[int(rng.integers(3))]
    full = with_raw(rows)
    wrong = {first, first + timedelta(days=1)}
    mask = rows["date"].isin(wrong) & (rows["outletId"] == outlet)
    full["raw"] = [
        {**raw, "src.conversion": raw["src.conversion"] * factor} if hit else raw
        for raw, hit in zip(full["raw"], mask, strict=True)
    ]
    return Mutant(full, {key(d, outlet) for d in wrong}, "fail")


def identity_parts(rows: pd.DataFrame, rng: np.random.Generator) -> Mutant:
    day, outlet = pick(rng)
    spoiled = rows.copy()
    spoiled.loc[at(rows, day, outlet), "food"] -= 30.0
    return Mutant(with_raw(spoiled), {key(day, outlet)}, "warn")


def identity_rate(rows: pd.DataFrame, rng: np.random.Generator) -> Mutant:
    day, outlet = pick(rng)
    full = with_raw(rows)
    full["raw"] = [
        {**raw, "src.conversion": raw["src.conversion"] + 0.03} if hit else raw
        for raw, hit in zip(full["raw"], at(rows, day, outlet), strict=True)
    ]
    return Mutant(full, {key(day, outlet)}, "warn")


def identity_funnel(rows: pd.DataFrame, rng: np.random.Generator) -> Mutant:
    day, outlet = pick(rng)
    spoiled = rows.copy()
    mask = at(rows, day, outlet)
    spoiled.loc[mask, "buyers"] = spoiled.loc[mask, "visitors"] + 5
    return Mutant(with_raw(spoiled), {key(day, outlet)}, "fail")


def sum_outlet_area(rows: pd.DataFrame, rng: np.random.Generator) -> Mutant:
    day, outlet = pick(rng)
    area = f"A{outlet[1]}"
    spoiled = rows.copy()
    mask = at(rows, day, area)
    spoiled.loc[mask, ["sales", "food"]] += 25.0
    return Mutant(with_raw(spoiled), {key(day, area)}, "warn")


def uv_above_the_sum(rows: pd.DataFrame, rng: np.random.Generator) -> Mutant:
    day, outlet = pick(rng)
    area = f"A{outlet[1]}"
    spoiled = rows.copy()
    mask = at(rows, day, area)
    spoiled.loc[mask, "visitors"] = (spoiled.loc[mask, "visitors"] / 0.95 * 1.02).round()
    return Mutant(with_raw(spoiled), {key(day, area)}, "warn")


def uv_below_the_largest(rows: pd.DataFrame, rng: np.random.Generator) -> Mutant:
    day, outlet = pick(rng)
    area = f"A{outlet[1]}"
    spoiled = rows.copy()
    spoiled.loc[at(rows, day, area), "buyers"] = 40
    return Mutant(with_raw(spoiled), {key(day, area)}, "fail")


def unweighted_mean(rows: pd.DataFrame, rng: np.random.Generator) -> Mutant:
    day, outlet = pick(rng)
    area = f"A{outlet[1]}"
    full = with_raw(rows)
    full["raw"] = [
        {**raw, "src.conversion": 0.2 if hit else raw["src.conversion"]}
        for raw, hit in zip(full["raw"], at(rows, day, area), strict=True)
    ]
    return Mutant(full, {key(day, area)}, "")


def all_zero_child(rows: pd.DataFrame, rng: np.random.Generator) -> Mutant:
    day, outlet = pick(rng)
    area = f"A{outlet[1]}"
    spoiled = rows.copy()
    mask = (rows["date"] == day) & (rows["areaId"] == area) & (rows["scope"] == "outlet")
    spoiled.loc[mask, [*SUMS, *PEOPLE]] = 0
    return Mutant(with_raw(spoiled), {key(day, area)}, "fail")


def source_delta(rows: pd.DataFrame, rng: np.random.Generator) -> Mutant:
    day, outlet = pick(rng)
    full = with_raw(rows)
    full["raw"] = [
        {**raw, "sales__last_period_diff": raw["sales__last_period_diff"] + 88.0} if hit else raw
        for raw, hit in zip(full["raw"], at(rows, day, outlet), strict=True)
    ]
    return Mutant(full, {key(day, outlet)}, "warn")


def freshness(rows: pd.DataFrame, rng: np.random.Generator) -> Mutant:
    area = f"A{int(rng.integers(1, 3))}"
    lag = int(rng.integers(2, 5))
    newest = AS_OF - timedelta(days=lag)
    full = with_raw(rows)
    late = full[(rows["areaId"] != area) | (rows["date"] <= newest)]
    keys = {(newest.isoformat(), scope, area, "") for scope in ("area", "outlet")}
    return Mutant(late, keys, "warn" if lag == 2 else "fail")


def sync_recovered(rows: pd.DataFrame, rng: np.random.Generator) -> Mutant:
    day, outlet = pick(rng)
    area = f"A{outlet[1]}"
    return Mutant(with_raw(rows), {key(day, area)}, "warn", _failing(day, area, "failed"))


def sync_without_rows(rows: pd.DataFrame, rng: np.random.Generator) -> Mutant:
    area = f"A{int(rng.integers(1, 3))}"
    return Mutant(with_raw(rows), {key(AS_OF, area)}, "fail", _failing(AS_OF, area, "success"))


def _failing(day: date, area: str, state: str) -> list[SyncRow]:
    return [
        SyncRow(time=row.time, entity=row.entity, state=state, rows=0, message="no answer")
        if row.entity == area and row.time.startswith(day.isoformat())
        else row
        for row in sync_log()
    ]


def drifted(change: dict[str, str | None]) -> Callable[[pd.DataFrame, np.random.Generator], Mutant]:
    """The newest load has columns of another kind, or lacks those changed to None."""

    def mutate(rows: pd.DataFrame, rng: np.random.Generator) -> Mutant:
        now, before = shapes()
        columns = {k: v for k, v in {**now.columns, **change}.items() if v is not None}
        fails = any(k in before.columns for k in change)
        spoiled = replace(now, columns=columns)
        keys = {(END.isoformat(), "outlet", "", "")}
        return Mutant(with_raw(rows), keys, "fail" if fails else "warn", shapes=(spoiled, before))

    return mutate


def column_gone(rows: pd.DataFrame, rng: np.random.Generator) -> Mutant:
    return drifted({"rating": None})(rows, rng)


def column_retyped(rows: pd.DataFrame, rng: np.random.Generator) -> Mutant:
    return drifted({"orders": "text"})(rows, rng)


def column_added(rows: pd.DataFrame, rng: np.random.Generator) -> Mutant:
    return drifted({"adSpend": "money"})(rows, rng)


def surge(rows: pd.DataFrame, rng: np.random.Generator) -> Mutant:
    """An outlet sells three times as much on one of the newest seven days, a tenth on another."""
    _, outlet = pick(rng)
    high, low = (END - timedelta(days=int(n)) for n in rng.choice(7, size=2, replace=False))
    spoiled = rows.astype(dict.fromkeys(SUMS, float))
    for day, factor in ((high, 3.0), (low, 0.1)):
        spoiled.loc[at(rows, day, outlet), list(SUMS)] *= factor
    spoiled[list(SUMS)] = spoiled[list(SUMS)].round(2)
    return Mutant(with_raw(spoiled), {key(high, outlet), key(low, outlet)}, "warn")


def share_shift(rows: pd.DataFrame, rng: np.random.Generator) -> Mutant:
    """An outlet sells eight times as much in the newest 14 of the 30 days; its area with it."""
    _, outlet = pick(rng)
    area = f"A{outlet[1]}"
    spoiled = rows.copy()
    newest = rows["date"] > END - timedelta(days=14)
    grown = newest & (rows["outletId"] == outlet)
    spoiled.loc[grown, list(SUMS)] *= 8
    for day, more in (rows[grown].set_index("date")[list(SUMS)] * 7).iterrows():
        spoiled.loc[at(rows, day, area), list(SUMS)] += more.to_numpy()
    spoiled[list(SUMS)] = spoiled[list(SUMS)].round(2)
    return Mutant(with_raw(spoiled), _movers(spoiled), "warn")


def _movers(rows: pd.DataFrame) -> set[Key]:
    """The parts that carry 80 % of a PSI over .2, by pandas: outlets within an area, areas in all."""
    keys: set[Key] = set()
    since = END - timedelta(days=13)
    for area in AREAS:
        outlets = rows[(rows["areaId"] == area) & (rows["scope"] == "outlet")]
        keys |= {key(END, o) for o in _carriers(outlets, "outletId", since)}
    areas = rows[rows["scope"] == "area"]
    return keys | {key(END, a) for a in _carriers(areas, "areaId", since)}


def _carriers(rows: pd.DataFrame, column: str, since: date) -> list[str]:
    inside = rows[rows["date"] > since - timedelta(days=15)]
    now = inside[inside["date"] >= since].groupby(column)["sales"].sum()
    before = inside[inside["date"] < since].groupby(column)["sales"].sum()
    p, q = now / now.sum(), before / before.sum()
    moved = ((p - q) * np.log(p / q)).sort_values(ascending=False)
    if moved.sum() <= 0.2:
        return []
    return list(moved.index[(moved.cumsum() - moved) < 0.8 * moved.sum()])


MUTANTS: tuple[tuple[str, Callable[[pd.DataFrame, np.random.Generator], Mutant]], ...] = (
    ("freshness", freshness),
    ("sync_log", sync_recovered),
    ("sync_log", sync_without_rows),
    ("missing_days", missing_days),
    ("missing_days", late_at_the_end),
    ("missing_days", nobody_has_the_day),
    ("volume", volume),
    ("dup_keys", identical_twin),
    ("dup_keys", differing_twin),
    ("all_zero_rows", all_zero_rows),
    ("nulls", nulls_of_one_source),
    ("nulls", nulls_of_one_row),
    ("nulls", reserved_nulls),
    ("range", negative_count),
    ("future_date", future_date),
    ("orphans", orphans),
    ("unit_drift", unit_drift),
    ("identity:parts", identity_parts),
    ("identity:rate", identity_rate),
    ("identity:funnel", identity_funnel),
    ("sum_outlet_area", sum_outlet_area),
    ("uv_bound", uv_above_the_sum),
    ("uv_bound", uv_below_the_largest),
    ("ratio_recomputed", unweighted_mean),
    ("all_zero_child", all_zero_child),
    ("source_delta", source_delta),
    ("schema_drift", column_gone),
    ("schema_drift", column_retyped),
    ("schema_drift", column_added),
    ("dimension_share_shift", share_shift),
    ("anomaly", surge),
)


def verdicts(view: MemoryView, ids: tuple[str, ...] | None = None) -> tuple[Verdict, ...]:
    period = Period(start=START, end=END)
    return run_checks(view, period=period, as_of=AS_OF, lang="en", ids=ids)  # type: ignore[arg-type]


def found_keys(found: tuple[Verdict, ...]) -> set[Key]:
    return {
        (k["date"], k["scope"], k["areaId"], k["outletId"])
        for v in found
        if v.status in ("warn", "fail")
        for k in v.keys
    }


def test_every_check_has_a_mutant() -> None:
    assert set(check_ids(MODEL)) == {check for check, _ in MUTANTS}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("check", "mutate"), MUTANTS, ids=[m.__name__ for _, m in MUTANTS])
def test_check_fires_on_exactly_the_spoiled_keys(
    check: str, mutate: Callable[[pd.DataFrame, np.random.Generator], Mutant], seed: int
) -> None:
    mutant = mutate(facts(seed), np.random.default_rng(seed))
    view = MemoryView(MODEL, mutant.rows, sync=mutant.sync, shapes=mutant.shapes)
    found = tuple(v for v in verdicts(view, (check,)) if v.check == check)
    assert found_keys(found) == mutant.keys
    worst = next(v for v in found if v.status in ("warn", "fail"))
    assert not mutant.status or worst.status == mutant.status
    assert all(v.n_bad == len(v.keys) for v in found)
    assert worst.n_checked > 0
    assert worst.note
    assert worst.remedy


@pytest.mark.parametrize("seed", SEEDS)
def test_the_clean_twin_passes_every_check(seed: int) -> None:
    view = MemoryView(MODEL, with_raw(facts(seed)), sync=sync_log(), shapes=shapes())
    found = verdicts(view)
    assert {v.check for v in found} == set(check_ids(MODEL))
    assert [(v.check, v.status, v.note) for v in found if v.status != "pass"] == []
    assert all(v.n_checked > 0 for v in found)


@pytest.mark.parametrize(
    ("mutate", "owner", "name", "explained"),
    [
        (
            missing_days,
            "missing_days",
            "Missing days",
            {"sum_outlet_area", "ratio_recomputed", "volume", "uv_bound"},
        ),
        (all_zero_rows, "all_zero_rows", "All-zero rows", {"sum_outlet_area", "uv_bound", "identity:rate"}),
        (unit_drift, "unit_drift", "Unit drift", {"identity:rate"}),
        (identity_parts, "identity:parts", "Food + Other = Sales", {"sum_outlet_area"}),
    ],
)
def test_one_fault_is_one_issue(
    mutate: Callable[[pd.DataFrame, np.random.Generator], Mutant], owner: str, name: str, explained: set[str]
) -> None:
    mutant = mutate(facts(5), np.random.default_rng(5))
    found = verdicts(MemoryView(MODEL, mutant.rows, sync=mutant.sync, shapes=mutant.shapes))
    issues = {v.check for v in found if v.status in ("warn", "fail")}
    told = {v.check for v in found if f'explained by "{name}"' in v.note}
    assert issues == {owner}
    assert told
    assert told <= explained


def test_an_explained_disagreement_is_listed_when_asked_for_and_names_its_cause() -> None:
    mutant = missing_days(facts(5), np.random.default_rng(5))
    view = MemoryView(MODEL, mutant.rows, sync=mutant.sync, shapes=mutant.shapes)
    (found,) = verdicts(view, ("sum_outlet_area",))
    (lost,) = mutant.keys
    assert found_keys((found,)) == {(lost[0], "area", lost[2], "")}
    assert found.status == "fail"
    assert "Missing days" in found.note
