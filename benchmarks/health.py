"""All data-health checks against the floor: adding up 19 columns of every row of the same serving file."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator

from askcore.base.config import Settings
from askcore.base.values import Verdict
from askcore.checks.catalogue import CHECKS, run_checks
from askcore.checks.frame import Frame
from askcore.checks.limits import load_limits
from askcore.checks.measures import measure
from askcore.checks.missing_days import entity_gaps
from benchmarks.bench import Bench, child
from benchmarks.big_lake import AS_OF, BigLake, big_lake
from benchmarks.measure import interleave
from benchmarks.query import by_hand
from benchmarks.report import Line, pair_figures, ratio_line

_FLOOR_COLUMNS = 19
_MOST_ONE_PASS = 3.0
_GOAL_FROM = 5_000_000  # rows: below, planning the statement is a good part of its time
_MOST_MB = 500


def run(bench: Bench) -> Iterator[Line]:
    """The one-pass part with its goal; missing days; everything together; other tools if asked for."""
    yield from _floor_lines(bench)
    yield from _memory_lines(bench)
    if bench.peers:
        from benchmarks.peers import compare

        yield from compare.run(bench)


def _floor_lines(bench: Bench) -> Iterator[Line]:
    with big_lake(bench.cache, bench.rows) as lake, by_hand(lake.file) as con:
        frame = frame_of(lake)
        columns = ", ".join(f'sum("{m.key}")' for m in frame.stored[:_FLOOR_COLUMNS])

        def floor() -> object:
            return con.execute(f"SELECT {columns} FROM fact").fetchall()

        base = f"sum of {_FLOOR_COLUMNS} columns"
        pairs = interleave(lambda: measure(frame_of(lake), CHECKS), floor)
        name = "one pass for all row checks"
        if bench.rows >= _GOAL_FROM:
            yield ratio_line(name, pairs, _MOST_ONE_PASS, base=base)
        else:
            yield Line(name=name, figures=pair_figures(pairs, base))
        pairs = interleave(lambda: entity_gaps(frame_of(lake), frame.leaf), floor)
        yield Line(name="missing days", figures=pair_figures(pairs, base))
        found = _all(lake)
        pairs = interleave(lambda: _all(lake), floor)
        bad = ", ".join(f"{v.check} {v.n_bad:,}" for v in found if v.n_bad)
        note = f"; {len(found)} verdicts, {_statements(lake)} statements; found {bad}"
        yield Line(name="all checks", figures=f"{pair_figures(pairs, base)}{note}")


def _memory_lines(bench: Bench) -> Iterator[Line]:
    """Peaks of fresh processes, with the default limit of DuckDB and without one."""
    for limit in (Settings().duckdb_memory_mb, 0):
        for part, name in (("pass", "one pass"), ("all", "all checks")):
            arguments = [str(bench.cache), str(bench.rows), str(limit), part]
            said = child([sys.executable, "-m", "benchmarks.health_memory", *arguments])
            told = json.loads(said.strip().splitlines()[-1])
            set_to = "" if limit else ", ASKCORE_DUCKDB_MEMORY_MB=0"
            yield Line(
                name=f"peak memory, {name}{set_to}",
                figures=f"{told['peak_mb']:.0f} MB, {told['opened_mb']:.0f} MB when opened, first run"
                f" {told['seconds']:.1f} s",
                goal=f"≤ {_MOST_MB} MB" if limit else "",
                is_held=told["peak_mb"] <= _MOST_MB if limit else None,
            )


def frame_of(lake: BigLake) -> Frame:
    """A new one each time: it remembers what it has read."""
    period = lake.view.catalog.period
    assert period is not None
    return Frame(view=lake.view, period=period, as_of=AS_OF, lang="en", limits=load_limits())


def _all(lake: BigLake) -> tuple[Verdict, ...]:
    return run_checks(lake.view, period=frame_of(lake).period, as_of=AS_OF, lang="en")


def _statements(lake: BigLake) -> int:
    """How many statements one run of everything sends."""
    view = lake.view
    sent: list[str] = []

    class Counting:
        """The view, counting."""

        def __getattr__(self, name: str) -> object:
            return getattr(view, name)

        def run(self, sql: str, *args: object, **how: object) -> object:
            sent.append(sql)
            return view.run(sql, *args, **how)  # type: ignore[arg-type]

    run_checks(Counting(), period=frame_of(lake).period, as_of=AS_OF, lang="en")  # type: ignore[arg-type]
    return len(sent)
