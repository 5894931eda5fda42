"""`cross_check` as the loop calls it."""

from __future__ import annotations

from datetime import timedelta

from askcore.semantic.parse import parse_model
from askcore.tools.base import ToolContext, call
from askcore.tools.cross_check import TOOL
from tests.unit.checks.memory_view import MemoryView
from tests.unit.checks.small_lake import AS_OF, START, facts, with_raw
from tests.unit.checks.test_mutations import at
from tests.unit.tools.check_tools_lake import context

DAY = START + timedelta(days=10)


def test_by_default_all_levels_and_all_identities() -> None:
    found = call(TOOL, {}, context()).verdicts
    assert {v.check for v in found} == {
        "identity:parts",
        "identity:rate",
        "identity:funnel",
        "sum_outlet_area",
        "uv_bound",
        "ratio_recomputed",
        "all_zero_child",
    }
    assert {v.kind for v in found} == {"identity", "cross-layer"}


def test_other_checks_may_be_named() -> None:
    found = call(TOOL, {"checks": ["missing_days", "sum_outlet_area"]}, context()).verdicts
    assert {v.check for v in found} == {"missing_days", "sum_outlet_area"}


def test_a_disagreement_is_listed_with_its_cause() -> None:
    rows = with_raw(facts(1))
    result = call(TOOL, {"checks": ["sum_outlet_area"]}, context(rows[~at(rows, DAY, "O11")]))
    (verdict,) = result.verdicts
    assert verdict.status == "fail"
    assert [dict(k) for k in verdict.keys] == [
        {"date": DAY.isoformat(), "scope": "area", "areaId": "A1", "outletId": ""}
    ]
    assert "Missing days" in verdict.note


def test_an_unknown_check_gets_the_near_name() -> None:
    result = call(TOOL, {"checks": ["sum_outlet_areas"]}, context())
    assert result.error is not None
    assert "sum_outlet_area" in result.error.hint


ONE_LAYER = """
model: till
dataset:
  time: {column: date}
  levels: [{key: outlet, id: outletId, name: outletName}]
metrics: [{key: sales, label: {zh: 销售, en: Sales}, unit: CNY, additivity: {kind: sum}}]
"""


def test_nothing_to_reconcile_is_said() -> None:
    rows = facts(1)
    view = MemoryView(parse_model(ONE_LAYER), rows[rows["scope"] == "outlet"])
    ctx = ToolContext(view=view, lang="en", as_of=AS_OF, viewer="u")  # type: ignore[arg-type]
    result = call(TOOL, {}, ctx)
    assert not result.ok
    assert result.error is not None
    assert result.error.error_class == "empty"
