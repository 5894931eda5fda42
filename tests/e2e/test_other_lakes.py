"""Questions on lakes of other domains, grains and names; every expected number is worked out by hand.

A month of 31 days has Σ day = 496 and Σ (day mod 3) = 31; November has Σ day = 465; Σ month of a year = 78.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from askcore.base.config import Settings
from askcore.service import Service

CLOCK = {"wards": date(2026, 8, 31), "orders": date(2026, 1, 1), "plants": date(2026, 1, 5),
         "weekly": date(2026, 2, 25)}  # fmt: skip
NEVER = ("  ", "{", "}", "None", "，，", "。。", "个天", "0.000（0.0%）", "0.000 (0.0%)", " .")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the lakes lie."""
    return tmp_path_factory.mktemp("other-lakes")


@pytest.fixture(scope="module")
def service(home: Path) -> Iterator[Service]:
    """One home with the demo of another seed and three small files."""
    service = Service(Settings(home=home))
    service.install_demo(seed=7, out=home / "out")
    for name, (header, rows) in _files().items():
        path = home / f"{name}.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([header, *rows])
        service.ingest([path], dataset=name)
    yield service
    service.close()


@pytest.fixture(scope="module")
def manifest(home: Path, service: Service) -> dict[str, Any]:
    """Names and faults of the demo lake."""
    return json.loads((home / "out" / "manifest.json").read_text(encoding="utf-8"))


def _files() -> Mapping[str, tuple[Sequence[str], Iterable[Sequence[object]]]]:
    return {
        "wards": (("日期", "病区", "入院人数", "医疗费用"), _wards()),
        "orders": (("date", "region", "channel", "revenue"), _orders()),
        "plants": (("月份", "工厂", "产量"), _plants()),
        "weekly": (("日期", "门店编号", "周销售额"), _weekly()),
    }


def _days(first: date, last: date) -> Iterator[date]:
    return (first + timedelta(days=n) for n in range((last - first).days + 1))


def _wards() -> Iterator[Sequence[object]]:
    """July and August 2026: bones 186 then 155 patients, children 279 then 341."""
    for day in _days(date(2026, 7, 1), date(2026, 8, 31)):
        bones, children = (5, 8) if day.month == 7 else (4, 10)
        for ward, base in (("骨科病区", bones), ("儿科病区", children)):
            yield day, ward, base + day.day % 3, round((base + day.day % 3) * 812.5, 2)


def _orders() -> Iterator[Sequence[object]]:
    """December 2025: North 3,596 online and 2,046 retail, South 2,976 and 1,116."""
    base = {
        ("North", "Online"): 100,
        ("North", "Retail"): 50,
        ("South", "Online"): 80,
        ("South", "Retail"): 20,
    }
    for day in _days(date(2025, 11, 1), date(2025, 12, 31)):
        for (region, channel), value in base.items():
            yield day, region, channel, f"{value + day.day:.2f}"


def _plants() -> Iterator[Sequence[object]]:
    """2024: 11,580 and 4,878; 2025: 12,780 and 6,078, of which the last quarter 3,330 and 1,533."""
    for year, east, west in ((2024, 900, 400), (2025, 1000, 500)):
        for month in range(1, 13):
            yield f"{year}-{month:02d}", "东厂", east + 10 * month
            yield f"{year}-{month:02d}", "西厂", west + month


def _weekly() -> Iterator[Sequence[object]]:
    """Eight weeks from 2026-01-02, week n: 100 + n and 200 + n; 2,472 in all, 309 a week, 154.5 a row."""
    for week in range(1, 9):
        day = date(2026, 1, 2) + timedelta(days=7 * (week - 1))
        yield day, "A1", 100 + week
        yield day, "B2", 200 + week


def ask(service: Service, dataset: str, question: str, context: Sequence[str] = ()) -> dict[str, Any]:
    """The answer, after the checks that hold for every answer."""
    found = service.ask(
        question,
        viewer="lakes",
        dataset=dataset,
        planner="rules",
        as_of=CLOCK.get(dataset),
        context=tuple(context),
    )
    assert not [text for text in NEVER if text in found["answer"]], found["answer"]
    if found["status"] == "done":
        assert found["answer"].strip()
        assert found["provenance"]["coverage"] in (1.0, None), found["provenance"]["items"]
    return found


def column(found: Mapping[str, Any], key: str) -> list[float]:
    return [row[key] for row in found["table"]["rows"]]


def args(found: Mapping[str, Any], tool: str = "query_report") -> Mapping[str, Any]:
    return next(s["args"] for s in found["steps"] if s["tool"] == tool)


