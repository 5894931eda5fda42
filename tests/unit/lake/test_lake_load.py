"""Deliveries: keys are replaced, doubles are kept apart, what does not fit is said."""

from __future__ import annotations

import threading
from datetime import date, timedelta

import pyarrow as pa
import pytest

from askcore.base.errors import BadRequest, LakeError
from askcore.base.values import Period, QuerySpec
from askcore.lake import Delivery, Lake
from askcore.semantic.parse import parse_model

MODEL = parse_model(
    """
version: 1
model: plain
dataset:
  time: {column: date}
  levels:
  - {key: shop, id: shopId, name: shopName}
  dimensions:
  - {key: channel, column: channel}
metrics:
- {key: gross, unit: CNY, additivity: {kind: sum}}
- {key: orders, unit: order, additivity: {kind: sum}}
- {key: cost, unit: CNY, additivity: {kind: sum, sign: positive_abs}}
"""
)
WHOLE = Period(start=date(2026, 1, 1), end=date(2026, 12, 31))


def row(day: str, shop: str = "S1", gross: object = 10.0, orders: object = 1, **more: object) -> dict:
    return {
        "date": date.fromisoformat(day),
        "shopId": shop,
        "shopName": f"name {shop}",
        "gross": gross,
        "orders": orders,
        **more,
    }


def delivery(*rows: dict, sync: pa.Table | None = None) -> Delivery:
    columns = dict.fromkeys(k for r in rows for k in r)
    return Delivery(table=pa.table({c: [r.get(c) for r in rows] for c in columns}), sync_rows=sync)


@pytest.fixture
def lake(settings) -> Lake:
    return Lake(settings)


def gross(lake: Lake, version: int | None = None) -> float | None:
    with lake.open("plain", version) as view:
        return view.query(QuerySpec(metrics=("gross",), period=WHOLE)).totals["gross"]


def counts(report) -> tuple[int, int, int, int]:
    return report.rows_added, report.rows_changed, report.rows_unchanged, report.rows_removed


def test_a_delivery_replaces_the_keys_it_holds_and_nothing_else(lake):
    first = lake.load("plain", delivery(row("2026-09-30"), row("2026-10-01"), row("2026-10-02")), MODEL)
    assert (first.version, counts(first), first.months) == (1, (3, 0, 0, 0), ("2026-09", "2026-10"))
    second = lake.load("plain", delivery(row("2026-10-02", gross=25.5), row("2026-10-03")), MODEL)
    assert (second.version, counts(second), second.row_count) == (2, (1, 1, 0, 0), 4)
    assert gross(lake) == 10 + 10 + 25.5 + 10
    assert gross(lake, 1) == 30


def test_the_same_delivery_again_makes_no_version(lake):
    rows = [row("2026-10-01"), row("2026-10-01", gross=11.0), row("2026-10-02")]
    lake.load("plain", delivery(*rows), MODEL)
    again = lake.load("plain", delivery(*rows), MODEL)
    assert (again.committed, again.version, counts(again)) == (False, 1, (0, 0, 3, 0))
    assert len(lake.versions("plain")) == 1


def test_doubled_rows_stay_and_only_the_first_is_read(lake):
    rows = [row("2026-10-01", gross=1.0), row("2026-10-01", gross=2.0), row("2026-10-01", gross=3.0)]
    report = lake.load("plain", delivery(*rows), MODEL)
    assert (report.rows_added, report.rows_doubled) == (3, 2)
    assert gross(lake) == 1
    with lake.open("plain") as view:
        assert view.run("SELECT gross, _dup_n FROM fact ORDER BY _dup_n").rows == [(1, 1), (2, 2), (3, 3)]
    mended = lake.load("plain", delivery(row("2026-10-01", gross=2.0)), MODEL)
    assert (counts(mended), mended.row_count) == ((0, 1, 0, 2), 1)
    assert gross(lake) == 2


def test_ten_deliveries_day_by_day_equal_one_delivery(lake, settings):
    rows = [row((date(2026, 9, 26) + timedelta(days=i)).isoformat(), gross=i + 0.1) for i in range(10)]
    for one in rows:
        lake.load("plain", delivery(one), MODEL)
    lake.load("whole", delivery(*rows), MODEL)
    with lake.open("plain") as a, lake.open("whole") as b:
        sql = "SELECT * FROM fact ORDER BY date"
        assert a.run(sql).rows == b.run(sql).rows
    assert gross(lake) == pytest.approx(46.0)


