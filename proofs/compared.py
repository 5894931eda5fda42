"""Mutants for what comparisons and explanations say of themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import numpy as np
import pandas as pd

from askcore.base.values import Period, ToolResult, Verdict
from askcore.tools.explain.asked import Names, resolve_asked
from askcore.tools.explain.explain_verdicts import explanation_verdicts
from askcore.tools.explain.explanation import explain
from proofs import halls, lake
from proofs.proof import Evidence, Proof
from proofs.spoil import Key, at, changed, key, keys_of

Rng = np.random.Generator
Rows = pd.DataFrame
WEEK, BEFORE = halls.END - timedelta(days=6), halls.END - timedelta(days=13)
CURRENT = {"from": WEEK.isoformat(), "to": halls.END.isoformat()}
BASELINE = {"from": BEFORE.isoformat(), "to": (WEEK - timedelta(days=1)).isoformat()}
BOTH: Mapping[str, Any] = {"current": CURRENT, "baseline": BASELINE}
Told = tuple[tuple[str, ...], frozenset[Key]]


def told(result: ToolResult, check: str) -> Told:
    """(statuses, bad keys) of one check's verdicts."""
    found = lake.named(result, check)
    return tuple(v.status for v in found), keys_of(found)


def on_rows(
    check: str,
    mutant: str,
    spoil: Callable[[Rows, Rng], tuple[Rows, Told]],
    ask: Callable[[Any], ToolResult],
    *,
    silence: tuple[str, ...] = ("pass",),
) -> Proof:
    """The same question over a lake whose rows are spoiled, and over the twin."""

    def prove(seed: int) -> Evidence:
        rows, planted = spoil(halls.clean(seed), np.random.default_rng(seed))
        with lake.view_of(rows) as view:
            found = told(ask(view), check)
        twin = told(ask(lake.clean_view(seed)), check)
        return Evidence(planted=planted, found=found, twin=twin, silence=(silence, frozenset()))

    return Proof(of=check, kind="verdict", mutant=mutant, prove=prove)


def on_question(
    check: str, mutant: str, tool: str, asked: Mapping[str, Any], plain: Mapping[str, Any]
) -> Proof:
    """Another question over the twin's lake."""

    def prove(seed: int) -> Evidence:
        view = lake.clean_view(seed)
        found, twin = (told(lake.ask(view, tool, **args), check)[0] for args in (asked, plain))
        return Evidence(planted=("warn",), found=found, twin=twin, silence=("pass",))

    return Proof(of=check, kind="verdict", mutant=mutant, prove=prove)


def compare(**more: Any) -> Callable[[Any], ToolResult]:
    """A comparison of the newest week with the one before."""
    args = {"metrics": ["takings"], **BOTH, **more}
    return lambda view: lake.ask(view, "compare_periods", **args)


def explained(**more: Any) -> Callable[[Any], ToolResult]:
    """The change of the newest week explained."""
    args = {"metric": "takings", **BOTH, **more}
    return lambda view: lake.ask(view, "explain_change", **args)


def in_week(rng: Rng) -> tuple[date, str]:
    """A day inside the newest week but its last one, and a hall of the network that is asked about."""
    mine = [h for h in halls.HALLS if h.startswith("NA")]
    return WEEK + timedelta(days=int(rng.integers(1, 5))), mine[int(rng.integers(len(mine)))]


def lost_row(status: str) -> Callable[[Rows, Rng], tuple[Rows, Told]]:
    """A hall's row of one day is not delivered."""

    def spoil(rows: Rows, rng: Rng) -> tuple[Rows, Told]:
        day, hall = in_week(rng)
        return rows[~at(rows, day, hall)], ((status,), frozenset({key(day, hall)}))

    return spoil


def lost_third(rows: Rows, rng: Rng) -> tuple[Rows, Told]:
    """Three of the six halls have no rows for four days: 12 of 42 are missing, more than a fifth."""
    first = WEEK + timedelta(days=1)
    lost = [(first + timedelta(days=n), hall) for n in range(4) for hall in halls.HALLS[:3]]
    mask = pd.Series(False, index=rows.index)
    for day, hall in lost:
        mask |= at(rows, day, hall)
    return rows[~mask], (("fail",), frozenset(key(*one) for one in lost))


