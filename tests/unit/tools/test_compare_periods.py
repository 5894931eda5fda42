"""`compare_periods` on a lake with an opener, a closer, a missing row and a zero row; added up by hand.

Data 2026-09-01 … 2026-10-14, baseline 10-01..10-07, current 10-08..10-14, company = chain = true sales:

| shop | a day                        | baseline rows          | current rows          | true cur |
| A    | 100, from 10-08 on 110       | 700                    | 770                   | 770      |
| B    | 50, opened 10-05             | 150                    | 350                   | 350      |
| C    | 40, last day 10-05           | 200                    | -                     | 0        |
| D    | 200, row of 10-10 is missing | 1400                   | 1200                  | 1400     |
| E    | 30, rows 10-02..10-04 zero   | 120 (true 210)         | 210                   | 210      |
| all  |                              | 2570 (true 2660)       | 2530                  | 2730     |

Orders are a tenth of the sales, exposure 10 × the sales, visits a tenth of the exposure in the baseline,
a fifth in the current period.
"""

from __future__ import annotations

import json
from datetime import date, timedelta

import pyarrow as pa
import pytest

from askcore.base.config import Settings
from askcore.checks.provenance import trace_numbers
from askcore.lake import Delivery, Lake
from askcore.semantic.parse import parse_model
from askcore.tools import compare_periods
from askcore.tools.base import ToolContext, call

FIRST, OPENED, CLOSED = date(2026, 9, 1), date(2026, 10, 5), date(2026, 10, 5)
NEW = date(2026, 10, 8)
CURRENT = {"from": "2026-10-08", "to": "2026-10-14"}
BASELINE = {"from": "2026-10-01", "to": "2026-10-07"}


def sales(shop: str, day: date) -> int | None:
    """True sales; None when the shop is not open."""
    if shop == "A":
        return 110 if day >= NEW else 100
    if shop == "B":
        return 50 if day >= OPENED else None
    if shop == "C":
        return 40 if day <= CLOSED else None
    return {"D": 200, "E": 30}[shop]


def row(day: date, scope: str, gross: int, **ids: str) -> dict[str, object]:
    share = 10 if day < NEW else 5
    return {
        "date": day,
        "scope": scope,
        "companyId": "E01",
        "companyName": "公司",
        "chainId": "",
        "chainName": "",
        "shopId": "",
        "shopName": "",
        "grossAmt": float(gross),
        "validOrderCnt": gross // 10,
        "exposureUv": gross * 10,
        "visitUv": gross * 10 // share,
        "raw": None,
        **ids,
    }


def table() -> pa.Table:
    rows = []
    for offset in range(44):
        day = FIRST + timedelta(days=offset)
        true = {s: sales(s, day) for s in "ABCDE"}
        total = sum(v for v in true.values() if v is not None)
        rows.append(row(day, "company", total))
        rows.append(row(day, "chain", total, chainId="C01", chainName="连锁"))
        for shop, value in true.items():
            if value is None or (shop == "D" and day == date(2026, 10, 10)):
                continue
            is_zero = shop == "E" and date(2026, 10, 2) <= day <= date(2026, 10, 4)
            ids = {"chainId": "C01", "chainName": "连锁", "shopId": shop, "shopName": f"{shop}店"}
            found = row(day, "shop", 0 if is_zero else value, **ids)
            told = 10.0 if shop == "A" and day >= NEW else 0.0
            if shop == "D" and day == date(2026, 10, 14):
                told = 99.0  # the source's own change is wrong: 200 - 200 = 0
            if shop in "AD":
                found["raw"] = json.dumps({"last_week_gross_amt_diff": told})
            rows.append(found)
    return pa.table({name: [r[name] for r in rows] for name in rows[0]})


@pytest.fixture(scope="module")
def view(tmp_path_factory, takeaway_model):
    lake = Lake(Settings(home=tmp_path_factory.mktemp("compare")))
    lake.load("cmp", Delivery(table=table()), takeaway_model)
    with lake.open("cmp") as opened:
        yield opened
    lake.close()


