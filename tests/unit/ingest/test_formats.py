"""Encodings, delimiters, workbooks and Parquet: the same table gives the same sums.

day         shop  sales    orders
2026-10-01  A     1200.50  3
2026-10-01  B      300.25  2
2026-10-02  A      100.00  1
2026-10-02  B       50.75  4
Σ                 1651.50  10
"""

from __future__ import annotations

import datetime as dt

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from askcore.base.errors import BadRequest
from askcore.lake.ingest import ingest

ROWS = [
    ("2026-10-01", "甲店", 1200.5, 3),
    ("2026-10-01", "乙店", 300.25, 2),
    ("2026-10-02", "甲店", 100.0, 1),
    ("2026-10-02", "乙店", 50.75, 4),
]
TOTALS = {"销售额": 1651.5, "订单数": 10}
HEADER = ("日期", "门店", "销售额", "订单数")


def text(delimiter: str = ",", end: str = "\n") -> str:
    lines = [HEADER, *((d, s, f"{a:.2f}", o) for d, s, a, o in ROWS)]
    return end.join(delimiter.join(map(str, line)) for line in lines) + end


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gbk", "gb18030", "utf-16"])
def test_every_encoding_gives_the_same_totals_and_names(load, encoding):
    report = load(text(), encoding=encoding)
    assert report.totals == TOTALS
    assert [c.name for c in report.columns] == list(HEADER)
    assert report.files[0].encoding is not None


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_every_delimiter_and_line_end(load, delimiter, end):
    report = load(text(delimiter, end))
    assert report.totals == TOTALS
    assert report.files[0].rows_loaded == 4


def book(path, rows, *, title="Sheet1", more=()):
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    sheet.title = title
    for row in rows:
        sheet.append(row)
    for name, other_rows, state in more:
        other = workbook.create_sheet(name)
        other.sheet_state = state
        for row in other_rows:
            other.append(row)
    workbook.save(path)
    return path


def dated_rows():
    return [(dt.date.fromisoformat(d), s, a, o) for d, s, a, o in ROWS]


def test_a_workbook_with_date_cells_and_a_hidden_sheet(lake, tmp_path):
    path = book(
        tmp_path / "a.xlsx",
        [("门店日报(单位:元)",), (), HEADER, *dated_rows()],
        more=[("lookup", [("x", "y"), (1, 2)], "hidden")],
    )
    report = ingest(lake, [path], lang="en")
    assert report.totals == TOTALS
    assert report.files[0].sheet == "Sheet1"
    assert report.files[0].header_row == 3
    assert any("lookup" in d for d in report.decisions)
    assert {c.name: c.unit for c in report.columns}["销售额"] == "CNY"


def test_sheets_of_one_layout_are_read_below_each_other(lake, tmp_path):
    rows = dated_rows()
    path = book(
        tmp_path / "a.xlsx",
        [HEADER, *rows[:2]],
        title="Oct 1",
        more=[("Oct 2", [HEADER, *rows[2:]], "visible")],
    )
    report = ingest(lake, [path])
    assert report.totals == TOTALS
    assert report.files[0].sheet == "Oct 1, Oct 2"


def test_sheets_that_differ_are_refused_by_name(lake, tmp_path):
    path = book(
        tmp_path / "a.xlsx",
        [HEADER, *dated_rows()],
        title="日报",
        more=[("说明", [("a", "b"), (1, 2)], "visible")],
    )
    with pytest.raises(BadRequest, match=r"日报.*说明"):
        ingest(lake, [path], lang="en")
    assert lake.datasets() == ()


def test_formula_cells_without_a_stored_value_are_never_zero(lake, tmp_path):
    rows = [*dated_rows(), (dt.date(2026, 10, 3), "甲店", "=1+1", 5)]
    report = ingest(lake, [book(tmp_path / "a.xlsx", [HEADER, *rows])], lang="en")
    assert report.totals == TOTALS
    assert report.files[0].rows_rejected == 1
    assert report.files[0].skipped[0][0] == 6
    assert "#FORMULA" in report.files[0].skipped[0][1]


def test_error_cells_reject_their_row(lake, tmp_path):
    rows = [*dated_rows(), (dt.date(2026, 10, 3), "甲店", "#DIV/0!", 5)]
    report = ingest(lake, [book(tmp_path / "a.xlsx", [HEADER, *rows])], lang="en")
    assert report.totals == TOTALS
    assert "#DIV/0!" in report.files[0].skipped[0][1]


