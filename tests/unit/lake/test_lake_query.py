"""Queries on the tiny lake, whose totals stand in `tests/conftest.py`, and on lakes with awkward names."""

from __future__ import annotations

from datetime import date

import pyarrow as pa
import pytest

from askcore.base.errors import BadRequest
from askcore.base.values import Clamp, Period, QuerySpec, Sort
from askcore.lake import Delivery, Lake
from askcore.semantic.parse import parse_model

WHOLE = Period(start=date(2026, 10, 13), end=date(2026, 10, 17))


def ask(view, *metrics: str, period: Period = WHOLE, **more):
    return view.query(QuerySpec(metrics=metrics, period=period, **more))


def test_without_a_scope_the_company_rows_are_the_total(tiny_view):
    result = ask(tiny_view, "grossAmt", "validOrderCnt", "aov", "visitRate", "visitUv")
    assert result.totals == {
        "grossAmt": 1950.0,
        "validOrderCnt": 210,
        "aov": 1950 / 210,
        "visitRate": 1400 / 15000,
        "visitUv": 1400,
    }
    assert (result.rows, result.scope, result.scanned) == ((result.totals,), "company", 5)
    assert result.flags == {"visitUv": {"person_days"}}


def test_by_shop_reads_shop_rows_and_gives_id_and_name(tiny_view):
    result = ask(tiny_view, "grossAmt", "visitRate", by=("shop",))
    assert result.rows == (
        {"shopId": "S1", "shopName": "东门店", "grossAmt": 600.0, "visitRate": 500 / 5000},
        {"shopId": "S2", "shopName": "西门店", "grossAmt": 1000.0, "visitRate": 500 / 10000},
        {"shopId": "S3", "shopName": "南门店", "grossAmt": 350.0, "visitRate": 500 / 2500},
    )
    assert result.totals == {"grossAmt": 1950.0, "visitRate": 1500 / 17500}
    assert [c.key for c in result.columns] == ["shopId", "shopName", "grossAmt", "visitRate"]
    assert (result.scope, result.row_count, result.scanned) == ("shop", 3, 15)


def test_sort_and_limit_cut_rows_but_not_totals(tiny_view):
    best = Sort(key="grossAmt", descending=True)
    result = ask(tiny_view, "grossAmt", by=("shop",), sort=best, limit=2)
    assert [(r["shopId"], r["grossAmt"]) for r in result.rows] == [("S2", 1000.0), ("S1", 600.0)]
    assert (result.row_count, result.totals, result.table.shown) == (3, {"grossAmt": 1950.0}, 2)
    worst = ask(tiny_view, "grossAmt", by=("shop",), sort=Sort(key="grossAmt", descending=False), limit=1)
    assert worst.rows[0]["shopId"] == "S3"


@pytest.mark.parametrize("key", ["shop", "shopId", "shopName"])
def test_rows_sort_by_an_entity_however_it_is_named(tiny_view, key):
    result = ask(tiny_view, "grossAmt", by=("shop",), sort=Sort(key=key, descending=True))
    assert [r["shopId"] for r in result.rows] == ["S3", "S2", "S1"]


def test_time_comes_first_then_entities(tiny_view):
    result = ask(tiny_view, "grossAmt", by=("shop", "date"))
    assert [(r["date"], r["shopId"]) for r in result.rows[:4]] == [
        ("2026-10-13", "S1"),
        ("2026-10-13", "S2"),
        ("2026-10-13", "S3"),
        ("2026-10-14", "S1"),
    ]


def test_labels_of_buckets_and_which_are_partial(tiny_view):
    result = ask(tiny_view, "grossAmt", by=("week", "month", "quarter", "year"))
    assert result.rows == (
        {"week": "2026-10-12", "month": "2026-10", "quarter": "2026-Q4", "year": "2026", "grossAmt": 1950.0},
    )
    assert result.partial_buckets == ("2026-10-12", "2026-10", "2026-Q4", "2026")
    assert ask(tiny_view, "grossAmt", by=("date",)).partial_buckets == ()


