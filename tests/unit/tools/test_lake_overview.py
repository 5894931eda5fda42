"""`lake_overview` as the loop calls it."""

from __future__ import annotations

from datetime import timedelta

from askcore.tools.base import call
from askcore.tools.lake_overview import TOOL
from tests.unit.checks.small_lake import AS_OF, DAYS, END, START, facts, with_raw
from tests.unit.tools.check_tools_lake import context


def test_counts_of_levels_and_months() -> None:
    result = call(TOOL, {}, context())
    assert result.ok, result.error
    assert result.table is not None
    assert [dict(r) for r in result.table.rows] == [
        {
            "level": "Area",
            "entities": 2,
            "rows": 2 * DAYS,
            "first_day": START.isoformat(),
            "last_day": END.isoformat(),
        },
        {
            "level": "Outlet",
            "entities": 6,
            "rows": 6 * DAYS,
            "first_day": START.isoformat(),
            "last_day": END.isoformat(),
        },
    ]
    assert result.facts["rows_per_month"] == {"2026-03": 8 * DAYS}
    assert result.facts["period"] == {"from": START.isoformat(), "to": END.isoformat()}
    assert result.args == {}
    assert {v.check: v.status for v in result.verdicts} == {"freshness": "pass", "sync_log": "pass"}


def test_the_last_sync_and_its_outcome() -> None:
    sync = call(TOOL, {}, context(entity="A2")).facts["last_sync"]
    assert (sync["time"], sync["entity"], sync["state"]) == (f"{AS_OF} 06:10:00", "A2", "success")


def test_openers_and_closers_are_told_and_are_no_fault() -> None:
    rows = with_raw(facts(1))
    opened, closed = START + timedelta(days=12), START + timedelta(days=20)
    late = (rows["outletId"] == "O11") & (rows["date"] < opened)
    gone = (rows["outletId"] == "O21") & (rows["date"] >= closed)
    result = call(TOOL, {}, context(rows[~(late | gone)]))
    assert [(e["id"], e["day"]) for e in result.facts["openers"]] == [("O11", opened.isoformat())]
    last = (closed - timedelta(days=1)).isoformat()
    assert [(e["id"], e["day"]) for e in result.facts["closers"]] == [("O21", last)]
    assert {v.status for v in result.verdicts} == {"pass"}


def test_one_entity_by_its_name() -> None:
    result = call(TOOL, {"entity": "Outlet 22"}, context())
    assert result.args == {"entity": "O22"}
    assert result.table is not None
    assert [(r["level"], r["entities"], r["rows"]) for r in result.table.rows] == [("Outlet", 1, DAYS)]


def test_an_unknown_entity_gets_the_near_name() -> None:
    result = call(TOOL, {"entity": "Outlet 29"}, context())
    assert result.error is not None
    assert "Outlet 2" in result.error.hint


def test_counts_are_cells() -> None:
    cells = {(c.metric, c.entity, c.period): c.value for c in call(TOOL, {}, context()).cells}
    assert cells["entities", "Outlet", "cur"] == 6
    assert cells["rows", "", "2026-03"] == 8 * DAYS
    assert cells["freshness.lag", "", "cur"] == 1
