"""The demo into a lake, or into files that anyone can ingest."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from askcore.base.errors import BadRequest
from askcore.lake.demo.build import DemoData, build_demo
from askcore.lake.demo.manifest import FILE_NAME
from askcore.lake.demo.season import all_days
from askcore.lake.lock import disk_errors, exclusive
from askcore.lake.versions import facts_dir, latest_version, read_version
from askcore.semantic.dump import dump_model

if TYPE_CHECKING:
    from askcore.lake.lake import Lake

DELIVERY_FILE = "delivery.csv"
SYNC_FILE = "sync_log.csv"
MODEL_FILE = "model.yaml"
INSTALL_LOCK = ".demo.lock"  # two installations at once would mix two demos
LOCK_FILE = ".load.lock"  # the lake's loads of one dataset queue here


@dataclass(frozen=True, slots=True, kw_only=True)
class InstallReport:
    """What an installation did."""

    dataset: str
    version: int | None
    changed: bool
    """False: the lake already held exactly this demo."""
    rows: int
    seed: int
    clean: bool
    manifest: Path
    out: Path | None = None
    """Folder with the delivery files; None when none was asked for."""

    def as_json(self) -> dict[str, Any]:
        """The command's JSON object."""
        return {
            "dataset": self.dataset,
            "version": self.version,
            "changed": self.changed,
            "rows": self.rows,
            "seed": self.seed,
            "clean": self.clean,
            "manifest": str(self.manifest),
            "out": None if self.out is None else str(self.out),
        }


def install_demo(
    lake: Lake,
    *,
    seed: int = 0,
    clean: bool = False,
    dataset: str = "demo",
    out: Path | None = None,
) -> InstallReport:
    """Load the demo; the same demo twice makes no new version, another one takes its place.

    Raises: BadRequest when `dataset` holds something that is no demo.
    """
    from askcore.lake.delivery import Delivery

    data = build_demo(seed, clean)
    if out is not None:
        _write_out(data, out)
    delivery = Delivery(table=data.delivery_table, sync_rows=data.sync_rows)
    with exclusive(_lake_dir(lake) / dataset / INSTALL_LOCK):
        manifest = _make_room(_lake_dir(lake), dataset, data.manifest.text())
        report = lake.load(dataset, delivery, data.model)
    return InstallReport(
        dataset=dataset,
        version=report.version,
        changed=report.committed,
        rows=data.manifest.row_count,
        seed=seed,
        clean=clean,
        manifest=manifest,
        out=out,
    )


def _lake_dir(lake: Lake) -> Path:
    return lake._settings.lake_dir


def _write_out(data: DemoData, folder: Path) -> None:
    try:
        write_files(data, folder)
    except OSError as e:
        raise BadRequest(
            f"the delivery files cannot be written to {folder}: {e}", hint="name a folder that can be written"
        ) from e


def write_files(data: DemoData, folder: Path) -> None:
    """The delivery as CSV (UTF-8), its sync log, model and manifest."""
    import pyarrow as pa
    from pyarrow import csv

    folder.mkdir(parents=True, exist_ok=True)
    csv.write_csv(data.delivery_table, folder / DELIVERY_FILE)
    seconds = data.sync_rows["time"].cast(pa.timestamp("s"))
    csv.write_csv(data.sync_rows.set_column(0, "time", seconds), folder / SYNC_FILE)
    (folder / MODEL_FILE).write_text(dump_model(data.model), encoding="utf-8")
    (folder / FILE_NAME).write_text(data.manifest.text(), encoding="utf-8")


def _make_room(lake_dir: Path, dataset: str, text: str) -> Path:
    """Empty the dataset when it holds another demo, then mark it with the manifest.

    A load replaces keys only, so that the rows of another demo would stay. The manifest comes before the
    rows: a load that is cut short can be repeated.
    """
    path = lake_dir / dataset / FILE_NAME
    if path.is_file():
        if path.read_text(encoding="utf-8") != text:
            _empty(lake_dir, dataset)
    elif latest_version(lake_dir, dataset) is not None:
        raise BadRequest(f"dataset {dataset!r} holds other data", hint="name another dataset for the demo")
    with disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return path


def _empty(lake_dir: Path, dataset: str) -> None:
    """A version without rows and syncs. Earlier versions stay, so that pinned answers can be replayed."""
    import pyarrow as pa

    from askcore.lake import delta

    with exclusive(lake_dir / dataset / LOCK_FILE):
        latest = latest_version(lake_dir, dataset)
        if latest is None:
            return
        table = delta.open_table(facts_dir(lake_dir, dataset), latest)
        schema = pa.schema(table.schema().to_arrow())
        months = sorted({day.strftime("%Y-%m") for day in all_days()})
        entry = {
            "model": read_version(lake_dir, dataset, latest).model_text,
            "row_count": 0,
            "synthetic": True,
        }
        rows = pa.RecordBatchReader.from_batches(schema, [])
        delta.commit(table, rows, months=months, entry=json.dumps(entry, ensure_ascii=False))