@pytest.fixture
def ask(view):
    def run(lang="zh", as_of=date(2026, 10, 15), **args):
        ctx = ToolContext(view=view, lang=lang, as_of=as_of, viewer="u", entity="E01")
        result = call(compare_periods.TOOL, {"current": CURRENT, "baseline": BASELINE} | args, ctx)
        assert result.ok, result.error
        return result

    return run


def verdict(result, check):
    return next(v for v in result.verdicts if v.check == check)


def cells(result, **wanted):
    return [c.value for c in result.cells if all(getattr(c, k) == v for k, v in wanted.items())]


def test_totals_come_from_the_level_that_was_asked(ask):
    result = ask(metrics=["grossAmt"], scope="company")
    totals = result.table.totals
    assert (totals["grossAmt"], totals["grossAmt__prev"], totals["grossAmt__delta"]) == (2730, 2660, 70)
    assert totals["grossAmt__pct"] == pytest.approx(70 / 2660)
    shops = ask(metrics=["grossAmt"], scope="shop").table.totals
    assert (shops["grossAmt"], shops["grossAmt__prev"]) == (2530, 2570)


def test_the_bridge_splits_the_change_exactly(ask):
    found = ask(metrics=["grossAmt"], scope="company").facts["changes"]["grossAmt"]
    assert found["bridge"] == {
        "total": 70,
        "same_store": 70,
        "openers": 200,
        "closers": 200,
        "partial": 90,
        "dropped_days": -200,
        "layer_gap": 110,
    }
    assert (found["same_store"]["cur"], found["same_store"]["prev"]) == (1970, 1900)


def test_each_part_of_the_bridge_is_a_cell(ask):
    result = ask(metrics=["grossAmt"], scope="company")
    assert cells(result, metric="grossAmt", period="openers") == [200]
    assert cells(result, metric="grossAmt", period="closers") == [200]
    assert cells(result, metric="grossAmt", period="cur", role="total") == [2730]
    assert cells(result, metric="grossAmt", period="prev", role="total") == [2660]
    assert cells(result, metric="grossAmt", role="delta", period="cur") == [70]


def test_shops_are_named_by_what_keeps_them_out(ask):
    result = ask(metrics=["grossAmt"], scope="company")
    found = result.facts["like_for_like"]
    assert (found["shops"], found["comparable"]) == (5, 2)
    first = date.fromisoformat(result.args["baseline"]["from"]) - timedelta(days=28)
    assert (found["min_present"], found["open_since"]) == (0.8, first.isoformat())
    assert [s["id"] for s in found["openers"]] == ["B"]
    assert [s["id"] for s in found["closers"]] == ["C"]
    assert [s["id"] for s in found["partials"]] == ["E"]
    note = next(n.text for n in result.notes if n.code == "like_for_like")
    assert "可比门店 2/5" in note
    assert cells(result, metric="comparable") == [2]


def test_missing_rows_and_contradicted_zero_rows_are_covered_by_a_verdict(ask):
    found = verdict(ask(metrics=["grossAmt"], scope="company"), "coverage")
    # due: baseline A 7, B 3, C 5, D 7, E 7; current A 7, B 7, D 7, E 7
    assert (found.status, found.n_checked, found.n_bad) == ("warn", 57, 4)
    assert found.keys[0] == {
        "date": "2026-10-10",
        "scope": "shop",
        "companyId": "E01",
        "chainId": "C01",
        "shopId": "D",
    }
    assert "E店 在 2026-10-02..2026-10-04 全为零" in found.note
    assert "D店 缺 2026-10-10" in found.note


