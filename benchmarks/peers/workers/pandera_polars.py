"""pandera over polars: one schema of the rows, one of the days an entity has; all faults count."""

from __future__ import annotations

from datetime import date
from importlib.metadata import version
from itertools import pairwise

import pandera.polars as pa
import polars as pl
from pandera.errors import SchemaErrors
from protocol import Counts, Spec, serve


def _schema(spec: Spec) -> pa.DataFrameSchema:
    return pa.DataFrameSchema(
        {name: pa.Column(nullable=False, checks=_range(name, spec)) for name in spec["nulls"]},
        checks=[pa.Check(_test(expr), name=name) for name, expr in _rules(spec).items()],
        unique=spec["unique"],
    )


def _range(name: str, spec: Spec) -> list[pa.Check]:
    low, high = spec["ranges"].get(name, (None, None))
    if low is None:
        return []
    return [pa.Check.ge(low) if high is None else pa.Check.in_range(low, high)]


def _test(good: pl.Expr):
    return lambda data: data.lazyframe.select(good)


def _rules(spec: Spec) -> dict[str, pl.Expr]:
    """Name -> condition of a good row; a null is no fault."""
    nonzero = [pl.col(c).fill_null(0) != 0 for c in spec["zero"]]
    found = {"all_zero": pl.any_horizontal(nonzero)}
    for name, s in spec["sums"].items():
        total = pl.col(s["total"])
        gap = (pl.sum_horizontal(s["parts"]) - total).abs()
        limit = pl.max_horizontal(pl.lit(s["abs"]), s["rel"] * total.abs()) + 1e-9
        found[name] = (gap <= limit).fill_null(True)
    columns = spec["order"]["columns"]
    pairs = pairwise(columns)
    found[spec["order"]["name"]] = pl.all_horizontal([pl.col(a) >= pl.col(b) for a, b in pairs])
    return found


def _days(frame: pl.DataFrame, spec: Spec) -> pl.DataFrame:
    """One row an entity: days from its first one to the file's last that it has no row of."""
    day = pl.col(spec["days"]["day"])
    span = (pl.lit(date.fromisoformat(spec["days"]["last"])) - day.min()).dt.total_days() + 1
    return frame.group_by(spec["days"]["entity"]).agg(missing=span - day.n_unique())


_NO_GAP = pa.DataFrameSchema({"missing": pa.Column(checks=pa.Check.eq(0, name="days"))})


def _failures(schema: pa.DataFrameSchema, frame: pl.DataFrame) -> dict[str, int]:
    """Check -> rows that fail it."""
    try:
        schema.validate(frame, lazy=True)
    except SchemaErrors as e:
        counted = e.failure_cases.group_by("column", "check").len().rows()
        return {_named(column, check): n for column, check, n in counted}
    return {}


def _named(column: str | None, check: str) -> str:
    """The name of the list for pandera's own."""
    if check in _OWN_NAMES:
        return _OWN_NAMES[check].format(column)
    return check if column is None else f"range:{column}"


_OWN_NAMES = {"not_nullable": "null:{}", "multiple_fields_uniqueness": "doubles", "equal_to(0)": "days"}


def run(file: str, spec: Spec) -> Counts:
    """Failure cases by check; of a doubled key both rows fail, of which one is the first."""
    frame = pl.read_parquet(file)
    found = _failures(_schema(spec), frame)
    found["doubles"] = found.get("doubles", 0) // 2
    return found | _failures(_NO_GAP, _days(frame, spec))


serve(run, f"pandera {version('pandera')}, polars {pl.__version__}")
