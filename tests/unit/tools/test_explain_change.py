"""`explain_change` on a lake whose rows do not add up; everything worked out by hand.

Data 2026-09-01 … 2026-10-10, baseline 10-01..10-02, current 10-03..10-04; the company row is the true sum:

| shop (chain) | a day                            | true sums | delivered                   |
| A (C01)      | 100, from 10-03 on 110           | 200 → 220 | all                         |
| B (C01)      | 50, opened 10-03                 | -   → 100 | all                         |
| C (C01)      | 40, last day 10-02               | 80  → -   | all                         |
| D (C01)      | 200                              | 400 → 400 | no row on 10-03             |
| E (C02)      | 30                               | 60  → 60  | zeros on 10-01, none 10-04  |
| F (C02)      | 20                               | 40  → 40  | none on 10-04               |
| company      |                                  | 780 → 820 | all; the row of C02 on 10-02 is missing |

Orders are a tenth of the sales, income is 60 % (of A on 10-04 five too little), exposure 10 × the sales
(chain and company 9 ×), visitors a tenth of the exposure, buyers as many as orders in the shops.
"""

from __future__ import annotations

import json
import math
from datetime import date, timedelta

import pyarrow as pa
import pytest

from askcore.base.config import Settings
from askcore.lake import Delivery, Lake
from askcore.semantic.parse import parse_model
from askcore.tools import explain_change
from askcore.tools.base import ToolContext, call

FIRST, NEW = date(2026, 9, 1), date(2026, 10, 3)
LOST = {("D", date(2026, 10, 3)), ("E", date(2026, 10, 4)), ("F", date(2026, 10, 4))}
ZERO = {("E", date(2026, 10, 1))}
CHAIN_OF = {"A": "C01", "B": "C01", "C": "C01", "D": "C01", "E": "C02", "F": "C02"}
CURRENT = {"from": "2026-10-03", "to": "2026-10-04"}


def sales(shop, day):
    if shop == "A":
        return 110 if day >= NEW else 100
    if shop == "B":
        return 50 if day >= NEW else 0
    if shop == "C":
        return 40 if day < NEW else 0
    return {"D": 200, "E": 30, "F": 20}[shop]


def row(day, scope, gross, *, chain="", shop="", peers=None):
    exposure = gross * (10 if shop else 9)
    return {
        "date": day,
        "scope": scope,
        "companyId": "E01",
        "companyName": "公司",
        "chainId": chain,
        "chainName": f"{chain}连锁" if chain else "",
        "shopId": shop,
        "shopName": f"{shop}店" if shop else "",
        "grossAmt": float(gross),
        "incomeAmt": gross * 0.6,
        "validOrderCnt": gross // 10,
        "exposureUv": exposure,
        "visitUv": exposure // 10,
        "orderUv": gross // 10,
        "shopScore": 4.5,
        "cookingMin": 10.0 + (len(shop) if day < NEW else 0),
        "raw": None if peers is None else json.dumps(peers),
    }


def delivered():
    """All rows, in order."""
    rows = []
    for offset in range(40):
        day = FIRST + timedelta(days=offset)
        true = {s: sales(s, day) for s in CHAIN_OF}
        rows.append(row(day, "company", sum(true.values())))
        for chain in ("C01", "C02"):
            if (chain, day) != ("C02", date(2026, 10, 2)):
                mine = sum(v for s, v in true.items() if CHAIN_OF[s] == chain)
                rows.append(row(day, "chain", mine, chain=chain))
        for shop, value in true.items():
            if not value or (shop, day) in LOST:
                continue
            count = 60 if shop == "D" and day >= NEW else 50
            peers = {"exp_uv_mall_avg": 900.0 if day >= NEW else 1000.0, "peer_shop_cnt": count}
            peers["clk_exp_rate_mall_avg"] = 0.12 if day >= NEW else 0.1
            gross = 0 if (shop, day) in ZERO else value
            found = row(day, "shop", gross, chain=CHAIN_OF[shop], shop=shop, peers=peers)
            if (shop, day) == ("A", date(2026, 10, 4)):
                found["incomeAmt"] -= 5
            rows.append(found)
    return rows


