"""Rows of chains and companies from the rows below: sums for money and orders, de-duplicated people."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from askcore.lake.demo.panel import MONEY, ORDERS, PEOPLE, WEIGHTED, Panel
from askcore.lake.demo.season import COVERED, Floats

Flags = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]


def roll_up(
    children: Panel, parents: Sequence[Sequence[int]], overlap: np.random.Generator, plain: Flags
) -> Panel:
    """One row per parent and day.

    parents: the children's rows of each parent. overlap: draws the share of people seen by more than
    one child. plain: parents x days on which nobody overlaps, so that people are plain sums.
    """
    kept = np.clip(
        overlap.uniform(0.945, 0.968, (len(parents), 1))
        + overlap.normal(0, 0.002, (len(parents), COVERED.days)),
        0.94,
        0.975,
    )
    kept = np.where(plain, 1.0, kept)
    found = {key: _sums(children[key], parents) for key in (*MONEY, *ORDERS)}
    found |= _people({key: _sums(children[key], parents) for key in PEOPLE}, kept)
    weight = children["validOrderCnt"]
    for key, decimals in WEIGHTED.items():
        weighted = _sums(children[key] * weight, parents) / found["validOrderCnt"]
        found[key] = np.round(weighted, decimals)
    shops = _sums(np.where(np.isnan(weight), np.nan, 1.0), parents)
    found["openMinutes"] = np.round(_sums(children["openMinutes"], parents) / shops, 1)
    return found


def _sums(values: Floats, parents: Sequence[Sequence[int]]) -> Floats:
    return np.stack([np.nansum(values[list(rows)], axis=0) for rows in parents])


def _people(sums: Panel, kept: Floats) -> dict[str, Floats]:
    """Fewer people than the children's sum at the children's rates, each step taken from the one before."""
    exposure = np.rint(sums["exposureUv"] * kept)
    visits = np.rint(exposure * sums["visitUv"] / sums["exposureUv"])
    orders = np.rint(visits * sums["orderUv"] / sums["visitUv"])
    new = np.rint(orders * sums["newOrderUv"] / sums["orderUv"])
    return {
        "exposureUv": exposure,
        "visitUv": visits,
        "orderUv": orders,
        "newOrderUv": new,
        "oldOrderUv": orders - new,
    }
