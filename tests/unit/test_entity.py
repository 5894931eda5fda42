"""Which company a question is about when it names none."""

from __future__ import annotations

import pytest

from askcore.agent.entity import resolve_entity
from askcore.base.errors import BadRequest
from askcore.semantic.catalog import Catalog, Entity
from askcore.semantic.model import Additivity, Level, Metric, Model, TimeColumn


def model(*, default: str | None = None, levels: tuple[str, ...] = ("region", "store")) -> Model:
    return Model(
        name="m",
        table="fact",
        time=TimeColumn(column="date"),
        metrics=(Metric(key="sales", label={"zh": "s", "en": "s"}, additivity=Additivity(kind="sum")),),
        levels=tuple(Level(key=k, label={"zh": k, "en": k}, id=f"{k}Id", name=f"{k}Name") for k in levels),
        default_entity=default,
    )


def catalog(*scopes: str) -> Catalog:
    regions = [Entity(level="region", id=i, name=f"Region {i}") for i in ("R1", "R2")]
    return Catalog(dataset="d", version=1, period=None, entities=tuple(regions), scopes=scopes)


def test_a_group_without_rows_of_its_own_never_narrows_a_question():
    assert resolve_entity(model(), catalog("store"), None, "en") == (None, ())


def test_among_companies_with_rows_the_first_is_taken_and_said():
    chosen, notes = resolve_entity(model(), catalog("region", "store"), None, "en")
    assert chosen == "R1"
    assert [n.code for n in notes] == ["ambiguous"]
    assert "Region R2" in notes[0].text


def test_the_default_is_taken_in_silence():
    assert resolve_entity(model(default="R2"), catalog("region", "store"), None, "en") == ("R2", ())


def test_one_layer_spans_all():
    assert resolve_entity(model(levels=("region",)), catalog("region"), None, "en") == (None, ())


@pytest.mark.parametrize("asked", ["R2", "Region R2"])
def test_an_entity_is_named_by_id_or_name(asked):
    assert resolve_entity(model(), catalog("store"), asked, "en") == ("R2", ())


def test_an_unknown_entity_lists_those_that_exist():
    with pytest.raises(BadRequest) as caught:
        resolve_entity(model(), catalog("store"), "R9", "en")
    assert "R1" in caught.value.hint
