"""`cross_entity` on three companies over 10-01..10-04, added up by hand.

| company | gross a day         | orders a day | visits/exposure | rows                    | shops |
| E1      | 100 100 200 200     | 10           | 10/100          | all                     | 2     |
| E2      | 50 50 50 50         | 10           | 30/100          | all                     | 1     |
| E3      | 300 - 300 300       | 30           | 20/100          | 10-02 is missing        | 1     |
"""

from __future__ import annotations

import json
from datetime import date, timedelta

import pyarrow as pa
import pytest

from askcore.base.config import Settings
from askcore.checks.provenance import trace_numbers
from askcore.lake import Delivery, Lake
from askcore.lake.demo.build import build_demo
from askcore.semantic.parse import parse_model
from askcore.tools import cross_entity
from askcore.tools.base import ToolContext, call

GROSS = {"E1": (100, 100, 200, 200), "E2": (50,) * 4, "E3": (300, None, 300, 300)}
ORDERS = {"E1": 10, "E2": 10, "E3": 30}
VISITS = {"E1": 10, "E2": 30, "E3": 20}
SHOPS = {"E1": ("S1", "S2"), "E2": ("S3",), "E3": ("S4",)}
WHOLE = {"from": "2026-10-01", "to": "2026-10-04"}
LATE = {"from": "2026-10-03", "to": "2026-10-04"}
EARLY = {"from": "2026-10-01", "to": "2026-10-02"}


def rows(change=None) -> list[dict]:
    found = []
    for company, series in GROSS.items():
        for i, gross in enumerate(series):
            if gross is None:
                continue
            shared = {
                "date": date(2026, 10, 1) + timedelta(days=i),
                "companyId": company,
                "companyName": f"Firm {company}",
                "chainId": f"K{company}",
                "chainName": "Chain",
            }
            whole = {
                **shared,
                "scope": "company",
                "chainId": "",
                "chainName": "",
                "grossAmt": float(gross),
                "validOrderCnt": ORDERS[company],
                "visitUv": VISITS[company],
                "exposureUv": 100,
            }
            if change is not None:
                change(company, i, whole)
            found.append({"shopId": "", "shopName": "", **whole})
            for shop in SHOPS[company]:
                part = gross / len(SHOPS[company])
                found.append(
                    {**shared, "scope": "shop", "shopId": shop, "shopName": f"Shop {shop}", "grossAmt": part}
                    | {"validOrderCnt": 1, "visitUv": 1, "exposureUv": 10}
                )
    return found


@pytest.fixture(scope="module")
def opened(tmp_path_factory, takeaway_model):
    lakes: list[Lake] = []

    def open_lake(table: pa.Table | list[dict], model=takeaway_model):
        lake = Lake(Settings(home=tmp_path_factory.mktemp("cross")))
        table = pa.Table.from_pylist(table) if isinstance(table, list) else table
        lake.load("c", Delivery(table=table), model)
        lakes.append(lake)
        return lake.open("c")

    yield open_lake
    for lake in lakes:
        lake.close()


@pytest.fixture(scope="module")
def view(opened):
    return opened(rows())


def ask(view, *, lang="en", entity="E1", as_of=date(2026, 10, 5), **args):
    ctx = ToolContext(view=view, lang=lang, as_of=as_of, viewer="u", entity=entity)
    return call(cross_entity.TOOL, args, ctx)


def by_id(result, column="companyId") -> dict[str, dict]:
    assert result.ok, result.error
    return {r[column]: dict(r) for r in result.table.rows}


def test_each_entity_has_weighted_totals_of_its_own_rows(view):
    result = ask(view, metrics=["grossAmt", "aov", "visitRate"], **WHOLE)
    found = by_id(result)
    assert {k: r["grossAmt"] for k, r in found.items()} == {"E1": 600, "E2": 200, "E3": 900}
    assert {k: r["aov"] for k, r in found.items()} == {"E1": 15, "E2": 5, "E3": 10}
    assert {k: r["visitRate"] for k, r in found.items()} == {"E1": 0.1, "E2": 0.3, "E3": 0.2}
    assert {k: (r["coverage__days"], r["coverage__shops"]) for k, r in found.items()} == {
        "E1": (4, 2),
        "E2": (4, 1),
        "E3": (3, 1),
    }


