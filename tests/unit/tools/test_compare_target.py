"""Names in arguments: levels, splits, filters, scopes."""

from __future__ import annotations

from pathlib import Path

import pytest

from askcore.base.errors import BadRequest
from askcore.semantic.catalog import Catalog, Entity
from askcore.semantic.parse import load_model, parse_model
from askcore.tools.compare.target import resolve_target

MODEL = load_model(Path(__file__).resolve().parents[3] / "data" / "semantic" / "takeaway_daily.yaml")
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
    ),
    scopes=("company", "chain", "shop"),
)
STORES = parse_model(
    """
    model: weekly
    dataset:
      time: {column: date, grain: week}
      levels: [{key: store, zh: 门店, en: Store, id: Store, name: Store}]
      dimensions: [{key: holiday, label: {zh: 假日, en: Holiday}, column: Holiday_Flag,
                    values: {"1": {zh: 假日周, en: holiday week}}}]
    metrics: [{key: sales, label: {zh: 销售额, en: Sales}, additivity: {kind: sum}}]
    """
)
STORE_CATALOG = Catalog(
    dataset="weekly",
    version=1,
    period=None,
    entities=(Entity(level="store", id="1", name="1"), Entity(level="store", id="2", name="2")),
    scopes=("store",),
    dimension_values={"holiday": ("0", "1")},
)


def target(model=MODEL, catalog=CATALOG, **given):
    values = {"scope": None, "by": (), "named": {}, "filters": {}, "entity": "E01", "lang": "en"}
    return resolve_target(model, catalog, **(values | given))


def test_nothing_asked_leaves_the_scope_to_the_lake():
    found = target()
    assert (found.scope, found.by, found.filters, found.entity) == (None, (), {}, "E01")


def test_the_scope_is_the_finest_level_that_split_and_filters_need():
    assert target(by=["week", "chain"]).scope == "chain"
    assert target(by=["chain"], named={"shops": ["S0101"]}).scope == "shop"
    assert target(scope="shop", named={"chains": ["C01"]}).scope == "shop"


def test_a_scope_too_coarse_for_the_split_is_made_finer_and_said():
    found = target(scope="company", by=["shop"])
    assert found.scope == "shop"
    assert [(c.arg, c.before, c.after) for c in found.clamped] == [("scope", "company", "shop")]


def test_names_become_ids_and_columns_become_levels():
    found = target(named={"shops": ["科技园店", "S0101"]}, by=["shopId", "day"])
    assert found.filters == {"shop": ("S0101",)}
    assert found.by == ("shop", "date")
    assert found.args == {"shops": ["S0101"]}


def test_a_company_filter_replaces_the_entity_of_the_run():
    assert target(named={"companies": ["E01"]}).entity is None


def test_one_name_of_two_shops_is_refused_with_both_ids():
    with pytest.raises(BadRequest) as e:
        target(named={"shops": ["大学城店"]})
    assert e.value.hint == "S0102, S0303"


@pytest.mark.parametrize(
    ("given", "near"),
    [
        ({"named": {"shops": ["科技园"]}}, "S0101 科技园店"),
        ({"by": ["shpo"]}, "shop"),
        ({"filters": {"chian": ["C01"]}}, "chain"),
        ({"scope": "compny"}, "company"),
    ],
)
def test_unknown_names_carry_near_ones(given, near):
    with pytest.raises(BadRequest) as e:
        target(**given)
    assert e.value.error_class == "unknown_name"
    assert near in e.value.hint


def test_another_dataset_has_its_own_levels_and_values():
    found = target(
        STORES,
        STORE_CATALOG,
        named={"shops": ["2"]},
        filters={"Holiday_Flag": ["holiday week"]},
        entity=None,
    )
    assert found.filters == {"store": ("2",), "holiday": ("1",)}
    assert found.scope == "store"
    with pytest.raises(BadRequest, match='no level "chain"'):
        target(STORES, STORE_CATALOG, named={"chains": ["C01"]})
    with pytest.raises(BadRequest, match='no value "7"'):
        target(STORES, STORE_CATALOG, filters={"holiday": ["7"]})