def test_newest_score_is_weighted_by_orders_across_shops(tiny_view):
    result = ask(tiny_view, "shopScore", scope="shop")
    assert result.totals["shopScore"] == pytest.approx((4.5 * 60 + 4.8 * 100 + 4.0 * 50) / 210)
    one = ask(tiny_view, "shopScore", filters={"shop": ("S3",)})
    assert one.totals["shopScore"] == 4.0


def test_people_over_shops_are_an_upper_bound(tiny_view):
    by_shop = ask(tiny_view, "visitUv", by=("shop",))
    assert by_shop.flags["visitUv"] == {"person_days", "total_upper_bound"}
    over = ask(tiny_view, "visitUv", scope="shop")
    assert (over.totals["visitUv"], over.flags["visitUv"]) == (1500, {"person_days", "upper_bound"})
    assert any(r.code == "upper_bound" for r in over.remarks)


def test_one_day_has_no_person_days(tiny_view):
    day = Period(start=WHOLE.start, end=WHOLE.start)
    assert ask(tiny_view, "visitUv", period=day).flags == {}


@pytest.mark.parametrize("value", ["S2", "西门店"])
def test_a_filter_takes_an_id_or_an_exact_name(tiny_view, value):
    result = ask(tiny_view, "grossAmt", filters={"shop": (value,)})
    assert (result.totals, result.scope) == ({"grossAmt": 1000.0}, "shop")
    assert result.spec.filters == {"shop": ("S2",)}


def test_a_chain_filter_works_on_shop_rows(tiny_view):
    result = ask(tiny_view, "grossAmt", by=("shop",), filters={"chain": ("蜀小馆",)}, entity="E01")
    assert (result.row_count, result.totals) == (3, {"grossAmt": 1950.0})


def test_several_values_of_a_filter(tiny_view):
    result = ask(tiny_view, "grossAmt", filters={"shop": ("S1", "南门店")}, by=("shop",))
    assert [r["grossAmt"] for r in result.rows] == [600.0, 350.0]


def test_a_scope_that_is_too_coarse_for_the_grouping_is_changed_and_said(tiny_view):
    result = ask(tiny_view, "grossAmt", scope="company", by=("shop",))
    assert result.scope == "shop"
    assert [(c.arg, c.before, c.after) for c in result.clamped] == [("scope", "company", "shop")]


def test_a_period_past_the_data_is_clamped_and_said(tiny_view):
    result = ask(tiny_view, "grossAmt", period=Period(start=date(2026, 10, 16), end=date(2026, 12, 31)))
    assert result.totals == {"grossAmt": 410.0 + 430.0}
    why = "the data ends on 2026-10-17"
    assert result.clamped == (Clamp(arg="to", before="2026-12-31", after="2026-10-17", why=why),)
    assert result.spec.period == Period(start=date(2026, 10, 16), end=date(2026, 10, 17))


@pytest.mark.parametrize("year", [2020, 2030])
def test_a_period_outside_the_data_gives_no_rows_and_the_reason(tiny_view, year):
    result = ask(tiny_view, "grossAmt", period=Period(start=date(year, 1, 1), end=date(year, 1, 31)))
    assert (result.rows, result.totals, result.row_count, result.sql) == ((), {}, 0, "")
    assert (result.empty_reason, result.clamped) == ("outside_coverage", ())
    assert [n.code for n in result.notes] == ["outside_coverage"]


@pytest.mark.parametrize(("asked", "used"), [(0, 1), (-5, 1), (5000, 1000)])
def test_the_limit_is_clamped_and_said(tiny_view, asked, used):
    result = ask(tiny_view, "grossAmt", by=("shop",), limit=asked)
    assert [(c.arg, c.before, c.after) for c in result.clamped] == [("limit", str(asked), str(used))]
    assert len(result.rows) == min(3, used)


