"""Any table written in any format reads back to its sums."""

from __future__ import annotations

import csv
import io
import tempfile
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from askcore.base.config import Settings
from askcore.lake import Lake
from askcore.lake.ingest import ingest

amounts = st.one_of(
    st.none(), st.decimals(min_value=Decimal("-99999999.99"), max_value=Decimal("99999999.99"), places=2)
)
counts = st.one_of(st.none(), st.integers(min_value=-(10**9), max_value=10**9))
names = st.text(alphabet="甲乙丙店AB,;\"' \n", min_size=1, max_size=6).filter(lambda t: t.strip())


@st.composite
def tables(draw):
    """Rows of (day, shop, amount, count), one per day and shop; at least one value in each measure."""
    shops = draw(st.lists(names, min_size=1, max_size=3, unique_by=lambda t: " ".join(t.split())))
    days = draw(st.integers(min_value=2, max_value=6))
    rows = [
        [date(2026, 10, 1) + timedelta(days=d), f"n{shop.strip()}", draw(amounts), draw(counts)]
        for d in range(days)
        for shop in shops
    ]
    rows[0][2], rows[0][3] = Decimal("2.50"), 7
    return rows


HEADER = ["date", "shop", "sales", "order_count"]


def as_csv(path, rows, encoding):
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(HEADER)
    writer.writerows([["" if c is None else c for c in row] for row in rows])
    path.write_bytes(out.getvalue().encode(encoding))


def as_xlsx(path, rows, _):
    book = openpyxl.Workbook()
    book.active.append(HEADER)
    for row in rows:
        book.active.append(row)
    book.save(path)


def as_parquet(path, rows, _):
    days, shops, sales, orders = zip(*rows, strict=True)
    columns = {"date": pa.array(days), "shop": pa.array(shops)}
    columns |= {"sales": pa.array(sales, pa.decimal128(12, 2)), "order_count": pa.array(orders, pa.int64())}
    pq.write_table(pa.table(columns), path)


@pytest.mark.parametrize(
    ("kind", "writer", "encoding"),
    [
        ("csv", as_csv, "utf-8"),
        ("csv", as_csv, "utf-8-sig"),
        ("csv", as_csv, "gbk"),
        ("xlsx", as_xlsx, ""),
        ("parquet", as_parquet, ""),
    ],
)
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(rows=tables())
def test_sums_survive(kind, writer, encoding, rows):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"t.{kind}"
        writer(path, rows, encoding)
        lake = Lake(Settings(home=Path(folder) / "home"))
        report = ingest(lake, [path], dry_run=True, lang="en")
    sales = sum((r[2] for r in rows if r[2] is not None), Decimal(0))
    orders = sum(r[3] for r in rows if r[3] is not None)
    assert report.totals["sales"] == pytest.approx(float(sales), abs=1e-9)
    assert report.totals["order_count"] == orders
    assert report.files[0].rows_loaded == len(rows)
