"""AskLake's own checks over a DuckDB view of the file; the third argument says how far they go.

counts: what is measured in passes, as the peers count. rows: also the keys of all rows that were found and
the verdicts. Marking doubled keys, which loading into a lake does once, is part of the time.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import duckdb
from protocol import Counts, Spec, serve

from askcore.base.config import Settings
from askcore.base.values import Period
from askcore.checks import all_zero_rows, dup_keys, identity, missing_days, nulls, value_range
from askcore.checks.catalogue import CHECKS
from askcore.checks.frame import Frame
from askcore.checks.limits import load_limits
from askcore.checks.measures import ROWS, Measured, measure
from askcore.lake.result import Rows
from askcore.lake.schema import model_from_text
from askcore.semantic.catalog import Catalog
from askcore.semantic.model import Model

MODEL = model_from_text((Settings().semantic_dir / "takeaway_daily.yaml").read_text(encoding="utf-8"))
_NAMES = (dup_keys.NAME, all_zero_rows.NAME, nulls.NAME, value_range.NAME, missing_days.NAME)


class FileView:
    """What checks ask of a lake's view, over one file of shop-days."""

    dataset, version = "file", 1
    raw_fields: tuple[str, ...] = ()
    shapes: tuple[object, ...] = ()

    def __init__(self, con: duckdb.DuckDBPyConnection, file: str, spec: Spec) -> None:
        self._con = con
        self.model: Model = MODEL
        first, last = (date.fromisoformat(spec["days"][end]) for end in ("first", "last"))
        self.period = Period(start=first, end=last)
        self.doubled = _mark_doubles(con, file, spec, self.period)
        self.catalog = Catalog(
            dataset=self.dataset,
            version=1,
            period=self.period,
            scopes=("shop",),
            columns=("date", "scope", "_dup_n", *spec["nulls"]),
        )

    def run(self, sql: str, params: Sequence[object] = (), *, limit: int = 100_000) -> Rows:
        found = self._con.execute(sql, list(params))
        names = tuple(d[0] for d in found.description)
        return Rows(columns=names, rows=found.fetchmany(limit))


def _mark_doubles(con: duckdb.DuckDBPyConnection, file: str, spec: Spec, period: Period) -> int:
    """Make `fact`: the file with `_dup_n`. A bitmap of its days tells which entity has a key twice."""
    day, entity = spec["unique"]
    rows = f"read_parquet('{file}', file_row_number=true)"
    step = f"date_diff('day', DATE '{period.start}', {day})::INTEGER"
    con.execute(
        f"CREATE TEMP TABLE twice AS WITH own AS (SELECT {entity} FROM {rows} GROUP BY ALL"
        f" HAVING count(*) > bit_count(bitstring_agg({step}, 0, {period.days})))"
        " SELECT file_row_number,"
        f" row_number() OVER (PARTITION BY {day}, {entity} ORDER BY file_row_number) AS n"
        f" FROM {rows} WHERE {entity} IN (FROM own) QUALIFY n > 1"
    )
    con.execute(
        f"CREATE TEMP VIEW fact AS SELECT p.*, coalesce(t.n, 1) AS _dup_n FROM {rows} p"
        " LEFT JOIN twice t USING (file_row_number)"
    )
    return int(con.execute("SELECT count(*) FROM twice").fetchall()[0][0])


def _frame(view: FileView, spec: Spec) -> Frame:
    identities = (*spec["sums"], spec["order"]["name"])
    ids = {*_NAMES, *(f"{identity.NAME}:{name}" for name in identities)}
    return Frame(
        view=view,  # type: ignore[arg-type]
        period=view.period,
        as_of=view.period.end + timedelta(days=1),
        lang="en",
        limits=load_limits(),
        only=frozenset(ids),
    )


_ASKED = tuple(c for c in CHECKS if c.name in (*_NAMES, identity.NAME))


def _counts(view: FileView, spec: Spec) -> Counts:
    frame = _frame(view, spec)
    measured = measure(frame, _ASKED)
    _, _, gaps, _ = missing_days.entity_gaps(frame, frame.leaf)
    return {**_counted(measured, spec), "doubles": view.doubled, "days": _entities(gaps)}


def _counted(measured: Measured, spec: Spec) -> Counts:
    """The numbers of the one pass by the names of the list."""
    n = measured.count
    found = {f"null:{c}": n(ROWS) - n(f"has:{c}") for c in spec["nulls"]}
    found |= {f"range:{c}": n(f"out:{c}") for c in spec["ranges"]}
    found |= {name: n(f"bad:{name}") for name in (*spec["sums"], spec["order"]["name"])}
    return found | {"all_zero": n("zero")}


def _entities(gaps: Sequence[Any]) -> int:
    return len({gap.key["shopId"] for gap in gaps})


def _rows(view: FileView, spec: Spec) -> Counts:
    """Counts of listed rows; columns that share a verdict keep the counts of the pass."""
    frame = _frame(view, spec)
    measured = measure(frame, _ASKED)
    outcomes = {o.check: o for c in _ASKED for o in c.run(frame, measured)}
    found = dict(_counted(measured, spec))
    for name in (*spec["sums"], spec["order"]["name"]):
        found[name] = len(outcomes[f"{identity.NAME}:{name}"].findings)
    found["all_zero"] = len(outcomes[all_zero_rows.NAME].findings)
    found["doubles"] = len(outcomes[dup_keys.NAME].findings)
    found["days"] = _entities(outcomes[missing_days.NAME].findings)
    return found


def run(file: str, spec: Spec) -> Counts:
    with duckdb.connect(config={"threads": 2}) as con:
        view = FileView(con, file, spec)
        return (_rows if _MODE == "rows" else _counts)(view, spec)


_MODE = sys.argv[3] if len(sys.argv) > 3 else "counts"
serve(run, f"AskLake, DuckDB {duckdb.__version__}")
