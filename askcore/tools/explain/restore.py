"""Where the children of a row do not add up to it: the one missing child, or a segment that says so.

A shop without a row, or with a row of zeros, while its chain counted something: when it is the only such
shop of the chain on that day, its value is the chain's less the other shops', exactly. Otherwise the
difference is a segment of its own with the rows in question, never spread over others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

Missing = Literal["undelivered", "mismatch"]
"""undelivered: several children have no row or zeros. mismatch: no child is missing, or too much is there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """One entity of the upper level on one day."""

    path: tuple[str, ...]
    """Ids from the top level down to the entity."""
    day: date


@dataclass(frozen=True, slots=True, kw_only=True)
class ChildRow:
    """A row that was delivered."""

    id: str
    is_zero: bool
    """No trade, or no value of the metric."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """A child's amounts on a day, as the level above implies them; one a component."""

    spot: Spot
    child: str
    amounts: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unrestored:
    """A difference that no single child accounts for."""

    spot: Spot
    kind: Missing
    children: tuple[str, ...]
    """Children without a row or with zeros."""
    amounts: tuple[float, ...]


def restore(
    gaps: Mapping[Spot, tuple[float, ...]],
    rows: Mapping[Spot, Sequence[ChildRow]],
    due: Callable[[Spot], Sequence[str]],
) -> tuple[list[Restored], list[Unrestored]]:
    """Every gap as a restored child or a named difference.

    gaps: parent minus Σ children, one a component. rows: the children that have a row. due: ids of the
    children that should have one on that day.
    """
    restored: list[Restored] = []
    left: list[Unrestored] = []
    for spot, amounts in gaps.items():
        there = rows.get(spot, ())
        lacking = {r.id for r in there if r.is_zero}
        lacking |= frozenset(due(spot)) - {r.id for r in there}
        is_plain = min(amounts) >= 0
        if is_plain and len(lacking) == 1:
            restored.append(Restored(spot=spot, child=next(iter(lacking)), amounts=amounts))
        else:
            kind: Missing = "undelivered" if is_plain and lacking else "mismatch"
            left.append(Unrestored(spot=spot, kind=kind, children=tuple(sorted(lacking)), amounts=amounts))
    return restored, left
