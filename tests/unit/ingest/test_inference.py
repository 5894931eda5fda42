"""The inferred model: levels, dimensions, grain and additivity, each with its reason."""

from __future__ import annotations

import random
from datetime import date, timedelta

import pytest

from askcore.lake.ingest.infer_labels import column_key, flag_values, labels, level_names, unit_of
from askcore.lake.ingest.infer_measures import name_hint
from askcore.lake.ingest.paths import dataset_name
from askcore.semantic.dump import dump_model
from askcore.semantic.parse import parse_model


def weekly():
    """Three stores x 20 weeks; store n sells about n thousand; the index is the same for all."""
    chance = random.Random(7)  # noqa: S311 - test data
    lines = ["Store,Date,Weekly_Sales,Holiday_Flag,Temperature,CPI,Blob,Mystery"]
    for store in (1, 2, 3):
        for week in range(20):
            day = date(2010, 2, 5) + timedelta(days=7 * week)
            sales = store * 1000 + chance.randrange(0, 400)
            index = 200 + week / 10
            lines.append(
                f"{store},{day},{sales}.5,{int(week % 5 == 0)},{40 + week}.1,{index},"
                f"{store * chance.randrange(50, 150)}.5,{index * 2}"
            )
    return "\n".join(lines)


@pytest.fixture
def model(load, lake):
    return lake.model(load(weekly()).dataset)


def test_store_is_a_level_and_the_flag_a_dimension(model):
    assert [(x.key, x.id, x.label) for x in model.levels] == [
        ("store", "Store", {"zh": "门店", "en": "Store"})
    ]
    flag = model.dimensions_by_key["Holiday_Flag"]
    assert flag.values == {
        "1": {"zh": "节假日", "en": "holiday"},
        "0": {"zh": "非节假日", "en": "non-holiday"},
    }


def test_the_time_grain_is_the_step_of_one_entity(model):
    assert (model.time.column, model.time.grain) == ("date", "week")


def test_additivity_by_name_and_by_behaviour(model):
    kinds = {m.key: m.additivity.kind for m in model.metrics}
    assert kinds == {
        "Weekly_Sales": "sum",
        "Temperature": "mean_per_row",
        "CPI": "mean_per_row",
        "Blob": "sum",
        "Mystery": "mean_per_row",
    }


def test_labels_and_synonyms_in_both_languages(model):
    sales = model.metric("Weekly_Sales")
    assert sales.label == {"zh": "周销售额", "en": "Weekly Sales"}
    assert "sales" in sales.synonyms["en"]
    assert "销售额" in sales.synonyms["zh"]


def test_what_the_name_does_not_tell_is_warned_about(load):
    report = load(weekly())
    assert sum("edit model.yaml" in w for w in report.warnings) == 2
    assert all(c.why for c in report.columns)


def test_the_model_survives_its_yaml(model):
    assert dump_model(parse_model(dump_model(model))) == dump_model(model)


def test_a_quotient_is_found_and_becomes_an_identity(load, lake):
    lines = ["date,shop,sales,orders,aov"]
    for day in range(1, 13):
        sales, orders = 100 + 7 * day, 3 + day
        lines.append(f"2026-10-{day:02d},A,{sales},{orders},{sales / orders:.2f}")
    report = load("\n".join(lines))
    found = lake.model(report.dataset)
    rule = found.metric("aov").additivity
    assert (rule.kind, rule.numerator, rule.denominator) == ("ratio", "sales", "orders")
    assert [i.left for i in found.identities] == ["sales / orders"]
    assert [(d.metric, d.factors) for d in found.decompositions] == [("sales", ("orders", "aov"))]
    assert set(report.totals) == {"sales", "orders"}