def load(folder, model, rows):
    lake = Lake(Settings(home=folder))
    lake.load("ex", Delivery(table=pa.table({n: [r[n] for r in rows] for n in rows[0]})), model)
    return lake


@pytest.fixture(scope="module")
def view(tmp_path_factory, takeaway_model):
    lake = load(tmp_path_factory.mktemp("explain"), takeaway_model, delivered())
    with lake.open("ex") as opened:
        yield opened
    lake.close()


def run(view, lang="zh", entity="E01", as_of=date(2026, 10, 11), **args):
    ctx = ToolContext(view=view, lang=lang, as_of=as_of, viewer="u", entity=entity)
    return call(explain_change.TOOL, {"current": CURRENT} | args, ctx)


@pytest.fixture
def ask(view):
    def asked(**args):
        result = run(view, **args)
        assert result.ok, result.error
        json.dumps(result.facts)
        return result

    return asked


def rows_of(result, part):
    return {r["id"]: r for r in result.table.rows if r["part"] == part}


def moves(result, part):
    return {k: (r["kind"], r["baseline"], r["current"]) for k, r in rows_of(result, part).items()}


def verdict(result, check):
    found = [v for v in result.verdicts if v.check == check]
    return found[0] if found else None


def test_shops_are_restored_where_one_is_missing_and_named_where_two_are(ask):
    result = ask(metric="grossAmt")
    assert result.table.totals == {"baseline": 780, "current": 820, "contribution": 40}
    assert moves(result, "shop") == {
        "A": ("both", 200, 220),
        "B": ("opened", 0, 100),
        "C": ("closed", 80, 0),
        "D": ("restored", 400, 400),
        "E": ("restored", 60, 30),
        "F": ("both", 40, 20),
        "undelivered:chain:C02": ("undelivered", 0, 50),
    }
    names = {k: r["name"] for k, r in rows_of(result, "shop").items()}
    assert names["undelivered:chain:C02"] == "未交付的行：C02连锁 门店 2026-10-04"
    assert math.fsum(r["contribution"] for r in rows_of(result, "shop").values()) == pytest.approx(40)
    assert verdict(result, "attribution_sum").status == "pass"


def test_a_missing_row_of_a_chain_is_restored_too_and_its_shops_still_fit(ask):
    result = ask(metric="grossAmt")
    assert moves(result, "chain") == {"C01": ("both", 680, 720), "C02": ("restored", 100, 100)}
    found = verdict(result, "restored_rows")
    assert (found.status, found.n_bad) == ("warn", 5)
    keys = {(k["date"], k["scope"], k["chainId"], k["shopId"]) for k in found.keys}
    assert keys == {
        ("2026-10-01", "shop", "C02", "E"),
        ("2026-10-02", "chain", "C02", ""),
        ("2026-10-03", "shop", "C01", "D"),
        ("2026-10-04", "shop", "C02", "E"),
        ("2026-10-04", "shop", "C02", "F"),
    }
    assert [(r["name"], r["days"]) for r in result.facts["restored"]] == [
        ("C02连锁", ["2026-10-02"]),
        ("D店", ["2026-10-03"]),
        ("E店", ["2026-10-01"]),
    ]


def test_a_child_that_is_there_but_differs_is_a_part_of_its_own(ask):
    result = ask(metric="incomeAmt", by="shop", lang="en")
    found = rows_of(result, "shop")
    assert found["A"]["current"] == 127  # 0.6 x 220 less 5, as delivered
    gap = found["mismatch:chain:C01"]
    assert (gap["kind"], gap["baseline"], gap["current"]) == ("mismatch", 0, 5)
    assert gap["name"] == "not equal to the sum of its rows (Shop): C01连锁, 2026-10-04"
    # 0.6 x 40
    assert math.fsum(r["contribution"] for r in found.values()) == pytest.approx(24)