def test_an_absent_metric_is_not_available_and_never_0(tiny_view):
    with pytest.raises(BadRequest, match="not available in this source: Ad spend") as e:
        ask(tiny_view, "promoSpendAmt")
    assert e.value.error_class == "empty"
    both = ask(tiny_view, "grossAmt", "promoRoi", by=("date",))
    assert {r["promoRoi"] for r in both.rows} == {None}
    assert (both.totals["promoRoi"], both.flags["promoRoi"]) == (None, {"reserved_missing"})
    assert [n.code for n in both.notes] == ["reserved_column"]


def test_a_metric_out_of_an_absent_part_is_not_available(tiny_view):
    with pytest.raises(BadRequest, match="not available"):
        ask(tiny_view, "totalOrderCnt")


def test_sorting_by_a_metric_that_is_absent_is_dropped_and_said(tiny_view):
    sort = Sort(key="promoRoi", descending=True)
    result = ask(tiny_view, "grossAmt", "promoRoi", by=("shop",), sort=sort)
    assert [c.arg for c in result.clamped] == ["sort"]
    assert [r["shopId"] for r in result.rows] == ["S1", "S2", "S3"]


@pytest.mark.parametrize(
    ("spec", "message", "hint"),
    [
        ({"metrics": ("grosAmt",)}, "unknown metric 'grosAmt'", "grossAmt"),
        ({"by": ("shopp",)}, "cannot group by 'shopp'", "shop"),
        ({"scope": "chains"}, "unknown scope 'chains'", "chain"),
        ({"filters": {"shop": ("S9",)}}, "there is no shop 'S9'", "S"),
        ({"filters": {"shop": ("东门",)}}, "there is no shop '东门'", "东门店"),
        ({"filters": {"city": ("x",)}}, "cannot filter by 'city'", ""),
        ({"entity": "E02"}, "there is no company 'E02'", "E01"),
        ({"sort": Sort(key="aov", descending=True)}, "cannot sort by 'aov'", ""),
        ({"metrics": ()}, "at least one metric", ""),
    ],
)
def test_unknown_names_are_refused_with_the_near_match(tiny_view, spec, message, hint):
    asked = {"metrics": ("grossAmt",), "period": WHOLE} | spec
    with pytest.raises(BadRequest, match=message) as e:
        tiny_view.query(QuerySpec(**asked))
    assert hint in e.value.hint


def test_texts_come_in_the_readers_language(tiny_view):
    spec = QuerySpec(metrics=("grossAmt",), period=Period(start=date(2026, 10, 17), end=date(2026, 11, 1)))
    zh, en = tiny_view.query(spec, lang="zh"), tiny_view.query(spec, lang="en")
    assert (zh.clamped[0].why, en.clamped[0].why) == (
        "数据到 2026-10-17 为止",
        "the data ends on 2026-10-17",
    )
    assert (zh.columns[0].label, en.columns[0].label) == ("营业额", "Gross sales")


def test_the_statement_lists_its_bound_values(tiny_view):
    result = ask(tiny_view, "grossAmt", filters={"shop": ("S1",)})
    assert "S1" not in result.sql.split("--")[0]
    assert result.sql.endswith("-- $start = '2026-10-13'\n-- $end = '2026-10-17'\n-- $f0_0 = 'S1'")


def test_a_repeated_shape_reuses_its_statement_with_new_values(tiny_view):
    found = [
        ask(tiny_view, "grossAmt", filters={"shop": (s,)}).totals["grossAmt"] for s in ("S1", "S2", "S3")
    ]
    assert found == [600.0, 1000.0, 350.0]


def small(lake: Lake, model: str, **columns: list) -> None:
    lake.load("small", Delivery(table=pa.table(columns)), parse_model(model))


ONE_LAYER = (
    "version: 1\nmodel: m\ndataset:\n  time: {column: date%s}\n  levels:\n"
    "  - {key: shop, id: shopId, name: shopName}\n"
    "metrics:\n- {key: gross, unit: CNY, additivity: {kind: sum}}\n"
)


