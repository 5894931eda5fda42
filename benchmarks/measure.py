"""Two ways of doing the same thing, measured in turns, so that a busy machine slows both.

A single time says little on a shared machine; the ratio of two neighbours does. The same way measured
against itself (A/A) shows what a ratio of 1 looks like here and now.
"""

from __future__ import annotations

import gc
import resource
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

MIN_PAIRS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """What one execution took."""

    wall_ms: float
    cpu_ms: float
    """Of all threads, and of child processes that have ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """Median and quartiles."""

    low: float
    median: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """Of at least one value."""
        if len(values) == 1:
            return cls(low=values[0], median=values[0], high=values[0])
        low, median, high = statistics.quantiles(values, n=4, method="inclusive")
        return cls(low=low, median=median, high=high)

    def text(self, digits: int = 2) -> str:
        """median [lower quartile–upper quartile]."""
        return f"{self.median:.{digits}f} [{self.low:.{digits}f}–{self.high:.{digits}f}]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """Interleaved executions of ours and of the base."""

    ours: tuple[Sample, ...]
    base: tuple[Sample, ...]

    @property
    def ratio(self) -> Spread:
        """Wall time of ours over that of the base, pair by pair."""
        return Spread.of([o.wall_ms / b.wall_ms for o, b in zip(self.ours, self.base, strict=True)])

    @property
    def cpu_ratio(self) -> Spread:
        """The same in processor time."""
        pairs = zip(self.ours, self.base, strict=True)
        return Spread.of([o.cpu_ms / max(b.cpu_ms, 1e-6) for o, b in pairs])

    @property
    def added_ms(self) -> Spread:
        """Wall time of ours minus that of the base, pair by pair."""
        return Spread.of([o.wall_ms - b.wall_ms for o, b in zip(self.ours, self.base, strict=True)])

    @property
    def added_cpu_ms(self) -> Spread:
        """The same in processor time."""
        return Spread.of([o.cpu_ms - b.cpu_ms for o, b in zip(self.ours, self.base, strict=True)])

    @property
    def noise(self) -> Spread:
        """A/A: each execution of the base over the one before."""
        pairs = zip(self.base[1:], self.base, strict=False)
        return Spread.of([after.wall_ms / before.wall_ms for after, before in pairs])

    @property
    def ours_ms(self) -> float:
        """Median wall time of ours."""
        return statistics.median(s.wall_ms for s in self.ours)

    @property
    def base_ms(self) -> float:
        """Median wall time of the base."""
        return statistics.median(s.wall_ms for s in self.base)


def cpu_s() -> float:
    """Processor time of this process and of its ended children."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def sample(run: Callable[[], object]) -> Sample:
    """Execute once; collecting garbage is not part of the time."""
    gc.collect()
    cpu, wall = cpu_s(), time.perf_counter()
    run()
    wall, cpu = time.perf_counter() - wall, cpu_s() - cpu
    return Sample(wall_ms=wall * 1000, cpu_ms=cpu * 1000)


def interleave(
    ours: Callable[[], object],
    base: Callable[[], object],
    *,
    pairs: int = MIN_PAIRS,
    take: Callable[[Callable[[], object]], Sample] = sample,
) -> Pairs:
    """`pairs` executions of each in turns; who goes first changes from pair to pair."""
    found: dict[bool, list[Sample]] = {True: [], False: []}
    for number in range(max(pairs, MIN_PAIRS)):
        for is_ours in (True, False) if number % 2 == 0 else (False, True):
            found[is_ours].append(take(ours if is_ours else base))
    return Pairs(ours=tuple(found[True]), base=tuple(found[False]))