def test_numbers_that_cannot_be_read_are_left_empty_and_said(lake):
    rows = [row("2026-10-01", gross="12.5"), row("2026-10-02", gross="n/a"), row("2026-10-03", gross="")]
    report = lake.load("plain", delivery(*rows), MODEL)
    assert report.warnings == ("gross: 1 values are no numbers and were left empty",)
    assert gross(lake) == 12.5


def test_nan_and_infinity_are_missing_values(lake):
    rows = [row("2026-10-01", gross=float("nan")), row("2026-10-02", gross=float("inf")), row("2026-10-03")]
    report = lake.load("plain", delivery(*rows), MODEL)
    assert report.warnings == ("gross: 1 values are no numbers and were left empty",)
    assert gross(lake) == 10


def test_unknown_columns_are_kept_out_and_missing_ones_are_named(lake):
    report = lake.load("plain", delivery(row("2026-10-01", phone="138")), MODEL)
    assert (report.ignored_columns, report.missing_metrics) == (("phone",), ("cost",))


def test_rows_without_a_day_or_with_an_unknown_scope_are_rejected(lake):
    rows = [row("2026-10-01", scope="shop"), row("2026-10-02", scope="galaxy")]
    rows.append({**row("2026-10-03", scope="shop"), "date": None})
    assert lake.load("plain", delivery(*rows), MODEL).rows_rejected == 2
    with pytest.raises(BadRequest, match="no row of the delivery"):
        lake.load("other", delivery(row("2026-10-01", scope="galaxy")), MODEL)
    assert [d.name for d in lake.datasets()] == ["plain"]


def test_a_sign_of_positive_abs_is_applied(lake):
    lake.load("plain", delivery(row("2026-10-01", cost=-3.0), row("2026-10-02", cost=4.0)), MODEL)
    with lake.open("plain") as view:
        assert view.query(QuerySpec(metrics=("cost",), period=WHOLE)).totals["cost"] == 7


def test_a_dry_run_counts_and_writes_nothing(lake, settings):
    report = lake.load("plain", delivery(row("2026-10-01")), MODEL, dry_run=True)
    assert (report.committed, report.version, report.rows_added) == (False, None, 1)
    assert not settings.lake_dir.exists()


def test_dimensions_become_part_of_the_key_when_rows_are_finer_than_the_levels(lake):
    rows = [row(f"2026-10-{d:02d}", channel=c, gross=float(d)) for d in range(1, 11) for c in ("app", "web")]
    assert lake.load("plain", delivery(*rows), MODEL).rows_doubled == 0
    assert gross(lake) == 110
    lake.load("plain", delivery(row("2026-10-01", channel="web", gross=100.0)), MODEL)
    assert gross(lake) == 110 - 1 + 100


def test_a_few_doubled_rows_with_another_attribute_are_doubles(lake):
    rows = [row(f"2026-10-{d:02d}", channel="app") for d in range(1, 29)]
    rows.append(row("2026-10-05", channel="web"))
    assert lake.load("plain", delivery(*rows), MODEL).rows_doubled == 1
    assert gross(lake) == 280


def test_whole_number_ids_from_spreadsheets_lose_the_fraction(lake):
    table = pa.table({"date": [date(2026, 10, 1)], "shopId": [7.0], "gross": [1.0]})
    lake.load("plain", Delivery(table=table), MODEL)
    with lake.open("plain") as view:
        assert [e.id for e in view.catalog.entities] == ["7"]


def test_a_later_column_and_fractions_fit_into_the_table(lake):
    lake.load("plain", delivery(row("2026-09-01", orders=2)), MODEL)
    lake.load("plain", delivery(row("2026-10-01", orders=1.5, cost=2.0)), MODEL)
    with lake.open("plain") as view:
        totals = view.query(QuerySpec(metrics=("orders", "cost"), period=WHOLE)).totals
    assert totals == {"orders": 3.5, "cost": 2.0}


def test_a_pinned_version_keeps_its_own_model(lake):
    lake.load("plain", delivery(row("2026-10-01")), MODEL)
    other = parse_model(
        "version: 1\nmodel: other\ndataset:\n  time: {column: date}\n"
        "metrics:\n- {key: gross, additivity: {kind: mean_per_row}}\n"
    )
    lake.load("plain", Delivery(table=pa.table({"date": [date(2026, 11, 1)], "gross": [1.0]})), other)
    assert (lake.model("plain").name, len(lake.versions("plain"))) == ("other", 2)
    with lake.open("plain", 1) as view:
        assert (view.model.name, view.catalog.scopes) == ("plain", ("shop",))