def test_parquet_with_typed_columns(lake, tmp_path):
    days, shops, sales, orders = zip(*ROWS, strict=True)
    table = pa.table(
        {
            "日期": pa.array([dt.date.fromisoformat(d) for d in days]),
            "门店": pa.array(shops).dictionary_encode(),
            "销售额": pa.array(sales, pa.float64()),
            "订单数": pa.array(orders, pa.int32()),
            "明细": pa.array([[1], [2], [3], [4]]),
        }
    )
    pq.write_table(table, tmp_path / "a.parquet")
    report = ingest(lake, [tmp_path / "a.parquet"], lang="en")
    assert report.totals == TOTALS
    assert any("明细" in w for w in report.warnings)


def test_parquet_nan_is_missing_not_a_number(lake, tmp_path):
    table = pa.table(
        {
            "date": pa.array([dt.date(2026, 10, d) for d in (1, 2, 3)]).cast(pa.timestamp("us")),
            "shop": ["A", "A", "A"],
            "sales": [1.5, float("nan"), None],
        }
    )
    pq.write_table(table, tmp_path / "a.parquet")
    report = ingest(lake, [tmp_path / "a.parquet"])
    assert report.totals == {"sales": 1.5}
    with lake.open(report.dataset) as view:
        assert view.run("SELECT count(*), count(sales) FROM fact").rows[0] == (3, 1)


def test_files_of_one_layout_are_one_delivery(lake, write):
    lines = text().splitlines()
    first = write("\n".join([lines[0], *lines[1:3]]), "d/a.csv")
    second = write("\n".join([lines[0], *lines[3:]]), "d/b.csv", "gbk")
    report = ingest(lake, [first, second])
    assert report.totals == TOTALS
    assert [f.rows_loaded for f in report.files] == [2, 2]


def test_files_that_differ_are_refused(lake, write):
    first = write(text(), "a.csv")
    second = write("date,shop,price\n2026-10-01,A,3.5\n", "b.csv")
    with pytest.raises(BadRequest, match="different columns"):
        ingest(lake, [first, second], lang="en")


def test_a_folder_holds_data_and_its_sync_log(lake, write):
    path = write(text(), "folder/a.csv")
    write(
        "time,entity,state,rows,message\n2026-10-03 08:00:00,E01,ok,4,\n"
        "2026-10-04 08:00:00,E01,failed,0,timeout\n",
        "folder/sync_log.csv",
    )
    report = ingest(lake, [path.parent])
    assert report.dataset == "folder"
    assert report.totals == TOTALS
    with lake.open("folder") as view:
        assert [(r.state, r.rows) for r in view.sync_log()] in (
            [("failed", 0), ("ok", 4)],
            [("ok", 4), ("failed", 0)],
        )


def many_lines(shops):
    days = [dt.date(2024, 1, 1) + dt.timedelta(days=n) for n in range(500)]
    return [f"{day},S{shop},{shop}.25,{shop}" for day in days for shop in range(shops)]


@pytest.mark.parametrize("spoiled", ["", '"quoted"', "\n", ",,,\n"])
def test_a_large_file_is_read_alike_the_fast_and_the_careful_way(lake, write, spoiled):
    """500 days x 130 shops: Σ shop = 500 · 8385, Σ sales = that + 65 000 · 0.25."""
    lines = many_lines(130)
    if spoiled.startswith('"'):
        lines[7] = lines[7].replace("S7", '"S7"')
    body = "date,shop,sales,order_count\n" + "\n".join(lines[:40]) + "\n"
    body += (spoiled if spoiled.endswith("\n") else "") + "\n".join(lines[40:]) + "\n"
    assert len(body) > 1 << 20
    report = ingest(lake, [write(body)], dry_run=True)
    assert report.totals == {"sales": 4208750.0, "order_count": 4192500}
    assert report.files[0].rows_loaded == 65_000


def test_rows_of_a_large_file_keep_their_numbers(lake, write):
    lines = many_lines(130)
    lines[60_000] = lines[60_000].rpartition(",")[0] + ",many"
    report = ingest(lake, [write("date,shop,sales,order_count\n" + "\n".join(lines))], dry_run=True)
    assert [row for row, _ in report.files[0].skipped] == [60_002]