def test_differences_only_between_entities_with_the_same_days(view):
    result = ask(view, metrics=["grossAmt", "visitRate"], **WHOLE)
    found = by_id(result)
    assert result.facts["best"]["grossAmt"]["id"] == "E1"  # E3 has more, over fewer days
    assert found["E2"]["grossAmt__vs_best"] == pytest.approx(200 / 600 - 1)
    assert found["E1"]["visitRate__vs_best"] == pytest.approx(-0.2)  # to E2, in points
    assert found["E3"]["grossAmt__vs_best"] is None and found["E3"]["visitRate__vs_best"] is None
    assert result.facts["best"]["grossAmt"]["not_alike"] == ["Firm E3"]


def test_unequal_coverage_warns_with_the_missing_day(view):
    (verdict,) = ask(view, metrics=["grossAmt"], **WHOLE).verdicts
    assert (verdict.kind, verdict.check, verdict.status) == ("coverage", "entity_coverage", "warn")
    assert (verdict.n_checked, verdict.n_bad) == (3, 1)
    assert [(k["date"], k["companyId"]) for k in verdict.keys] == [("2026-10-02", "E3")]
    (same,) = ask(view, metrics=["grossAmt"], **LATE).verdicts
    assert (same.status, same.n_bad) == ("pass", 0)
    found = by_id(ask(view, metrics=["grossAmt"], **LATE))
    assert found["E1"]["grossAmt__vs_best"] == pytest.approx(400 / 600 - 1)


def test_a_baseline_gives_changes_only_over_as_many_days(view):
    result = ask(view, metrics=["grossAmt", "visitRate"], current=LATE, baseline=EARLY)
    found = by_id(result)
    assert (found["E1"]["grossAmt__prev"], found["E1"]["grossAmt__delta"], found["E1"]["grossAmt__pct"]) == (
        200,
        200,
        1,
    )
    assert found["E2"]["visitRate__delta"] == 0
    assert (found["E3"]["grossAmt__prev"], found["E3"]["grossAmt__delta"]) == (300, None)
    assert any("Firm E3" in n.text for n in result.notes)
    assert "grossAmt__prev" not in {c.key for c in ask(view, metrics=["grossAmt"], **LATE).table.columns}


def test_shops_side_by_side_stay_inside_the_run_s_company(view):
    assert set(by_id(ask(view, metrics=["grossAmt"], level="shop", **WHOLE), "shopId")) == {"S1", "S2"}
    named = ask(view, metrics=["grossAmt"], level="shop", companies=["E1", "Firm E2"], **WHOLE)
    assert set(by_id(named, "shopId")) == {"S1", "S2", "S3"}


def test_order_and_limit(view):
    assert [*by_id(ask(view, metrics=["grossAmt"], **WHOLE))] == ["E3", "E1", "E2"]
    result = ask(view, metrics=["grossAmt", "aov"], sort="aov", limit=2, **WHOLE)
    assert [*by_id(result)] == ["E2", "E3"]
    assert (result.row_count, result.shown) == (3, 2)


def test_only_the_named_companies(view):
    result = ask(view, metrics=["grossAmt"], companies=["E2"], period=WHOLE)
    assert [*by_id(result)] == ["E2"]
    assert any("Only one entity" in n.text for n in result.notes)
    assert result.args["period"] == WHOLE


def test_one_changed_value_moves_that_company_only(opened, view):
    def change(company, i, row):
        if (company, i) == ("E2", 2):
            row["grossAmt"] = 450.0

    before = by_id(ask(view, metrics=["grossAmt"], **LATE))
    after = by_id(ask(opened(rows(change)), metrics=["grossAmt"], **LATE))
    assert [k for k in before if before[k]["grossAmt"] != after[k]["grossAmt"]] == ["E2"]
    assert after["E2"]["grossAmt"] == 500


def test_amounts_of_different_currencies_are_not_subtracted(opened):
    model = parse_model(
        """
        model: money
        dataset:
          time: {column: date}
          levels: [{key: country, en: Country, zh: Country, id: countryId, name: countryId}]
          dimensions: [{key: currency, column: currency, label: {en: Currency, zh: Currency}}]
        metrics:
        - {key: sales, label: {en: Sales, zh: Sales}, unit: CNY, additivity: {kind: sum}}
        - {key: orders, label: {en: Orders, zh: Orders}, unit: order, additivity: {kind: sum}}
        """
    )
    table = pa.table(
        {
            "date": [date(2026, 10, 1)] * 2,
            "scope": ["country"] * 2,
            "countryId": ["CN", "JP"],
            "currency": ["CNY", "JPY"],
            "sales": [100.0, 900.0],
            "orders": [4, 2],
        }
    )
    result = ask(opened(table, model), metrics=["sales", "orders"], entity=None, as_of=date(2026, 10, 3))
    found = by_id(result, "countryId")
    assert found["CN"]["sales__vs_best"] is None and found["JP"]["orders__vs_best"] == -0.5
    assert "sales" not in result.table.totals and result.table.totals["orders"] == 6


