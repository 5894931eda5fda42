"""Our checks against Soda, Great Expectations and pandera on one file, in turns, each in a process.

All tools get the same list of checks and must find what was planted; a tool that finds something else is told
and not compared.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks.bench import Bench, environment
from benchmarks.measure import Spread
from benchmarks.peers.data import Planted, planted
from benchmarks.peers.venvs import TOOLS, Tool, interpreter
from benchmarks.report import Line, Skipped

_WORKERS = Path(__file__).parent / "workers"
_QUIET = {"SODA_CORE_TELEMETRY_ENABLED": "false", "GX_ANALYTICS_ENABLED": "false"}
_ROUNDS, _LEAST_ROUNDS, _BUDGET_S = 6, 3, 200
_MOST_OF_GX = 0.5
_LISTED_UP_TO = 2_000_000  # rows: beyond, the command would take too long
_OURS, _LISTED = "AskLake", "AskLake with all rows listed"


@dataclass
class Worker:
    """A tool's process."""

    name: str
    process: subprocess.Popen[str]
    version: str
    start_s: float
    walls_ms: list[float] = field(default_factory=list)
    found: dict[str, int] = field(default_factory=dict)
    peak_mb: float = 0.0

    def turn(self) -> None:
        """One execution of the whole list. Raises: Skipped when the tool fails."""
        told = _said(self.process, self.name, "run")
        self.walls_ms.append(told["wall_ms"])
        self.found = {name: n for name, n in told["found"].items() if n}

    def end(self) -> None:
        """Let it finish, and keep its largest resident size."""
        self.peak_mb = _said(self.process, self.name, "end")["peak_mb"]


def run(bench: Bench) -> Iterator[Line]:
    """What each tool found, then how many times as long it took."""
    data = planted(bench.cache, bench.rows)
    yield Line(
        name="file", figures=f"{data.rows:,} rows, {data.checks} checks, {_text(data.expected)} planted"
    )
    with ExitStack() as stack:
        workers, tools = [_start(stack, bench, data, _OURS)], []
        for tool in TOOLS:
            try:
                workers.append(_start(stack, bench, data, tool.name, tool))
                tools.append(tool)
            except Skipped as e:
                yield Line(name=tool.name, figures=f"skipped: {e}")
        if bench.rows <= _LISTED_UP_TO:
            workers.append(_start(stack, bench, data, _LISTED))
        dropped = _take_turns(workers)
        for worker in workers:
            yield _found_line(worker, data)
        for tool, worker in zip(tools, workers[1:], strict=False):
            if worker.found == data.expected:
                yield _ratio_line(worker, workers[0], tool.least, dropped)
        if workers[-1].name == _LISTED:
            yield _listed_line(workers[-1], workers[0], dropped)
        for worker in workers:
            worker.end()
        yield from _memory_lines(workers)