def test_a_single_shop_whose_rows_are_missing_or_zero_is_no_plain_answer(ask):
    result = ask(metric="grossAmt", shops=["E"])
    # delivered: 30 (zeros on 10-01) → 30 (no row on 10-04)
    assert result.table.totals == {"baseline": 30, "current": 30, "contribution": 0}
    lost = verdict(result, "missing_rows")
    assert lost.status == "fail"
    assert [k["date"] for k in lost.keys] == ["2026-10-01", "2026-10-04"]
    assert "E店 在 2026-10-01, 2026-10-04 缺数或全为零" in lost.note
    assert verdict(ask(metric="grossAmt", shops=["A", "F"]), "missing_rows").keys[0]["shopId"] == "F"
    assert verdict(ask(metric="grossAmt", shops=["A"]), "missing_rows") is None


def test_shares_and_surprise(ask):
    found = rows_of(ask(metric="grossAmt"), "shop")
    assert found["A"]["share"] == pytest.approx(20 / 40)
    assert found["A"]["surprise"] == pytest.approx(20 - 200 * 40 / 780)
    flat = rows_of(ask(metric="grossAmt", current={"from": "2026-09-12", "to": "2026-09-13"}), "shop")
    assert {r["share"] for r in flat.values()} == {None}  # the whole did not change


def test_a_total_whose_own_row_is_missing_says_so(ask):
    result = ask(metric="grossAmt", chains=["C02"])
    assert (result.table.totals["baseline"], result.table.totals["current"]) == (50, 100)
    assert "基期有数据的天数是 1 天，应有 2 天" in next(n.text for n in result.notes)
    lost = verdict(result, "missing_rows")
    assert (lost.status, [k["date"] for k in lost.keys]) == ("fail", ["2026-10-02"])  # one day of two
    found = moves(result, "shop")
    # zeros on 10-01 are restored; on 10-02 the shops have 50 that no chain row has
    assert found["E"] == ("restored", 60, 30)
    assert found["mismatch:chain:C02"] == ("mismatch", -50, 0)
    assert verdict(result, "attribution_sum").status == "pass"


def test_drivers_of_the_total_and_of_the_shops(ask):
    result = ask(metric="grossAmt")
    found = rows_of(result, "driver")
    # exposure, visits, orders and sales move alike, so all of the change is exposure's
    assert found["exposureUv"]["contribution"] == pytest.approx(40)
    assert [found[k]["contribution"] for k in ("visitRate", "ordersPerUser", "aov")] == [0, 0, 0]
    assert (found["exposureUv"]["baseline"], found["exposureUv"]["current"]) == (7020, 7380)
    drivers = result.facts["segments"]["shop"]["drivers"]
    # A +20, D delivered 200 of 400: -200, E 30 → 30: 0, F 40 → 20: -20
    assert drivers["sum"]["exposureUv"] == pytest.approx(-200)
    # B +100, C -80, D's restored +200, E's restored 30 → 0: -30, the undelivered +50
    assert drivers["left"] == pytest.approx(240)


def test_a_shop_that_opened_has_no_drivers_but_a_bucket(ask):
    result = ask(metric="grossAmt", shops=["B"])
    assert {
        k: (r["kind"], r["contribution"]) for k, r in rows_of(result, "driver").items() if r["contribution"]
    } == {"bucket:opened": ("opened", 100)}
    assert verdict(result, "attribution_sum").status == "pass"


def test_rows_that_lack_a_factor_are_a_part_of_their_own(tmp_path, takeaway_model):
    rows = delivered()
    for one in rows:
        if one["scope"] == "company" and one["date"] == date(2026, 10, 2):
            one["visitUv"] = None
    lake = load(tmp_path, takeaway_model, rows)
    with lake.open("ex") as opened:
        result = run(opened, metric="grossAmt", by="chain")
    lake.close()
    found = rows_of(result, "driver")
    # complete rows: 390 → 820, the row of 10-02 with 390 leaves the baseline
    assert found["bucket:incomplete"]["contribution"] == pytest.approx(-390)
    assert found["exposureUv"]["contribution"] == pytest.approx(430)
    assert verdict(result, "attribution_sum").status == "pass"