def change_misreported(rows: Rows, rng: Rng) -> tuple[Rows, Told]:
    _, hall = in_week(rng)
    mask = at(rows, halls.END, hall)
    spoiled = changed(rows, mask, {"takings__since": rows.loc[mask, "takings__since"] - 55.0})
    return spoiled, (("warn",), frozenset({key(halls.END, hall)}))


def late(rows: Rows, rng: Rng) -> tuple[Rows, Told]:
    return rows[rows["date"] <= halls.END - timedelta(days=3)], (("warn",), frozenset())


def significance() -> Proof:
    """Every day of the week is told apart from the weekday before by its sign: up, down, up, down."""

    def rows_of(seed: int, growth: float) -> Rows:
        mine = halls.clean(seed)
        mine = mine[mine["scope"] == "hall"].copy()
        for n in range(7):
            old = mine["date"] == WEEK - timedelta(days=7 - n)
            new = mine["date"] == WEEK + timedelta(days=n)
            swing = growth * (1.04 if n % 2 else 0.96) * (0.99 if n == 6 else 1.0)
            for column in ("passes", "extras", "takings", "members"):
                base = mine.loc[old, column if column != "members" else "guests"].to_numpy()
                scale = swing if column != "members" else swing * 0.2
                mine.loc[new, column] = np.round(base * scale, 0 if column == "members" else 2)
                if column == "members":
                    mine.loc[old, column] = np.round(base * 0.2 * (1.002 if n % 3 else 0.998))
            mine.loc[new, "guests"] = mine.loc[old, "guests"].to_numpy()
        mine["takings"] = (mine["passes"] + mine["extras"]).round(2)
        return halls.built(mine)

    def prove(seed: int) -> Evidence:
        ask = compare(metrics=["takings", "joinRate"], significance=True)
        seen = []
        for growth in (1.0, 1.35):
            with lake.view_of(rows_of(seed, growth)) as view:
                seen.append(told(ask(view), "significance")[0])
        return Evidence(planted=("warn", "warn"), found=seen[0], twin=seen[1], silence=("pass", "pass"))

    what = "a change that the days contradict one another about (the twin's is +35 % every day)"
    return Proof(of="significance", kind="verdict", mutant=what, prove=prove)


def attribution_sum() -> Proof:
    """A part is taken out of a split that was exact."""

    def prove(seed: int) -> Evidence:
        ctx = lake.context(lake.clean_view(seed))
        first, second = date.fromisoformat(CURRENT["from"]), date.fromisoformat(BASELINE["from"])
        week = timedelta(days=6)
        names = Names(
            metric="takings",
            current=halls_period(first, week),
            baseline=halls_period(second, week),
            scope=None, by=(), drivers=None, named={}, filters={},
        )  # fmt: skip
        found = explain(resolve_asked(names, ctx), ctx)
        level = found.levels[seed % len(found.levels)]
        split: Any = level.split  # of sums or of rates; both hold their parts
        short = replace(level, split=replace(split, parts=split.parts[1:]))
        spoiled = replace(found, levels=tuple(short if x is level else x for x in found.levels))
        seen = [_sums(explanation_verdicts(one, ctx)) for one in (spoiled, found)]
        return Evidence(planted=("fail", 1), found=seen[0], twin=seen[1], silence=("pass", 0))

    return Proof(of="attribution_sum", kind="verdict", mutant="a split loses one of its parts", prove=prove)


def halls_period(first: date, length: timedelta) -> Period:
    return Period(start=first, end=first + length)


def _sums(found: tuple[Verdict, ...]) -> tuple[str, int]:
    (one,) = (v for v in found if v.check == "attribution_sum")
    return one.status, one.n_bad


def simpson(rows: Rows, rng: Rng) -> tuple[Rows, Told]:
    """Every hall's rate rises by a twentieth while guests move to the halls with the lowest rates."""
    mine = rows[rows["scope"] == "hall"].copy()
    new = mine["date"] >= WEEK
    low = mine["hallId"].str.endswith("X")
    mine.loc[new & low, "guests"] *= 5
    mine.loc[new & ~low, "guests"] = (mine.loc[new & ~low, "guests"] / 2).round()
    share = mine["hallId"].str[-1].map({"X": 0.1, "Y": 0.2, "Z": 0.3})
    mine.loc[new, "members"] = (mine.loc[new, "guests"] * share[new] * 1.05).round()
    return halls.built(mine), (("pass", "warn"), frozenset())


