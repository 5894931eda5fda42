"""One figure read from a text, before anything is known about where it comes from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from askcore.base.values import CellUnit

Hedge = Literal["", "about", "over", "under"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A figure as written."""

    start: int
    end: int
    value: float
    """pct and pp as fractions, like cells."""
    quantum: float
    """The step of the last written digit, in the unit of `value`."""
    unit: CellUnit
    scale: float = 1.0
    """What multiplier and unit made of one written unit."""
    bare: bool = False
    """Neither multiplier nor unit was written."""
    explicit_sign: int = 0
    """+1 or -1 when a sign stands before the digits, else 0."""
    glued_sign: bool = False
    """The sign touches a word, so it may be a dash."""
    word_sign: int = 0
    """The direction that the word itself has: halved = -1."""
    hedge: Hedge = ""
    """A hedge that the word itself has: two tenths = about 20 %."""
    is_points: bool = False
    """Written as "points", which may be percentage points."""

    @property
    def digits(self) -> int:
        """Number of significant digits as written, at least 1."""
        steps = abs(self.value) / self.quantum
        return len(f"{round(steps)}") if steps < 1e15 else 16