def _start(stack: ExitStack, bench: Bench, data: Planted, name: str, tool: Tool | None = None) -> Worker:
    """A process that waits for its turn. Raises: Skipped when its tool cannot be had."""
    python = Path(sys.executable) if tool is None else interpreter(tool, bench.cache)
    script = _WORKERS / f"{'asklake' if tool is None else tool.worker}.py"
    home = bench.scratch / script.stem
    home.mkdir(exist_ok=True)
    mode = [] if tool is not None else ["rows" if name == _LISTED else "counts"]
    started = time.perf_counter()
    with (home / "log").open("w", encoding="utf-8") as log:
        process = subprocess.Popen(
            [str(python), str(script), str(data.file), str(data.spec), *mode],
            cwd=home,
            env=_environment(home, is_ours=tool is None),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
    stack.callback(_kill, process)
    version = _answer(process, name)["version"]
    return Worker(name=name, process=process, version=version, start_s=time.perf_counter() - started)


def _environment(home: Path, *, is_ours: bool) -> dict[str, str]:
    """Without telemetry, and without our modules for the others."""
    found = environment() | _QUIET | {"HOME": str(home)}
    return found if is_ours else {k: v for k, v in found.items() if k != "PYTHONPATH"}


def _kill(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()


def _said(process: subprocess.Popen[str], name: str, word: str) -> dict[str, Any]:
    assert process.stdin is not None
    process.stdin.write(f"{word}\n")
    process.stdin.flush()
    return _answer(process, name)


def _answer(process: subprocess.Popen[str], name: str) -> dict[str, Any]:
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        raise Skipped(f"{name} ended with {process.wait()}")
    told: dict[str, Any] = json.loads(line)
    return told


def _take_turns(workers: Sequence[Worker]) -> int:
    """Rounds in which each tool runs once, the order turning; how many first ones only warmed up."""
    started, rounds = time.perf_counter(), 0
    while rounds < _ROUNDS and (rounds < _LEAST_ROUNDS or time.perf_counter() - started < _BUDGET_S):
        for place in range(len(workers)):
            workers[(place + rounds) % len(workers)].turn()
        rounds += 1
    return 1 if rounds > _LEAST_ROUNDS else 0


def _found_line(worker: Worker, data: Planted) -> Line:
    is_equal = worker.found == data.expected
    names = sorted(worker.found.keys() | data.expected.keys())
    differing = {n: worker.found.get(n, 0) for n in names if worker.found.get(n) != data.expected.get(n)}
    return Line(
        name=f"found by {worker.name}",
        figures=f"{_text(worker.found)}" + ("" if is_equal else f"; differs in {_text(differing)}"),
        goal="as planted",
        is_held=is_equal,
    )


def _text(found: dict[str, int]) -> str:
    return ", ".join(f"{name} {n:,}" for name, n in sorted(found.items()))


def _ratio_line(theirs: Worker, ours: Worker, least: float, dropped: int) -> Line:
    ratio, median, own = _ratio(theirs, ours, dropped), _median(theirs, dropped), _median(ours, dropped)
    return Line(
        name=theirs.version,
        figures=f"{median:.0f} ms, ours {own:.0f} ms, ratio {ratio.text(1)},"
        f" A/A {_noise(ours, dropped).text()}, {len(ours.walls_ms) - dropped} rounds;"
        f" starts in {theirs.start_s:.1f} s, ours in {ours.start_s:.1f} s",
        goal=f"≥ {least:g} ×",
        is_held=ratio.median >= least,
    )


def _listed_line(listed: Worker, ours: Worker, dropped: int) -> Line:
    ratio = _ratio(listed, ours, dropped)
    figures = f"{_median(listed, dropped):.0f} ms, {ratio.text(1)} × the counts alone"
    return Line(name=listed.name, figures=figures)


def _ratio(worker: Worker, base: Worker, dropped: int) -> Spread:
    pairs = zip(worker.walls_ms[dropped:], base.walls_ms[dropped:], strict=True)
    return Spread.of([theirs / ours for theirs, ours in pairs])


def _noise(worker: Worker, dropped: int) -> Spread:
    walls = worker.walls_ms[dropped:]
    return Spread.of([after / before for before, after in pairwise(walls)])


def _median(worker: Worker, dropped: int) -> float:
    return statistics.median(worker.walls_ms[dropped:])


def _memory_lines(workers: Sequence[Worker]) -> Iterator[Line]:
    peaks = ", ".join(f"{w.name} {w.peak_mb:.0f} MB" for w in workers)
    gx = next((w.peak_mb for w in workers if w.name == "GX"), 0.0)
    ours = workers[0].peak_mb
    if gx:
        goal = f"≤ {_MOST_OF_GX:g} × GX"
        yield Line(name="peak memory", figures=peaks, goal=goal, is_held=ours <= _MOST_OF_GX * gx)
    else:
        yield Line(name="peak memory", figures=peaks)
