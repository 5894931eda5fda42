"""Which rows of a long table a sentence may cite."""

from __future__ import annotations

from askcore.base.values import Column, Table
from askcore.tools.cells import citable_rows

COLUMNS = (Column(key="date", label="Date", unit="date"), Column(key="sales", label="Sales", unit="CNY"))


def table(n: int) -> Table:
    """Day i has sales i, but day 300 has 9999 and day 400 has -1."""
    special = {300: 9999.0, 400: -1.0}
    rows = tuple({"date": f"d{i:04d}", "sales": special.get(i, float(i))} for i in range(n))
    return Table(columns=COLUMNS, rows=rows, row_count=n)


def test_a_short_table_is_citable_whole():
    assert len(citable_rows(table(200), ("sales",))) == 200


def test_of_a_long_table_the_head_the_ends_and_the_extremes_are_citable():
    found = [row["date"] for row in citable_rows(table(1000), ("sales",))]
    assert found[:200] == [f"d{i:04d}" for i in range(200)]
    assert found[200:] == ["d0300", "d0400", "d0999"]