def test_the_sync_log_grows_and_belongs_to_the_version(lake):
    def log(*times: str) -> pa.Table:
        return pa.table(
            {
                "time": list(times),
                "entity": ["E01"] * len(times),
                "state": ["ok"] * len(times),
                "rows": [5] * len(times),
                "message": [""] * len(times),
            }
        )

    lake.load("plain", delivery(row("2026-10-01"), sync=log("2026-10-02 06:00:00")), MODEL)
    again = delivery(row("2026-10-01"), sync=log("2026-10-02 06:00:00", "2026-10-03 06:00:00"))
    assert lake.load("plain", again, MODEL).version == 2
    with lake.open("plain") as new, lake.open("plain", 1) as old:
        assert [r.time for r in new.sync_log()] == ["2026-10-03 06:00:00", "2026-10-02 06:00:00"]
        assert [(r.time, r.state, r.rows) for r in old.sync_log()] == [("2026-10-02 06:00:00", "ok", 5)]


def test_loads_at_the_same_time_all_arrive(lake):
    days = [(date(2026, 9, 1) + timedelta(days=9 * i)).isoformat() for i in range(6)]
    errors: list[Exception] = []

    def one(day: str) -> None:
        try:
            lake.load("plain", delivery(row(day)), MODEL)
        except Exception as e:  # noqa: BLE001 - shown by the assertion
            errors.append(e)

    threads = [threading.Thread(target=one, args=(day,)) for day in days]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert (gross(lake), len(lake.versions("plain"))) == (60, 6)


def test_a_foreign_writer_is_overtaken_by_trying_again(lake, settings):
    """Another engine commits to the same month between our reading and our commit."""
    lake.load("plain", delivery(row("2026-10-01")), MODEL)
    other = Lake(settings)
    times = 0

    def meddle(point: str) -> None:
        nonlocal times
        if point == "merged" and times == 0:
            times += 1
            _append_foreign(settings.lake_dir / "plain" / "facts")

    report = lake.load("plain", delivery(row("2026-10-02")), MODEL, checkpoint=meddle)
    assert (report.version, times) == (3, 1)
    assert gross(other) == 10 + 7 + 10


def test_a_writer_that_is_always_faster_ends_in_a_clear_error(lake, settings):
    lake.load("plain", delivery(row("2026-10-01")), MODEL)

    def meddle(point: str) -> None:
        if point == "merged":
            _append_foreign(settings.lake_dir / "plain" / "facts")

    with pytest.raises(LakeError, match="overtaken 4 times"):
        lake.load("plain", delivery(row("2026-10-02")), MODEL, checkpoint=meddle)


def _append_foreign(path) -> None:
    from deltalake import DeltaTable, write_deltalake

    table = DeltaTable(str(path))
    day = date(2026, 10, 20 + table.version() % 9)
    rows = {"date": [day], "scope": ["shop"], "shopId": ["X"], "_dup_n": [1], "month": ["2026-10"]}
    schema = pa.schema(
        [("date", pa.date32()), ("scope", pa.string()), ("shopId", pa.string()),
         ("_dup_n", pa.int32()), ("month", pa.string()), ("gross", pa.decimal128(18, 4))]
    )  # fmt: skip
    from decimal import Decimal

    write_deltalake(
        table, pa.table(rows | {"gross": [Decimal(7)]}, schema=schema), mode="append", schema_mode="merge"
    )


@pytest.mark.parametrize("name", ["../up", "", ".hidden", "a/b", "a b", "x" * 101])
def test_names_that_are_no_folder_are_refused(lake, name):
    with pytest.raises(BadRequest, match="cannot name a dataset"):
        lake.load(name, delivery(row("2026-10-01")), MODEL)
    with pytest.raises(BadRequest, match="unknown dataset"):
        lake.open(name)


def test_a_model_that_uses_a_column_twice_is_refused(lake):
    text = "version: 1\nmodel: m\ndataset:\n  time: {column: date}\nmetrics:\n"
    clash = parse_model(text + "- {key: Date, additivity: {kind: sum}}\n")
    with pytest.raises(BadRequest, match="'Date' twice"):
        lake.load("plain", delivery(row("2026-10-01")), clash)


def test_resolve_takes_the_setting_then_the_newest_load_then_the_demo(lake, settings):
    assert lake.resolve(None) == "demo"
    lake.load("one", delivery(row("2026-10-01")), MODEL)
    lake.load("two", delivery(row("2026-10-01")), MODEL)
    assert (lake.resolve(None), lake.resolve("one")) == ("two", "one")
    assert [(d.name, d.version, d.row_count) for d in lake.datasets()] == [("two", 1, 1), ("one", 1, 1)]
    with pytest.raises(BadRequest) as e:
        lake.resolve("onee")
    assert e.value.hint == "one"