TOTALS = [
    ("wards", "8月入院人数", "入院人数", 496),
    ("wards", "骨科病区7月入院人数", "入院人数", 186),
    ("wards", "8月日均入院人数", "入院人数@day", 16),
    ("orders", "total revenue in December 2025", "revenue", 9734),
    ("orders", "online revenue in the North region in December 2025", "revenue", 3596),
    ("plants", "2025年产量", "产量", 18858),
    ("plants", "东厂2025年产量", "产量", 12780),
    ("plants", "2025年平均每月产量", "产量@day", 1571.5),
    ("plants", "最近3个月产量", "产量", 4863),
    ("plants", "上个月产量", "产量", 1632),
    ("weekly", "1月周销售额", "周销售额", 1530),
    ("weekly", "2026年平均每周销售额", "周销售额@day", 309),
    ("weekly", "2026年平均每周销售额", "周销售额@row", 154.5),
]


@pytest.mark.parametrize(("dataset", "question", "key", "value"), TOTALS)
def test_a_figure_is_the_total_of_its_rows(service, dataset, question, key, value):
    found = ask(service, dataset, question)
    assert found["table"]["totals"][key] == pytest.approx(value)
    assert found["provenance"]["claims"] >= 1
    assert not [v for v in found["verdicts"] if v["status"] in ("warn", "fail")]


ROWS = [
    ("wards", "8月入院人数最高的病区", "入院人数", [341]),
    ("wards", "8月哪个病区入院最多", "入院人数", [341]),
    ("wards", "7月入院最少的病区", "入院人数", [186]),
    ("wards", "骨科病区和儿科病区8月入院人数对比", "入院人数", [341, 155]),
    ("orders", "North vs South revenue in December 2025", "revenue", [5642, 4092]),
    ("orders", "which channel had the highest revenue in December 2025", "revenue", [6572]),
    ("orders", "revenue by region and channel in December 2025", "revenue", [3596, 2046, 2976, 1116]),
    ("orders", "top 3 days by revenue in December 2025", "revenue", [374, 370, 366]),
    ("plants", "2025年产量最高的两个月", "产量", [1632, 1621]),
    ("plants", "2024到2025年每年产量", "产量", [16458, 18858]),
    ("weekly", "哪一周销售额最高", "周销售额", [316]),
    ("weekly", "哪周周销售额最低", "周销售额", [302]),
    ("weekly", "各周销售额，1月", "周销售额", [302, 304, 306, 308, 310]),
]


@pytest.mark.parametrize(("dataset", "question", "key", "values"), ROWS)
def test_rows_are_those_asked_for(service, dataset, question, key, values):
    found = ask(service, dataset, question)
    got = column(found, key)
    assert sorted(got) == pytest.approx(sorted(values))
    assert found["provenance"]["claims"] >= 1


def test_two_splits_name_both_parts_of_a_row(service):
    answer = ask(service, "orders", "revenue by region and channel in December 2025")["answer"]
    assert "North / Online **3,596**" in answer
    assert "South / Retail **1,116**" in answer


def test_an_average_over_monthly_rows_is_called_monthly(service):
    zh = ask(service, "plants", "2025年平均每月产量")["answer"]
    en = ask(service, "plants", "average monthly 产量 in 2025")["answer"]
    assert "每月平均产量 **1,571.50**" in zh
    assert "产量 per month **1,571.50**" in en


def test_the_best_month_is_told_as_a_ranking(service):
    answer = ask(service, "plants", "2025年哪个月产量最高")["answer"]
    assert "从高到低：2025-12 **1,632**" in answer
    assert "走势" not in answer


def test_a_question_by_month_without_a_period_starts_with_a_whole_month(service):
    found = ask(service, "wards", "各病区每月入院人数")
    assert args(found)["from"] == "2026-07-01"
    assert sorted(column(found, "入院人数")) == [155, 186, 279, 341]


def test_monthly_data_is_neither_late_nor_cut(service):
    found = ask(service, "plants", "2025年12月产量同比")
    assert column(found, "产量__prev") == [1432]
    assert column(found, "产量__delta") == [200]
    assert not [v for v in found["verdicts"] if v["status"] in ("warn", "fail")]
    fresh = ask(service, "plants", "数据最新到哪天")
    assert "2025-12-31" in fresh["answer"]


def test_a_period_that_nobody_named_ends_where_the_data_ends(service):
    found = ask(service, "orders", "how is the business going")
    assert args(found, "compare_periods")["current"] == {"from": "2025-12-25", "to": "2025-12-31"}
    assert "differ in length" not in found["answer"]


COVERAGE = [
    ("orders", "how many regions are there", ("244", "region: 2")),
    ("orders", "what period does the data cover", ("2025-11-01", "2025-12-31", "revenue")),
    ("demo", "有多少家门店", ("门店 14 个",)),
    ("demo", "有哪些指标", ("营业额", "下单率")),
]


