"""Questions that hold more than a plan can keep are declined; growth is ordered by growth. Two lakes, own names."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.e2e.demo_world import SEEDS, DemoWorld, demo_world

WEEK, BEFORE = ("2026-10-05", "2026-10-11"), ("2026-09-28", "2026-10-04")


@pytest.fixture(scope="module", params=SEEDS, ids=lambda seed: f"seed{seed}")
def world(request, tmp_path_factory) -> Iterator[DemoWorld]:
    with demo_world(tmp_path_factory.mktemp("whole"), request.param) as found:
        yield found


def named(world: DemoWorld) -> dict[str, str]:
    """Short names of the default company's chains and shops, and of the other company."""
    company = next(e["id"] for e in world.manifest["entities"] if e["level"] == "company")
    kept = [e for e in world.manifest["entities"] if e["companyId"] == company]
    names = {level: [e["name"] for e in kept if e["level"] == level] for level in ("chain", "shop")}
    unique = [n for n in names["shop"] if names["shop"].count(n) == 1]
    return {
        "chain": names["chain"][0].split("/")[0],
        "chain2": names["chain"][1].split("/")[0],
        "shop": unique[0],
    }


@pytest.mark.parametrize(
    "question",
    [
        "other chains than {chain} last week gross sales",
        "其他品牌上周营业额",
        "the rest of the shops gross sales last week",
        "两家公司上周总营业额",
        "both companies gross sales last week in total",
        "两家公司昨天订单量一共多少",
        "日环比 营业额",
        "how many shops grew last week",
        "有几家店上周下滑",
        "9月营业额最高的三家店和最低的三家店",
        "上周前两名和后两名门店营业额",
        "{chain}上周营业额和{chain2}上上周营业额",
        "7月营业额和8月订单量",
        "{shop}历史最高营业额",
        "9月业绩最差的三家店和它们的客单价",
        "老客占比 上周",
        "share of invalid orders last week",
        "share of each shop in its chain's gross sales September 2026",
        "每家店上周营业额占品牌比例",
    ],
)
def test_what_would_be_lost_is_declined_with_something_to_ask(world, question):
    answer = world.put(question.format(**named(world)))
    assert answer["status"] == "refused", answer["answer"]
    assert answer["error"]["hint"]
    assert answer["provenance"]["untraced"] == 0


@pytest.mark.parametrize(
    "question",
    [
        "上周各品牌营业额占比",
        "share of gross sales by chain last week",
        "新客占比 上周",
        "上周营业额最高的门店",
        "出餐最快的门店",
        "哪些门店上周下降了",
        "各公司上周营业额",
        "昨天和前天的营业额对比",
        "上周营业额和有效订单",
        "现在有多少家在营门店",
        "{chain}和{chain2}上周营业额",
        "{chain}上周和上上周营业额对比",
    ],
)
def test_their_plain_neighbours_are_answered(world, question):
    answer = world.put(question.format(**named(world)))
    assert answer["status"] == "done", answer["answer"]


def sums(world: DemoWorld, days: tuple[str, str], level: str) -> dict[str, float]:
    """Gross sales by the explorer's plain rows."""
    answer = world.put(f"{days[0]}至{days[1]}各{'品牌' if level == 'chain' else '门店'}营业额")
    return {r[f"{level}Id"]: r["grossAmt"] for r in answer["table"]["rows"]}


def told(answer: dict, names: dict[str, str]) -> list[str]:
    """Ids in the order in which the sentence with the order names them."""
    text = answer["answer"]
    marks = ("上升的：", "下降的：", "从高到低：", "Up by", "Down by", "highest first:")
    start = max(text.find(m) for m in marks)
    line = text[start:].split("\n")[0].split("。")[0]
    found = [(line.find(name), key) for key, name in names.items() if name in line]
    return [key for _, key in sorted(found)]