def test_days_without_rows_are_counted(settings):
    lake = Lake(settings)
    days = [date(2026, 10, d) for d in (1, 2, 5, 7)]
    small(lake, ONE_LAYER % "", date=days, shopId=["A", "B", "A", "A"], gross=[1.0, 2.0, 3.0, 4.0])
    week = Period(start=date(2026, 10, 1), end=date(2026, 10, 7))
    with lake.open("small") as view:
        whole = ask(view, "gross", period=week)
        one = ask(view, "gross", period=week, filters={"shop": ("A",)})
        assert (whole.days.present, whole.days.expected, whole.days.missing) == (4, 7, 3)
        assert (one.days.first, one.days.last, one.days.present) == (days[0], days[3], 3)
        assert any(r.code == "missing_days" for r in whole.remarks)


def test_weekly_files_are_not_blamed_for_days_or_edges(settings):
    lake = Lake(settings)
    fridays = [date(2026, 10, d) for d in (2, 9, 16, 23, 30)]
    small(lake, ONE_LAYER % ", grain: week", date=fridays, shopId=["A"] * 5, gross=[1.0] * 5)
    october = Period(start=date(2026, 10, 1), end=date(2026, 10, 31))
    with lake.open("small") as view:
        result = ask(view, "gross", period=october, by=("week", "month"))
        assert (result.days.missing, result.partial_buckets) == (0, ())


def test_rolled_up_when_the_top_has_no_rows_of_its_own(settings):
    lake = Lake(settings)
    model = ONE_LAYER % ""
    model = model.replace("  levels:\n", "  levels:\n  - {key: brand, id: brandId}\n")
    days = [date(2026, 10, 13)] * 2
    small(lake, model, date=days, brandId=["B", "B"], shopId=["1", "2"], gross=[1.0, 2.0])
    with lake.open("small") as view:
        result = ask(view, "gross")
        assert (result.totals, result.rolled_up_from) == ({"gross": 3.0}, "shop")
        assert any(r.code == "rolled_up" for r in result.remarks)
        assert ask(view, "gross", by=("brand",)).rows == ({"brandId": "B", "gross": 3.0},)


def test_an_entity_without_rows_of_the_layer_is_rolled_up_for_itself(settings):
    """E1 has company rows, E2 has shop rows only."""
    lake = Lake(settings)
    model = ONE_LAYER % ""
    model = model.replace("  levels:\n", "  levels:\n  - {key: company, id: companyId}\n")
    small(
        lake,
        model,
        date=[date(2026, 10, 13)] * 4,
        scope=["company", "shop", "shop", "shop"],
        companyId=["E1", "E1", "E2", "E2"],
        shopId=["", "a", "b", "c"],
        gross=[10.0, 9.0, 3.0, 4.0],
    )
    with lake.open("small") as view:
        assert ask(view, "gross", entity="E1").totals == {"gross": 10.0}
        two = ask(view, "gross", entity="E2")
        assert (two.totals, two.rolled_up_from) == ({"gross": 7.0}, "shop")
        both = ask(view, "gross", by=("company",))
        assert ([r["gross"] for r in both.rows], both.rolled_up_from) == ([9.0, 7.0], "shop")


def test_a_model_without_levels_is_one_series(settings):
    lake = Lake(settings)
    model = "version: 1\nmodel: m\ndataset:\n  time: {column: day}\n"
    model += "metrics:\n- {key: n, additivity: {kind: sum}}\n"
    small(lake, model, date=[date(2026, 10, 13), date(2026, 10, 14)], n=[1, 2])
    with lake.open("small") as view:
        result = ask(view, "n", "n@day", "n@row")
        assert (result.totals, result.scope) == ({"n": 3, "n@day": 1.5, "n@row": 1.5}, "all")
        assert (view.catalog.scopes, view.catalog.entities) == ((), ())


def test_a_name_of_two_entities_must_be_made_clear(settings):
    lake = Lake(settings)
    model = (ONE_LAYER % "").replace("  levels:\n", "  levels:\n  - {key: chain, id: chainId}\n")
    small(
        lake,
        model,
        date=[date(2026, 10, 13)] * 2,
        chainId=["C1", "C2"],
        shopId=["a", "b"],
        shopName=["same", "same"],
        gross=[1.0, 2.0],
    )
    with lake.open("small") as view:
        with pytest.raises(BadRequest, match="names 2 entities") as e:
            ask(view, "gross", filters={"shop": ("same",)})
        assert e.value.hint == "a, b"
        one = ask(view, "gross", filters={"chain": ("C2",), "shop": ("same",)})
        assert one.totals == {"gross": 2.0}


