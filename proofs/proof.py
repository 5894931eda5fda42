"""One proof: a mutant on which a check must fire, and its clean twin on which it must be silent."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

Kind = Literal["check", "verdict", "guard"]
SEEDS = (1, 2, 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What was planted and what was seen, on both sides; compared with `==`."""

    planted: object
    """What must be told of the mutant: status and keys, a ruling, a sentence's presence."""
    found: object
    twin: object
    """What was told of the clean twin."""
    silence: object
    """What a silent twin tells: a pass that evaluated something, never a skip."""

    @property
    def has_fired(self) -> bool:
        """Exactly what was planted was found."""
        return self.planted == self.found

    @property
    def is_silent(self) -> bool:
        """Nothing was told of the twin."""
        return self.twin == self.silence


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """A generator of evidence."""

    of: str
    """Id of the check or guard."""
    kind: Kind
    mutant: str
    """What is done to the clean twin, in one line."""
    prove: Callable[[int], Evidence]
    """From a seed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proved:
    """A proof over all seeds."""

    proof: Proof
    fired: int
    silent: int
    seeds: int
    elapsed_ms: float
    faults: tuple[str, ...] = ()
    """What went wrong, with the seed."""

    @property
    def holds(self) -> bool:
        """Fired and silent on every seed."""
        return self.fired == self.silent == self.seeds


def run(proof: Proof, seeds: Sequence[int] = SEEDS) -> Proved:
    """The proof over the seeds; a generator that breaks is a fault, not the end of the run."""
    started = time.perf_counter()
    fired = silent = 0
    faults: list[str] = []
    for seed in seeds:
        try:
            seen = proof.prove(seed)
        except Exception as e:  # noqa: BLE001 - the other proofs are to be seen as well
            faults.append(f"seed {seed}: {type(e).__name__}: {e}")
            continue
        fired += seen.has_fired
        silent += seen.is_silent
        if not seen.has_fired:
            faults.append(f"seed {seed}: planted {seen.planted!r}, found {seen.found!r}")
        if not seen.is_silent:
            faults.append(f"seed {seed}: the twin tells {seen.twin!r}, silence is {seen.silence!r}")
    return Proved(
        proof=proof,
        fired=fired,
        silent=silent,
        seeds=len(seeds),
        elapsed_ms=(time.perf_counter() - started) * 1000,
        faults=tuple(faults),
    )