def other_peers(rows: Rows, rng: Rng) -> tuple[Rows, Told]:
    mask = (rows["scope"] == "hall") & (rows["date"] >= WEEK)
    return changed(rows, mask, {"othersCnt": halls.PEERS * 1.5}), (("skip",), frozenset())


def _lone(**more: Any) -> Callable[[Any], ToolResult]:
    return explained(scope="hall", shops=["NA-K-X"], **more)


def missing_own(rows: Rows, rng: Rng) -> tuple[Rows, Told]:
    day, _ = in_week(rng)
    return rows[~at(rows, day, "NA-K-X")], (("warn",), frozenset({key(day, "NA-K-X")}))


def entity_short(rows: Rows, rng: Rng) -> tuple[Rows, Told]:
    day, _ = in_week(rng)
    network = halls.NETWORKS[int(rng.integers(2))]
    lost = (rows["networkId"] == network) & (rows["date"] == day)
    return rows[~lost], (("warn",), frozenset({key(day, network)}))


def _side_by_side(view: Any) -> ToolResult:
    return lake.ask(view, "cross_entity", entity=None, metrics=["takings"], **CURRENT)


def raw_differs(rows: Rows, rng: Rng) -> tuple[Rows, Told]:
    mask = at(rows, WEEK, "NA-K-X")
    spoiled = changed(rows, mask, {"src.spend": rows.loc[mask, "src.spend"] + float(rng.integers(3, 9))})
    return spoiled, (("warn",), frozenset({key(WEEK, "NA-K-X")}))


def _raw(view: Any) -> ToolResult:
    return lake.ask(view, "raw_inspect", key={"date": WEEK.isoformat(), "hall": "NA-K-X"})


_UNEVEN = {
    **BOTH,
    "metrics": ["takings"],
    "baseline": {**BASELINE, "from": (BEFORE - timedelta(days=2)).isoformat()},
}
_SHIFTED = {
    "metrics": ["takings"],
    "current": {"from": WEEK.isoformat(), "to": (WEEK + timedelta(days=4)).isoformat()},
    "baseline": {
        "from": (BEFORE + timedelta(days=2)).isoformat(),
        "to": (WEEK - timedelta(days=1)).isoformat(),
    },
}
_PLAIN = {"metrics": ["takings"], **BOTH}
_TO_TODAY = {"from": (halls.END - timedelta(days=5)).isoformat(), "to": halls.AS_OF.isoformat()}
_LAST_DAY = {"from": halls.END.isoformat(), "to": halls.END.isoformat()}
_DAY_BEFORE = {"from": (halls.END - timedelta(days=1)).isoformat()}
_DAY_BEFORE = {**_DAY_BEFORE, "to": _DAY_BEFORE["from"]}
PROOFS = (
    on_question("period_match", "the baseline is two days longer", "compare_periods", _UNEVEN, _PLAIN),
    on_question(
        "period_match", "five days against five others of the week", "compare_periods", _SHIFTED, _PLAIN
    ),
    on_rows("coverage", "a hall has no row on one of the days compared", lost_row("warn"), compare()),
    on_rows("coverage", "three of six halls have no rows on four days", lost_third, compare()),
    on_rows(
        "freshness",
        "the newest three days are missing where they are asked for",
        late,
        compare(current=_TO_TODAY, baseline=None, mode="previous"),
    ),
    on_rows(
        "source_delta",
        "the source tells another change of the last day",
        change_misreported,
        compare(current=_LAST_DAY, baseline=_DAY_BEFORE, scope="hall"),
    ),
    significance(),
    attribution_sum(),
    on_rows(
        "simpson",
        "every hall's rate rises, the network's falls as guests move",
        simpson,
        explained(metric="joinRate"),
        silence=("pass", "pass"),
    ),
    on_rows(
        "attribution_market",
        "the group of peers is half as large again: no split is made",
        other_peers,
        _lone(),
    ),
    on_rows(
        "restored_rows",
        "a hall has no row, its district counted it",
        lost_row("warn"),
        explained(),
        silence=(),
    ),
    on_rows(
        "missing_rows", "the explained hall itself has no row on a day", missing_own, _lone(), silence=()
    ),
    on_rows("entity_coverage", "one network lacks a day that the other has", entity_short, _side_by_side),
    on_rows("raw_agrees", "the source's own value of a row is another", raw_differs, _raw),
)
