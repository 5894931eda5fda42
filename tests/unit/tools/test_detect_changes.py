"""`detect_changes` on a lake with known days, and on demo lakes against their manifests.

The small lake: shops A, B, C, 2026-06-01 … 2026-10-17, orders 200 a day (300 on weekends, 600 on holidays),
sales 10 × the orders, visits 5 ×. A has 60 orders on 2026-09-10; B has 0.6 of its orders from 2026-09-14 on;
C opened on 2026-10-05; on 2026-09-16 all of A's sums are 0, and on 2026-09-17 A has no row.
"""

from __future__ import annotations

import json
from datetime import date, timedelta

import pyarrow as pa
import pytest

from askcore.base.config import Settings
from askcore.checks.provenance import trace_numbers
from askcore.lake import Delivery, Lake
from askcore.lake.demo import install_demo
from askcore.semantic.calendar import day_type
from askcore.semantic.parse import parse_model
from askcore.tools import detect_changes
from askcore.tools.base import ToolContext, call

FIRST, LAST = date(2026, 6, 1), date(2026, 10, 17)
AS_OF = date(2026, 10, 18)
ODD, ZERO, MISSING = date(2026, 9, 10), date(2026, 9, 16), date(2026, 9, 17)
LOWER, OPENED = date(2026, 9, 14), date(2026, 10, 5)
SEPTEMBER = {"from": "2026-09-01", "to": "2026-09-30"}


def orders(shop: str, day: date) -> int | None:
    """None: no row."""
    kind = day_type(day).kind
    usual = {"holiday": 600, "weekend": 300}.get(kind, 200)
    if shop == "A" and day in (ODD, ZERO, MISSING):
        return {ODD: 60, ZERO: 0, MISSING: None}[day]
    if shop == "B" and day >= LOWER:
        return round(usual * 0.6)
    return None if shop == "C" and day < OPENED else usual


def table() -> pa.Table:
    rows = []
    for offset in range((LAST - FIRST).days + 1):
        day = FIRST + timedelta(days=offset)
        for shop in "ABC":
            count = orders(shop, day)
            if count is None:
                continue
            ids = {"companyId": "E01", "companyName": "公司", "chainId": "C01", "chainName": "连锁"}
            sums = {"validOrderCnt": count, "grossAmt": count * 10.0, "visitUv": count * 5, "orderUv": count}
            rows.append(
                {"date": day, "scope": "shop", **ids, "shopId": shop, "shopName": f"{shop}店", **sums}
            )
    return pa.table({name: [r[name] for r in rows] for name in rows[0]})


@pytest.fixture(scope="module")
def view(tmp_path_factory, takeaway_model):
    lake = Lake(Settings(home=tmp_path_factory.mktemp("detect")))
    lake.load("det", Delivery(table=table()), takeaway_model)
    with lake.open("det") as opened:
        yield opened
    lake.close()


@pytest.fixture
def tool(view):
    def run(lang="zh", **args):
        ctx = ToolContext(view=view, lang=lang, as_of=AS_OF, viewer="u", entity="E01")
        return call(detect_changes.TOOL, {"metric": "validOrderCnt"} | args, ctx)

    return run


@pytest.fixture
def ask(tool):
    def run(**args):
        result = tool(**args)
        assert result.ok, result.error
        return result

    return run


def keys(result):
    return [(k["shopId"], k["date"]) for k in result.verdicts[0].keys]


def test_the_odd_day_is_found_with_its_figures(ask):
    result = ask(shops=["A"], **SEPTEMBER)
    assert keys(result) == [("A", "2026-09-10")]
    (row,) = result.table.rows
    assert (row["shopId"], row["shopName"], row["date"]) == ("A", "A店", "2026-09-10")
    assert (row["validOrderCnt"], row["validOrderCnt__expected"]) == (60, 200)
    assert row["validOrderCnt__pct"] == pytest.approx(-0.7)
    assert row["validOrderCnt__impact"] == -140
    assert row["dayType"] == "工作日"
    verdict = result.verdicts[0]
    assert (verdict.kind, verdict.check, verdict.status) == ("anomaly", "anomaly", "warn")
    # 30 days less three holidays (Mid-autumn), the zero row and the missing one
    assert (verdict.n_checked, verdict.n_bad) == (25, 1)


def test_zero_and_missing_rows_are_faults_of_the_data_and_said(ask):
    result = ask(shops=["A"], lang="en", **SEPTEMBER)
    out = result.facts["excluded"]
    assert out["zero_rows"] == [{"id": "A", "date": "2026-09-16"}]
    assert out["missing_rows"] == [{"id": "A", "date": "2026-09-17"}]
    assert out["holidays"] == ["2026-09-25", "2026-09-26", "2026-09-27"]
    texts = " ".join(n.text for n in result.notes)
    assert "09-16" in texts and "09-17" in texts and "09-25 to 09-27" in texts