def test_drivers_must_multiply_to_the_metric(view, ask):
    two = ask(metric="grossAmt", drivers=["validOrderCnt", "aov"])
    assert list(rows_of(two, "driver")) == ["validOrderCnt", "aov"]
    assert rows_of(two, "driver")["validOrderCnt"]["contribution"] == pytest.approx(40)
    assert rows_of(ask(metric="grossAmt", drivers=[]), "driver") == {}
    wrong = run(view, metric="grossAmt", drivers=["exposureUv", "aov"])
    assert wrong.error.error_class == "bad_args"
    assert "相乘不等于营业额" in wrong.error.message
    assert "visitRate" in wrong.error.hint
    rate = ask(metric="exposureOrderRate", drivers=["visitRate", "orderRate"], by="chain")
    assert verdict(rate, "attribution_sum").status == "pass"


def test_people_are_split_over_the_shops_sum_and_the_difference_is_said(ask):
    result = ask(metric="exposureUv", by="shop")
    assert (result.table.totals["baseline"], result.table.totals["current"]) == (7020, 7380)
    level = result.facts["segments"]["shop"]
    assert not level["of_total"]
    # delivered: baseline 780 - 30 (E), current 820 - 200 (D) - 50 (E, F); ten times
    assert level["total"] == {"baseline": 7500, "current": 5700, "change": -1800}
    assert {r["kind"] for r in rows_of(result, "shop").values()} == {"both", "opened", "closed"}
    note = next(n.text for n in result.notes if "去重" in n.text and "合起来" in n.text)
    assert "7,500 人 → 5,700 人" in note and "7,020 人 → 7,380 人" in note
    found = verdict(result, "missing_rows")
    assert (found.status, found.n_bad) == ("warn", 4)
    assert verdict(result, "restored_rows") is None
    assert verdict(result, "attribution_sum").status == "pass"


def test_an_average_order_value_is_split_with_the_restored_rows(ask):
    result = ask(metric="aov", by="shop")
    found = rows_of(result, "shop")
    assert found["D"]["kind"] == "restored"
    assert {round(r["contribution"], 9) for r in found.values()} == {0}  # ten everywhere
    assert verdict(result, "simpson").status == "pass"


def test_a_weighted_mean_is_a_ratio(ask):
    result = ask(metric="cookingMin", by="shop")
    level = result.facts["segments"]["shop"]
    # every shop 11 → 10, all of it in the shops' own change, weighted by delivered orders
    assert level["total"]["change"] == pytest.approx(-1)
    assert level["rate_effect"] + level["mix_effect"] == pytest.approx(-1)
    assert result.table.totals["contribution"] == 0  # the company's own rows say 10 and 10


def test_own_and_market_of_one_shop(ask):
    result = ask(metric="exposureUv", shops=["A"])
    # 2000 → 2200 while the peers' mean fell by a tenth: market -200, own +400
    assert {k: r["contribution"] for k, r in rows_of(result, "market").items()} == {
        "own": 400,
        "market": -200,
    }
    found = verdict(result, "attribution_market")
    assert (found.status, found.kind) == ("pass", "attribution")
    values = {c.period: c.value for c in result.cells if c.period in ("market", "own")}
    assert values == {"market": -200, "own": 400}
    rate = ask(metric="visitRate", shops=["A"])
    # 10 % → 10 % while the peers rose from 10 % to 12 %
    assert rows_of(rate, "market")["own"]["contribution"] == pytest.approx(-0.02)


def test_own_and_market_are_not_told_apart_where_the_peers_are_others(ask):
    moved = verdict(ask(metric="exposureUv", shops=["D"]), "attribution_market")
    assert (moved.status, moved.n_checked) == ("skip", 0)
    assert "10%" in moved.note
    none = verdict(ask(metric="grossAmt", shops=["A"]), "attribution_market")
    assert none.status == "skip" and "营业额" in none.note
    many = verdict(ask(metric="visitRate", shops=["A", "F"]), "attribution_market")
    assert many.status == "skip"
    assert verdict(ask(metric="exposureUv"), "attribution_market") is None  # a company has no peers


