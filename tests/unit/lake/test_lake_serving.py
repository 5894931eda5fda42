"""Serving files: built once, locked, rebuilt when damaged or missing, old ones dropped when nobody reads."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from datetime import date, timedelta

import duckdb
import pyarrow as pa
import pytest

from askcore.base.errors import BadRequest, Cancelled, LakeError
from askcore.base.values import Period, QuerySpec
from askcore.lake import Delivery, Lake
from askcore.lake.lock import Lease, is_leased
from askcore.semantic.parse import parse_model

MODEL = parse_model(
    "version: 1\nmodel: m\ndataset:\n  time: {column: date}\n  levels:\n  - {key: shop, id: shopId}\n"
    "metrics:\n- {key: gross, unit: CNY, additivity: {kind: sum}}\n"
)
WHOLE = Period(start=date(2026, 1, 1), end=date(2026, 12, 31))
SLOW = "SELECT count(*) FROM range(1000000000) a, range(1000) b WHERE (a.range * b.range) % 7 = 3"


def load(lake: Lake, number: int, size: int = 1) -> None:
    """Version `number`: `size` shops of `number` yuan each."""
    table = pa.table(
        {
            "date": [date(2026, 10, 1)] * size,
            "shopId": [f"S{i}" for i in range(size)],
            "gross": [float(number)] * size,
        }
    )
    lake.load("d", Delivery(table=table), MODEL)


def total(lake: Lake, version: int | None = None) -> float:
    with lake.open("d", version) as view:
        return view.query(QuerySpec(metrics=("gross",), period=WHOLE)).totals["gross"]


@pytest.fixture
def lake(settings) -> Lake:
    return Lake(settings)


def test_a_missing_file_is_built_anew(lake, settings):
    load(lake, 1)
    assert total(lake) == 1
    lake.close()
    (settings.serving_dir / "d" / "v1.duckdb").unlink()
    assert total(lake) == 1


@pytest.mark.parametrize("damage", ["empty", "text", "cut", "zeros"])
def test_a_damaged_file_is_built_anew(lake, settings, damage):
    load(lake, 3, size=20_000)
    assert total(lake) == 60_000
    lake.close()
    path = settings.serving_dir / "d" / "v1.duckdb"
    content = path.read_bytes()
    path.write_bytes(
        {
            "empty": b"",
            "text": b"not a database" * 1000,
            "cut": content[: len(content) // 2],
            "zeros": content[:4096] + bytes(len(content) - 4096),
        }[damage]
    )
    assert total(Lake(settings)) == 60_000


def test_damage_inside_the_data_is_found_by_the_query_and_mended(lake, settings):
    values = [float(i * 7919 % 100_003) for i in range(60_000)]
    table = pa.table(
        {
            "date": [date(2026, 10, 1)] * len(values),
            "shopId": [f"S{i}" for i in range(len(values))],
            "gross": values,
        }
    )
    lake.load("d", Delivery(table=table), MODEL)
    assert total(lake) == sum(values)
    path = settings.serving_dir / "d" / "v1.duckdb"
    with lake.open("d") as view:
        block = view.run(
            "SELECT min(block_id) FROM pragma_storage_info('fact') "
            "WHERE column_name = 'gross' AND block_id >= 0 AND segment_type <> 'VALIDITY'"
        ).scalar()
    lake.close()
    # a block is 256 KiB after three headers of 4 KiB
    start = 3 * 4096 + block * 262_144 + 5000
    with path.open("r+b") as file:
        file.seek(start)
        file.write(b"\xff" * 64)
    with duckdb.connect(str(path), read_only=True) as con, pytest.raises(duckdb.Error):
        con.execute("SELECT sum(gross) FROM fact").fetchall()
    other = Lake(settings)
    with other.open("d") as one, other.open("d") as two:
        query = QuerySpec(metrics=("gross",), period=WHOLE)
        assert one.query(query).totals["gross"] == sum(values)
        assert two.query(query).totals["gross"] == sum(values)


def test_an_old_version_is_rebuilt_for_a_replay(lake, settings):
    for number in (1, 2, 3, 4):
        load(lake, number)
        total(lake)
    left = sorted(p.name for p in (settings.serving_dir / "d").glob("*.duckdb"))
    assert left == ["v3.duckdb", "v4.duckdb"]
    assert [total(lake, v) for v in (1, 2, 3, 4)] == [1, 2, 3, 4]


def test_a_version_that_somebody_reads_is_kept(lake, settings):
    load(lake, 1)
    with lake.open("d") as pinned:
        for number in (2, 3, 4):
            load(lake, number)
            total(lake)
        assert (settings.serving_dir / "d" / "v1.duckdb").exists()
        assert pinned.query(QuerySpec(metrics=("gross",), period=WHOLE)).totals == {"gross": 1}
    load(lake, 5)
    total(lake)
    assert not (settings.serving_dir / "d" / "v1.duckdb").exists()


def test_a_lease_is_seen_until_it_is_given_back(tmp_path):
    path = tmp_path / "x.lease"
    assert not is_leased(path)
    lease = Lease(path)
    assert is_leased(path)
    lease.close()
    assert not is_leased(path)


def test_a_version_whose_files_are_gone_says_snapshot_expired(lake, settings):
    load(lake, 1)
    old = list((settings.lake_dir / "d" / "facts").rglob("*.parquet"))
    load(lake, 2)
    for path in old:
        path.unlink()
    with pytest.raises(LakeError, match="snapshot expired"):
        lake.open("d", 1)
    with pytest.raises(LakeError, match="snapshot expired"):
        lake.open("d", 77)
    assert total(lake) == 2


def test_many_threads_opening_at_once_build_once(lake):
    load(lake, 1, size=5000)
    built: list[str] = []
    totals: list[float] = []

    def read() -> None:
        with lake.open("d", progress=lambda stage, share: built.append(stage)) as view:
            totals.append(view.query(QuerySpec(metrics=("gross",), period=WHOLE)).totals["gross"])

    threads = [threading.Thread(target=read) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert totals == [5000] * 8
    assert built.count("done") == 1


def test_readers_go_on_while_loads_commit(lake):
    load(lake, 1)
    stop = threading.Event()
    seen: set[float] = set()
    errors: list[BaseException] = []

    def read() -> None:
        while not stop.is_set():
            try:
                with lake.open("d") as view:
                    found = view.query(QuerySpec(metrics=("gross",), period=WHOLE))
                    seen.add((view.version, found.totals["gross"]))
            except BaseException as e:  # noqa: BLE001 - shown by the assertion
                errors.append(e)
                return

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    for number in range(2, 8):
        load(lake, number)
    time.sleep(0.3)
    stop.set()
    for thread in threads:
        thread.join()
    assert errors == []
    assert all(version == value for version, value in seen)
    assert (7, 7.0) in seen


def test_interrupt_from_another_thread_raises_cancelled_at_once(lake):
    load(lake, 1)
    with lake.open("d") as view:
        stopped: list[float] = []

        def stop() -> None:
            time.sleep(0.2)
            stopped.append(time.perf_counter())
            view.interrupt()

        thread = threading.Thread(target=stop)
        thread.start()
        with pytest.raises(Cancelled):
            view.run(SLOW)
        late = time.perf_counter() - stopped[0]
        thread.join()
        assert late < 0.25
        assert view.run("SELECT 1").rows == [(1,)]


def test_interrupt_before_a_statement_stops_the_next_one(lake):
    load(lake, 1)
    with lake.open("d") as view:
        view.interrupt()
        with pytest.raises(Cancelled):
            view.query(QuerySpec(metrics=("gross",), period=WHOLE))
        assert view.run("SELECT 1").scalar() == 1


def test_interrupting_one_view_leaves_the_others_alone(lake):
    load(lake, 1)
    with lake.open("d") as one, lake.open("d") as other:
        one.interrupt()
        assert other.run("SELECT 1").scalar() == 1


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM fact",
        "CREATE TABLE x (a INTEGER)",
        "COPY fact TO '/tmp/stolen.csv'",
        "SELECT * FROM read_csv('/etc/passwd')",
        "ATTACH '/tmp/other.duckdb'",
        "SET enable_external_access = true",
        "INSTALL httpfs",
        "SELECT nothing FROM nowhere",
        "this is no SQL",
    ],
)
def test_the_serving_file_cannot_be_written_and_reaches_nothing(lake, statement):
    load(lake, 1)
    with lake.open("d") as view, pytest.raises((BadRequest, LakeError)):
        view.run(statement)


def test_run_caps_rows_and_says_so(lake):
    load(lake, 1)
    with lake.open("d") as view:
        found = view.run("SELECT range AS n FROM range(50)", limit=10)
        assert (len(found.rows), found.truncated, found.columns) == (10, True, ("n",))
        assert not view.run("SELECT range AS n FROM range(10)", limit=10).truncated


def test_closing_twice_and_leaving_views_open_is_harmless(lake):
    load(lake, 1)
    view = lake.open("d")
    view.close()
    view.close()
    with pytest.raises(LakeError, match="closed"):
        view.run("SELECT 1")
    for _ in range(5):
        lake.open("d")
    assert total(lake) == 1


def test_catalog_knows_names_parents_ranges_and_columns(lake):
    model = parse_model(
        "version: 1\nmodel: m\ndataset:\n  time: {column: date}\n  levels:\n"
        "  - {key: chain, id: chainId, name: chainName}\n  - {key: shop, id: shopId, name: shopName}\n"
        "  dimensions:\n  - {key: flag, column: holiday}\n"
        "metrics:\n- {key: gross, unit: CNY, additivity: {kind: sum}}\n"
        "- {key: none, additivity: {kind: sum}, reserved: true}\n"
    )
    day = date(2026, 10, 1)
    table = pa.table(
        {
            "date": [day, day + timedelta(days=4), day + timedelta(days=2)],
            "chainId": ["C1", "C2", "C1"],
            "chainName": ["Old", "Two", "New"],
            "shopId": ["S1", "S2", "S1"],
            "shopName": ["First name", "Other", "Second name"],
            "holiday": [0, 1, 0],
            "gross": [1.0, 2.0, 3.0],
        }
    )
    lake.load("named", Delivery(table=table), model)
    with lake.open("named") as view:
        catalog = view.catalog
    found = {(e.level, e.id): (e.name, dict(e.parents), e.first_day, e.last_day) for e in catalog.entities}
    assert found == {
        ("chain", "C1"): ("New", {}, "2026-10-01", "2026-10-03"),
        ("chain", "C2"): ("Two", {}, "2026-10-05", "2026-10-05"),
        ("shop", "S1"): ("Second name", {"chain": "C1"}, "2026-10-01", "2026-10-03"),
        ("shop", "S2"): ("Other", {"chain": "C2"}, "2026-10-05", "2026-10-05"),
    }
    assert catalog.scopes == ("shop",)
    assert catalog.period == Period(start=day, end=day + timedelta(days=4))
    assert catalog.dimension_values == {"flag": ("0", "1")}
    assert "none" not in catalog.columns
    assert {"date", "scope", "shopId", "holiday", "gross"} <= set(catalog.columns)


def test_two_lakes_of_one_process_read_the_same_file(settings):
    first, second = Lake(settings), Lake(settings)
    load(first, 1)
    try:
        with first.open("d") as one, second.open("d") as other:
            assert one.run("SELECT count(*) FROM fact").rows == other.run("SELECT count(*) FROM fact").rows
            with pytest.raises(BadRequest):
                other.run("SET threads = 1")
    finally:
        first.close()
        second.close()


def test_duckdb_holds_no_more_memory_than_the_setting_says_and_spills_beyond_it(settings):
    lake = Lake(replace(settings, duckdb_memory_mb=96))
    load(lake, 1)
    many = "SELECT count(DISTINCT (range, range * 7, hash(range))) FROM range(4_000_000)"
    try:
        with lake.open("d") as view:
            assert view.run("SELECT current_setting('memory_limit')").scalar() == "96.0 MiB"
            assert view.run(many).scalar() == 4_000_000
    finally:
        lake.close()