@pytest.mark.parametrize(("dataset", "question", "said"), COVERAGE)
def test_what_there_is_is_said(service, dataset, question, said):
    answer = ask(service, dataset, question)["answer"]
    assert [text for text in said if text not in answer] == []


# --- the demo under another seed -----------------------------------------------------------------------
SAME_DAYS_OF_TWO_YEARS = [
    "国庆营业额和去年国庆比",
    "National Day gross sales versus last year's National Day",
]


@pytest.mark.parametrize("question", SAME_DAYS_OF_TWO_YEARS)
def test_the_same_holiday_of_two_years_is_compared(service, question):
    compared = args(ask(service, "demo", question), "compare_periods")
    assert compared["current"] == {"from": "2026-10-01", "to": "2026-10-07"}
    assert compared["baseline"] == {"from": "2025-10-01", "to": "2025-10-08"}


PARTS = [
    ("9月收入占营业额多少", "incomeRate"),
    ("income as a percentage of gross sales in September", "incomeRate"),
]


@pytest.mark.parametrize(("question", "ratio"), PARTS)
def test_the_part_of_one_metric_in_another_is_their_ratio(service, question, ratio):
    assert list(args(ask(service, "demo", question))["metrics"]) == [ratio]


def test_a_part_that_no_ratio_defines_is_declined(service):
    assert ask(service, "demo", "9月差评数占曝光人数多少")["status"] == "refused"


def _shared(manifest: Mapping[str, Any]) -> tuple[str, list[str]]:
    """A name that two shops of the default company have, and their ids."""
    shops = [e for e in manifest["entities"] if e["level"] == "shop"]
    mine = [e for e in shops if e["companyId"] == manifest["default_entity"]]
    names = [e["name"] for e in mine]
    name = next(n for n in names if names.count(n) == 2)
    return name, [e["id"] for e in mine if e["name"] == name]


def test_shops_of_one_name_stay_apart(service, manifest):
    name, ids = _shared(manifest)
    weekly = ask(service, "demo", "各门店9月每周的有效订单")
    assert len({r["shopId"] for r in weekly["table"]["rows"]}) == 14
    ranked = ask(service, "demo", f"{ids[0]}上周营业额是多少")
    assert f"{name} {ids[0]}" in ranked["answer"]
    shares = ask(service, "demo", "9月各门店营业额占比")
    first = [(r["shopName"], r["shopId"]) for r in shares["table"]["rows"][:5]]
    for shop, key in first:
        assert f"{shop} {key}" in shares["answer"] if shop == name else shop in shares["answer"]


def test_a_shop_of_another_company_has_its_own_rows(service, manifest):
    shop = next(
        e
        for e in manifest["entities"]
        if e["level"] == "shop" and e["companyId"] != manifest["default_entity"]
    )
    found = ask(service, "demo", f"{shop['name']}昨天营业额")
    assert list(args(found)["companies"]) == [shop["companyId"]]
    assert found["table"]["totals"]["grossAmt"] > 0
    assert shop["name"] in found["answer"]


def test_the_rank_of_a_shop_is_said(service):
    found = ask(service, "demo", "玉泉里店9月客单价在所有门店里排第几")
    values = column(found, "aov")
    rank = 1 + sum(
        v > values[[r["shopName"] for r in found["table"]["rows"]].index("玉泉里店")] for v in values
    )
    assert f"排在第 {rank} 位（共 14 个）" in found["answer"]


@pytest.mark.parametrize(
    "question", ["哪些门店近7天营业额下降了", "Which shops declined in gross sales over the last 7 days?"]
)
def test_only_rows_that_went_the_asked_way_are_named(service, question):
    found = ask(service, "demo", question)
    line = (
        found["answer"].split("下降的：")[-1]
        if "下降的：" in found["answer"]
        else found["answer"].split("Down by")[-1]
    )
    named = line.split("。")[0].split(".\n")[0]
    risen = [r["shopName"] for r in found["table"]["rows"] if r["grossAmt__delta"] > 0]
    fallen = [r["shopName"] for r in found["table"]["rows"] if r["grossAmt__delta"] < 0]
    assert [n for n in set(risen) - set(fallen) if n in named] == []
    assert any(n in named for n in fallen)


LIMITS = [
    ("Which three shops had the most bad reviews in September?", 3),
    ("近30天门店下单率倒数第一", 1),
    ("营业额占比最高的品牌，上个月", 1),
    ("Which chain contributed the most to September gross sales?", 1),
]


@pytest.mark.parametrize(("question", "limit"), LIMITS)
def test_as_many_rows_as_were_asked_for(service, question, limit):
    found = ask(service, "demo", question)
    assert args(found)["limit"] == limit == found["table"]["shown"]


ABOUT_DATA = [
    "最近的数据靠不靠谱",
    "最近数据有没有问题",
    "Any data quality issues last week?",
    "Can the recent data be trusted?",
]


