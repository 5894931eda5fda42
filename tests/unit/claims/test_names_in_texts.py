"""Whoever a text names, by a part of the display name or by id, is who the cells are read for."""

from __future__ import annotations

import pytest

from askcore.base.values import Cell
from askcore.checks.claims import check_words
from askcore.checks.provenance import trace_numbers
from askcore.semantic.names import names_within

SALES = {"海风店/Breeze": 517.0, "山脚店/Foothill": 300.0, "河湾店 Bend": 200.0}
CELLS = tuple(
    Cell(value=v, unit="money", metric="grossAmt", entity=e, period="cur", step="t1", role="value", additivity="sum")
    for e, v in SALES.items()
)  # fmt: skip
CELLS += (Cell(value=3, unit="count", metric="rows", step="t1", role="rows"),)
WORDS = {"grossAmt": ("营业额", "sales")}
IDS = {"S01": "海风店/Breeze", "S02": "山脚店/Foothill", "S03": "河湾店 Bend"}


def _said(text: str) -> list[str]:
    report = check_words(text, cells=CELLS, entities=tuple(SALES), metric_words=WORDS, aliases=IDS)
    return [item.status for item in report.items]


@pytest.mark.parametrize("name", ["海风店/Breeze", "海风店", "Breeze", "S01"])
def test_the_highest_by_any_of_its_names(name):
    assert _said(f"营业额最高的是{name}。") == ["supported"]
    assert _said(f"{name} has the highest sales.") == ["supported"]


@pytest.mark.parametrize("name", ["山脚店", "Foothill", "foothill", "S02", "河湾店", "Bend"])
def test_another_by_any_of_its_names_is_refuted(name):
    assert _said(f"营业额最高的是{name}。") == ["contradicted"]


@pytest.mark.parametrize("name", ["山脚店", "Foothill", "S02"])
def test_a_figure_of_somebody_else_is_weak_beside_a_part_of_a_name(name):
    def traced(value: int) -> list[str]:
        found = trace_numbers(
            f"{name}营业额{value}元。", cells=CELLS, entities=tuple(SALES), metric_words=WORDS, aliases=IDS
        )
        return [c.status for c in found.items if c.status != "exempt"]

    assert traced(300) == ["exact"]
    assert traced(517) == ["weak"]


def test_parts_that_say_nobody_by_themselves_are_no_names():
    names = ["南门店/Central", "北门店/Central", "东门/A", "西门店/12", "南门店"]
    assert names_within(names) == {"北门店": "北门店/Central", "东门": "东门/A", "西门店": "西门店/12"}


def test_a_part_that_is_a_metric_word_stays_a_metric():
    cells = [Cell(value=7.0, unit="money", metric="grossAmt", entity="甲店/Sales", period="cur", step="t1")]
    found = trace_numbers("Sales were 7.", cells=cells, entities=["甲店/Sales"], metric_words=WORDS)
    assert [c.status for c in found.items] == ["exact"]
