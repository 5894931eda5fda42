"""What a later load did to numbers that were told before: the restatement ledger's values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SubjectKind = Literal["run", "report"]
RestatedState = Literal["same", "moved", "unreachable"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedFigure:
    """One figure as told and as it is now."""

    address: str
    """"s1.t1:S0101.grossAmt": as in a report's `Figure`."""
    label: str
    """For a reader: whose, which metric, which days."""
    was: float
    now: float | None
    """None: there is no such row any more."""
    unit: str
    """Of a table's column or of a cell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Restatement:
    """One answer or report against one later version."""

    subject: SubjectKind
    subject_id: str
    viewer: str
    """Whose it is."""
    dataset: str
    was_version: int
    """The version that it was told on."""
    version: int
    """The version that it was compared with."""
    state: RestatedState
    figures: int
    """Figures compared; 0 = none that the load can have moved."""
    moved: tuple[MovedFigure, ...]
    """The first ones; `n_moved` counts all."""
    n_moved: int
    checked_at: float
    why: str = ""
    """Why figures could not be made again; "" when all could."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """An answer or a kept report that may be restated."""

    kind: SubjectKind
    id: str
    viewer: str
    version: int
