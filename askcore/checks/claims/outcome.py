"""What the cells say to one way of reading a claim, and how several readings combine."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from askcore.checks.claims.word_claim import WordStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The verdict of the cells with its grounds."""

    status: WordStatus
    why: str = ""


UNKNOWN = Outcome(status="unknown")


def decided(holds: bool | None, why: str = "") -> Outcome:
    """Supported, contradicted, or unknown for None."""
    if holds is None:
        return UNKNOWN
    return Outcome(status="supported" if holds else "contradicted", why=why)


def any_of(outcomes: Iterable[Outcome]) -> Outcome:
    """One claim in several readings: it is only wrong when every reading is.

    A reading that the cells cannot decide might be the one meant.
    """
    found = list(outcomes)
    for wanted in ("supported", "unknown"):
        for outcome in found:
            if outcome.status == wanted:
                return outcome
    return found[0] if found else UNKNOWN


def decided_of(outcomes: Iterable[Outcome]) -> Outcome:
    """As `any_of`, but leaving out the readings that cannot be decided."""
    return any_of(o for o in outcomes if o.status != "unknown")


def all_of(outcomes: Iterable[Outcome]) -> Outcome:
    """A claim of several subjects: one counterexample refutes it."""
    found = list(outcomes)
    for wanted in ("contradicted", "unknown"):
        for outcome in found:
            if outcome.status == wanted:
                return outcome
    return found[0] if found else UNKNOWN


def denied(outcome: Outcome) -> Outcome:
    """The opposite claim."""
    opposite: dict[WordStatus, WordStatus] = {
        "supported": "contradicted", "contradicted": "supported", "unknown": "unknown",
    }  # fmt: skip
    return Outcome(status=opposite[outcome.status], why=outcome.why)
