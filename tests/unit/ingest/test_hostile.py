"""Files that are broken, empty, hostile or gone: refused with a reason, the lake untouched."""

from __future__ import annotations

import csv
import os
import stat

import openpyxl
import pytest

from askcore.base.errors import BadRequest
from askcore.lake.ingest import ingest

GOOD = "date,shop,sales\n2026-10-01,A,1\n2026-10-02,A,2\n"


def refused(lake, path, reason):
    with pytest.raises(BadRequest, match=reason) as raised:
        ingest(lake, [path], lang="en")
    assert lake.datasets() == ()
    return raised.value


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "empty"),
        (b"\n\n  \n", "empty"),
        (b"date,shop,sales\n", "no rows"),
        (b"2026-10-01,A,1\n2026-10-02,A,2\n", "should be the header"),
        (b"just a sentence\nand another\n", "no table"),
        (b"\x00\x01\x02\x03\xff\xfe" * 500, "binary"),
        (os.urandom(64) * 200 + b"\x00", "binary"),
        (GOOD.encode().replace(b"A", b"A\x00"), "binary"),
        (b"PK\x03\x04" + b"\x00" * 100, "xlsx/zip"),
        (b'date,shop,sales\n2026-10-01,"A,1\n2026-10-02,A,2\n', "not valid CSV"),
        (b"a," * 5_000_000 + b"b", "no table"),
        (b"date,shop,sales\n2026-10-01," + b"x" * 10_000_000 + b",1\n", "not valid CSV"),
        (b"date,shop,sales,Sales\n2026-10-01,A,1,2\n", "same name: Sales, sales|same name"),
        (b"date,shop,sales\n2026-10-01,A\n2026-10-02,A\n2026-10-03,A,3\n", "cells"),
        (b"\xef\xbb\xbfdate,shop,sales\n2026-10-01,\xff\xff,1\n", "says it is"),
    ],
    ids=[str(n) for n in range(15)],
)
def test_bad_text_files(lake, tmp_path, content, reason):
    path = tmp_path / "bad.csv"
    path.write_bytes(content)
    refused(lake, path, reason)


def test_a_text_file_called_xlsx(lake, write):
    refused(lake, write(GOOD, "a.xlsx"), "not a sound workbook")


def test_a_text_file_called_parquet(lake, write):
    refused(lake, write(GOOD, "a.parquet"), "not a sound Parquet")


def test_a_file_that_does_not_exist(lake, tmp_path):
    refused(lake, tmp_path / "gone.csv", "does not exist")


def test_an_unknown_kind(lake, write):
    assert ".csv" in refused(lake, write(GOOD, "a.docx"), "not known").hint


def test_a_folder_without_data(lake, tmp_path):
    (tmp_path / "empty").mkdir()
    refused(lake, tmp_path / "empty", "no data file")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(lake, write):
    path = write(GOOD)
    path.chmod(0)
    try:
        refused(lake, path, "cannot be read")
    finally:
        path.chmod(stat.S_IRUSR | stat.S_IWUSR)


def test_no_path_at_all(lake):
    with pytest.raises(BadRequest, match="No file"):
        ingest(lake, [], lang="en")
    assert lake.datasets() == ()


def test_a_wide_workbook_with_a_merged_header_is_named(lake, tmp_path):
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["Weekly sales (USD)"])
    sheet.append([])
    sheet.append(["Store", "Feb", None, None, "Mar"])
    sheet.append([None, "2010-02-05", "2010-02-12", "2010-02-19", "2010-03-05"])
    sheet.append([1, 10.5, 11.5, 12.5, 13.5])
    sheet.append(["Total", 10.5, 11.5, 12.5, 13.5])
    sheet.merge_cells("B3:D3")
    book.save(tmp_path / "wide.xlsx")
    assert "long" in refused(lake, tmp_path / "wide.xlsx", "merged or spans").hint


def test_a_two_row_header_is_named(lake, write):
    text = "date,shop,sales,,\n,,A,B,C\n2026-10-01,x,1,2,3\n2026-10-02,x,1,2,3\n"
    refused(lake, write(text), "merged or spans two rows")


def test_rows_that_nothing_tells_apart_are_refused(lake, write):
    lines = "".join(f"2026-10-0{1 + i % 3},A,{i % 7}.5\n" for i in range(30))
    refused(lake, write("date,shop,sales\n" + lines), "identify a row")


def test_two_columns_of_days_are_not_chosen_from(lake, write):
    text = "start,end,shop,sales\n2026-10-01,2026-10-02,A,1\n2026-10-03,2026-10-04,A,2\n"
    refused(lake, write(text), "start, end")


