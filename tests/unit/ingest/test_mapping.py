"""Columns onto a known model: by key, label, synonym and source column; what is missing is named."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from askcore.base.errors import BadRequest
from askcore.lake.ingest import ingest

LEVELS = ["date", "scope", "companyId", "companyName", "chainId", "chainName", "shopId", "shopName"]
SHOP = ["2026-10-01", "shop", "E01", "Yue", "C01", "Shu", "S1", "Park"]
CHAIN = ["2026-10-01", "chain", "E01", "Yue", "C01", "Shu", "", ""]


def text(header, *rows):
    out = io.StringIO()
    csv.writer(out).writerows([header, *rows])
    return out.getvalue()


def test_the_delivery_layout_of_a_shipped_model_is_recognised(load, lake):
    header = [*LEVELS, "grossAmt", "validOrderCnt", "exposureUv"]
    report = load(text(header, [*SHOP, 100.5, 3, 40], [*CHAIN, 100.5, 3, 38]))
    assert "The columns are the delivery layout of the shipped model takeaway_daily" in report.decisions
    assert {c.name: c.role for c in report.columns}["shopName"] == "level_name"
    assert report.totals == {"grossAmt": 201.0, "validOrderCnt": 6, "exposureUv": 78}
    assert lake.model(report.dataset).name == "takeaway_daily"
    assert any("promoSpendAmt" in w for w in report.warnings)


def test_labels_synonyms_and_source_columns_are_mapped(load):
    header = [*LEVELS, "营业额（元）", "Order Count", "单均出餐时长", "gross"]
    report = load(text(header, [*SHOP, 100.5, 3, 12.5, 1]), model="takeaway_daily")
    found = {c.name: (c.key, c.role) for c in report.columns}
    assert found["营业额（元）"] == ("grossAmt", "metric")
    assert found["Order Count"] == ("validOrderCnt", "metric")
    assert found["单均出餐时长"] == ("cookingMin", "metric")
    assert found["gross"] == (None, "raw")


def test_a_column_of_a_computed_metric_is_kept_as_the_sources_own_value(load, lake):
    header = [*LEVELS, "grossAmt", "validOrderCnt", "exposureUv", "aov", "visitRate", "cuisine", "raw"]
    raw = json.dumps({"exp_uv": 41, "note": "x"})
    report = load(text(header, [*SHOP, 90, 3, 40, 30.02, "8.5%", "hot", raw]))
    with lake.open(report.dataset) as view:
        row = view.run(
            'SELECT fields."src.aov", fields."src.visitRate", fields."cuisine", fields."note" FROM raw'
        )
    assert tuple(row.rows[0]) == (30.02, 0.085, "hot", "x")


def test_raw_that_is_no_json_object_rejects_its_row(load):
    header = [*LEVELS, "grossAmt", "validOrderCnt", "exposureUv", "raw"]
    other = [*SHOP[:6], "S2", "Lake"]
    third = [*SHOP[:6], "S3", "Gate"]
    report = load(text(header, [*SHOP, 1, 1, 1, "{}"], [*other, 2, 1, 1, "{broken"], [*third, 4, 1, 1, ""]))
    assert report.totals["grossAmt"] == 5
    assert report.files[0].skipped == ((3, "column 'raw' is not a valid JSON object"),)


def test_negative_expenses_become_positive_and_it_is_said(load, lake):
    header = [*LEVELS, "grossAmt", "expenseAmt", "incomeAmt"]
    report = load(text(header, [*SHOP, 100, -20.5, 79.5]))
    assert report.totals["expenseAmt"] == 20.5
    assert any("made positive" in d for d in report.decisions)


def test_a_rate_without_percent_sign_is_not_converted(load):
    header = [*LEVELS, "grossAmt", "validOrderCnt", "exposureUv", "rebuyRate30d"]
    report = load(text(header, [*SHOP, 1, 1, 1, 8.5]))
    assert "rebuyRate30d" not in report.totals
    assert any("rebuyRate30d" in w and "check the unit" in w for w in report.warnings)


def test_a_missing_level_column_is_named(load, lake):
    header = ["date", "scope", "companyId", "grossAmt"]
    with pytest.raises(BadRequest, match="chainId, shopId"):
        load(text(header, ["2026-10-01", "shop", "E01", 5]), model="takeaway_daily")
    assert lake.datasets() == ()


def test_levels_below_the_deepest_scope_are_not_needed(load):
    header = ["date", "scope", "companyId", "grossAmt"]
    report = load(text(header, ["2026-10-01", "company", "E01", 5]), model="takeaway_daily")
    assert report.totals == {"grossAmt": 5}


def test_rows_of_an_unknown_scope_or_without_an_id_are_rejected(load):
    header = [*LEVELS, "grossAmt", "validOrderCnt", "exposureUv"]
    odd = ["2026-10-01", "planet", *SHOP[2:]]
    bare = ["2026-10-02", *SHOP[1:6], "", ""]
    report = load(text(header, [*SHOP, 1, 1, 1], [*odd, 2, 1, 1], [*CHAIN, 1, 1, 1], [*bare, 4, 1, 1]))
    assert report.totals["grossAmt"] == 2
    assert [row for row, _ in report.files[0].skipped] == [3, 5]


def test_no_metric_is_refused(load):
    with pytest.raises(BadRequest, match="No column is a metric"):
        load(text([*LEVELS, "colour"], [*SHOP, "red"]), model="takeaway_daily")


def test_an_unknown_model_gets_a_near_match(load):
    with pytest.raises(BadRequest) as raised:
        load("date,shop,sales\n2026-10-01,A,1\n", model="takeaway_dayly")
    assert "takeaway_daily" in raised.value.hint


def test_a_model_beside_the_data_is_used_and_can_be_edited(load, lake, write):
    body = "date,shop,price\n2026-10-01,A,2\n2026-10-02,A,4\n2026-10-01,B,6\n2026-10-02,B,8\n"
    first = load(body, name="first.csv")
    model = (Path(lake._settings.lake_dir) / first.dataset / "model.yaml").read_text(encoding="utf-8")
    assert "kind: mean_per_row" in model
    write(model.replace("kind: mean_per_row", "kind: sum"), "edited/model.yaml")
    data = write(body, "edited/data.csv")
    report = ingest(lake, [data.parent], lang="en")
    assert (first.totals, report.totals) == ({}, {"price": 20})
    assert lake.model("edited").metric("price").additivity.kind == "sum"


def test_another_layout_for_a_stored_dataset_is_refused(load, lake):
    load("date,shop,sales\n2026-10-01,A,1\n2026-10-02,A,2\n")
    with pytest.raises(BadRequest) as raised:
        load("date,city,price\n2026-10-01,A,1\n2026-10-02,A,2\n")
    assert "--dataset" in raised.value.hint
    assert len(lake.versions("sales")) == 1


def test_files_of_a_known_model_may_lack_columns(load, lake, write):
    header = [*LEVELS, "grossAmt", "validOrderCnt", "exposureUv"]
    first = write(text(header, [*SHOP, 1, 1, 1]), "a.csv")
    second = write(text(header[:-1], [*SHOP[:6], "S2", "Lake", 2, 1]), "b.csv")
    report = ingest(lake, [first, second], model="takeaway_daily", lang="en")
    assert report.totals == {"grossAmt": 3, "validOrderCnt": 2, "exposureUv": 1}
