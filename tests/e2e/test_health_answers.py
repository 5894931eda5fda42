"""What an answer about the data's health counts is what the health page counts."""

from __future__ import annotations

from collections import Counter
from datetime import date

import pytest

from askcore.service import Service

START, END = date(2026, 9, 18), date(2026, 10, 17)


@pytest.mark.parametrize("entity", ["E01", "E02"])
@pytest.mark.parametrize(
    "question",
    ["2026-09-18 到 2026-10-17 的数据质量怎么样", "is the data healthy from 2026-09-18 to 2026-10-17"],
)
def test_no_fault_is_told_twice(demo: Service, question: str, entity: str) -> None:
    """One missing shop row also leaves the chain's sum short: that is one issue, in words and in counts."""
    answer = demo.ask(question, viewer="test", entity=entity)
    told = Counter((v["check"], v["target"]) for v in answer["verdicts"])
    assert [key for key, n in told.items() if n > 1] == []
    bad = {v["check"] for v in answer["verdicts"] if v["status"] in ("warn", "fail")}
    shown = demo.health("demo", viewer="test", lang="zh", start=START, end=END)
    ids = {v.check for v in shown.verdicts if v.status in ("warn", "fail")}
    assert bad <= ids
    assert bad & {"sum_shop_chain", "uv_bound", "ratio_recomputed"} == set()


def test_differences_between_levels_are_told_when_they_are_asked_for(demo: Service) -> None:
    answer = demo.ask("2026-09-18 到 2026-10-17 各门店合计和品牌对得上吗", viewer="test", entity="E01")
    (verdict,) = [v for v in answer["verdicts"] if v["check"] == "sum_shop_chain"]
    assert verdict["status"] == "fail"
    assert "缺日" in verdict["note"]
