"""`query_report` on the tiny lake; expected figures are added up by hand from its docstring."""

from __future__ import annotations

from datetime import date

import pyarrow as pa
import pytest

from askcore.base.config import Settings
from askcore.base.text import catalogue
from askcore.lake import Delivery, Lake
from askcore.tools import query_report
from askcore.tools.base import ToolContext, call, parse_args

WEEK = {"from": "2026-10-13", "to": "2026-10-17"}


@pytest.fixture
def ask(tiny_view):
    def run(lang="zh", as_of=date(2026, 10, 18), entity="E01", **args):
        ctx = ToolContext(view=tiny_view, lang=lang, as_of=as_of, viewer="u", entity=entity)
        return call(query_report.TOOL, args, ctx)

    return run


def cells(result, **wanted):
    return [c.value for c in result.cells if all(getattr(c, k) == v for k, v in wanted.items())]


def codes(result):
    return [n.code for n in result.notes]


def test_totals_come_from_the_rows_of_the_top_level(ask):
    result = ask(metrics=["grossAmt", "visitRate"], **WEEK)
    assert result.table.totals["grossAmt"] == 1950
    assert result.table.totals["visitRate"] == pytest.approx(1400 / 15000)
    assert dict(result.args) == {
        "metrics": ["grossAmt", "visitRate"],
        "from": "2026-10-13",
        "to": "2026-10-17",
        "by": None,
        "scope": "company",
    }
    assert cells(result, metric="grossAmt", role="total") == [1950]


def test_a_ranking_keeps_the_totals_of_all_and_says_what_the_top_holds(ask):
    result = ask(metrics=["grossAmt"], by="shop", sort="-grossAmt", limit=2, **WEEK)
    assert [r["shopId"] for r in result.table.rows] == ["S2", "S1"]
    assert result.table.totals["grossAmt"] == 1950
    assert (result.row_count, result.shown) == (3, 2)
    assert result.args["by"] == "shop"
    assert result.args["scope"] == "shop"
    assert (result.args["sort"], result.args["limit"]) == ("-grossAmt", 2)
    assert result.facts["top_share"]["grossAmt"]["share"] == pytest.approx(1600 / 1950)
    assert cells(result, role="share", entity="西门店") == [pytest.approx(1000 / 1950)]
    assert cells(result, role="share", entity="") == [pytest.approx(1600 / 1950)]
    assert 1600 in cells(result, role="total", metric="grossAmt")


def test_a_ratio_has_no_share(ask):
    result = ask(metrics=["visitRate"], by="shop", **WEEK)
    assert cells(result, role="share") == []
    assert result.table.totals["visitRate"] == pytest.approx(1500 / 17500)


def test_a_series_gives_ends_extremes_mean_and_change(ask):
    found = ask(metrics=["grossAmt"], by="date", **WEEK).facts["series"]["grossAmt"][0]
    assert (found["first"]["value"], found["last"]["value"], found["mean"]) == (350, 430, 390)
    assert (found["max"]["bucket"], found["change"]) == ("2026-10-17", 80)
    assert found["change_pct"] == pytest.approx(80 / 350)


def test_every_shop_has_a_series_of_its_own(ask):
    result = ask(metrics=["grossAmt"], by=["date", "shop"], **WEEK)
    assert result.args["by"] == ["date", "shop"]
    found = {s["entity"]: s["change"] for s in result.facts["series"]["grossAmt"]}
    assert found == {"东门店": 40, "西门店": 0, "南门店": 40}


def test_the_mean_a_day_is_a_cell(ask):
    result = ask(metrics=["grossAmt"], **WEEK)
    assert 390 in cells(result, metric="grossAmt", role="value")


def test_days_that_have_not_settled_are_cut_and_said(ask):
    result = ask(metrics=["grossAmt"], **{"from": "2026-10-16", "to": "2026-10-20"})
    assert result.args["to"] == "2026-10-17"
    assert [(c.arg, c.before, c.after) for c in result.clamped] == [("to", "2026-10-20", "2026-10-17")]
    assert "clamped" in codes(result)
    assert result.table.totals["grossAmt"] == 840


def test_the_clock_decides_what_has_settled(ask):
    result = ask(metrics=["grossAmt"], as_of=date(2026, 10, 15), **WEEK)
    assert result.args["to"] == "2026-10-14"
    assert result.table.totals["grossAmt"] == 720


def test_without_days_the_whole_settled_data_is_read(ask):
    result = ask(metrics=["grossAmt"])
    assert (result.args["from"], result.args["to"]) == ("2026-10-13", "2026-10-17")


def test_a_column_that_the_source_lacks_is_not_0(ask):
    result = ask(metrics=["grossAmt", "promoSpendAmt"], **WEEK)
    assert result.table.totals == {"grossAmt": 1950}
    assert codes(result) == ["reserved_column"]
    alone = ask(metrics=["promoSpendAmt"], lang="en", **WEEK)
    assert (alone.ok, alone.error.error_class) == (False, "empty")
    assert "Ad spend" in alone.error.message