def test_several_shops_have_the_sum_of_their_markets(ask):
    found = rows_of(ask(metric="exposureUv", shops=["A", "F"]), "market")
    # a tenth of 2000 and of 400; A +200, F 400 → 200
    assert found["market"]["contribution"] == pytest.approx(-240)
    assert found["own"]["contribution"] == pytest.approx(240)


def test_by_defaults_to_the_levels_below_the_scope(ask):
    assert ask(metric="grossAmt").args["by"] == ["chain", "shop"]
    assert ask(metric="grossAmt", chains=["C01"]).args["by"] == ["shop"]
    assert ask(metric="grossAmt", chains=["C01", "C02"]).args["by"] == ["chain", "shop"]
    assert ask(metric="grossAmt", shops=["A"]).args["by"] == []
    assert ask(metric="grossAmt", shops=["A", "B"]).args["by"] == ["shop"]
    assert ask(metric="grossAmt", scope="chain").args["by"] == ["chain", "shop"]
    args = ask(metric="grossAmt").args
    assert args["baseline"] == {"from": "2026-10-01", "to": "2026-10-02"}
    assert (args["scope"], args["metric"]) == ("company", "grossAmt")


def test_a_split_by_a_coarser_level_adds_up_the_rows_of_the_scope(ask):
    result = ask(metric="grossAmt", scope="shop", by="chain")
    # delivered rows: C01 680 → 520, C02 70 → 50
    assert moves(result, "chain") == {"C01": ("both", 680, 520), "C02": ("both", 70, 50)}


def test_a_period_that_is_not_settled_is_cut(ask):
    result = ask(metric="grossAmt", current={"from": "2026-10-09", "to": "2026-10-12"})
    assert result.args["current"] == {"from": "2026-10-09", "to": "2026-10-10"}
    assert result.args["baseline"] == {"from": "2026-10-05", "to": "2026-10-06"}
    assert [c.arg for c in result.clamped] == ["current.to", "baseline.to"]


def test_unequal_periods_are_said(ask):
    result = ask(metric="grossAmt", baseline={"from": "2026-09-30", "to": "2026-10-02"})
    assert "本期 2 天，基期 3 天" in next(n.text for n in result.notes if n.code == "partial_period")


def test_a_period_outside_the_data_is_not_explained(ask):
    result = ask(metric="grossAmt", current={"from": "2027-01-01", "to": "2027-01-07"})
    assert result.table is None
    assert [n.code for n in result.notes] == ["outside_coverage"]


def test_contribution_is_no_cause(ask):
    assert ask(metric="grossAmt").facts["remark"].startswith("贡献 ≠ 因果")


@pytest.mark.parametrize(
    ("args", "error_class", "words"),
    [
        ({"metric": "grosAmt"}, "unknown_name", "grosAmt"),
        ({"metric": "grossAmt", "by": "region"}, "unknown_name", "region"),
        ({"metric": "grossAmt", "by": "week"}, "bad_args", "时间"),
        ({"metric": "grossAmt", "shops": ["Z店"]}, "unknown_name", "Z店"),
        ({"metric": "grossAmt", "drivers": ["visits"]}, "unknown_name", "visits"),
        ({"metric": "grossAmt", "baseline": {"from": "2026-10-02", "to": "2026-10-03"}}, "bad_args", "重叠"),
        (
            {"metric": "grossAmt", "baseline": {"from": "2026-10-02", "to": "2026-10-01"}},
            "bad_args",
            "2026-10-01",
        ),
        ({"metric": "rebuyRate30d"}, "bad_args", "不能跨实体"),
        ({"metric": "shopScore"}, "bad_args", "期末"),
        ({"metric": "activeShopCnt"}, "bad_args", "去重计数"),
        ({"metric": "grossAmt@day"}, "bad_args", "营业额"),
        ({"metric": "promoSpendAmt"}, "empty", "推广花费"),
        ({"metric": "grossAmt", "driver": ["aov"]}, "bad_args", "driver"),
    ],
    ids=str,
)
def test_what_cannot_be_explained_is_refused_with_the_reason(view, args, error_class, words):
    error = run(view, **args).error
    assert error.error_class == error_class
    assert words in error.message


