"""A large serving file: a year of generated shop-days, written by the lake's own builder.

A small real delivery is loaded first, so that the version, its model and its commit are what `Lake` makes.
Its serving file is then built from generated Parquet files instead of the delivered rows; `Lake.open` finds
it in its place and opens it as any other.
"""

from __future__ import annotations

import shutil
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from askcore.base.config import Settings
from askcore.lake import Delivery, Lake, LakeView
from askcore.lake.schema import FactSchema, model_from_text
from askcore.lake.serving_build import FORMAT, BuildJob, build
from askcore.lake.versions import read_version

if TYPE_CHECKING:
    from collections.abc import Iterator

    import duckdb

DATASET = "large"
COMPANY, COMPANY_NAME = "E01", "悦食餐饮"
FIRST_DAY = date(2025, 10, 18)
DAYS = 365
LAST_DAY = FIRST_DAY + timedelta(days=DAYS - 1)
AS_OF = LAST_DAY + timedelta(days=1)
_SHOPS_A_CHAIN = 60
_GENERATION = 1  # of the values below; another number is generated anew

_PLACE = """
SELECT DATE '{first}' + d::INTEGER AS date, i, d, hash(i * 1000 + d) AS h,
       '{company}' AS "companyId", printf('C%04d', i % {chains}) AS "chainId",
       printf('S%06d', i) AS "shopId", '{company_name}' AS "companyName",
       printf('连锁%04d', i % {chains}) AS "chainName", printf('门店%06d', i) AS "shopName"
FROM range({shops}) AS s(i), range({days}) AS t(d)
WHERE hash(i * 1000 + d + 7) % 400 <> 0
"""
_TRADE = """
SELECT *, 20 + (h % 80)::INTEGER AS orders,
       round((20 + h % 80) * (2500 + (h >> 8) % 3000) / 100.0, 2) AS gross,
       (20 + (h % 80)::INTEGER) * (30 + ((h >> 20) % 20)::INTEGER) AS seen
FROM ({place})
"""
_SHOP_DAYS = """
SELECT date, 'shop' AS scope, "companyId", "chainId", "shopId", "companyName", "chainName", "shopName",
       gross AS "grossAmt", gross - round(gross * (18 + (h >> 32) % 8) / 100, 2) AS "incomeAmt",
       round(gross * (18 + (h >> 32) % 8) / 100, 2) AS "expenseAmt", round(gross * 0.83, 2) AS "actualPayAmt",
       orders AS "validOrderCnt", (h >> 12) % 5 AS "invalidOrderCnt",
       seen AS "exposureUv", seen * (6 + ((h >> 24) % 6)::INTEGER) // 100 + orders AS "visitUv",
       orders * 9 // 10 AS "orderUv", orders * 3 // 10 AS "newOrderUv",
       orders * 9 // 10 - orders * 3 // 10 AS "oldOrderUv",
       round(gross * 0.06, 2) AS "activitySubsidyAmt", round(gross * 0.08, 2) AS "serviceFeeAmt",
       round(gross * 0.02, 2) AS "promoSpendAmt", round(gross * 0.11, 2) AS "promoOrderAmt",
       CASE WHEN h % 331 <> 0 THEN 4 + (h % 10) / 10.0 END AS "shopScore",
       8 + (h % 150) / 10.0 AS "cookingMin",
       (h >> 16) % 4 AS "overtimeOrderCnt", (h >> 18) % 3 AS "badReviewCnt",
       0.2 + (h % 100) / 1000.0 AS "rebuyRate30d", 600 + h % 240 AS "openMinutes", 1 AS "_dup_n"
FROM ({trade})
"""
_ADDED = (
    "grossAmt", "incomeAmt", "expenseAmt", "actualPayAmt", "validOrderCnt", "invalidOrderCnt", "exposureUv",
    "visitUv", "orderUv", "newOrderUv", "oldOrderUv", "activitySubsidyAmt", "serviceFeeAmt", "promoSpendAmt",
    "promoOrderAmt", "overtimeOrderCnt", "badReviewCnt",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class BigLake:
    """An opened large version."""

    view: LakeView
    file: Path
    """Its serving file under a second name, for a connection of one's own."""
    rows: int
    build_s: float
    """0 when it was kept from an earlier run."""


@contextmanager
def big_lake(cache: Path, rows: int, *, memory_mb: int | None = None) -> Iterator[BigLake]:
    """The large lake with about `rows` shop-days, generated when `cache` has none.

    memory_mb: what DuckDB may hold; None = as in the product; 0 = 80 % of the machine's.
    """
    home = cache / f"lake-{rows}-{FORMAT}-{_GENERATION}"
    started = time.perf_counter()
    is_new = not (home / "done").exists()
    if is_new:
        _make(home, rows)
    build_s = time.perf_counter() - started if is_new else 0.0
    settings = Settings(home=home)
    if memory_mb is not None:
        settings = replace(settings, duckdb_memory_mb=memory_mb)
    lake = Lake(settings)
    try:
        with lake.open(DATASET) as view:
            file = home / "by-hand.duckdb"
            yield BigLake(view=view, file=file, rows=view.catalog.row_count, build_s=build_s)
    finally:
        lake.close()


def _make(home: Path, rows: int) -> None:
    """A lake whose one version is served from generated rows."""
    print(f"  (making a lake of {rows:,} shop-days in {home.parent})", file=sys.stderr, flush=True)
    shutil.rmtree(home, ignore_errors=True)
    settings = Settings(home=home)
    lake = Lake(settings)
    folder = settings.lake_dir / DATASET
    try:
        _load_sample(lake, settings)
        info = read_version(settings.lake_dir, DATASET, 1)
        parquet = home / "generated"
        served = settings.serving_dir / DATASET / "v1.duckdb"
        served.parent.mkdir(parents=True, exist_ok=True)
        build(
            BuildJob(
                path=served,
                folder=folder,
                info=info,
                schema=FactSchema(model_from_text(info.model_text)),
                files=generate(parquet, rows),
                threads=settings.duckdb_threads,
                progress=lambda stage, share: None,
            )
        )
        shutil.rmtree(parquet)
        (home / "by-hand.duckdb").hardlink_to(served)
    finally:
        lake.close()
    (home / "done").touch()


def _load_sample(lake: Lake, settings: Settings) -> None:
    """One company's row: enough for a version with the shipped model."""
    import pyarrow as pa

    text = (settings.semantic_dir / "takeaway_daily.yaml").read_text(encoding="utf-8")
    row = {"date": FIRST_DAY, "scope": "company", "companyId": COMPANY, "grossAmt": 1.0}
    lake.load(DATASET, Delivery(table=pa.table({k: [v] for k, v in row.items()})), model_from_text(text))


def generate(folder: Path, rows: int) -> list[str]:
    """Parquet files of a year of shops, chains and the company; the values depend on shop and day only."""
    import duckdb

    folder.mkdir(parents=True, exist_ok=True)
    shops = -(-rows // DAYS)
    place = _PLACE.format(
        first=FIRST_DAY,
        company=COMPANY,
        company_name=COMPANY_NAME,
        chains=max(1, shops // _SHOPS_A_CHAIN),
        shops=shops,
        days=DAYS,
    )
    shop_file = folder / "shop.parquet"
    config: dict[str, str | bool | int | float | list[str]] = {
        "threads": 2,
        "memory_limit": "4GB",
        "temp_directory": str(folder / "spill"),
    }
    with duckdb.connect(config=config) as con:
        _copy(con, _SHOP_DAYS.format(trade=_TRADE.format(place=place)), shop_file)
        files = [shop_file]
        for scope, named in (("chain", True), ("company", False)):
            files.append(folder / f"{scope}.parquet")
            _copy(con, _rolled_up(scope, shop_file, with_chain=named), files[-1])
    return [str(file) for file in files]


def _rolled_up(scope: str, shop_file: Path, *, with_chain: bool) -> str:
    """Rows of a coarser layer: the sums of its shops."""
    chain = '"chainId", "chainName"' if with_chain else '\'\' AS "chainId", NULL AS "chainName"'
    sums = ", ".join(f'sum("{c}") AS "{c}"' for c in _ADDED)
    return (
        f'SELECT date, \'{scope}\' AS scope, "companyId", "companyName", {chain}, \'\' AS "shopId", '
        f"{sums}, 1 AS \"_dup_n\" FROM read_parquet('{shop_file}') GROUP BY ALL"
    )


def _copy(con: duckdb.DuckDBPyConnection, sql: str, file: Path) -> None:
    con.execute(f"COPY ({sql}) TO '{file}' (FORMAT parquet, COMPRESSION snappy)")
