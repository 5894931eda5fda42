"""Definitions of metrics."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from types import SimpleNamespace

import pytest

from askcore.semantic.catalog import Catalog
from askcore.semantic.parse import load_model, parse_model
from askcore.tools import define_metric
from askcore.tools.base import ToolContext, call
from askcore.tools.compare.availability import missing_columns, stored_columns

MODEL = load_model(Path(__file__).resolve().parents[3] / "data" / "semantic" / "takeaway_daily.yaml")
HELD = tuple(m.key for m in MODEL.metrics if not m.reserved and m.additivity.kind == "sum")


def context(model=MODEL, lang="zh", columns=HELD):
    catalog = Catalog(dataset="demo", version=1, period=None, columns=columns)
    view = SimpleNamespace(model=model, catalog=catalog)
    return ToolContext(view=view, lang=lang, as_of=date(2026, 10, 18), viewer="u")


def define(*keys, **given):
    result = call(define_metric.TOOL, {"metrics": list(keys)}, context(**given))
    assert result.ok, result.error
    return result


def test_a_ratio_is_told_by_its_labels_and_never_averaged():
    visit, order = define("visitRate", "orderRate").facts["metrics"]
    assert visit["formula"] == "Σ进店人数 ÷ Σ曝光人数"
    assert order["formula"] == "Σ下单人数 ÷ Σ进店人数"
    assert "不能对每天的比率取平均" in visit["over_time"]
    assert visit["polarity"] == "越高越好"
    assert "入店率" in visit["synonyms"]


def test_metrics_of_one_denominator_or_one_name_are_told_apart():
    found = {c["key"]: c["why"] for c in define("aov").facts["metrics"][0]["confused_with"]}
    assert found["paidAov"] == "分母相同（有效订单），分子不同"
    found = {c["key"]: c["why"] for c in define("visitRate").facts["metrics"][0]["confused_with"]}
    assert found["visitUv"] == "都叫“进店”"
    assert found["orderRate"] == "一个的分子是另一个的分母（进店人数）"


def test_english_readers_get_no_chinese_description():
    found = define("exposureUv", lang="en").facts["metrics"][0]
    assert found["definition"].isascii()
    assert "person-days" in found["over_time"]
    assert "upper bound" in found["over_entities"]


@pytest.mark.parametrize(
    ("key", "formula"),
    [
        ("totalOrderCnt", "the sum over the rows of Valid orders + Invalid orders"),
        ("cookingMin", "Σ (Cooking time × Valid orders) ÷ Σ Valid orders"),
        ("activeShopCnt", "the number of distinct Shop where Valid orders > 0"),
        ("shopScore", "the newest value of each entity in the period"),
        ("openMinutes", "the mean of Opening minutes over the rows"),
        ("grossAmt@day", "Σ Gross sales ÷ days with data"),
        ("grossAmt@shop", "Σ Gross sales ÷ number of Shop entities with data"),
    ],
)
def test_every_kind_of_addition_has_words(key, formula):
    assert define(key, lang="en").facts["metrics"][0]["formula"] == formula


def test_a_reserved_metric_without_a_column_is_marked_not_available():
    result = define("promoSpendAmt", "grossAmt")
    assert [m["available"] for m in result.facts["metrics"]] == [False, True]
    assert [n.code for n in result.notes] == ["reserved_column"]


def test_an_unknown_metric_gives_the_near_one():
    result = call(define_metric.TOOL, {"metrics": ["visitRat"]}, context())
    assert not result.ok
    assert result.error.hint.startswith("visitRate")


def test_all_metrics_of_the_model_can_be_defined_in_both_languages():
    keys = [m.key for m in MODEL.metrics]
    for lang in ("zh", "en"):
        assert define(*keys, lang=lang).row_count == len(keys)


def test_a_model_without_levels_or_descriptions_is_enough():
    model = parse_model(
        "model: m\ndataset: {time: {column: d}}\nmetrics: [{key: t, additivity: {kind: mean_per_row}}]"
    )
    found = define("t", model=model, lang="en", columns=("t",)).facts["metrics"][0]
    assert found["formula"] == "the mean of t over the rows"
    assert found["over_entities"] == ""


def test_a_ratio_needs_the_columns_of_its_parts():
    assert stored_columns(MODEL, "invalidRate") == ("invalidOrderCnt", "validOrderCnt")
    assert stored_columns(MODEL, "grossAmt@day") == ("grossAmt",)
    catalog = Catalog(dataset="d", version=1, period=None, columns=("invalidOrderCnt",))
    assert missing_columns(MODEL, catalog, "invalidRate") == ("validOrderCnt",)