def test_ids_that_are_numbers_sort_as_numbers(settings):
    lake = Lake(settings)
    days = [date(2026, 10, 13)] * 3
    small(lake, ONE_LAYER % "", date=days, shopId=[10, 9, 100], gross=[1.0, 2.0, 3.0])
    with lake.open("small") as view:
        assert [r["shopId"] for r in ask(view, "gross", by=("shop",)).rows] == ["9", "10", "100"]


EVIL = "x\"; DROP TABLE fact; --' OR 1=1 {} %s $start ?"


def test_names_and_values_shaped_like_injections_are_only_text(settings):
    lake = Lake(settings)
    model = parse_model(
        "version: 1\nmodel: m\ndataset:\n  time: {column: date}\n  levels:\n"
        "  - {key: shop, id: shopId, name: shopName}\n"
        f"  dimensions:\n  - {{key: kind, column: {EVIL_YAML}}}\n"
        f"metrics:\n- {{key: {EVIL_YAML.replace('DROP', 'ALTER')}, additivity: {{kind: sum}}}}\n"
    )
    metric = EVIL.replace("DROP", "ALTER")
    table = pa.table(
        {
            "date": [date(2026, 10, 13)] * 2,
            "shopId": ["a", EVIL],
            "shopName": [EVIL, "b"],
            EVIL: ["k'1", EVIL],
            metric: [1, 2],
        }
    )
    lake.load("evil", Delivery(table=table), model)
    with lake.open("evil") as view:
        result = ask(view, metric, by=("shop", "kind"), sort=Sort(key=metric, descending=True))
        assert [(r["shopId"], r["kind"], r[metric]) for r in result.rows] == [
            (EVIL, EVIL, 2),
            ("a", "k'1", 1),
        ]
        assert ask(view, metric, filters={"kind": (EVIL,)}).totals == {metric: 2}
        assert ask(view, metric, filters={"shop": (EVIL,)}).totals == {metric: 2}
        with pytest.raises(BadRequest):
            ask(view, metric, filters={"shop": ("' OR 1=1 --",)})
        assert view.run("SELECT count(*) FROM fact").scalar() == 2


EVIL_YAML = "'" + EVIL.replace("'", "''") + "'"


def test_more_rows_than_the_cap_are_cut_and_said(settings):
    lake = Lake(settings)
    size = 1200
    shops = [f"S{i:04d}" for i in range(size)]
    small(lake, ONE_LAYER % "", date=[date(2026, 10, 13)] * size, shopId=shops, gross=[1.0] * size)
    with lake.open("small") as view:
        result = ask(view, "gross", by=("shop",))
    assert (len(result.rows), result.row_count, result.totals) == (1000, 1200, {"gross": 1200.0})
    assert [(c.arg, c.before, c.after) for c in result.clamped][1:] == [("limit", "", "1000")]


def test_a_metric_that_may_not_be_added_across_entities_has_no_value_there(settings):
    lake = Lake(settings)
    model = (ONE_LAYER % "") + "- {key: back, additivity: {kind: last, across_entities: forbid}}\n"
    days = [date(2026, 10, 13), date(2026, 10, 14), date(2026, 10, 13)]
    small(lake, model, date=days, shopId=["a", "a", "b"], gross=[1.0] * 3, back=[0.1, 0.2, 0.4])
    with lake.open("small") as view:
        result = ask(view, "back", by=("shop",))
        assert [r["back"] for r in result.rows] == [0.2, 0.4]
        assert (result.totals, result.flags) == ({"back": None}, {"back": {"forbidden"}})
        assert ask(view, "back", filters={"shop": ("a",)}).totals == {"back": 0.2}
