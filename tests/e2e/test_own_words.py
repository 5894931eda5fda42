"""The embedded planner's own sentences are never refuted by the cells they are made from."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

import pytest

from tests.e2e.demo_world import SEEDS, DemoWorld, demo_world

WEEKS = [date(2025, 9, 1) + timedelta(days=28 * n) for n in range(14)]
ASKED = (
    "{a}至{b}各品牌营业额环比",
    "{a}至{b}各门店有效订单环比",
    "{a}至{b}各门店进店率变化",
    "{a}到{b}每天的营业额走势",
    "{a}到{b}有效订单前5的门店",
    "{a}到{b}营业额最差的3家门店",
    "为什么{a}至{b}的营业额变化了",
    "{a}至{b}各品牌营业额占比",
    "{a}至{b}各店进店率和同行比怎么样",
    "{a}至{b}的数据质量如何",
    "gross sales by chain {a} to {b} versus the week before",
    "order rate by shop {a} to {b} vs the week before",
    "top 5 shops by valid orders {a} to {b}",
    "share of gross sales by chain {a} to {b}",
    "why did valid orders change {a} to {b} vs the previous week",
)


@pytest.fixture(scope="module", params=SEEDS, ids=lambda seed: f"seed{seed}")
def world(request, tmp_path_factory) -> Iterator[DemoWorld]:
    with demo_world(tmp_path_factory.mktemp("words"), request.param) as found:
        yield found


@pytest.mark.parametrize("asked", ASKED)
def test_no_word_and_no_number_of_an_own_answer_is_refuted(world, asked):
    for start in WEEKS:
        question = asked.format(a=start, b=start + timedelta(days=6))
        answer = world.put(question)
        assert answer["status"] == "done", (question, answer["error"])
        words = answer["provenance"]["words"]
        assert [i for i in words["items"] if i["status"] == "contradicted"] == [], (
            question,
            answer["answer"],
        )
        assert answer["provenance"]["coverage"] in (None, 1.0), question


def test_a_ranking_with_two_shops_of_one_name_keeps_them_apart(world):
    """Each of two entities of one name has its own cell, named with its id."""
    names = [e["name"] for e in world.manifest["entities"] if e["level"] == "shop"]
    shared = next(n for n in names if names.count(n) > 1)
    answer = world.put("2026-10-05至2026-10-11各门店有效订单")
    rows = {r["shopId"]: r["validOrderCnt"] for r in answer["table"]["rows"] if r["shopName"] == shared}
    assert len(rows) == 2
    both = [shop for shop in rows if f"{shared} {shop}" in answer["answer"]]
    for shop in both:
        cited = [
            i["source"] for i in answer["provenance"]["items"] if i["text"].startswith(f"{rows[shop]:,.0f}")
        ]
        assert any(f"{shared} {shop}" in source for source in cited)
