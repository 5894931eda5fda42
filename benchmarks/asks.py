"""Questions answered without a language model, the time to make the demo, and the ingest of a large CSV."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from askcore.base.config import Settings
from askcore.service import Service
from benchmarks.bench import Bench, child
from benchmarks.big_lake import DAYS, generate
from benchmarks.measure import Spread
from benchmarks.report import Line

QUESTIONS = (
    "上周各门店营业额",
    "昨天的有效订单是多少",
    "最近30天营业额趋势",
    "9月和8月的收入对比",
    "上周客单价最高的5家门店",
    "各连锁近7天的下单率",
    "上个月到手率是多少",
    "上周营业额环比",
    "本月至今有效订单和上月同期比",
    "哪些门店有缺失数据",
    "数据更新到哪天了",
    "下单率是怎么算的",
    "近7天进店率按天",
    "9月营业额前10的门店",
    "gross sales last week by shop",
    "orders yesterday",
    "average order value last month by chain",
    "compare sales of September with August",
    "visit rate trend over the last 14 days",
    "which shops had the lowest income last week",
)
_MOST_DEMO_S = 10.0
_MOST_INGEST_S = 20.0
_CSV_ROWS = 1_000_000
_ROUNDS = 3
_INGEST = """
import json, resource, sys, time
from pathlib import Path
from askcore.base.config import load_settings
from askcore.service import Service
service = Service(load_settings())
started = time.perf_counter()
report = service.ingest([Path(sys.argv[1])], dataset="csv")
elapsed = time.perf_counter() - started
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
rows = service.datasets()[0].row_count
service.close()
print(json.dumps({"s": elapsed, "mb": peak, "rows": rows}))
"""


def run(bench: Bench) -> Iterator[Line]:
    """Demo, questions, ingest."""
    home, seconds = bench.demo
    yield Line(
        name="demo installed",
        figures=f"{seconds:.1f} s in a fresh process",
        goal=f"≤ {_MOST_DEMO_S:g} s",
        is_held=seconds <= _MOST_DEMO_S,
    )
    yield _questions(home)
    yield _ingest(bench)


def _questions(home: Path) -> Line:
    service = Service(Settings(home=home))
    try:
        first = _ask_all(service)
        rounds = [_ask_all(service) for _ in range(_ROUNDS)]
    finally:
        service.close()
    times = [min(r[i][0] for r in rounds) for i in range(len(QUESTIONS))]
    cold = Spread.of([ms for ms, _ in first])
    outcomes = [outcome for _, outcome in first]
    counts = ", ".join(f"{outcomes.count(o)} {o}" for o in sorted(set(outcomes)))
    slowest = max(range(len(times)), key=times.__getitem__)
    return Line(
        name=f"{len(QUESTIONS)} questions",
        figures=(
            f"{Spread.of(times).text(0)} ms each, the first time {cold.median:.0f}; "
            f"slowest {times[slowest]:.0f} ms: {QUESTIONS[slowest]}; {counts}"
        ),
    )


def _ask_all(service: Service) -> list[tuple[float, str]]:
    """(ms, status) of every question, each in a session of its own."""
    found = []
    for question in QUESTIONS:
        started = time.perf_counter()
        answer = service.ask(question, viewer="bench", dataset="demo", planner="rules")
        found.append(((time.perf_counter() - started) * 1000, str(answer["status"])))
    return found


def _ingest(bench: Bench) -> Line:
    file = bench.scratch / "shops.csv"
    _write_csv(file)
    home = bench.scratch / "ingest"
    said = child([sys.executable, "-c", _INGEST, str(file)], home)
    found: dict[str, Any] = json.loads(said.strip().splitlines()[-1])
    rate, size = found["rows"] / found["s"] / 1000, file.stat().st_size / 2**20
    return Line(
        name=f"ingest of a CSV of {size:.0f} MB",
        figures=(
            f"{found['rows']:,} rows in {found['s']:.1f} s ({rate:.0f} k rows/s), peak {found['mb']:.0f} MB"
        ),
        goal=f"≤ {_MOST_INGEST_S:g} s",
        is_held=found["s"] <= _MOST_INGEST_S,
    )


def _write_csv(file: Path) -> None:
    """A million shop-days as a platform would export them."""
    import duckdb

    folder = file.with_suffix("")
    shop_file = generate(folder, _CSV_ROWS + _CSV_ROWS // DAYS)[0]
    columns = (
        "date, companyId, companyName, chainId, chainName, shopId, shopName, grossAmt, incomeAmt, "
        "expenseAmt, validOrderCnt, invalidOrderCnt, exposureUv, visitUv, orderUv"
    )
    with duckdb.connect() as con:
        con.execute(
            f"COPY (SELECT {columns} FROM read_parquet('{shop_file}') ORDER BY date, shopId "
            f"LIMIT {_CSV_ROWS}) TO '{file}' (HEADER)"
        )
