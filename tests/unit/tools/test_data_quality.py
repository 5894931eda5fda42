"""`data_quality` as the loop calls it."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from askcore.tools.base import call
from askcore.tools.data_quality import TOOL
from tests.unit.checks.small_lake import DAYS, END, START, facts, with_raw
from tests.unit.checks.test_mutations import at
from tests.unit.tools.check_tools_lake import context

DAY = START + timedelta(days=10)


def test_the_description_names_every_argument() -> None:
    for name in ("from", "to", "checks"):
        assert f"`{name}`" in TOOL.description


def test_by_default_the_last_30_days_of_the_data_and_the_whole_catalogue() -> None:
    result = call(TOOL, {}, context())
    assert result.ok, result.error
    assert result.args == {"from": START.isoformat(), "to": END.isoformat()}
    assert DAYS == 30
    assert {v.status for v in result.verdicts} == {"pass"}
    assert result.facts["counts"] == {"fail": 0, "warn": 0, "skip": 0, "pass": len(result.verdicts)}


def test_args_are_clamped_to_the_data_and_said() -> None:
    raw = {"from": "2026-03-20", "to": "2026-12-31", "checks": ["missing_days"]}
    result = call(TOOL, raw, context())
    assert result.args == {"from": "2026-03-20", "to": END.isoformat(), "checks": ["missing_days"]}
    (clamp,) = result.clamped
    assert (clamp.arg, clamp.before, clamp.after) == ("to", "2026-12-31", END.isoformat())
    assert START.isoformat() in clamp.why


@pytest.mark.parametrize(
    ("raw", "error_class"),
    [
        ({"from": "2025-01-01", "to": "2025-02-01"}, "empty"),
        ({"from": "2026-03-20", "to": "2026-03-10"}, "bad_args"),
        ({"checks": ["misssing_days"]}, "unknown_name"),
        ({"check": ["missing_days"]}, "bad_args"),
    ],
)
def test_bad_arguments_are_folded_with_a_hint(raw: dict[str, object], error_class: str) -> None:
    result = call(TOOL, raw, context())
    assert not result.ok
    assert result.error is not None
    assert result.error.error_class == error_class
    if error_class == "unknown_name":
        assert "missing_days" in result.error.hint


def test_faults_come_first_and_each_once() -> None:
    rows = with_raw(facts(1))
    result = call(TOOL, {}, context(rows[~at(rows, DAY, "O11")]))
    assert result.verdicts[0].check == "missing_days"
    assert [v.check for v in result.verdicts if v.status in ("warn", "fail")] == ["missing_days"]
    assert [v.id for v in result.verdicts] == [f"v{n}" for n in range(1, len(result.verdicts) + 1)]
    assert result.table is not None
    assert result.table.rows[0]["n_bad"] == 1


def test_another_entity_does_not_see_the_fault() -> None:
    rows = with_raw(facts(1))
    spoiled = rows[~at(rows, DAY, "O11")]
    assert call(TOOL, {}, context(spoiled, entity="A1")).facts["counts"]["fail"] == 1
    assert call(TOOL, {}, context(spoiled, entity="A2")).facts["counts"]["fail"] == 0


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_number_of_a_finding_is_a_cell(lang: str) -> None:
    rows = facts(1)
    rows.loc[at(rows, DAY, "O11"), "food"] -= 300.0
    result = call(TOOL, {"checks": ["identity:parts", "sum_outlet_area"]}, context(with_raw(rows), lang=lang))
    cells = {round(c.value, 2) for c in result.cells}
    for verdict in result.verdicts:
        note = re.sub(r"\d\d-\d\d|Outlet \d+|Area \d+|\(×?\d*\)", "", verdict.note)
        for text in re.findall(r"\d[\d,]*\.?\d*%?", note):
            value = float(text.rstrip("%").replace(",", ""))
            near = [c for c in cells if abs(c - value) < 0.011 or abs(c * 100 - value) < 0.51]
            assert near, (text, note)


def test_identity_prefix_may_be_left_out() -> None:
    found = call(TOOL, {"checks": ["parts"]}, context()).verdicts
    assert [v.check for v in found] == ["identity:parts"]


def test_a_unit_that_drifted_before_the_period_is_told_without_counting() -> None:
    rows = with_raw(facts(1))
    rows["raw"] = [
        {**raw, "src.conversion": raw["src.conversion"] * 100} if hit else raw
        for raw, hit in zip(rows["raw"], at(rows, DAY, "O11"), strict=True)
    ]
    result = call(TOOL, {"from": "2026-03-20", "to": "2026-03-31"}, context(rows))
    assert result.facts["counts"]["fail"] == 0
    (drift,) = [v for v in result.verdicts if v.check == "unit_drift"]
    assert (drift.status, drift.n_bad) == ("pass", 0)
    assert "Outlet 11 03-12" in drift.note
