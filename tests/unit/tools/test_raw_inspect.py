"""`raw_inspect` on a lake of three days, one of them delivered twice, and on the demo's planted rows.

Shop A: grossAmt 100, 130, (10-03 missing), 90; visits 10 of exposure 100. Shop B the same name as A in
another chain. The source's fields repeat the values; 10-02 says "+30" against the day before.
"""

from __future__ import annotations

import json
from datetime import date

import pyarrow as pa
import pytest

from askcore.base.config import Settings
from askcore.checks.provenance import trace_numbers
from askcore.lake import Delivery, Lake
from askcore.lake.demo.build import build_demo
from askcore.semantic.parse import parse_model
from askcore.tools import raw_inspect
from askcore.tools.base import ToolContext, call

DAYS = {date(2026, 10, 1): 100.0, date(2026, 10, 2): 130.0, date(2026, 10, 4): 90.0}


def row(day: date, shop: str = "A", chain: str = "K1", gross: float | None = None, **raw) -> dict:
    value = DAYS[day] if gross is None else gross
    told = {
        "gross_amt": value,
        "expense_amt": -20.0,
        "clk_exp_rate": 0.1,
        "exp_uv_mall_avg_rank": 7,
        "peer_shop_cnt": 30,
        "shop_remark": "ok",
        "contact_phone": "13800138000",
        **raw,
    }
    return {
        "date": day,
        "scope": "shop",
        "companyId": "E1",
        "companyName": "Company",
        "chainId": chain,
        "chainName": f"Chain {chain}",
        "shopId": shop,
        "shopName": "Gate",
        "grossAmt": value,
        "expenseAmt": 20.0,
        "validOrderCnt": 4,
        "exposureUv": 100,
        "visitUv": 10,
        "raw": json.dumps({k: v for k, v in told.items() if v is not None}),
    }


def rows() -> list[dict]:
    a = [row(day) for day in DAYS]
    a[1] = row(date(2026, 10, 2), last_period_gross_amt_diff=30.0)
    return [*a, row(date(2026, 10, 1), shop="B", chain="K2")]


@pytest.fixture(scope="module")
def opened(tmp_path_factory, takeaway_model):
    lakes: list[Lake] = []

    def open_lake(table: pa.Table | list[dict], model=takeaway_model):
        lake = Lake(Settings(home=tmp_path_factory.mktemp("raw")))
        table = pa.Table.from_pylist(table) if isinstance(table, list) else table
        lake.load("r", Delivery(table=table), model)
        lakes.append(lake)
        return lake.open("r")

    yield open_lake
    for lake in lakes:
        lake.close()


@pytest.fixture(scope="module")
def view(opened):
    return opened(rows())


def ask(view, key, fields=(), *, lang="en", entity="E1"):
    ctx = ToolContext(view=view, lang=lang, as_of=date(2026, 10, 5), viewer="u", entity=entity)
    return call(raw_inspect.TOOL, {"key": key, "fields": list(fields)}, ctx)


def by_field(result) -> dict[str, dict]:
    assert result.ok, result.error
    return {r["field"]: dict(r) for r in result.table.rows}


def test_source_and_lake_side_by_side(view):
    result = ask(view, {"date": "2026-10-02", "shop": "A"})
    found = by_field(result)
    assert (found["src.grossAmt"]["source_value"], found["src.grossAmt"]["lake_value"]) == (130, 130)
    assert found["grossAmt__last_period_diff"]["lake_value"] == 30
    assert found["src.visitRate"]["lake_value"] == 0.1
    assert {found[f]["agrees"] for f in ("src.grossAmt", "src.visitRate", "grossAmt__last_period_diff")} == {
        True
    }
    assert (found["exposureUv__peer_rank"]["source_value"], found["exposureUv__peer_rank"]["agrees"]) == (
        7,
        None,
    )
    assert found["shop_remark"]["source_value"] == "ok"
    (verdict,) = result.verdicts
    assert (verdict.kind, verdict.check, verdict.status, verdict.n_bad) == (
        "quality",
        "raw_agrees",
        "pass",
        0,
    )
    assert verdict.n_checked == 4


def test_amounts_that_the_source_bills_as_negative_agree(view):
    found = by_field(ask(view, {"date": "2026-10-01", "shop": "A"}, ["expenseAmt"]))
    assert (found["src.expenseAmt"]["source_value"], found["src.expenseAmt"]["agrees"]) == (-20, True)


