"""`import askcore.service` in a fresh process, and one question on the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from benchmarks.bench import Bench
from benchmarks.measure import MIN_PAIRS, Spread, interleave
from benchmarks.processes import imported_by, python, timed_import
from benchmarks.report import Line, pair_figures, ratio_line

_MOST_IMPORT_S = 0.5
_MOST_ASK = 1.3
_IMPORTS = 7
_QUESTION = "上周各门店营业额"


def run(bench: Bench) -> Iterator[Line]:
    """The import, then the question."""
    yield _facade()
    home, _ = bench.demo
    ask = ["ask", _QUESTION, "--dataset", "demo", "--planner", "rules"]
    imported = imported_by(ask, home)
    modules = [name for name, is_foreign in imported.items() if is_foreign]
    packages = sorted({m.partition(".")[0].lstrip("_") for m in modules})
    question = python("-m", "askcore", *ask, home=home)
    question()  # compiles the rest
    pairs = interleave(question, _importing(modules), pairs=MIN_PAIRS + 2)
    note = f"; {len(modules)} modules of {', '.join(packages)}"
    yield ratio_line("one question on the command line", pairs, _MOST_ASK, base="its libraries", note=note)
    own = [name for name in imported if name.startswith("askcore")]
    both = interleave(_importing([*modules, *own]), _importing(modules))
    figures = f"{pair_figures(both, 'libraries alone')}; {len(own)} modules"
    yield Line(name="of which imports, with AskLake's own", figures=figures)


def _facade() -> Line:
    timed_import("askcore.service")  # compiles
    found = [timed_import("askcore.service") for _ in range(_IMPORTS)]
    spread = Spread.of([ms / 1000 for ms, _ in found])
    return Line(
        name="import askcore.service",
        figures=f"{spread.text()} s, {found[0][1]} modules",
        goal=f"≤ {_MOST_IMPORT_S:g} s",
        is_held=spread.median <= _MOST_IMPORT_S,
    )


def _importing(modules: list[str]) -> Callable[[], object]:
    """A process that imports them and nothing else."""
    names = [m for m in modules if all(part.isidentifier() for part in m.split("."))]
    return python("-c", f"import {', '.join(names)}")
