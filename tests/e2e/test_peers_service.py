"""What the peers page gets, against the lake's own files."""

from __future__ import annotations

from datetime import date

import duckdb
import pytest
from deltalake import DeltaTable

from askcore.base.values import Period
from askcore.service import Service

WEEK = Period(start=date(2026, 10, 5), end=date(2026, 10, 11))


def exposure_by_shop(demo: Service, company: str) -> dict[str, float]:
    fact = DeltaTable(demo.settings.home / "lake" / "demo" / "facts").to_pyarrow_table()
    with duckdb.connect() as con:
        con.register("fact", fact)
        found = con.execute(
            'SELECT "shopId", sum("exposureUv") FROM fact WHERE scope = \'shop\' AND "_dup_n" = 1'
            " AND date BETWEEN ? AND ? AND (? = '' OR \"companyId\" = ?) GROUP BY 1",
            [WEEK.start, WEEK.end, company, company],
        ).fetchall()
    return {shop: float(value) for shop, value in found}


@pytest.mark.parametrize("company", ["", "E01", "E02"])
def test_one_company_is_its_own_shops_with_counts_of_its_own(demo: Service, company: str) -> None:
    report = demo.peers("demo", viewer="test", lang="en", period=WEEK, company=company or None)
    expected = exposure_by_shop(demo, company)
    lines = [x for x in report.lines if x.metric == "exposureUv" and x.state == "ok"]
    whole = {x.id: x.own for x in lines if x.own is not None}
    assert set(whole) <= set(expected)
    assert len(set(expected) - set(whole)) <= 2  # opened in that week, or with days at zero
    same = [shop for shop in whole if shop not in ("S0301",)]  # three of its days are zero and left out
    assert {s: whole[s] for s in same} == pytest.approx({s: expected[s] for s in same})
    counted = next(m for m in report.metrics if m.key == "exposureUv")
    assert counted.n_checked == len(lines)
    assert counted.n_behind == sum(x.side == "behind" for x in lines)
