"""The demo in a lake: idempotent, replaced by another one, never over other data."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import csv

from askcore.base.config import Settings
from askcore.base.errors import BadRequest
from askcore.lake import Delivery, Lake
from askcore.lake.demo import build_demo, install_demo, write_files
from askcore.semantic.parse import load_model


@pytest.fixture
def lake(tmp_path: Path) -> Iterator[Lake]:
    found = Lake(Settings(home=tmp_path))
    yield found
    found.close()


def count(lake: Lake, sql: str) -> object:
    with lake.open("demo") as view:
        return view.run(sql).scalar()


def test_the_same_demo_twice_makes_one_version(lake: Lake, tmp_path: Path):
    first, second = install_demo(lake), install_demo(lake)
    assert (first.changed, second.changed) == (True, False)
    assert first.version == second.version
    assert count(lake, "SELECT count(*) FROM fact") == first.rows
    written = json.loads((tmp_path / "lake" / "demo" / "manifest.json").read_text(encoding="utf-8"))
    assert written["synthetic"] is True
    assert [f["id"] for f in written["faults"]] == [f"F{n}" for n in range(1, 13)]


def test_another_demo_takes_the_place_of_the_first(lake: Lake):
    first = install_demo(lake)
    other = install_demo(lake, seed=2)
    clean = install_demo(lake, clean=True)
    assert first.version < other.version < clean.version
    assert count(lake, "SELECT count(*) FROM fact") == clean.rows
    assert count(lake, "SELECT count(*) FROM sync_log WHERE state = 'failed'") == 0
    assert lake.model("demo").default_entity == "E01"
    with lake.open("demo", first.version) as view:
        assert view.run("SELECT count(*) FROM fact").scalar() == first.rows


def test_other_data_of_that_name_is_left_alone(lake: Lake):
    data = build_demo(0)
    lake.load("mine", Delivery(table=data.delivery_table.slice(0, 5)), data.model)
    with pytest.raises(BadRequest, match="other data"):
        install_demo(lake, dataset="mine")


def test_the_files_hold_the_same_delivery(tmp_path: Path):
    data = build_demo(3)
    write_files(data, tmp_path / "out")
    types = {f.name: f.type for f in data.delivery_table.schema}
    read = csv.read_csv(
        tmp_path / "out" / "delivery.csv",
        convert_options=csv.ConvertOptions(
            column_types=types, strings_can_be_null=True, quoted_strings_can_be_null=False
        ),
    )
    assert read.equals(data.delivery_table)
    log = csv.read_csv(tmp_path / "out" / "sync_log.csv")
    assert log.column_names == ["time", "entity", "state", "rows", "message"]
    assert log["rows"].to_pylist() == data.sync_rows["rows"].to_pylist()
    assert load_model(tmp_path / "out" / "model.yaml") == data.model
    assert json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))["seed"] == 3
    assert pa.types.is_date(read.schema.field("date").type)
