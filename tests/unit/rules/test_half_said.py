"""Measures said by half: by a deed, by an exchanged word, by the whole name of a rate's numerator."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rules_worlds import AS_OF, takeaway

from askcore.agent.rules.understand import Understanding, understand
from askcore.base.values import Lang
from askcore.semantic.catalog import Catalog, Entity
from askcore.semantic.model import Additivity, Level, Metric, Model, TimeColumn

WEEK = {"from": "2026-10-05", "to": "2026-10-11"}


def ask(question: str) -> Understanding:
    model, catalog = takeaway()
    return understand(question, model=model, catalog=catalog, as_of=AS_OF, entity="E01")


def one_call(found: Understanding) -> dict:
    assert len(found.calls) == 1, (found.intent, found.refusal, found.clarification)
    return dict(found.calls[0].args)


PEOPLE = [
    *(
        (f"How many {who} ordered last week", "orderUv")
        for who in ("customers", "people", "users", "guests", "clients")
    ),
    *((f"how many {who} visited last week", "visitUv") for who in ("customers", "people", "shoppers")),
    ("number of customers who ordered last week", "orderUv"),
    ("customers that ordered last week", "orderUv"),
    ("how many customers have ordered last week", "orderUv"),
    ("how many customers bought last week", "orderUv"),
    ("how many new customers ordered last week", "newOrderUv"),
    ("returning customers who ordered last week", "oldOrderUv"),
    ("上周有多少顾客下单", "orderUv"),
    ("上周多少位客人下单", "orderUv"),
    ("上周多少用户下单了", "orderUv"),
    ("上周几个客人进店", "visitUv"),
    ("上周多少人下单", "orderUv"),
]


@pytest.mark.parametrize(("question", "metric"), PEOPLE)
def test_people_are_counted_by_what_they_did(question, metric):
    found = one_call(ask(question))
    assert found["metrics"] == [metric]
    assert {k: found[k] for k in WEEK} == WEEK
    assert "shops" not in found


@pytest.mark.parametrize(
    "question", ["how many customers did we have last week", "上周多少顾客", "how many people yesterday"]
)
def test_people_who_did_nothing_named_are_asked_about(question):
    found = ask(question)
    assert found.clarification is not None
    assert len(found.clarification.options) > 1


# --- "which ward admitted most" on lakes whose measures are named as the file's header has them ----------
def lake(level: str, entities: tuple[str, ...], *metrics: str) -> tuple[Model, Catalog]:
    def metric(key: str) -> Metric:
        texts: dict[Lang, str] = {"zh": key, "en": key}
        return Metric(key=key, label=texts, additivity=Additivity(kind="sum"))

    model = Model(
        name="inferred",
        table="fact",
        time=TimeColumn(column="日期", grain="day"),
        metrics=tuple(map(metric, metrics)),
        levels=(Level(key=level, label={"zh": level, "en": level}, id=level, name=level),),
    )
    named = tuple(Entity(level=level, id=name, name=name) for name in entities)
    return model, replace(takeaway()[1], entities=named, scopes=(level,))


WORLDS = {
    "病区": (lake("病区", ("骨科病区", "儿科病区"), "医疗费用", "入院人数", "出院人数"), "入院", "入院人数"),
    "校区": (lake("校区", ("东校区", "西校区"), "学费", "报名人数", "退课人次"), "报名", "报名人数"),
    "图书馆": (lake("图书馆", ("市馆", "县馆"), "借阅次数", "到馆人次"), "借阅", "借阅次数"),
}


@pytest.mark.parametrize("level", WORLDS)
@pytest.mark.parametrize(
    ("wording", "sort", "limit"),
    [
        ("上周哪个{level}{deed}最多", "-", 1),
        ("上周{deed}最多的{level}", "-", 1),
        ("上周哪个{level}{deed}的人最多", "-", 1),
        ("上周哪个{level}{deed}最少", "", 1),
        ("上周{deed}人数最多的{level}", "-", 1),
    ],
)
def test_a_deed_beside_most_is_the_count_of_it(level, wording, sort, limit):
    (model, catalog), deed, metric = WORLDS[level]
    if "人" in wording and "人" not in metric:
        return
    question = wording.format(level=level, deed=deed)
    found = one_call(understand(question, model=model, catalog=catalog, as_of=AS_OF, entity=None))
    expected = {"metrics": [metric], **WEEK, "by": level, "sort": f"{sort}{metric}", "limit": limit}
    assert {k: found[k] for k in expected} == expected


@pytest.mark.parametrize("level", WORLDS)
def test_a_deed_that_no_measure_counts_is_not_replaced(level):
    (model, catalog), _, _ = WORLDS[level]
    found = understand(f"上周哪个{level}投诉最多", model=model, catalog=catalog, as_of=AS_OF, entity=None)
    assert found.reading is None
    assert "投诉" in found.unread


FUNNELS = [
    ("曝光到下单漏斗", ["exposureUv", "visitUv", "orderUv", "visitRate", "orderRate"]),
    ("上周从曝光到下单的转化漏斗", ["exposureUv", "visitUv", "orderUv", "visitRate", "orderRate"]),
    ("曝光、进店、下单漏斗", ["exposureUv", "visitUv", "orderUv", "visitRate", "orderRate"]),
    ("进店到下单的漏斗", ["visitUv", "orderUv", "orderRate"]),
    ("曝光到进店漏斗", ["exposureUv", "visitUv", "visitRate"]),
    ("funnel from exposure to orders", ["exposureUv", "visitUv", "orderUv", "visitRate", "orderRate"]),
    ("funnel from impressions to visits", None),
]


@pytest.mark.parametrize(("question", "metrics"), FUNNELS)
def test_a_funnel_runs_between_the_steps_that_are_named(question, metrics):
    found = ask(question)
    if metrics is None:
        assert found.intent == "funnel" or found.reading is None
        return
    assert found.intent == "funnel"
    assert one_call(found)["metrics"] == metrics


RATES = ["促销补贴率", "活动补贴率", "商家补贴率", "补贴率", "promotion subsidy rate", "promo subsidy rate", "subsidy rate",
         "promotional subsidy rate"]  # fmt: skip


@pytest.mark.parametrize("name", RATES)
def test_a_rate_may_carry_the_whole_name_of_its_numerator(name):
    for question in (f"上周{name}", f"{name} last week"):
        assert one_call(ask(question))["metrics"] == ["subsidyRate"]


@pytest.mark.parametrize("name", ["促销补贴", "promo subsidy"])
def test_an_exchanged_word_keeps_the_amount_an_amount(name):
    assert one_call(ask(f"{name} last week"))["metrics"] == ["activitySubsidyAmt"]


EXPLAINED = [("exposure", "exposureUv"), ("take-home rate", "incomeRate"), ("gross sales", "grossAmt"), ("AOV", "aov"),
             ("visit rate", "visitRate"), ("bad reviews", "badReviewCnt")]  # fmt: skip


@pytest.mark.parametrize(("name", "metric"), EXPLAINED)
def test_explaining_a_measure_is_its_definition(name, metric):
    for question in (f"Explain {name}", f"explain the {name}", f"please explain {name}", f"解释{name}"):
        found = ask(question)
        assert found.intent == "definition", question
        assert one_call(found) == {"metrics": [metric]}


@pytest.mark.parametrize("name", [name for name, _ in EXPLAINED])
@pytest.mark.parametrize(
    "wording",
    [
        "explain the drop in {}",
        "explain why {} fell last week",
        "explain the change of {} last week",
        "explain {} last week",
    ],
)
def test_explaining_a_change_is_a_question_of_causes(name, wording):
    assert ask(wording.format(name)).intent == "why"


SHARES = [
    ("上周各品牌收入占比", "chain", "incomeAmt"),
    ("上周各连锁收入占比", "chain", "incomeAmt"),
    ("上周每个品牌的收入占比", "chain", "incomeAmt"),
    ("上周各门店收入占比", "shop", "incomeAmt"),
    ("上周收入占比，按品牌", "chain", "incomeAmt"),
    ("income share by brand last week", "chain", "incomeAmt"),
    ("share of income by chain last week", "chain", "incomeAmt"),
    ("上周各品牌营业额占比", "chain", "grossAmt"),
]


@pytest.mark.parametrize(("question", "level", "metric"), SHARES)
def test_a_share_split_by_level_is_what_each_has(question, level, metric):
    found = ask(question)
    assert found.intent == "share"
    expected = {"metrics": [metric], **WEEK, "scope": level, "by": level, "sort": f"-{metric}"}
    assert one_call(found) == expected


def test_the_same_word_without_a_split_stays_the_rate():
    assert one_call(ask("上周收入占比"))["metrics"] == ["incomeRate"]
    assert one_call(ask("上周收入占比最高的品牌"))["metrics"] == ["incomeRate"]
    assert one_call(ask("上周各品牌新客占比"))["metrics"] == ["newCustRate"]


def test_the_other_meaning_of_a_share_is_said():
    assert [n for n in ask("上周各品牌收入占比").notes if "到手率" in n.text]