@pytest.mark.parametrize("question", ABOUT_DATA)
def test_doubts_about_the_data_are_checked(service, question):
    assert "data_quality" in [s["tool"] for s in ask(service, "demo", question)["steps"]]


ENGLISH = [
    "How did {chain} do last week?",
    "Give me an overview of last month",
    "Which chains declined over the last 7 days?",
]


@pytest.mark.parametrize("question", ENGLISH)
def test_english_comparisons_are_traced_whatever_letter_a_sentence_starts_with(service, manifest, question):
    chain = next(e["name"].split("/")[1] for e in manifest["entities"] if e["level"] == "chain")
    found = ask(service, "demo", question.format(chain=chain))
    assert found["provenance"]["coverage"] == 1.0
    assert found["provenance"]["claims"] >= 5


def test_every_metric_of_a_split_is_worded(service):
    answer = ask(service, "demo", "按品牌看上周的进店率和下单率")["answer"]
    assert "进店率（各连锁相加）整体" in answer
    assert "下单率（各连锁相加）整体" in answer


SEP, AUG = {"from": "2026-09-01", "to": "2026-09-30"}, {"from": "2026-08-01", "to": "2026-08-31"}
LAST_SEP = {"from": "2025-09-01", "to": "2025-09-30"}
YESTERDAY, WEEK_AGO = ({"from": f"2026-10-{d}", "to": f"2026-10-{d}"} for d in (17, 10))
COMPARED = [
    ("9月营业额和去年比", SEP, LAST_SEP, None),
    ("orders in September compared to last year", SEP, LAST_SEP, None),
    ("9月营业额环比", SEP, AUG, None),
    ("昨天营业额比上周同一天", YESTERDAY, WEEK_AGO, None),
    ("gross sales yesterday versus the same day last week", YESTERDAY, WEEK_AGO, None),
    ("Compare chains by gross sales September vs August", SEP, AUG, "chain"),
]


@pytest.mark.parametrize(("question", "current", "baseline", "by"), COMPARED)
def test_the_two_periods_are_those_meant(service, question, current, baseline, by):
    compared = args(ask(service, "demo", question), "compare_periods")
    assert (compared["current"], compared["baseline"]) == (current, baseline)
    assert compared.get("by") in (by, None if by is None else [by])


@pytest.mark.parametrize(
    ("question", "said"),
    [("今年营业额比去年", "总额不能直接相比"), ("gross sales this year vs last year", "cannot be compared")],
)
def test_totals_of_very_unequal_periods_are_not_set_against_each_other(service, question, said):
    """The data begins in August 2025: 78 days of last year against 290."""
    found = ask(service, "demo", question)
    assert said in found["answer"]
    assert "290" in found["answer"]
    assert "78" in found["answer"]


def test_which_of_two_ranks_the_two(service, manifest):
    chains = [e for e in manifest["entities"] if e["level"] == "chain"][:2]
    names = [c["name"].split("/")[0] for c in chains]
    found = ask(service, "demo", f"{names[0]}和{names[1]}哪个9月营业额高")
    assert args(found)["by"] == "chain"
    assert {r["chainId"] for r in found["table"]["rows"]} == {c["id"] for c in chains}


FAULTS = [
    ("all_zero_rows", "营业额", "不能当作事实"),
    ("missing_row", "营业额", "不能当作事实"),
    ("duplicate_row", "有效订单", "需要留意"),
    ("identity_gap", "收入", "不能当作事实"),
    ("unit_drift", "进店率", "需要留意"),
]


@pytest.mark.parametrize("around", [0, 1])
@pytest.mark.parametrize(("kind", "metric", "said"), FAULTS)
def test_a_faulty_row_is_said_however_short_the_period(service, manifest, kind, metric, said, around):
    """The day itself, and the day with its neighbours."""
    key = next(f for f in manifest["faults"] if f["kind"] == kind)["keys"][0]
    day = date.fromisoformat(key["date"])
    first, last = day - timedelta(days=around), day + timedelta(days=around)
    when = f"{first}" if first == last else f"{first}至{last}"
    found = ask(service, "demo", f"{key['shopId']} {when} 的{metric}")
    assert found["status"] == "done"
    assert list(args(found)["shops"]) == [key["shopId"]]
    assert said in found["answer"]


def test_a_row_without_a_fault_is_stated_plainly(service, manifest):
    faulty = {k["shopId"] for f in manifest["faults"] for k in f["keys"]}
    shop = next(
        e["id"]
        for e in manifest["entities"]
        if e["level"] == "shop" and e["companyId"] == manifest["default_entity"] and e["id"] not in faulty
    )
    found = ask(service, "demo", f"{shop} 2026-06-03 的营业额")
    assert not [v for v in found["verdicts"] if v["status"] in ("warn", "fail")]