def test_rates_change_in_points_with_a_same_store_rate(ask):
    result = ask(metrics=["visitRate"], scope="company")
    total = result.facts["changes"]["visitRate"]
    assert (total["cur"], total["prev"]) == (pytest.approx(0.2), pytest.approx(0.1))
    assert total["delta"] == pytest.approx(0.1)
    assert total["pct"] is None
    assert total["bridge"] is None
    assert total["same_store"]["cur"] == pytest.approx(0.2)
    assert "visitRate__pct" not in [c.key for c in result.table.columns]
    assert [c.unit for c in result.cells if c.metric == "visitRate" and c.role == "delta"] == ["pp"] * 2


def test_rows_by_entity_hold_both_periods_and_their_share_of_the_change(ask):
    result = ask(metrics=["grossAmt"], by="shop")
    rows = {r["shopId"]: r for r in result.table.rows}
    assert [r["shopId"] for r in result.table.rows][:3] == ["B", "C", "D"]  # |200|, |-200|, |-200|
    assert rows["C"]["grossAmt"] is None
    assert rows["C"]["grossAmt__prev"] == 200
    assert (rows["C"]["grossAmt__delta"], rows["C"]["grossAmt__pct"]) == (-200, None)
    assert rows["B"]["grossAmt__delta"] == 200
    # the shop rows change by 2530 - 2570 = -40
    assert rows["A"]["grossAmt__share"] == pytest.approx(70 / -40)
    assert rows["C"]["grossAmt__share"] == pytest.approx(-200 / -40)
    assert result.table.totals["grossAmt__delta"] == -40
    assert result.args["by"] == "shop"


def test_a_current_period_that_is_cut_gets_an_aligned_variant_beside_the_raw_one(ask):
    result = ask(
        metrics=["grossAmt"],
        scope="company",
        current={"from": "2026-10-08", "to": "2026-10-20"},
        baseline={"from": "2026-09-25", "to": "2026-10-07"},
    )
    found = result.facts["changes"]["grossAmt"]
    assert result.args["current"] == {"from": "2026-10-08", "to": "2026-10-14"}
    assert result.args["baseline"] == {"from": "2026-09-25", "to": "2026-10-07"}
    # raw baseline: 13 days x (100 + 40 + 200 + 30) = 4810, less C on two days 80, plus B on three 150
    assert found["prev"] == 4880
    # aligned: 09-25..10-01 = 7 x 370
    assert (found["aligned"]["cur"], found["aligned"]["prev"]) == (2730, 2590)
    assert found["aligned"]["baseline_period"] == {"from": "2026-09-25", "to": "2026-10-01"}
    assert found["per_step"]["cur"] == 390
    assert found["per_step"]["prev"] == pytest.approx(4880 / 13)
    assert verdict(result, "freshness").status == "pass"
    assert verdict(result, "period_match").status == "warn"
    assert [c.arg for c in result.clamped] == ["current.to"]
    assert {"clamped", "partial_period"} <= {n.code for n in result.notes}


def test_a_mode_cuts_the_baseline_to_the_settled_days(ask):
    result = ask(
        metrics=["grossAmt"],
        scope="company",
        current={"from": "2026-10-12", "to": "2026-10-18"},
        baseline=None,
        mode="previous",
    )
    assert result.args["current"] == {"from": "2026-10-12", "to": "2026-10-14"}
    assert result.args["baseline"] == {"from": "2026-10-05", "to": "2026-10-07"}
    assert result.facts["changes"]["grossAmt"]["aligned"] is None
    assert result.args["mode"] == "previous"


def test_a_holiday_in_one_period_only_is_said(ask):
    result = ask(metrics=["grossAmt"], scope="company")
    assert verdict(result, "period_match").status == "warn"
    assert "国庆节" in next(n.text for n in result.notes if n.code == "holiday")
    assert result.facts["holidays"]["baseline_days"] == 7


