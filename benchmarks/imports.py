"""`import askcore.service` in a fresh process, and one question on the command line."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.bench import Bench
from benchmarks.measure import MIN_PAIRS, Spread, interleave
from benchmarks.processes import imported_by, python, timed_import
from benchmarks.report import Line, ratio_line

_MOST_IMPORT_S = 0.5
_MOST_ASK = 1.3
_IMPORTS = 7
_QUESTION = "上周各门店营业额"


def run(bench: Bench) -> Iterator[Line]:
    """The import, then the question."""
    yield _facade()
    home, _ = bench.demo
    ask = ["ask", _QUESTION, "--dataset", "demo", "--planner", "rules"]
    modules = imported_by(ask, home)
    packages = sorted({m.partition(".")[0].lstrip("_") for m in modules})
    pairs = interleave(
        python("-m", "askcore", *ask, home=home),
        python("-c", f"import {', '.join(_importable(modules))}"),
        pairs=MIN_PAIRS + 2,
    )
    note = f"; {len(modules)} modules of {', '.join(packages)}"
    yield ratio_line("one question on the command line", pairs, _MOST_ASK, base="its libraries", note=note)


def _facade() -> Line:
    found = [timed_import("askcore.service") for _ in range(_IMPORTS)]
    spread = Spread.of([ms / 1000 for ms, _ in found])
    return Line(
        name="import askcore.service",
        figures=f"{spread.text()} s, {found[0][1]} modules",
        goal=f"≤ {_MOST_IMPORT_S:g} s",
        is_held=spread.median <= _MOST_IMPORT_S,
    )


def _importable(modules: list[str]) -> list[str]:
    """Without parts that only their package can import, such as those it registers itself."""
    return [m for m in modules if all(part.isidentifier() for part in m.split("."))]