@pytest.mark.parametrize(
    ("change", "field", "factor"),
    [
        ({"gross_amt": 131.0}, "src.grossAmt", None),
        ({"clk_exp_rate": 10.0}, "src.visitRate", 100),
        ({"gross_amt": 0.013}, "src.grossAmt", 0.0001),
        ({"last_period_gross_amt_diff": 918.0}, "grossAmt__last_period_diff", None),
    ],
)
def test_one_changed_source_value_is_found(opened, change, field, factor):
    changed = [r if r["date"] != date(2026, 10, 2) else row(r["date"], **change) for r in rows()]
    result = ask(opened(changed), {"date": "2026-10-02", "shop": "A"})
    (verdict,) = result.verdicts
    assert (verdict.status, verdict.n_bad) == ("warn", 1)
    assert [(d["field"], d["factor"]) for d in result.facts["disagree"]] == [(field, factor)]
    assert by_field(result)[field]["agrees"] is False
    assert [k["shopId"] for k in verdict.keys] == ["A"]


def test_a_rate_written_as_a_percentage_agrees_and_is_shown_as_written(opened):
    view = opened([row(date(2026, 10, 1), clk_exp_rate="10.0%", exp_uv_mall_avg_rank="7/30")])
    found = by_field(ask(view, {"date": "2026-10-01", "shop": "A"}))
    assert (found["src.visitRate"]["source_value"], found["src.visitRate"]["agrees"]) == ("10.0%", True)
    assert found["exposureUv__peer_rank"]["source_value"] == "7/30"


def test_all_doubled_rows_are_shown(opened):
    twin = [*rows(), row(date(2026, 10, 4), gross=95.0)]
    result = ask(opened(twin), {"date": "2026-10-04", "shop": "A"}, ["grossAmt"])
    values = [
        (r["row"], r["source_value"], r["lake_value"])
        for r in result.table.rows
        if r["field"] == "src.grossAmt"
    ]
    assert values == [(1, 90, 90), (2, 95, 95)]
    assert [n.code for n in result.notes] == ["duplicate"] and "differ" in result.notes[0].text
    assert result.facts["identical"] is False


def test_no_such_row_names_the_days_near_it(view):
    result = ask(view, {"date": "2026-10-03", "shop": "A"})
    assert result.ok and result.table is None
    assert result.facts["near_days"] == ["2026-10-01", "2026-10-02", "2026-10-04"]
    assert "no row of Gate A on 2026-10-03" in result.notes[0].text
    assert result.verdicts[0].status == "skip"
    outside = ask(view, {"date": "2027-10-03", "shop": "A"})
    assert [n.code for n in outside.notes] == ["outside_coverage"]


def test_a_shared_name_needs_its_chain(view):
    alone = ask(view, {"date": "2026-10-01", "shop": "Gate"})
    assert not alone.ok and alone.error.hint == "A, B"
    result = ask(view, {"date": "2026-10-01", "shop": "Gate", "chain": "K2"})
    assert result.args["key"]["shopId"] == "B"


def test_the_key_of_a_verdict_fits_as_it_is(view):
    key = {"date": "2026-10-01", "scope": "shop", "companyId": "E1", "chainId": "K1", "shopId": "A"}
    assert ask(view, key, ["grossAmt"]).facts["name"] == "Gate"


def test_fields_by_key_label_source_name_or_their_own_name(view):
    key = {"date": "2026-10-01", "shop": "A"}
    for name in ("grossAmt", "Gross sales", "gross_amt", "src.grossAmt", "流水"):
        assert "src.grossAmt" in by_field(ask(view, key, [name])), name
    missing = by_field(ask(view, key, ["validOrderCnt"]))["src.validOrderCnt"]
    assert (missing["source_value"], missing["lake_value"], missing["agrees"]) == (None, 4, None)


def test_personal_data_is_hidden_and_counted(view):
    result = ask(view, {"date": "2026-10-01", "shop": "A"})
    assert "contact_phone" not in by_field(result)
    assert result.facts["hidden"] == 1 and any("personal" in n.text for n in result.notes)
    asked = ask(view, {"date": "2026-10-01", "shop": "A"}, ["contact_phone"])
    assert asked.table.rows == () and "13800138000" not in asked.digest


def test_without_raw_fields_there_is_nothing_to_hold_against(opened):
    table = pa.Table.from_pylist(rows()).drop_columns(["raw"])
    result = ask(opened(table), {"date": "2026-10-01", "shop": "A"})
    assert by_field(result)["src.grossAmt"]["lake_value"] == 100
    assert result.verdicts[0].status == "skip"
    assert any("no fields of its own" in n.text for n in result.notes)


