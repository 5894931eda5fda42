"""Titles, totals, thousands, percents and dates: what is read, what is said, what is refused."""

from __future__ import annotations

import json

import pytest

from askcore.base.errors import BadRequest
from askcore.lake.ingest import ingest

REPORT = """门店日报(单位:元)

日期,门店编号,销售额,订单数,销售占比,,客单价
20180101,S1,"1,200.50",40,80.0%,,30.01
20180101,S2,300.00,20,20.0%,,15.00
20180102,S1,500.00,25,62.5%,,20.00
20180102,S2,300.00,10,37.5%,,30.00
20180103,S1,90.00,3,30.0%,,30.00
20180103,S2,210.00,6,70.0%,,35.00
20180104,S1,100.00,4,50.0%,,25.00
20180104,S2,100.00,2,50.0%,,50.00
合计,,"2,800.50",111,100.0%,,25.23
"""


def test_a_report_with_title_thousands_percents_and_a_total_row(load, lake):
    report = load(REPORT, encoding="gbk")
    assert report.totals["销售额"] == 2800.5
    assert report.totals["订单数"] == 110
    file = report.files[0]
    assert (file.header_row, file.rows_read, file.rows_loaded, file.rows_rejected) == (3, 9, 8, 1)
    assert file.skipped == ((12, "total row, not added up"),)
    found = {c.name: (c.role, c.additivity, c.unit) for c in report.columns}
    assert found == {
        "日期": ("time", None, None),
        "门店编号": ("level", None, None),
        "销售额": ("metric", "sum", "CNY"),
        "订单数": ("metric", "sum", "order"),
        "销售占比": ("metric", "mean_per_row", "ratio"),
        "客单价": ("metric", "ratio", "CNY"),
    }
    assert "Column 6 has neither name nor values and was skipped" in report.decisions
    assert "The total row agrees with the sum of the rows: 销售额" in report.decisions
    assert any("says 111.0" in w and "'订单数'" in w for w in report.warnings)
    with lake.open(report.dataset) as view:
        assert view.run("SELECT max(销售占比) FROM fact").rows[0][0] == 0.8


def test_the_report_is_the_contracts_json(load):
    found = json.loads(json.dumps(load(REPORT).as_json()))
    assert list(found) == [
        "dataset", "version", "committed", "files", "columns", "totals",
        "rows_added", "rows_changed", "rows_unchanged", "decisions", "warnings",
    ]  # fmt: skip
    assert list(found["files"][0]) == [
        "path", "encoding", "sheet", "header_row", "rows_read", "rows_loaded", "rows_rejected", "skipped",
    ]  # fmt: skip
    assert list(found["columns"][0]) == [
        "name", "key", "role", "type", "additivity", "unit", "why", "unreadable",
    ]  # fmt: skip


def table(days, values=None):
    values = values or range(1, len(days) + 1)
    return "date,shop,sales\n" + "".join(f"{d},A,{v}\n" for d, v in zip(days, values, strict=True))


def first_days(lake, report):
    with lake.open(report.dataset) as view:
        return [str(r[0]) for r in view.run("SELECT date FROM fact ORDER BY sales").rows]


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        (["20180101", "20180102"], ["2018-01-01", "2018-01-02"]),
        (["2010-02-05", "2010-02-12"], ["2010-02-05", "2010-02-12"]),
        (["05-02-2010", "19-02-2010"], ["2010-02-05", "2010-02-19"]),
        (["02/05/2010", "02/19/2010"], ["2010-02-05", "2010-02-19"]),
        (["2026/10/1", "2026/10/2"], ["2026-10-01", "2026-10-02"]),
        (["2026年10月1日", "2026年10月2日"], ["2026-10-01", "2026-10-02"]),
        (["2026-10-01 00:00:00", "2026-10-02 00:00:00"], ["2026-10-01", "2026-10-02"]),
        (["5-Feb-2010", "19-Feb-2010"], ["2010-02-05", "2010-02-19"]),
    ],
)
def test_day_spellings(load, lake, days, expected):
    assert first_days(lake, load(table(days))) == expected


def test_months_are_their_first_day(load, lake):
    report = load("month,shop,sales\n2026-01,A,1\n2026-02,A,2\n")
    assert first_days(lake, report) == ["2026-01-01", "2026-02-01"]
    assert lake.model(report.dataset).time.grain == "month"


@pytest.mark.parametrize(
    ("days", "reason"),
    [
        (["01/02/2026", "03/04/2026"], "cannot be told apart"),
        (["13/02/2026", "02/13/2026"], "neither order"),
        (["13/02/2026", "14-02-2026"], "mixes two date spellings"),
        (["2026-02-13", "14-02-2026"], "mixes two date spellings"),
        (["13/02/26", "14/02/26"], "two digits"),
        (["2026-02-13 09:30", "2026-02-13 10:30"], "times of day"),
        (["soon", "later"], "No column holds days"),
    ],
)
def test_days_with_two_readings_are_refused(load, lake, days, reason):
    with pytest.raises(BadRequest, match=reason):
        load(table(days))
    assert lake.datasets() == ()