def test_the_source_s_own_change_is_held_against_ours(ask):
    found = verdict(ask(metrics=["grossAmt"], scope="company"), "source_delta")
    # A 7 rows; D 7 rows less the missing 10-10
    assert (found.status, found.n_checked, found.n_bad) == ("warn", 13, 1)
    assert found.keys[0]["shopId"] == "D"
    assert "99.00" in found.note
    far = ask(metrics=["grossAmt"], baseline={"from": "2026-09-02", "to": "2026-09-08"})
    assert verdict(far, "source_delta").status == "skip"


def test_rates_are_tested_by_default_and_amounts_on_request(ask):
    rate = ask(metrics=["visitRate"], scope="company")
    assert verdict(rate, "significance").kind == "significance"
    assert [v for v in ask(metrics=["grossAmt"]).verdicts if v.kind == "significance"] == []
    asked = verdict(ask(metrics=["grossAmt"], scope="company", significance=True), "significance")
    assert asked.status in ("pass", "warn")
    none = ask(metrics=["visitRate"], significance=False)
    assert [v for v in none.verdicts if v.kind == "significance"] == []
    short = ask(
        metrics=["visitRate"],
        current={"from": "2026-10-11", "to": "2026-10-14"},
        baseline={"from": "2026-10-04", "to": "2026-10-07"},
    )
    assert verdict(short, "significance").status == "skip"


def test_a_period_outside_the_data_is_not_compared(ask):
    result = ask(metrics=["grossAmt"], current={"from": "2027-01-01", "to": "2027-01-07"})
    assert result.table is None
    assert [n.code for n in result.notes] == ["outside_coverage"]


def test_two_periods_cannot_be_split_by_time(view):
    ctx = ToolContext(view=view, lang="zh", as_of=date(2026, 10, 15), viewer="u", entity="E01")
    args = {"metrics": ["grossAmt"], "current": CURRENT, "by": "week"}
    assert call(compare_periods.TOOL, args, ctx).error.error_class == "bad_args"


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_number_in_notes_and_verdicts_has_a_source(ask, view, lang):
    entities = tuple(n for e in view.catalog.entities for n in (e.id, e.name))
    words = {m.key: m.words() for m in view.model.metrics}
    for result in (
        ask(metrics=["grossAmt", "visitRate"], scope="company", lang=lang, significance=True),
        ask(metrics=["visitRate"], current={"from": "2026-10-12", "to": "2026-10-20"}, lang=lang),
        ask(metrics=["visitRate"], current={"from": "2026-10-12", "to": "2026-10-14"}, lang=lang),
    ):
        texts = [n.text for n in result.notes]
        texts += [t for v in result.verdicts for t in (v.note, v.actual) if v.check != "source_delta"]
        for text in texts:
            found = trace_numbers(text, cells=result.cells, entities=entities, metric_words=words).as_json()
            untraced = [i["text"] for i in found["items"] if i["status"] not in ("exact", "exempt")]
            assert untraced == [], text


def test_the_description_names_every_argument():
    for name in compare_periods.ComparePeriodsArgs.model_fields:
        assert f"`{name}`" in compare_periods.TOOL.description


WEEKLY = parse_model(
    """
    model: weekly
    dataset:
      time: {column: date, grain: week}
      levels: [{key: store, zh: 门店, en: Store, id: Store, name: Store}]
      dimensions: [{key: flag, label: {zh: 假日, en: Holiday}, column: flag}]
    metrics:
    - {key: sales, label: {zh: 销售额, en: Sales}, polarity: up, additivity: {kind: sum}}
    - {key: temp, label: {zh: 气温, en: Temperature}, additivity: {kind: mean_per_row}}
    """
)