@pytest.mark.parametrize(
    ("key", "fields", "error_class"),
    [
        ({"shop": "A"}, [], "bad_args"),
        ({"date": "yesterday", "shop": "A"}, [], "bad_args"),
        ({"date": "2026-10-01", "shp": "A"}, [], "unknown_name"),
        ({"date": "2026-10-01", "shop": "Gato"}, [], "unknown_name"),
        ({"date": "2026-10-01", "shop": "A' OR 1=1 --"}, [], "unknown_name"),
        ({"date": "2026-10-01", "shop": "A"}, ["grossAmount"], "unknown_name"),
        ({"date": "2026-10-01", "shop": "A"}, ['"; DROP TABLE fact'], "unknown_name"),
        ({"date": "2026-10-01", "shop": ["A"]}, [], "bad_args"),
        ("A", [], "bad_args"),
        ({}, [], "bad_args"),
    ],
)
def test_keys_and_fields_that_do_not_exist_are_refused(view, key, fields, error_class):
    result = ask(view, key, fields)
    assert not result.ok and result.error.error_class == error_class


def test_near_names_are_told(view):
    assert "Gate" in ask(view, {"date": "2026-10-01", "shop": "Gata"}).error.hint
    assert "grossAmt" in ask(view, {"date": "2026-10-01", "shop": "A"}, ["grosAmt"]).error.hint


def test_every_cell_is_of_the_shop_and_the_day(view):
    result = ask(view, {"date": "2026-10-02", "shop": "A"})
    values = {
        (c.metric, c.role, c.value) for c in result.cells if c.entity == "Gate A" and c.period == "2026-10-02"
    }
    assert {("grossAmt", "value", 130), ("grossAmt", "delta", 30), ("exposureUv", "rank", 7)} <= values
    json.dumps(result.facts)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_number_in_notes_and_verdicts_has_a_source(opened, lang):
    bad = [row(date(2026, 10, 2), clk_exp_rate=10.0, gross_amt=131.0, last_period_gross_amt_diff=9.0)]
    view = opened([*rows()[::2], *bad, *bad])
    words = {m.key: m.words() for m in view.model.metrics}
    for day in ("2026-10-01", "2026-10-02"):
        result = ask(view, {"date": day, "shop": "A"}, lang=lang)
        for text in [n.text for n in result.notes] + [t for v in result.verdicts for t in (v.note, v.actual)]:
            found = trace_numbers(text, cells=result.cells, entities=["Gate A"], metric_words=words).as_json()
            assert [i["text"] for i in found["items"] if i["status"] not in ("exact", "exempt")] == [], text


def test_a_dataset_without_levels(opened):
    model = parse_model(
        """
        model: plain
        dataset: {time: {column: day}}
        metrics:
        - {key: sales, label: {en: Sales, zh: Sales}, unit: CNY, additivity: {kind: sum}}
        """
    )
    table = pa.table({"date": [date(2026, 10, 1)], "sales": [5.0], "raw": ['{"sales": 6.0}']})
    result = ask(opened(table, model), {"date": "2026-10-01"}, entity=None)
    assert [(d["field"], d["source"], d["lake"]) for d in result.facts["disagree"]] == [("src.sales", 6, 5)]


@pytest.fixture(scope="module")
def demo(opened):
    data = build_demo(0)
    return opened(data.delivery_table, data.model), data


@pytest.mark.parametrize(
    ("fault", "field", "factor"),
    [("F9", "grossAmt__last_period_diff", None), ("F11", "src.visitRate", 100)],
)
def test_planted_rows_of_the_demo_disagree_in_exactly_that_field(demo, fault, field, factor):
    view, data = demo
    planted = next(f for f in data.manifest.faults if f.id == fault)
    for key in planted.keys:
        result = ask(view, dict(key), entity="E01")
        assert [(d["field"], d["factor"]) for d in result.facts["disagree"]] == [(field, factor)], key


def test_planted_twin_and_missing_row_of_the_demo(demo):
    view, data = demo
    faults = {f.id: f for f in data.manifest.faults}
    twin = ask(view, dict(faults["F5"].keys[0]), ["grossAmt"], entity="E01")
    assert (twin.facts["rows"], twin.facts["identical"]) == (2, True)
    assert ask(view, dict(faults["F4"].keys[0]), entity="E01").facts["rows"] == 0