def test_a_lasting_change_is_told_as_about_its_day(ask):
    result = ask(mode="changepoint", **SEPTEMBER)
    assert keys(result) == [("B", "2026-09-14")]
    (row,) = result.table.rows
    assert row["earliest"] == row["date"] == row["latest"] == "2026-09-14"
    assert row["validOrderCnt__pct"] == pytest.approx(-0.4, abs=0.01)
    verdict = result.verdicts[0]
    assert (verdict.check, verdict.status, verdict.n_bad) == ("change_point", "warn", 1)
    assert "约从 09-14 起下降" in verdict.note


def test_many_days_on_one_side_point_to_a_change_of_level(ask):
    result = ask(shops=["B"], **SEPTEMBER)
    assert len(result.table.rows) > 5
    assert any(n.code == "ambiguous" and "B店" in n.text for n in result.notes)


def test_a_week_of_holidays_is_silent_and_a_new_shop_is_left_out(ask):
    result = ask(shops=["A", "C"], **{"from": "2026-10-01", "to": "2026-10-07"})
    verdict = result.verdicts[0]
    assert (verdict.status, verdict.n_checked) == ("skip", 0)
    assert verdict.note
    later = ask(shops=["C"], **{"from": "2026-10-08", "to": "2026-10-17"})
    assert later.verdicts[0].status == "skip"
    assert later.facts["excluded"]["short_history"] == [{"id": "C", "name": "C店"}]


@pytest.mark.parametrize("mode", ["anomaly", "changepoint"])
def test_nothing_to_find_is_a_pass(ask, mode):
    result = ask(mode=mode, shops=["A"], **{"from": "2026-08-10", "to": "2026-08-31"})
    verdict = result.verdicts[0]
    assert (verdict.status, verdict.n_bad, verdict.n_checked) == ("pass", 0, 22)
    assert result.table.rows == () and result.row_count == 0


def test_rates_are_judged_by_their_counts(ask):
    """Every order is a buyer and every fifth visit an order, each day: nothing stands out, not even B."""
    result = ask(metric="orderRate", **SEPTEMBER)
    assert result.verdicts[0].status == "pass"


def test_days_without_dates_are_the_last_thirty_settled(ask):
    args = ask().args
    assert (args["from"], args["to"]) == ("2026-09-18", "2026-10-17")
    assert (args["mode"], args["scope"], args["metric"]) == ("anomaly", "shop", "validOrderCnt")


def test_days_before_the_data_are_cut_and_said(ask):
    result = ask(**{"from": "2026-01-01", "to": "2026-12-31"})
    assert (result.args["from"], result.args["to"]) == ("2026-06-01", "2026-10-17")
    assert {c.arg for c in result.clamped} == {"from", "to"}


def test_a_period_outside_the_data_is_skipped(ask):
    result = ask(**{"from": "2025-01-01", "to": "2025-01-31"})
    assert result.verdicts[0].status == "skip"
    assert [n.code for n in result.notes] == ["outside_coverage"]


def test_a_level_without_rows_of_its_own_is_added_up(ask):
    result = ask(scope="chain", **{"from": "2026-09-01", "to": "2026-09-13"})
    (row,) = result.table.rows  # A's 140 fewer of the chain's 400
    assert (row["chainId"], row["date"], row["validOrderCnt__impact"]) == ("C01", "2026-09-10", -140)
    assert any("门店" in n.text for n in result.notes)


@pytest.mark.parametrize("metric", ["shopScore", "activeShopCnt", "grossAmt@day"])
def test_what_is_not_made_of_daily_sums_is_skipped_or_absent(tool, metric):
    result = tool(metric=metric)
    if result.ok:
        assert result.verdicts[0].status == "skip" and result.verdicts[0].note
    else:
        assert result.error.error_class == "empty"