@pytest.mark.parametrize(
    ("order", "expected"),
    [("dmy", ["2026-02-01", "2026-04-03"]), ("mdy", ["2026-01-02", "2026-03-04"])],
)
def test_ambiguous_days_follow_the_hint(load, lake, order, expected):
    assert first_days(lake, load(table(["01/02/2026", "03/04/2026"]), date_order=order)) == expected


def test_a_hint_that_the_column_contradicts_is_refused(load):
    with pytest.raises(BadRequest, match="contradicts"):
        load(table(["13/02/2026", "14/02/2026"]), date_order="mdy")


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        (['"$1,36,170.00"', '"$1,200.00"'], "groups digits"),
        (["($4.50)", "$3.00"], "accounting"),
        (["$-", "$3.00"], "accounting"),
        (['"2,6"', '"3,75"'], "decimal comma"),
        (['"1.234,50"', '"2.000,00"'], "decimal comma"),
        (["8.5%", "8.5"], "two units"),
        (["$3.00", "￥4.00"], "two units"),
    ],
)
def test_numbers_with_two_readings_are_refused(load, lake, cells, reason):
    with pytest.raises(BadRequest, match=reason) as raised:
        load(table(["2026-10-01", "2026-10-02"], cells))
    assert raised.value.hint
    assert lake.datasets() == ()


def test_a_comma_in_a_semicolon_file_is_never_taken_for_thousands(load):
    with pytest.raises(BadRequest, match="decimal comma"):
        load("date;shop;sales\n2026-10-01;A;1,234\n2026-10-02;A;2,345\n")


def test_plain_money_signs_are_read_and_give_the_unit(load):
    report = load(table(["2026-10-01", "2026-10-02"], ['"$1,200.50"', "$-3.25"]))
    assert report.totals == {"sales": 1197.25}
    assert report.columns[2].unit == "USD"


def test_missing_cells_stay_missing(load, lake):
    report = load(table(["2026-10-01", "2026-10-02", "2026-10-03", "2026-10-04"], ["5", "", "N/A", "-"]))
    assert report.totals == {"sales": 5}
    assert any("count as missing" in w for w in report.warnings)
    with lake.open(report.dataset) as view:
        assert view.run("SELECT count(*), count(sales) FROM fact").rows[0] == (4, 1)


def test_few_unreadable_rows_are_listed_with_their_row(load):
    days = [f"2026-10-{d:02d}" for d in range(1, 11)]
    report = load(table(days, ["1"] * 8 + ["many", "1"]))
    assert report.totals == {"sales": 9}
    assert report.files[0].skipped == ((10, "'many' in column 'sales' is no number"),)
    assert {c.name: c.unreadable for c in report.columns}["sales"] == 1


def test_rows_without_a_day_are_rejected(load):
    report = load(table(["2026-10-01", "2026-10-02", "Source: internal", "2026-10-04"]))
    assert report.totals == {"sales": 7}
    assert report.files[0].skipped == ((4, "'Source: internal' in column 'date' is no day"),)


def test_a_footnote_line_is_no_row(load):
    report = load(table(["2026-10-01", "2026-10-02"]) + "Source: internal figures\n")
    assert report.totals == {"sales": 3}
    assert report.files[0].rows_rejected == 1


@pytest.mark.parametrize("word", ["合计", "总计", "小计", "Total", "Grand total", "TOTAL:", "2026 Total"])
def test_total_rows_are_not_added(load, word):
    report = load(table(["2026-10-01", "2026-10-02"]) + f"{word},,3\n")
    assert report.totals == {"sales": 3}
    assert "The total row agrees with the sum of the rows: sales" in report.decisions


def test_subtotals_of_a_day_are_not_added(load):
    text = "date,shop,sales\n2026-10-01,A,1\n2026-10-01,B,2\n2026-10-01,小计,3\n"
    text += "2026-10-02,A,4\n2026-10-02,B,5\n2026-10-02,小计,9\n"
    report = load(text)
    assert report.totals == {"sales": 12}
    assert report.files[0].rows_rejected == 2


def test_blank_lines_are_skipped_and_row_numbers_stay_true(load):
    report = load("date,shop,sales\n2026-10-01,A,1\n\n,,\n2026-10-02,A,2\n2026-10-03,A,x\n2026-10-04,A,4\n")
    assert report.totals == {"sales": 7}
    assert report.files[0].skipped[0][0] == 6
    assert "Skipped 2 blank rows" in report.decisions


def test_loading_twice_changes_nothing(load):
    first = load(REPORT)
    again = load(REPORT)
    assert (first.version, again.version) == (again.version, first.version)
    assert (again.rows_added, again.rows_changed, again.rows_unchanged) == (0, 0, 8)
    assert "Uses the model stored for the dataset sales" in again.decisions
    assert again.totals == first.totals


def test_a_dry_run_tells_all_and_commits_nothing(load, lake):
    report = load(REPORT, dry_run=True)
    assert (report.committed, report.rows_added) == (False, 8)
    assert report.totals["销售额"] == 2800.5
    assert lake.datasets() == ()


def test_texts_come_in_chinese_too(lake, write):
    report = ingest(lake, [write(REPORT)], lang="zh")
    assert report.files[0].skipped[0][1].startswith("合计行")