@pytest.mark.parametrize(
    ("question", "level", "by_rate", "count", "sign"),
    [
        ("top 3 shops by growth in gross sales, {b} to {e} vs {b2} to {e2}", "shop", False, 3, 1),
        ("{b}至{e}对比{b2}至{e2}营业额增长最快的3家门店", "shop", True, 3, 1),
        ("{b}至{e}对比{b2}至{e2}营业额下降最多的2家门店", "shop", False, 2, -1),
        ("{b}至{e}对比{b2}至{e2}营业额增长最快的品牌", "chain", True, 0, 1),
    ],
)
def test_growth_is_ordered_by_growth(world, question, level, by_rate, count, sign):
    dates = {"b": WEEK[0], "e": WEEK[1], "b2": BEFORE[0], "e2": BEFORE[1]}
    now, before = sums(world, WEEK, level), sums(world, BEFORE, level)
    change = {k: now[k] - before[k] for k in now if before.get(k)}
    size = {k: v / before[k] if by_rate else v for k, v in change.items()}
    wanted = sorted((k for k in size if change[k] * sign > 0), key=lambda k: -abs(size[k]))
    answer = world.put(question.format(**dates))
    assert answer["status"] == "done", answer["error"]
    names = {k: world.name(k) for k in size}
    expected = wanted[:count] if count else wanted
    assert told(answer, names)[: len(expected)] == expected
    assert answer["provenance"]["words"]["contradicted"] == 0


def test_the_metric_after_by_ranks_and_the_other_is_shown(world):
    answer = world.put("AOV of the top 3 shops by gross sales in September 2026")
    assert answer["steps"][0]["args"]["sort"] == "-grossAmt"
    assert {"aov", "grossAmt"} <= set(answer["steps"][0]["args"]["metrics"])


def test_people_of_several_shops_are_not_called_the_companys(world):
    by_shop = world.put("上周各门店下单人数")
    own = world.put("上周下单人数")
    assert by_shop["table"]["totals"]["orderUv"] > own["table"]["rows"][0]["orderUv"]
    assert "各门店相加" in by_shop["answer"]
    assert "相加" not in own["answer"]


@pytest.mark.parametrize(
    "question",
    [
        "how much more did {chain} sell than {chain2} last week",
        "{chain}和{chain2}上周营业额差多少",
        "{chain}比{chain2}上周营业额高多少",
    ],
)
def test_two_that_are_told_apart_stand_side_by_side_and_are_not_added(world, question):
    names = named(world)
    answer = world.put(question.format(**names))
    (step,) = answer["steps"]
    assert step["tool"] == "cross_entity"
    sales = sums(world, WEEK, "chain")
    ids = {e["name"].split("/")[0]: e["id"] for e in world.manifest["entities"] if e["level"] == "chain"}
    for name in (names["chain"], names["chain2"]):
        assert f"{sales[ids[name]]:,.2f}" in answer["answer"]
    both = sales[ids[names["chain"]]] + sales[ids[names["chain2"]]]
    assert f"{both:,.2f}" not in answer["answer"]


def test_a_cut_month_is_no_lowest_and_the_answer_does_not_refute_itself(world):
    for question in ("近3个月每月营业额", "past 3 months gross sales by month", "9月每周营业额"):
        answer = world.put(question)
        assert answer["provenance"]["words"]["contradicted"] == 0, answer["answer"]
        assert "完整" in answer["answer"] or "whole" in answer["answer"]


def test_a_question_that_was_asked_back_still_says_whom_the_next_is_about(world):
    """Two shops have one name: neither the follow-up nor the choice falls back to the whole company."""
    shops = [e for e in world.manifest["entities"] if e["level"] == "shop"]
    names = [e["name"] for e in shops]
    shared = next(e for e in shops if names.count(e["name"]) > 1)

    def turns(*questions: str) -> dict:
        session, answer = None, {}
        for question in questions:
            answer = world.service.ask(question, viewer="t", planner="rules", session_id=session)
            session = answer["session_id"]
        return answer

    asked = f"{shared['name']}上周营业额"
    assert turns(asked)["status"] == "needs_clarification"
    assert turns(asked, "那上个月")["status"] == "needs_clarification"
    chosen = turns(asked, shared["id"])
    assert chosen["steps"][0]["args"]["shops"] == [shared["id"]]
    assert turns(asked, shared["id"], "那上个月呢")["steps"][0]["args"]["shops"] == [shared["id"]]
