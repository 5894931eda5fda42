"""Mutants of dimensions: a value that the model does not list, or that no load before the newest one held."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache
from typing import TYPE_CHECKING, cast

import numpy as np
import pandas as pd

from askcore.base.values import Period
from askcore.checks.catalogue import run_checks
from askcore.semantic.model import Model
from askcore.semantic.parse import parse_model
from askcore.semantic.shape import Shape
from proofs.proof import Evidence, Proof
from tests.unit.checks.memory_view import MemoryView

if TYPE_CHECKING:
    from askcore.lake import LakeView

_MODEL = """
version: 1
model: desks
dataset:
  time: {column: date}
  levels:
  - {key: desk, zh: Desk, en: Desk, id: deskId, name: deskId}
  dimensions:
  - {key: door, label: {zh: Door, en: Door}, column: door VALUES}
metrics:
- {key: fees, label: {zh: Fees, en: Fees}, unit: CNY, additivity: {kind: sum}}
- {key: visits, label: {zh: Visits, en: Visits}, unit: order, additivity: {kind: sum}}
"""
_LISTED = ", values: {front: {zh: Front, en: Front}, back: {zh: Back, en: Back}}"
_START, _DAYS = date(2026, 7, 6), 21


@cache
def _model(listed: bool) -> Model:
    return parse_model(_MODEL.replace(" VALUES", _LISTED if listed else ""))


def _clean(seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    rows = [
        {
            "date": _START + timedelta(days=n), "scope": "desk", "deskId": f"T{desk}",
            "door": "front" if desk < 2 else "back",
            "fees": float(rng.integers(90, 110)), "visits": int(rng.integers(8, 12)),
        }
        for n in range(_DAYS)
        for desk in range(4)
    ]  # fmt: skip
    return pd.DataFrame(rows)


def _told(rows: pd.DataFrame, *, listed: bool) -> tuple[str, list[tuple[str, str]]]:
    before = Shape(version=1, columns={"fees": "money"}, values={"door": ("front", "back")})
    shapes = () if listed else (Shape(version=2, columns=before.columns, values=before.values), before)
    view = cast("LakeView", MemoryView(_model(listed), rows, shapes=shapes))
    period = Period(start=_START, end=_START + timedelta(days=_DAYS - 1))
    (found,) = run_checks(
        view, period=period, as_of=period.end + timedelta(days=1), lang="en", ids=("enum",)
    )  # fmt: skip
    return found.status, sorted((k["date"], k["deskId"]) for k in found.keys)


def _proof(mutant: str, *, listed: bool) -> Proof:
    def prove(seed: int) -> Evidence:
        rng = np.random.default_rng(seed)
        rows, row = _clean(seed), int(rng.integers(_DAYS * 4))
        spoiled = rows.copy()
        spoiled.loc[row, "door"] = "roof"
        key = (str(rows["date"][row]), str(rows["deskId"][row]))
        return Evidence(
            planted=("warn", [key]),
            found=_told(spoiled, listed=listed),
            twin=_told(rows, listed=listed),
            silence=("pass", []),
        )

    return Proof(of="enum", kind="check", mutant=mutant, prove=prove)


PROOFS = (
    _proof("a dimension holds a value that the model does not list", listed=True),
    _proof("a dimension holds a value that no load before held", listed=False),
)