def test_a_metric_that_the_source_lacks_is_named(view):
    result = ask(view, metrics=["grossAmt", "promoSpendAmt"], **WHOLE)
    assert result.args["metrics"] == ["grossAmt"]
    assert any(n.code == "reserved_column" for n in result.notes)
    assert ask(view, metrics=["promoSpendAmt"], **WHOLE).error.error_class == "empty"


def test_default_metrics_and_days(view):
    result = ask(view)
    assert result.args["metrics"][0] == "grossAmt" and "orderRate" not in result.args["metrics"]
    assert (result.args["from"], result.args["to"], result.args["level"]) == (
        "2026-10-01",
        "2026-10-04",
        "company",
    )


@pytest.mark.parametrize(
    ("args", "error_class"),
    [
        ({"metrics": ["gross"]}, "unknown_name"),
        ({"metrics": ["grossAmt"], "level": "brand"}, "unknown_name"),
        ({"metrics": ["grossAmt"], "level": "shop; --"}, "unknown_name"),
        ({"metrics": ["grossAmt"], "companies": ["E9"]}, "unknown_name"),
        ({"metrics": ["grossAmt"], "sort": "-days"}, "unknown_name"),
        ({"metrics": ["grossAmt"], "limit": -1}, "bad_args"),
        ({"metrics": ["grossAmt"], "entities": ["E1"]}, "bad_args"),
        ({"metrics": ["grossAmt"], "period": WHOLE, "current": WHOLE}, "bad_args"),
        ({"metrics": ["grossAmt"], "period": WHOLE, "from": "2026-10-01"}, "bad_args"),
    ],
)
def test_arguments_that_cannot_be_run_are_refused(view, args, error_class):
    result = ask(view, **args)
    assert not result.ok and result.error.error_class == error_class


def test_a_period_or_a_baseline_without_data_is_said(view):
    past = {"from": "2025-01-01", "to": "2025-01-02"}
    assert [n.code for n in ask(view, metrics=["grossAmt"], **past).notes] == ["outside_coverage"]
    result = ask(view, metrics=["grossAmt"], current=LATE, baseline=past)
    assert any(n.code == "outside_coverage" for n in result.notes)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_number_in_notes_and_verdicts_has_a_source(view, lang):
    result = ask(view, lang=lang, metrics=["grossAmt", "visitRate"], current=LATE, baseline=EARLY)
    whole = ask(view, lang=lang, metrics=["grossAmt"], **WHOLE)
    words = {m.key: m.words() for m in view.model.metrics}
    names = tuple(n for e in view.catalog.entities for n in (e.id, e.name))
    for one in (result, whole):
        for text in [n.text for n in one.notes] + [t for v in one.verdicts for t in (v.note, v.actual)]:
            found = trace_numbers(text, cells=one.cells, entities=names, metric_words=words).as_json()
            assert [i["text"] for i in found["items"] if i["status"] not in ("exact", "exempt")] == [], text
    json.dumps(result.facts)


def test_the_demo_agrees_with_pandas_over_the_delivered_rows(opened):
    data = build_demo(0)
    view = opened(data.delivery_table, data.model)
    window = {"from": "2026-10-11", "to": "2026-10-17"}
    result = ask(view, metrics=["grossAmt", "orderRate"], as_of=date(2026, 10, 18), entity="E01", **window)
    frame = data.delivery_table.to_pandas()
    frame = frame[(frame.scope == "company") & frame.date.between(date(2026, 10, 11), date(2026, 10, 17))]
    for company, own in frame.groupby("companyId"):
        row = by_id(result)[company]
        assert row["grossAmt"] == pytest.approx(float(own.grossAmt.sum()))
        assert row["orderRate"] == pytest.approx(own.orderUv.sum() / own.visitUv.sum())
    assert set(by_id(result)) == set(frame.companyId)