@pytest.fixture(scope="module")
def weekly_view(tmp_path_factory):
    """Two stores, Fridays 2010-10-01 … 2010-12-31; store 1 sells 100 a week, 150 in December, 2 half."""
    rows = []
    for offset in range(14):
        day = date(2010, 10, 1) + timedelta(days=7 * offset)
        whole = 150.0 if day.month == 12 else 100.0
        for store, value in (("1", whole), ("2", whole / 2)):
            flag = "1" if day.day == 24 else "0"
            rows.append({"date": day, "Store": store, "flag": flag, "sales": value, "temp": 10.0 + day.month})
    lake = Lake(Settings(home=tmp_path_factory.mktemp("weekly")))
    table = pa.table({name: [r[name] for r in rows] for name in rows[0]})
    lake.load("weekly", Delivery(table=table), WEEKLY)
    with lake.open("weekly") as opened:
        yield opened
    lake.close()


def weekly(view, **args):
    ctx = ToolContext(view=view, lang="en", as_of=date(2026, 12, 1), viewer="u")
    result = call(compare_periods.TOOL, args, ctx)
    assert result.ok, result.error
    return result


DECEMBER = {"from": "2010-12-01", "to": "2010-12-31"}
NOVEMBER = {"from": "2010-11-01", "to": "2010-11-30"}


def test_five_weeks_against_four_are_also_compared_a_week(weekly_view):
    result = weekly(weekly_view, metrics=["sales"], current=DECEMBER, baseline=NOVEMBER)
    found = result.facts["changes"]["sales"]
    assert (found["cur"], found["prev"]) == (5 * 225, 4 * 150)
    assert found["pct"] == pytest.approx(0.875)
    assert (found["per_step"]["cur"], found["per_step"]["prev"]) == (225, 150)
    assert found["per_step"]["pct"] == pytest.approx(0.5)
    assert result.facts["step"] == "week"
    assert "5 weeks against 4 weeks" in verdict(result, "period_match").actual
    assert 0.5 in cells(result, role="pctchg", period="cur_per_step")
    assert found["aligned"] is None


def test_a_mean_is_compared_without_shares_or_bridge(weekly_view):
    result = weekly(weekly_view, metrics=["temp"], current=DECEMBER, baseline=NOVEMBER, by="store")
    assert result.facts["changes"]["temp"]["delta"] == pytest.approx(1.0)
    assert result.facts["changes"]["temp"]["bridge"] is None
    assert [c.key for c in result.table.columns] == [
        "Store",
        "temp",
        "temp__prev",
        "temp__delta",
        "temp__pct",
    ]
    assert {c.entity for c in result.cells if c.metric == "temp"} == {"", "Store 1", "Store 2"}


def test_rows_by_a_dimension(weekly_view):
    result = weekly(weekly_view, metrics=["sales"], current=DECEMBER, baseline=NOVEMBER, by="flag")
    rows = {r["flag"]: (r["sales"], r["sales__prev"]) for r in result.table.rows}
    assert rows == {"0": (900, 600), "1": (225, None)}


def test_a_series_without_entities_has_coverage_by_dates(tmp_path):
    model = parse_model(
        "model: one\ndataset: {time: {column: date}}\n"
        "metrics: [{key: n, label: {zh: 数, en: Count}, additivity: {kind: sum}}]"
    )
    days = [date(2026, 9, 1) + timedelta(days=i) for i in range(40) if i != 36]  # 2026-10-07 is missing
    lake = Lake(Settings(home=tmp_path))
    lake.load("one", Delivery(table=pa.table({"date": days, "n": [2.0] * len(days)})), model)
    with lake.open("one") as opened:
        result = weekly(
            opened,
            metrics=["n"],
            current={"from": "2026-10-04", "to": "2026-10-10"},
            baseline={"from": "2026-09-27", "to": "2026-10-03"},
        )
    found = result.facts["changes"]["n"]
    assert (found["cur"], found["prev"]) == (12, 14)
    assert (found["aligned"]["cur"], found["aligned"]["prev"]) == (12, 12)
    assert result.facts["unpaired"] == {"baseline": ["2026-09-30"], "current": []}
    coverage = verdict(result, "coverage")
    assert (coverage.n_checked, coverage.n_bad) == (14, 1)
    lake.close()