@pytest.mark.parametrize(
    ("args", "error_class"),
    [
        ({"metric": "grossAmmt"}, "unknown_name"),
        ({"metric": ""}, "bad_args"),
        ({"metric": "promoRoi"}, "empty"),
        ({"mode": "trend"}, "bad_args"),
        ({"scope": "planet"}, "unknown_name"),
        ({"shops": ["Z"]}, "unknown_name"),
        ({"shops": ["A'; DROP TABLE fact; --"]}, "unknown_name"),
        ({"filters": {"1=1 OR shop": "A"}}, "unknown_name"),
        ({"metric": 'grossAmt") FROM fact; --'}, "unknown_name"),
        ({"from": "2026-13-01"}, "bad_args"),
        ({"from": "2026-10-10", "to": "2026-10-01"}, "bad_args"),
        ({"metrics": ["grossAmt"]}, "bad_args"),
        ({"z": 1}, "bad_args"),
    ],
)
def test_wrong_arguments_are_named(tool, args, error_class):
    result = tool(**args)
    assert not result.ok
    assert result.error.error_class == error_class, result.error


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("mode", ["anomaly", "changepoint"])
def test_every_number_said_is_traced(ask, view, lang, mode):
    words = {m.key: m.words() for m in view.model.metrics}
    for metric in ("grossAmt", "validOrderCnt", "aov"):
        result = ask(lang=lang, mode=mode, metric=metric, **SEPTEMBER)
        texts = [f["text"] for f in result.facts["findings"]]
        texts += [n.text for n in result.notes]
        texts += [t for v in result.verdicts for t in (v.note, v.actual, v.expect, v.tolerance)]
        for text in texts:
            names = ["A店", "B店", "C店"]
            found = trace_numbers(text, cells=result.cells, entities=names, metric_words=words).as_json()
            untraced = [i for i in found["items"] if i["status"] not in ("exact", "exempt")]
            assert untraced == [], text


def test_weekly_data_is_skipped(tmp_path):
    model = parse_model(
        """
        model: weekly
        dataset:
          time: {column: date, grain: week}
          levels: [{key: store, zh: 门店, en: Store, id: Store, name: Store}]
        metrics: [{key: sales, label: {zh: 销售额, en: Sales}, additivity: {kind: sum}}]
        """
    )
    days = [date(2026, 1, 5) + timedelta(weeks=n) for n in range(30)]
    rows = pa.table({"date": days, "scope": ["store"] * 30, "Store": ["1"] * 30, "sales": [5.0] * 30})
    lake = Lake(Settings(home=tmp_path))
    lake.load("weekly", Delivery(table=rows), model)
    with lake.open("weekly") as opened:
        ctx = ToolContext(view=opened, lang="en", as_of=date(2026, 8, 3), viewer="u")
        result = call(detect_changes.TOOL, {"metric": "sales"}, ctx)
    lake.close()
    assert result.ok, result.error
    assert result.verdicts[0].status == "skip" and "not daily" in result.verdicts[0].note


@pytest.fixture(scope="module", params=[(0, False), (3, False), (7, False), (0, True)], ids=str)
def demo(request, tmp_path_factory):
    seed, clean = request.param
    home = tmp_path_factory.mktemp("demo")
    lake = Lake(Settings(home=home))
    install_demo(lake, seed=seed, clean=clean)
    manifest = json.loads((home / "lake" / "demo" / "manifest.json").read_text(encoding="utf-8"))
    with lake.open("demo") as opened:
        yield opened, manifest, clean
    lake.close()


def listed(manifest, check):
    found = {}
    for fault in manifest["faults"]:
        for seen in ({"check": fault["check"], "keys": fault["keys"]}, *fault["grouped_under"]):
            if seen["check"] == check:
                found |= {(k["shopId"], k["date"]): fault["id"] for k in seen["keys"]}
    return found


def test_the_demo_gives_its_planted_changes_and_no_other(demo):
    view, manifest, clean = demo
    ctx = ToolContext(view=view, lang="zh", as_of=AS_OF, viewer="u", entity=manifest["default_entity"])
    days = {"from": "2026-08-01", "to": "2026-10-17"}
    result = call(detect_changes.TOOL, {"metric": "exposureUv", "mode": "changepoint", **days}, ctx)
    assert result.ok, result.error
    planted = listed(manifest, "change_point")
    found = {
        planted.get((f["id"], day))
        for f in result.facts["findings"]
        for day in [next((d for s, d in planted if s == f["id"] and f["earliest"] <= d <= f["latest"]), None)]
    }
    assert None not in found
    assert clean or "F2" in found
    assert not clean or result.verdicts[0].status == "pass"


def test_ordinary_days_of_the_demo_are_hardly_ever_anomalies(demo):
    """Fewer than one false alarm in 300 shop-days, and none on a holiday that the manifest does not name."""
    view, manifest, _ = demo
    ctx = ToolContext(view=view, lang="zh", as_of=AS_OF, viewer="u", entity=manifest["default_entity"])
    planted, false, tested = listed(manifest, "anomaly"), [], 0
    for metric in ("exposureUv", "grossAmt", "orderRate"):
        args = {"metric": metric, "from": "2026-08-01", "to": "2026-10-17"}
        result = call(detect_changes.TOOL, args, ctx)
        assert result.ok, result.error
        false += [k for k in keys(result) if k not in planted]
        tested += result.verdicts[0].n_checked
    assert tested > 2500
    assert len(false) <= tested / 300
    assert [k for k in false if day_type(date.fromisoformat(k[1])).kind == "holiday"] == []
