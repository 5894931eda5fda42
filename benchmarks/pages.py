"""What a rerun of each page costs with cached data: processor time, and bytes sent."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

from benchmarks.bench import Bench, child
from benchmarks.measure import Spread
from benchmarks.report import Line

_MOST_MS = {"ask": 60.0, "overview": 100.0, "health": 100.0}
_MOST_KB = 200.0


def run(bench: Bench) -> Iterator[Line]:
    """One line a page."""
    home, _ = bench.demo
    for page in json.loads(child([sys.executable, "-m", "benchmarks.page_probe"], home).splitlines()[-1]):
        yield _line(page)


def _line(page: dict[str, Any]) -> Line:
    name = page["name"]
    if page["error"]:
        return Line(name=name, figures=f"skipped: {page['error']}")
    cpu, trivial = Spread.of(page["cpu_ms"]), Spread.of(page["trivial_ms"])
    noise = Spread.of([b / a for a, b in zip(page["cpu_ms"], page["cpu_ms"][1:], strict=False)])
    kilobytes = page["bytes"] / 1000
    return Line(
        name=name,
        figures=(
            f"cpu {cpu.text(1)} ms a rerun, trivial page {trivial.median:.1f} ms, A/A {noise.text()}, "
            f"{kilobytes:.0f} KB sent, {page['elements']} elements"
        ),
        goal=f"≤ {_MOST_MS[name]:g} ms, ≤ {_MOST_KB:g} KB",
        is_held=cpu.median <= _MOST_MS[name] and kilobytes <= _MOST_KB,
    )
