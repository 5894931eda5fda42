"""Whether a value fits a figure: unit, rounding, hedge, direction. No context of the sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from askcore.base.values import CellUnit
from askcore.checks.provenance.candidate import Candidate
from askcore.checks.provenance.direction import Wording
from askcore.checks.provenance.lexicon import TIMES_WORD
from askcore.checks.provenance.mention import Hedge, Mention

Fit = Literal["fits", "wrong_sign", "no"]

HEDGE_SHARE: Final = 0.05  # "about" may be off by 5 %
BOUND_SHARE: Final = 0.10  # "over" and "under" hold within 10 %
ROUNDING: Final = 4e-16  # a float's own error on values near the half step
ACCEPTED: Final[Mapping[CellUnit, frozenset[CellUnit]]] = {
    "pct": frozenset({"pct"}),
    "pp": frozenset({"pp"}),
    "money": frozenset({"money", "plain"}),
    "count": frozenset({"count", "plain"}),
    "days": frozenset({"days", "count", "plain"}),
    "x": frozenset({"x", "plain"}),
    "score": frozenset({"score", "plain", "count"}),
    "min": frozenset({"min", "plain"}),
    "rank": frozenset({"rank"}),
    "plain": frozenset({"money", "count", "score", "min", "plain", "days", "x", "rank"}),
}
MIN_DIGITS: Final = 2  # derived values: one digit fits nearly anything
MIN_DIGITS_PLAIN: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One way to take a figure: its unit, value and step."""

    units: frozenset[CellUnit]
    value: float
    quantum: float
    low: float
    """Smallest magnitude that fits."""
    high: float
    wording: Wording
    digits: int
    is_whole: bool
    """A bare whole number of one digit, which never rounds a decimal."""
    is_plain: bool
    glued_sign: bool
    assumed: bool = False
    """The unit was not written."""

    @property
    def is_rate(self) -> bool:
        """Read as a percentage or as percentage points."""
        return bool(self.units & {"pct", "pp"})

    def holds(self, candidate: Candidate) -> bool:
        """Whether unit and magnitude fit."""
        return candidate.unit in self.units and self.low <= abs(candidate.value) <= self.high


def readings(mention: Mention, wording: Wording, written: str) -> tuple[Reading, ...]:
    """All ways to take the figure, the literal one first."""
    literal = _reading(mention, wording, mention.unit)
    if written.endswith(TIMES_WORD) and wording.role == "change":
        return (_reading(mention, wording, "pct"),)  # "grew by 1.5 times" is a change of +150 %
    if mention.is_points:
        return literal, _reading(mention, wording, "pp", scale=0.01, assumed=True)
    if mention.bare:
        as_pct = _reading(mention, wording, "pct", scale=0.01, assumed=True)
        as_fraction = _reading(mention, wording, "pct", assumed=True)
        return literal, as_pct, as_fraction
    return (literal,)


def fit(candidate: Candidate, reading: Reading) -> Fit:
    """Whether the candidate's value may be what the figure says."""
    if not reading.holds(candidate):
        return "no"
    if reading.is_whole and abs(candidate.value - round(candidate.value)) > 1e-9:
        return "no"
    if not _role_allows(candidate, reading):
        return "no"
    return "fits" if _sign_agrees(candidate, reading) else "wrong_sign"


def may_be_derived(reading: Reading) -> bool:
    """Whether a computed value may explain the reading at all: few digits fit nearly anything."""
    if reading.assumed:
        return False
    if reading.is_plain:
        return reading.digits >= MIN_DIGITS_PLAIN
    return reading.is_rate or reading.digits >= MIN_DIGITS


def enough_digits(candidate: Candidate, reading: Reading, *, metric_named: bool) -> bool:
    """Whether the digits tell a computed value apart.

    One digit is enough for a rate of change of a metric that the sentence names.
    """
    return reading.digits >= MIN_DIGITS or (candidate.nature == "change" and metric_named)


def _reading(
    mention: Mention,
    wording: Wording,
    unit: CellUnit,
    *,
    scale: float = 1.0,
    assumed: bool = False,
) -> Reading:
    digits = mention.digits
    value, quantum = mention.value * scale, mention.quantum * scale
    low, high = _bounds(abs(value), quantum, wording.hedge)
    return Reading(
        units=ACCEPTED[unit],
        value=value,
        quantum=quantum,
        low=low,
        high=high,
        wording=wording,
        digits=digits,
        is_whole=(unit in ("plain", "count") and mention.quantum == 1 and digits < 2 and not wording.hedge),
        is_plain=mention.bare,
        glued_sign=mention.glued_sign,
        assumed=assumed,
    )


def _bounds(size: float, step: float, hedge: Hedge) -> tuple[float, float]:
    """The magnitudes that a figure of this size, step and hedge may stand for."""
    if hedge == "over":
        return size * (1 - 1e-9), size * (1 + BOUND_SHARE) + step
    if hedge == "under":
        return max(size * (1 - BOUND_SHARE) - step, 0.0), size * (1 + 1e-9)
    slack = step / 2 * (1 + 1e-9) + 1e-12 + ROUNDING * size
    if hedge == "about":
        slack = max(slack, HEDGE_SHARE * size)
    return size - slack, size + slack


def _role_allows(candidate: Candidate, reading: Reading) -> bool:
    role = reading.wording.role
    if role == "level":
        return candidate.nature != "change"
    if not reading.is_rate:
        return True
    if role == "share":
        return candidate.nature != "change" or candidate.unit == "pp"
    if reading.wording.sign == 0 or candidate.nature == "change":
        return True
    return role == "any" and candidate.nature == "share"


def _sign_agrees(candidate: Candidate, reading: Reading) -> bool:
    sign = reading.wording.sign
    if sign == 0 or candidate.value == 0 or candidate.unit == "rank":
        return True
    if candidate.nature != "change" and (reading.wording.role != "any" or reading.glued_sign):
        return True  # a direction word beside a level does not describe the level
    if candidate.nature == "level" and sign > 0:
        return True
    return (candidate.value > 0) == (sign > 0)
