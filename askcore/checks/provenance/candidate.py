"""A value that a figure may cite: a cell, or one step of arithmetic over cells."""

from __future__ import annotations

from typing import Literal, NamedTuple

from askcore.base.values import Cell, CellUnit

Nature = Literal["level", "change", "share"]

NOBODY: frozenset[str] = frozenset()
CHANGE_ROLES = ("delta", "pctchg")
LEVEL_ROLES = ("value", "total")


class Candidate(NamedTuple):
    """One admissible value; formulas are worded only for the candidate that is cited.

    A tuple and not a dataclass: thousands are made for one answer.
    """

    value: float
    unit: CellUnit
    nature: Nature
    """A change has a direction; a share may only be cited as one."""
    recipe: str
    """Formula with {0}, {1} for the cells; "" for a cell itself."""
    cells: tuple[Cell, ...]
    metrics: frozenset[str]
    entities: frozenset[str]
    """Whose value it is; empty for the aggregate and for whole columns."""
    buckets: frozenset[str] = NOBODY
    """Time buckets it stands on."""
    is_mean: bool = False
    """Per day or per row: the text must say so."""
    is_extreme: bool = False
    """One row's value that stands for its column."""

    @property
    def depth(self) -> Literal[0, 1]:
        """0: a cell as it is; 1: one step of arithmetic."""
        return 1 if self.recipe else 0

    @property
    def source(self) -> str:
        """The cells by name, like "t1:Shop A.grossAmt"."""
        return ", ".join(name_of(cell) for cell in self.cells)

    @property
    def formula(self) -> str:
        """The derivation in words; "" for a cell itself."""
        return self.recipe.format(*(name_of(cell) for cell in self.cells)) if self.recipe else ""


def name_of(cell: Cell) -> str:
    """The address of a cell: step, entity, metric, role and period."""
    owner = f"{cell.entity}." if cell.entity else ""
    role = "" if cell.role in LEVEL_ROLES else f"[{cell.role}]"
    period = "" if cell.period == "cur" else f"@{cell.period}"
    return f"{cell.step}:{owner}{cell.metric}{role}{period}"


def from_cell(cell: Cell) -> Candidate:
    """The cell itself as a candidate."""
    return Candidate(
        cell.value,
        cell.unit,
        nature_of(cell),
        "",
        (cell,),
        frozenset({cell.metric}),
        frozenset({cell.entity}) if cell.entity else NOBODY,
        frozenset({cell.period}) if is_bucket(cell.period) else NOBODY,
    )


def nature_of(cell: Cell) -> Nature:
    """What kind of value a cell holds."""
    if cell.role in CHANGE_ROLES:
        return "change"
    return "share" if cell.role == "share" else "level"


def is_bucket(period: str) -> bool:
    """Whether a period is the label of a time bucket, "2026-10-17" or "2026-Q3".

    The current and the base period are none, nor are their variants on another basis ("cur_same").
    """
    return period[:1].isdigit()
