"""What a benchmark says: one line a figure, with its goal and whether it is held."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.measure import Pairs


class Skipped(Exception):
    """The benchmark cannot run here; the text says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One figure."""

    name: str
    figures: str
    goal: str = ""
    is_held: bool | None = None
    """None: information without a goal."""

    def text(self) -> str:
        """`name: figures | goal … | held`."""
        if self.is_held is None:
            return f"  {self.name}: {self.figures}"
        return f"  {self.name}: {self.figures} | goal {self.goal} | {verdict(self)}"


def verdict(line: Line) -> str:
    """`held`, `not held`, or "" for information."""
    if line.is_held is None:
        return ""
    return "held" if line.is_held else "not held"


def ratio_line(name: str, pairs: Pairs, most: float, *, base: str, note: str = "") -> Line:
    """The ratio to the base against the largest one that is fine."""
    return Line(
        name=name,
        figures=f"{pair_figures(pairs, base)}{note}",
        goal=f"≤ {most:g} ×",
        is_held=pairs.ratio.median <= most,
    )


def added_line(name: str, pairs: Pairs, most_ms: float, *, base: str, note: str = "") -> Line:
    """The time on top of the base against the most that is fine.

    The smaller of wall and processor time counts: other work on the machine adds to the first, a second
    thread to the other.
    """
    added, cpu = pairs.added_ms, pairs.added_cpu_ms.median
    return Line(
        name=name,
        figures=f"{pair_figures(pairs, base)}, added {added.text(1)} ms (cpu {cpu:.1f}){note}",
        goal=f"≤ {most_ms:g} ms added",
        is_held=min(added.median, cpu) <= most_ms,
    )


def pair_figures(pairs: Pairs, base: str) -> str:
    """Medians, ratios and the noise of the base."""
    return (
        f"{pairs.ours_ms:.1f} ms, {base} {pairs.base_ms:.1f} ms, ratio {pairs.ratio.text()}, "
        f"cpu {pairs.cpu_ratio.median:.2f}, A/A {pairs.noise.text()}"
    )