def test_the_description_names_every_argument():
    for name in explain_change.ExplainChangeArgs.model_fields:
        assert f"`{name}`" in explain_change.TOOL.description


STORES = parse_model(
    """
    model: stores
    dataset:
      time: {column: date, grain: week}
      levels:
      - {key: store, zh: 门店, en: Store, id: Store, name: Store}
      - {key: dept, zh: 部门, en: Dept, id: Dept, name: Dept}
      dimensions: [{key: flag, label: {zh: 假日, en: Holiday}, column: flag}]
    metrics:
    - {key: sales, label: {zh: 销售额, en: Sales}, polarity: up, additivity: {kind: sum}}
    - {key: temp, label: {zh: 气温, en: Temperature}, additivity: {kind: mean_per_row}}
    """
)


@pytest.fixture(scope="module")
def stores(tmp_path_factory):
    """Two stores x two departments of the same ids, ten Fridays from 2010-10-01; sales of 1/1 double later."""
    rows = []
    for offset in range(10):
        day = date(2010, 10, 1) + timedelta(days=7 * offset)
        for store, dept, value in (("1", "1", 100.0), ("1", "2", 50.0), ("2", "1", 30.0), ("2", "2", 20.0)):
            factor = 2 if (store, dept) == ("1", "1") and offset >= 5 else 1
            flag = "1" if offset == 9 else "0"
            rows.append(
                {
                    "date": day,
                    "Store": store,
                    "Dept": dept,
                    "flag": flag,
                    "sales": value * factor,
                    "temp": 9.0 + offset,
                }
            )
    lake = load(tmp_path_factory.mktemp("stores"), STORES, rows)
    with lake.open("ex") as opened:
        yield opened
    lake.close()


LATER = {"from": "2010-11-05", "to": "2010-12-09"}


def test_a_model_without_decomposition_or_own_totals_is_split_by_its_levels(stores):
    result = run(stores, entity=None, as_of=date(2026, 1, 1), lang="en", metric="sales", current=LATER)
    assert result.ok, result.error
    assert result.table.totals == {"baseline": 1000, "current": 1500, "contribution": 500}
    assert moves(result, "store") == {"1": ("both", 750, 1250), "2": ("both", 250, 250)}
    assert moves(result, "dept") == {"1": ("both", 650, 1150), "2": ("both", 350, 350)}
    assert rows_of(result, "store")["1"]["name"] == "Store 1"
    assert (result.facts["drivers"], result.facts["market"]) == (None, None)
    assert [v.check for v in result.verdicts] == ["attribution_sum"]


def test_a_split_by_a_dimension(stores):
    args = {"as_of": date(2026, 1, 1), "lang": "en", "entity": None, "current": LATER}
    result = run(stores, metric="sales", by="flag", **args)
    assert moves(result, "flag") == {"0": ("both", 1000, 1200), "1": ("opened", 0, 300)}
    mean = run(stores, metric="temp", by=["flag", "store"], **args)
    assert mean.ok, mean.error
    assert mean.table.totals["contribution"] == pytest.approx(5)
    assert list(mean.facts["segments"]) == ["store", "flag"]
    assert {s["is_exact"] for s in mean.facts["sums"]} == {True}
    unknown = run(stores, metric="sales", chains=["1"], **args)
    assert unknown.error is not None


def test_a_series_without_entities_says_that_nothing_can_be_split(tmp_path):
    model = parse_model(
        "model: one\ndataset: {time: {column: date}}\n"
        "metrics: [{key: n, label: {zh: 数, en: Count}, additivity: {kind: sum}}]"
    )
    rows = [{"date": FIRST + timedelta(days=i), "n": float(i)} for i in range(40)]
    lake = load(tmp_path, model, rows)
    with lake.open("ex") as opened:
        result = run(opened, entity=None, metric="n")
    lake.close()
    assert result.ok, result.error
    # days 30 and 31 against days 32 and 33
    assert result.table.totals == {"baseline": 61, "current": 65, "contribution": 4}
    assert result.table.rows == ()
    found = verdict(result, "attribution_sum")
    assert (found.status, found.n_checked) == ("skip", 0)
