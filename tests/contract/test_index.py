"""What every metadata index must do, run over each implementation."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from askcore.base.errors import BadRequest
from askcore.base.values import Period
from askcore.index import index_for
from askcore.index.base import MetadataIndex
from askcore.index.documents import documents_of
from askcore.index.embedded import EmbeddedIndex
from askcore.semantic.catalog import Catalog, Entity
from askcore.semantic.parse import load_model, parse_model

DAY = date(2026, 10, 17)
MODEL = load_model(Path(__file__).resolve().parents[2] / "data" / "semantic" / "takeaway_daily.yaml")
CATALOG = Catalog(
    dataset="demo",
    version=1,
    period=None,
    entities=(
        Entity(level="company", id="E01", name="悦食餐饮"),
        Entity(level="chain", id="C01", name="蜀小馆"),
        Entity(level="shop", id="S0101", name="科技园店"),
        Entity(level="shop", id="S0102", name="大学城店"),
        Entity(level="shop", id="S0303", name="大学城店"),
        Entity(level="shop", id="S0105", name="798店"),
    ),
    scopes=("company", "chain", "shop"),
)


@pytest.fixture(params=[EmbeddedIndex], ids=["embedded"])
def index(request) -> MetadataIndex:
    built = request.param()
    built.build(documents_of(MODEL, CATALOG))
    return built


def keys(hits):
    return [hit.key for hit in hits]


def test_a_word_shared_by_two_metrics_finds_both_first(index):
    hits = index.search("进店")
    assert keys(hits)[:2] == ["visitUv", "visitRate"]
    assert hits[0].score == 1.0
    assert "进店" in hits[0].why


@pytest.mark.parametrize(
    ("query", "key"),
    [
        ("visit rate", "visitRate"),
        ("Visit Rate", "visitRate"),
        ("vist rate", "visitRate"),
        ("grossAmt", "grossAmt"),
        ("\uff47\uff4d\uff56", "grossAmt"),  # full-width gmv
        ("gmv", "grossAmt"),
        ("流水", "grossAmt"),
        ("营业而", "grossAmt"),
        ("科技园", "S0101"),
        ("S0105", "S0105"),
        ("s0105", "S0105"),
        ("798", "S0105"),
        ("蜀小馆的客单价", "C01"),
        ("per_actual_pay", "aov"),
    ],
)
def test_names_ids_and_typos_are_found(index, query, key):
    assert key in keys(index.search(query))[:2]


def test_two_shops_of_one_name_are_both_found(index):
    assert keys(index.search("大学城店"))[:2] == ["S0102", "S0303"]


def test_one_character_is_enough(index):
    assert "badReviewCnt" in keys(index.search("差"))


@pytest.mark.parametrize("query", ["", "   ", "？！", '"', "*"])
def test_nothing_to_look_for_is_refused(index, query):
    with pytest.raises(BadRequest):
        index.search(query)


@pytest.mark.parametrize(
    "query",
    ['visit" OR rate', "NEAR(visit rate)", "names:visit rate", "visit rate*", "visit AND rate", "-进店率"],
)
def test_operators_of_the_engine_are_plain_text(index, query):
    assert "visitRate" in keys(index.search(query))


def test_hits_are_ordered_limited_and_scored_within_0_and_1(index):
    hits = index.search("订单", limit=4)
    scores = [hit.score for hit in hits]
    assert len(hits) == 4
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)


def test_labels_and_reasons_are_in_the_language_of_the_query(index):
    assert index.search("visit rate")[0].label == "Visit rate"
    assert index.search("进店率")[0].label == "进店率"
    assert "spelled like" in index.search("vist rate")[0].why


def test_building_again_replaces_what_was_there(index):
    index.build(())
    assert index.search("营业额") == ()


def test_values_of_a_dimension_are_found_by_what_people_call_them():
    model = parse_model(
        """
        model: m
        dataset:
          time: {column: date}
          dimensions:
          - {key: holiday, label: {zh: 假日, en: Holiday}, column: Holiday_Flag,
             values: {"1": {zh: 假日周, en: holiday week}, "0": {zh: 平常周, en: other week}}}
        metrics:
        - {key: sales, label: {zh: 销售额, en: Sales}, additivity: {kind: sum}}
        """
    )
    catalog = Catalog(dataset="w", version=1, period=None, dimension_values={"holiday": ("0", "1")})
    hit = index_for(model, catalog).search("holiday week")[0]
    assert (hit.kind, hit.key, hit.parent, hit.label) == ("value", "1", "holiday", "holiday week")


def test_an_index_is_built_once_a_version():
    assert index_for(MODEL, CATALOG) is index_for(MODEL, CATALOG)
    other = Catalog(
        dataset="demo",
        version=1,
        period=Period(start=DAY, end=DAY),
        entities=CATALOG.entities,
    )
    assert index_for(MODEL, other) is not index_for(MODEL, CATALOG)