def test_no_measure(lake, write):
    refused(lake, write("date,shop,remark\n2026-10-01,A,fine\n2026-10-02,A,good\n"), "numbers to add up")


def test_mostly_unreadable_rows_are_refused(lake, write):
    text = "date,shop,sales\n" + "".join(
        f"2026-10-{d:02d},A,{v}\n" for d, v in enumerate(["x"] * 6 + ["1"] * 4, 1)
    )
    refused(lake, write(text), "more than half, are no numbers")


def test_cancel_stops_before_the_lake_is_touched(lake, write):
    from threading import Event

    from askcore.base.errors import Cancelled

    stop = Event()
    stop.set()
    with pytest.raises(Cancelled):
        ingest(lake, [write(GOOD)], cancel=stop)
    assert lake.datasets() == ()


BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{chr(98 + i)}: &{chr(98 + i)} [{', '.join(['*' + chr(97 + i)] * 9)}]\n" for i in range(10)
)
MODELS = {
    "bomb": BOMB,
    "ring": "a: &a [*a]\n",
    "ring of mappings": "a: &a\n  b: *a\n",
    "python tag": 'table: !!python/object/apply:os.system ["touch PWNED"]\n',
    "unknown tag": "table: !foo bar\n",
    "number that is none": "table: !!int abc\n",
    "day that is none": "table: 2026-99-99\n",
    "endless digits": "table: " + "9" * 100_000,
    "list as key": "? [a, b]\n: c\n",
    "deep": "[" * 5_000,
    "control character": "\x00",
    "two documents": "table: a\n---\ntable: b\n",
}


@pytest.mark.parametrize("text", MODELS.values(), ids=MODELS.keys())
def test_a_hostile_model_file_is_refused_with_its_line(lake, write, tmp_path, text):
    with pytest.raises(BadRequest, match=r"hostile\.yaml"):
        ingest(lake, [write(GOOD)], model=str(write(text, "hostile.yaml")), lang="en")
    assert lake.datasets() == ()
    assert not (tmp_path / "PWNED").exists()


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_a_day_that_stands_for_none_is_rejected_by_row(load, day):
    report = load(GOOD + f"{day},A,3\n")
    assert report.rows_added == 2
    ((row, why),) = report.files[0].skipped
    assert row == 4 and day in why


@pytest.mark.parametrize("cell", ["1e308", "-1e18", "1e999", "$9,999,999,999,999,999,999.00"])
def test_a_number_beyond_all_counts_is_unreadable_and_never_infinite(load, cell):
    report = load(GOOD + f'2026-10-03,A,4\n2026-10-04,A,"{cell}"\n').as_json()
    assert report["totals"] == {"sales": 7}
    assert next(c for c in report["columns"] if c["name"] == "sales")["unreadable"] == 1


NAMES = (
    "<img src=x onerror=alert(1)>", "![x](http://127.0.0.1:9/a.png)", '=HYPERLINK("x")', "x" * 10_000, "sales",
    "2026-10-01", "Top5", "12345", 'a"b', "a'b", "a;b", "100%", "a\\b", "a\nb", "a,b", "{x}", "%s", "$5", "🔥",
    "\u202eabc", "a\u200bb", "null-shop", "--", "/* x */", "昨天", "营业额", "1e5",
)  # fmt: skip


def test_hostile_names_are_kept_letter_by_letter(lake, tmp_path):
    path = tmp_path / "names.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["date", "shop", "sales"])
        rows.writerows([f"2026-10-{d:02d}", n, d] for d in range(1, 6) for n in NAMES)
    ingest(lake, [path], dataset="names", lang="en")
    with lake.open("names") as view:
        found = {e.id for e in view.catalog.entities}
        total = view.run("SELECT sum(sales) FROM fact").rows[0][0]
    assert {" ".join(n.split()) for n in found} == {" ".join(n.split()) for n in NAMES}
    assert total == 15 * len(NAMES)


COLUMNS = ("select", "scope", "_dup_n", "raw", "__proto__", 'a"b', "a'b", "fact", "x;drop table fact",
           "count(*)", "sum(x)", "{x}", "%s", "<b>x</b>", "sales@day", "src.sales", "rowid", "null", "x" * 5_000)  # fmt: skip


def test_hostile_column_names_load_and_add_up(lake, tmp_path):
    path = tmp_path / "columns.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["date", *COLUMNS])
        rows.writerows([f"2026-10-{d:02d}", *([d] * len(COLUMNS))] for d in range(1, 6))
    report = ingest(lake, [path], dataset="columns", lang="en").as_json()
    assert report["totals"] == dict.fromkeys(COLUMNS, 15)
    keys = [c["key"] for c in report["columns"]]
    assert len(set(keys)) == len(keys)