def test_amounts_are_no_quotients_though_they_divide(load, lake):
    lines = ["date,shop,amount,quantity,unit_price"]
    for day in range(1, 13):
        lines.append(f"2026-10-{day:02d},A,{(day + 2) * (day % 3 + 1)},{day + 2},{day % 3 + 1}.00")
    found = lake.model(load("\n".join(lines)).dataset)
    kinds = {m.key: m.additivity.kind for m in found.metrics}
    assert kinds == {"amount": "sum", "quantity": "sum", "unit_price": "ratio"}


def test_levels_nest_and_names_belong_to_ids(load, lake):
    lines = ["date,region,shop_id,shop_name,sales"]
    for day in (1, 2, 3):
        for region, shop, name in (("N", "1", "Park"), ("N", "2", "Lake"), ("S", "3", "Gate")):
            lines.append(f"2026-10-0{day},{region},{shop},{name},{day}.5")
    found = lake.model(load("\n".join(lines)).dataset)
    assert [(x.key, x.id, x.name, x.rollup_of) for x in found.levels] == [
        ("region", "region", "region", "shop"),
        ("shop", "shop_id", "shop_name", None),
    ]


def test_crossing_keys_make_one_level_and_dimensions(load, lake):
    lines = ["date,shop,product,sales"]
    for day in (1, 2, 3):
        for shop in "AB":
            for product in ("tea", "rice"):
                lines.append(f"2026-10-0{day},{shop},{product},{day}.5")
    report = load("\n".join(lines))
    found = lake.model(report.dataset)
    assert [x.key for x in found.levels] == ["shop"]
    assert [d.key for d in found.dimensions] == ["product"]
    assert report.totals == {"sales": 30.0}
    with lake.open(report.dataset) as view:
        assert view.run("SELECT sum(sales) FROM fact WHERE _dup_n = 1").rows[0][0] == 30.0


def test_ids_with_leading_zeros_stay_text(load, lake):
    report = load(
        "date,shop_code,sales\n2026-10-01,007,1\n2026-10-01,008,2\n2026-10-02,007,3\n2026-10-02,008,4\n"
    )
    with lake.open(report.dataset) as view:
        rows = view.run("SELECT DISTINCT shop_code FROM fact ORDER BY 1").rows
    assert [tuple(r) for r in rows] == [("007",), ("008",)]


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("Weekly_Sales", "sum"), ("unitPrice", "mean"), ("total_price", "sum"), ("avg_sales", "mean"),
        ("order_amount", "sum"), ("conversion_rate", "mean"), ("sales_per_order", "mean"), ("blob", None),
        ("销售额", "sum"), ("客单价", "mean"), ("平均销售额", "mean"), ("下单率", "mean"), ("折扣额", "sum"),
        ("失业率", "mean"), ("颜色", None),
    ],
)  # fmt: skip
def test_what_a_header_says_about_adding_up(name, hint):
    assert name_hint(name) == hint


def test_columns_get_names_that_the_lake_accepts():
    assert column_key("CO(GT)", []) == "CO"
    assert column_key("Month", []) == "Month_2"
    assert column_key("sales", ["Sales"]) == "sales_2"
    assert column_key("2019 sales", []) == "c_2019_sales"


def test_labels_of_flags_and_levels():
    assert labels("销售额") == {"zh": "销售额", "en": "Sales"}
    assert flag_values("是否促销")["0"]["zh"] == "非促销"
    assert level_names("门店编号", [])[0] == "shop"
    assert unit_of("销售额", currency="", title="(单位:元)", is_percent=False) == "CNY"
    assert unit_of("订单数", currency="", title="(单位:元)", is_percent=False) == "order"
    assert unit_of("销售额", currency="", title="", is_percent=False) == ""


@pytest.mark.parametrize(("stem", "name"), [("Sales 2026", "sales_2026"), ("a-b.c", "a_b_c")])
def test_dataset_names_are_safe(stem, name):
    assert dataset_name(stem) == name


def test_dataset_names_of_other_scripts_are_kept_apart():
    first, second = dataset_name("门店日报"), dataset_name("门店周报")
    assert first != second
    assert first.isascii()
    assert dataset_name("门店日报") == first