def test_no_row_is_explained(ask):
    outside = ask(metrics=["grossAmt"], **{"from": "2025-01-01", "to": "2025-01-31"})
    assert codes(outside) == ["outside_coverage"]
    assert "2026-10-13" in outside.notes[0].text
    assert outside.table.totals == {}
    unknown = ask(metrics=["grossAmt"], shops=["东门"], **WEEK)
    assert unknown.error.error_class == "unknown_name"
    assert "S1 东门店" in unknown.error.hint


def test_cut_weeks_are_marked_and_stay_out_of_the_series(ask):
    result = ask(metrics=["grossAmt"], by="week", lang="en", **WEEK)
    assert [n.code for n in result.notes] == ["partial_period"]
    assert "2026-10-12" in result.notes[0].text
    assert "series" not in result.facts


def test_people_counted_once_a_day_are_called_so(ask):
    result = ask(metrics=["visitUv"], **WEEK)
    assert codes(result) == ["duplicate"]
    assert "人天" in result.notes[0].text
    assert ask(metrics=["visitUv"], **{"from": "2026-10-17", "to": "2026-10-17"}).notes == ()


def test_names_and_columns_are_accepted(ask):
    result = ask(metrics=["grossAmt"], shops=["东门店"], filters={"chainId": "C01"}, **WEEK)
    assert result.table.totals["grossAmt"] == 600
    assert result.args["shops"] == ["S1"]
    assert result.args["filters"] == {"chain": ["C01"]}


def test_a_sort_column_that_was_not_asked_comes_along(ask):
    result = ask(metrics=["visitRate"], by="shop", sort="-grossAmt", **WEEK)
    assert result.args["metrics"] == ["visitRate", "grossAmt"]


@pytest.mark.parametrize(
    ("args", "hint"),
    [
        ({"metrics": ["grossAmount"]}, "grossAmt"),
        ({"metrics": ["grossAmt"], "by": "shopp"}, "shop"),
        ({"metrics": ["grossAmt"], "sort": "-gross"}, "grossAmt"),
        ({"metrics": ["grossAmt"], "form": "2026-10-13"}, "from"),
    ],
)
def test_wrong_names_carry_the_near_one(ask, args, hint):
    result = ask(**(WEEK | args))
    assert not result.ok
    assert hint in result.error.hint


def test_a_period_that_ends_before_it_starts_is_refused(ask):
    result = ask(metrics=["grossAmt"], **{"from": "2026-10-17", "to": "2026-10-13"})
    assert result.error.error_class == "bad_args"


def test_more_rows_than_an_answer_holds_are_cut_and_said(ask):
    result = ask(metrics=["grossAmt"], by="shop", limit=5000, **WEEK)
    assert result.args["limit"] == 1000
    assert [c.arg for c in result.clamped] == ["limit"]


def test_time_columns_are_named_in_the_language_of_the_reader(ask):
    assert ask(metrics=["grossAmt"], by="date", **WEEK).table.columns[0].label == "日期"
    assert ask(metrics=["grossAmt"], by="date", lang="en", **WEEK).table.columns[0].label == "Date"


def test_a_level_without_rows_is_added_up_from_below_and_said(tmp_path, takeaway_model):
    row = {"date": date(2026, 10, 13), "scope": "shop", "companyId": "E01", "chainId": "C01"}
    shops = [
        row | {"shopId": "S1", "grossAmt": 10.0, "visitUv": 4},
        row | {"shopId": "S2", "grossAmt": 5.0, "visitUv": 3},
    ]
    lake = Lake(Settings(home=tmp_path))
    table = pa.table({name: [r[name] for r in shops] for name in shops[0]})
    lake.load("shops", Delivery(table=table), takeaway_model)
    with lake.open("shops") as view:
        ctx = ToolContext(view=view, lang="en", as_of=date(2026, 10, 18), viewer="u", entity="E01")
        args = {"metrics": ["grossAmt"], "scope": "company", "from": "2026-10-13", "to": "2026-10-13"}
        result = call(query_report.TOOL, args, ctx)
        people = call(query_report.TOOL, args | {"metrics": ["visitUv"]}, ctx)
    assert result.table.totals["grossAmt"] == 15
    assert result.args["scope"] == "shop"
    assert [n.code for n in result.notes] == ["clamped"]
    assert "rows of Shop are added up" in result.notes[0].text
    assert not any("upper bound" in n.text for n in result.notes)
    assert any("upper bound" in n.text for n in people.notes)
    lake.close()


def test_the_description_names_every_argument():
    description = query_report.TOOL.description
    for name, field in query_report.QueryReportArgs.model_fields.items():
        assert f"`{field.alias or name}`" in description


def test_aliases_are_the_contract_s_names():
    args = parse_args(query_report.TOOL, {"metrics": ["a"], "from": "2026-01-01", "to": "2026-01-02"})
    assert (args.start, args.end) == (date(2026, 1, 1), date(2026, 1, 2))


@pytest.mark.parametrize("area", ["compare", "define", "index"])
def test_every_sentence_exists_in_both_languages_with_the_same_figures(area):
    from string import Formatter

    for name, texts in catalogue(area).items():
        names = [{f for _, f, _, _ in Formatter().parse(texts[lang]) if f} for lang in ("zh", "en")]
        assert set(texts) == {"zh", "en"}, name
        assert names[0] - names[1] <= {"level", "label"}, name
