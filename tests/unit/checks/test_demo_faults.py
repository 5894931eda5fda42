"""The demo's planted faults: each is found by its own check at exactly its keys, over many seeds."""

from __future__ import annotations

import json
from datetime import date

import pytest

from askcore.base.values import Verdict
from askcore.base.views import SyncRow
from askcore.checks.catalogue import run_checks
from askcore.lake.demo.build import DemoData, build_demo
from askcore.lake.raw import field_names
from askcore.semantic.shape import Shape
from tests.unit.checks.memory_view import MemoryView

AS_OF = date(2026, 10, 18)
DATA_FAULTS = ("F1", "F4", "F5", "F6", "F7", "F8", "F9", "F11")


def view_of(data: DemoData) -> MemoryView:
    """The demo's rows as serving tables, without writing a lake."""
    rows = data.delivery_table.to_pandas()
    for level in data.model.levels:
        rows[level.id] = rows[level.id].fillna("")
    raws = [json.loads(text) for text in rows["raw"]]
    names = field_names(data.model, {k for raw in raws for k in raw})
    rows["raw"] = [{names[k]: v for k, v in raw.items()} for raw in raws]
    log = data.sync_rows.to_pandas()
    sync = [
        SyncRow(
            time=line.time.isoformat(sep=" "),
            entity=line.entity,
            state=line.state,
            rows=int(line.rows),
            message=line.message,
        )
        for line in log.itertuples()
    ]
    columns = {m.key: "number" for m in data.model.metrics if m.key in rows}
    loads = tuple(Shape(version=n, columns=columns) for n in (2, 1))
    return MemoryView(data.model, rows, sync=sync, shapes=loads)


def health(data: DemoData) -> tuple[Verdict, ...]:
    view = view_of(data)
    assert view.catalog.period is not None
    return run_checks(view, period=view.catalog.period, as_of=AS_OF, lang="zh")  # type: ignore[arg-type]


def keys(found: object) -> set[tuple[tuple[str, str], ...]]:
    return {tuple(sorted(dict(k).items())) for k in found}  # type: ignore[attr-defined]


@pytest.mark.parametrize("seed", range(20))
def test_every_planted_fault_is_found_at_exactly_its_keys(seed: int) -> None:
    data = build_demo(seed)
    found = health(data)
    issues = [v for v in found if v.status in ("warn", "fail")]
    for fault_id in DATA_FAULTS:
        fault = data.manifest.fault(fault_id)
        (verdict,) = [v for v in issues if v.check == fault.check]
        assert keys(verdict.keys) == keys(fault.keys), fault_id
        assert verdict.n_bad == len(fault.keys)
        assert fault.status == "warn" or verdict.status == fault.status
    owners = {data.manifest.fault(f).check for f in DATA_FAULTS}
    assert {v.check for v in issues} == {*owners, "anomaly"}  # opened and closed shops raise nothing
    assert not [v.check for v in found if v.status == "skip"]


@pytest.mark.parametrize("seed", range(20))
def test_anomalies_are_days_whose_visits_were_moved_or_taken_away(seed: int) -> None:
    """The newest week holds the Simpson case, and in some lakes the fallen exposure."""
    data = build_demo(seed)
    planted = [s for f in data.manifest.faults for s in f.grouped_under if s.check == "anomaly"]
    (verdict,) = [v for v in health(data) if v.check == "anomaly"]
    assert verdict.status == "warn"
    assert keys(verdict.keys) <= {k for s in planted for k in keys(s.keys)}
    moved = [s for s in data.manifest.fault("F3").grouped_under if s.check == "anomaly"]
    assert keys(verdict.keys) & {k for s in moved for k in keys(s.keys)}


@pytest.mark.parametrize("seed", (0, 7, 13))
def test_a_clean_demo_raises_nothing(seed: int) -> None:
    found = health(build_demo(seed, clean=True))
    assert [(v.check, v.status, v.note) for v in found if v.status != "pass"] == []
