"""The tool `query_report` against the same SQL written by hand, on the same serving file."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from askcore.base.config import Settings
from askcore.base.values import ToolResult
from askcore.tools.base import ToolContext, call
from askcore.tools.query_report import TOOL
from benchmarks.bench import Bench
from benchmarks.big_lake import AS_OF, BigLake, big_lake
from benchmarks.measure import interleave
from benchmarks.query_shapes import Shape, shapes
from benchmarks.report import Line, added_line, ratio_line

if TYPE_CHECKING:
    import duckdb

_PAIRS = 9
_MOST = 1.15
_MOST_ADDED_MS = 5.0
_BIG_MS = 50.0  # from here on the ratio counts, below it the added time
_CENT = 0.006

Values = tuple[Any, ...]


class DifferentAnswers(Exception):
    """The tool and the hand-written SQL disagree: their times mean nothing."""


def run(bench: Bench) -> Iterator[Line]:
    """One line a question."""
    with big_lake(bench.cache, bench.rows) as lake, by_hand(lake.file) as con:
        built = f", made in {lake.build_s:.0f} s" if lake.build_s else ""
        size = lake.file.stat().st_size / 2**20
        yield Line(name="lake", figures=f"{lake.rows:,} rows, {size:.0f} MB{built}")
        shop = lake.view.catalog.by_level["shop"][7].id
        for shape in shapes(shop):
            yield _compared(shape, lake, con)


def by_hand(file: Path) -> duckdb.DuckDBPyConnection:
    """A connection as an analyst would open it, with the threads and the memory of the lake's."""
    import duckdb

    limit = f"{Settings().duckdb_memory_mb}MiB"
    return duckdb.connect(str(file), read_only=True, config={"threads": 2, "memory_limit": limit})


def _compared(shape: Shape, lake: BigLake, con: duckdb.DuckDBPyConnection) -> Line:
    context = ToolContext(view=lake.view, lang="zh", as_of=AS_OF, viewer="bench")
    sql = shape.sql

    def tool() -> ToolResult:
        return call(TOOL, shape.args, context)

    def hand() -> list[Values]:
        return con.execute(sql).fetchall()

    expected = hand()
    started = time.perf_counter()
    result = tool()
    first = (time.perf_counter() - started) * 1000
    found = check_same(shape, result, expected)
    pairs = interleave(tool, hand, pairs=_PAIRS)
    note = f", first call {first:.0f} ms; same {found}"
    if pairs.base_ms >= _BIG_MS:
        return ratio_line(shape.name, pairs, _MOST, base="SQL", note=note)
    return added_line(shape.name, pairs, _MOST_ADDED_MS, base="SQL", note=note)


def check_same(shape: Shape, result: ToolResult, expected: Sequence[Values]) -> str:
    """What is the same, in words. Raises: DifferentAnswers."""
    table = result.table
    if not result.ok or table is None:
        raise DifferentAnswers(f"{shape.name}: {result.error}")
    total, *rows = expected
    if table.row_count != total[-1]:
        raise DifferentAnswers(f"{shape.name}: {table.row_count} groups, by hand {total[-1]}")
    ours = [_values(row, (*shape.keys, *shape.metrics)) for row in table.rows]
    theirs = [row[1:-1] for row in rows]
    if len(ours) != len(theirs):
        raise DifferentAnswers(f"{shape.name}: {len(ours)} rows, by hand {len(theirs)}")
    ours.append(_values(table.totals, shape.metrics))
    theirs.append(total[1 + len(shape.keys) : -1])
    for one, other in zip(ours, theirs, strict=True):
        if not all(map(_is_same, one, other)):
            raise DifferentAnswers(f"{shape.name}: {one}, by hand {other}")
    return f"{len(rows):,} of {table.row_count:,} rows and totals"


def _values(row: Mapping[str, Any], keys: Sequence[str]) -> Values:
    return tuple(row[key] for key in keys)


def _is_same(ours: Any, theirs: Any) -> bool:
    if isinstance(theirs, date):
        return bool(ours == theirs.isoformat())
    if isinstance(ours, float) or isinstance(theirs, float):
        return math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=_CENT if theirs > 1 else 1e-9)
    return bool(ours == theirs)
