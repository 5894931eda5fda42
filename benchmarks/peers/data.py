"""The file that every tool checks: a year of shop-days with faults planted on disjoint rows.

A row's fault is drawn by hashing shop and day into 10 000 buckets, so that the counts of the planted faults
come from the buckets and not from any tool.
"""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from askcore.base.config import Settings
from askcore.checks.value_range import outside
from askcore.semantic.parse import parse_model
from benchmarks.big_lake import FIRST_DAY, LAST_DAY, generate

if TYPE_CHECKING:
    import duckdb

    from askcore.semantic.model import Model

DAY, ENTITY = "date", "shopId"
MODEL = Settings().semantic_dir / "takeaway_daily.yaml"
SUMS = ("income_expense_gross", "new_plus_old")
ORDER = "funnel_monotone"
_GENERATION = 2  # of the faults below; another number plants them anew
_SCORE = 'CASE WHEN bucket < 100 THEN 4.5 ELSE "shopScore" END'  # rows with a fault have no other one
_ZEROED = (
    "grossAmt", "incomeAmt", "expenseAmt", "actualPayAmt", "validOrderCnt", "invalidOrderCnt", "exposureUv",
    "visitUv", "orderUv", "newOrderUv", "oldOrderUv", "activitySubsidyAmt", "serviceFeeAmt", "promoSpendAmt",
    "promoOrderAmt", "overtimeOrderCnt", "badReviewCnt",
)  # fmt: skip
_ZERO, _INCOME, _NEW, _FUNNEL, _NULL, _BELOW, _ABOVE, _TWICE = (
    "bucket BETWEEN 0 AND 19", "bucket BETWEEN 20 AND 24", "bucket BETWEEN 25 AND 29",
    "bucket BETWEEN 30 AND 34", "bucket BETWEEN 40 AND 49", "bucket BETWEEN 50 AND 51",
    "bucket BETWEEN 52 AND 53", "bucket = 60",
)  # fmt: skip
_CHANGED = {
    "incomeAmt": f'CASE WHEN {_INCOME} THEN "incomeAmt" + 50 ELSE "incomeAmt" END',
    "newOrderUv": f'CASE WHEN {_NEW} THEN "newOrderUv" + 5 ELSE "newOrderUv" END',
    "visitUv": f'CASE WHEN {_FUNNEL} THEN "exposureUv" + 3 ELSE "visitUv" END',
    "promoOrderAmt": f'CASE WHEN {_NULL} THEN NULL ELSE "promoOrderAmt" END',
    "activitySubsidyAmt": f'CASE WHEN {_BELOW} THEN -1 ELSE "activitySubsidyAmt" END',
    "rebuyRate30d": f'CASE WHEN {_ABOVE} THEN 1.5 ELSE "rebuyRate30d" END',
    "shopScore": _SCORE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """A file, what to check in it, and what is to be found."""

    file: Path
    spec: Path
    """JSON: checks by name, see `_spec`."""
    rows: int
    expected: dict[str, int]
    """Check -> rows (for days: shops) that it must find."""
    checks: int


def planted(cache: Path, rows: int) -> Planted:
    """The file with about `rows` shop-days, made when `cache` has none."""
    import duckdb

    home = cache / f"peers-{rows}-{_GENERATION}"
    file, spec, counts = home / "shop_days.parquet", home / "spec.json", home / "expected.json"
    if not counts.exists():
        print(f"  (planting faults in {rows:,} shop-days in {home})", file=sys.stderr, flush=True)
        shutil.rmtree(home, ignore_errors=True)
        source, *rest = generate(home, rows)
        with duckdb.connect(config={"threads": 2}) as con:
            found = _plant(con, source, file)
        for path in (source, *rest):
            Path(path).unlink()
        spec.write_text(json.dumps(_spec(_columns(file))), encoding="utf-8")
        counts.write_text(json.dumps(found), encoding="utf-8")
    asked = json.loads(spec.read_text(encoding="utf-8"))
    found = json.loads(counts.read_text(encoding="utf-8"))
    return Planted(
        file=file,
        spec=spec,
        rows=found.pop("rows"),
        expected=found,
        checks=len(asked["nulls"]) + len(asked["ranges"]) + len(asked["sums"]) + 4,
    )


def _columns(file: Path) -> list[str]:
    import duckdb

    found = duckdb.execute(f"DESCRIBE SELECT * FROM read_parquet('{file}')").fetchall()
    return [row[0] for row in found]


def _plant(con: duckdb.DuckDBPyConnection, source: str, file: Path) -> dict[str, int]:
    """Write the file; rows of each planted fault."""
    bucket = f"(hash(\"{ENTITY}\" || CAST({DAY} AS VARCHAR) || 'fault') % 10000)::INTEGER"
    con.execute(f"CREATE VIEW rows AS SELECT *, {bucket} AS bucket FROM read_parquet('{source}')")
    kinds = dict(con.execute("SELECT column_name, column_type FROM (DESCRIBE rows)").fetchall())
    zeroed = {c: f'CASE WHEN {_ZERO} THEN 0 ELSE "{c}" END' for c in _ZEROED}
    changes = {c: f"CAST({_CHANGED.get(c, sql)} AS {kinds[c]})" for c, sql in (zeroed | _CHANGED).items()}
    for column in set(_CHANGED) & set(_ZEROED):
        changes[column] = f"CAST(CASE WHEN {_ZERO} THEN 0 ELSE {_CHANGED[column]} END AS {kinds[column]})"
    replaced = ", ".join(f'{sql} AS "{c}"' for c, sql in changes.items())
    con.execute(f"CREATE VIEW faulty AS SELECT * REPLACE ({replaced}) FROM rows")
    con.execute(
        f"COPY (SELECT * EXCLUDE (bucket, _dup_n) FROM (SELECT * FROM faulty UNION ALL"
        f" SELECT * FROM faulty WHERE {_TWICE}) ORDER BY {DAY}, {ENTITY})"
        f" TO '{file}' (FORMAT parquet, COMPRESSION snappy)"
    )
    return _counted(con)


def _counted(con: duckdb.DuckDBPyConnection) -> dict[str, int]:
    """Rows in the buckets of each fault."""
    counts = {
        "rows": f"count(*) + count_if({_TWICE})",
        "null:promoOrderAmt": f"count_if({_NULL})",
        "null:shopScore": 'count_if("shopScore" IS NULL AND bucket >= 100)',
        "range:activitySubsidyAmt": f"count_if({_BELOW})",
        "range:rebuyRate30d": f"count_if({_ABOVE})",
        "all_zero": f"count_if({_ZERO})",
        SUMS[0]: f"count_if({_INCOME})",
        SUMS[1]: f"count_if({_NEW})",
        ORDER: f"count_if({_FUNNEL})",
        "doubles": f"count_if({_TWICE})",
    }
    row = con.execute(f"SELECT {', '.join(counts.values())} FROM rows").fetchone()
    gaps = con.execute(
        f"SELECT count(*) FROM (SELECT 1 FROM rows GROUP BY {ENTITY}"
        f" HAVING count(*) < date_diff('day', min({DAY}), DATE '{LAST_DAY}') + 1)"
    ).fetchone()
    assert row is not None and gaps is not None
    return dict(zip(counts, row, strict=True)) | {"days": gaps[0]}


def _spec(columns: list[str]) -> dict[str, Any]:
    """What every tool is to check, in words that each translates into its own.

    nulls: columns. ranges: column -> [low, high or null]. sums: name -> parts, total, abs, rel (the gap may
    be the larger of abs and rel x |total|). order: columns that must not increase. zero: columns that are not
    all 0. unique: key. days: an entity has a row of each day from its first one to the last of the file.
    """
    model = parse_model(MODEL.read_text(encoding="utf-8"))
    stored = [m for m in model.metrics if m.key in columns]
    ranged = {m.key: [0, 1 if m.is_rate else None] for m in stored if outside(m) is not None}
    return {
        "nulls": [m.key for m in stored],
        "ranges": ranged,
        "sums": {name: _sum(model, name) for name in SUMS},
        "order": {"name": ORDER, "columns": ["exposureUv", "visitUv", "orderUv"]},
        "zero": [m.key for m in stored if m.additivity.kind == "sum" and not m.reserved],
        "unique": [DAY, ENTITY],
        "days": {"day": DAY, "entity": ENTITY, "first": str(FIRST_DAY), "last": str(LAST_DAY)},
    }


def _sum(model: Model, name: str) -> dict[str, Any]:
    """An identity of the model whose left side is a sum of columns."""
    identity = next(i for i in model.identities if i.id == name)
    return {
        "parts": [part.strip() for part in identity.left.split("+")],
        "total": identity.right,
        "abs": identity.row_tol.abs,
        "rel": identity.row_tol.rel,
    }
