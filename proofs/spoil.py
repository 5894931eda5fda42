"""How a twin is spoiled, and how what the catalogue tells of it is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pandas as pd

from askcore.base.values import Period, Verdict
from askcore.base.views import SyncRow
from askcore.checks.catalogue import run_checks
from askcore.semantic.shape import Shape
from proofs import halls
from proofs.proof import Evidence, Proof
from tests.unit.checks.memory_view import MemoryView

if TYPE_CHECKING:
    from askcore.lake import LakeView

Key = tuple[str, str, str, str, str]
"""Day, scope, network, district, hall."""
WHOLE = Period(start=halls.START, end=halls.END)


@dataclass(frozen=True, kw_only=True)
class Spoiled:
    """A mutant and what must be told of it."""

    rows: pd.DataFrame
    keys: frozenset[Key]
    status: str
    sync: Sequence[SyncRow] = field(default_factory=halls.sync_log)
    shapes: tuple[Shape, Shape] = field(default_factory=halls.shapes)


Spoil = Callable[[pd.DataFrame, np.random.Generator], Spoiled]


def key(day: date, entity: str) -> Key:
    """The row key of an entity, by the length of its id."""
    scope = {2: "network", 4: "district", 6: "hall"}[len(entity)]
    ids = (entity[:2], entity[:4] if len(entity) > 2 else "", entity if len(entity) > 4 else "")
    return (day.isoformat(), scope, *ids)


def at(rows: pd.DataFrame, day: date, entity: str) -> pd.Series:
    """Mask of the entity's own row of a day."""
    names = ("networkId", "districtId", "hallId")
    found = rows["date"] == day
    for name, value in zip(("scope", *names), key(day, entity)[1:], strict=True):
        found &= rows[name] == value
    return found


def pick(rng: np.random.Generator) -> tuple[date, str]:
    """A day well inside the lake and a hall."""
    day = halls.days()[int(rng.integers(10, halls.DAYS - 10))]
    return day, halls.HALLS[int(rng.integers(len(halls.HALLS)))]


def memory(spoiled: Spoiled) -> LakeView:
    """The mutant as a view in memory."""
    view = MemoryView(
        halls.model(), halls.packed(spoiled.rows), sync=spoiled.sync, shapes=spoiled.shapes
    )  # fmt: skip
    return cast("LakeView", view)


@lru_cache(maxsize=2)
def clean_view(seed: int) -> LakeView:
    """The clean twin as a view in memory."""
    return memory(Spoiled(rows=halls.clean(seed), keys=frozenset(), status="pass"))


def keys_of(found: Sequence[Verdict]) -> frozenset[Key]:
    """All bad keys."""
    return frozenset(
        cast("Key", tuple(k.get(name, "") for name in ("date", "scope", *halls.IDS)))
        for v in found
        if v.status in ("warn", "fail")
        for k in v.keys
    )


def told(found: Sequence[Verdict]) -> tuple[str, frozenset[Key]]:
    """(the worst status, bad keys); a pass that looked at nothing is no pass."""
    order = ("fail", "warn", "skip", "pass")
    worst = min((v.status for v in found), key=order.index, default="nothing")
    if worst == "pass" and not all(v.n_checked for v in found):
        worst = "pass of nothing"
    return worst, keys_of(found)


def of_catalogue(check: str, mutant: str, spoil: Spoil, *, alone: bool = False) -> Proof:
    """A check of the catalogue. alone: the whole catalogue runs and the fault is one issue."""

    def prove(seed: int) -> Evidence:
        spoiled = spoil(halls.clean(seed), np.random.default_rng(seed))
        ids = None if alone else (check,)
        both = [
            run_checks(view, period=WHOLE, as_of=halls.AS_OF, lang="en", ids=ids)
            for view in (memory(spoiled), clean_view(seed))
        ]
        found, twin = ([v for v in one if alone or v.check == check] for one in both)
        issues = {v.check for v in found if v.status in ("warn", "fail")}
        return Evidence(
            planted=({check}, spoiled.status, spoiled.keys),
            found=(issues, *told(found)),
            twin=told(twin),
            silence=("pass", frozenset()),
        )

    return Proof(of=check, kind="check", mutant=mutant, prove=prove)


def changed(rows: pd.DataFrame, mask: pd.Series, values: Mapping[str, Any]) -> pd.DataFrame:
    """A copy with some values set where the mask holds."""
    found = rows.copy()
    for name, value in values.items():
        found.loc[mask, name] = value
    return found
