"""The lake of one process: datasets, versions, loads, and views of pinned versions."""

from __future__ import annotations

import logging
from datetime import date
from typing import TYPE_CHECKING

from askcore.base.config import Settings
from askcore.base.errors import BadRequest, LakeError, did_you_mean
from askcore.base.views import DatasetInfo
from askcore.lake.delivery import Delivery, LoadReport
from askcore.lake.schema import FactSchema, model_from_text
from askcore.lake.serving import Progress, ServingFiles
from askcore.lake.versions import (
    VersionInfo,
    is_dataset_name,
    latest_version,
    read_version,
    read_versions,
)
from askcore.lake.view import LakeView
from askcore.semantic.model import Model

if TYPE_CHECKING:
    from askcore.lake.load import Checkpoint

_LOG = logging.getLogger(__name__)
_DEMO = "demo"
_EMPTY_HINT = "the lake is empty: python -m askcore demo, or python -m askcore ingest FILE"


class Lake:
    """Everything under `settings.home` that holds data; thread-safe."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._files = ServingFiles(settings)

    def datasets(self) -> tuple[DatasetInfo, ...]:
        """All datasets with rows, newest load first; a damaged one is logged and left out."""
        folder = self._settings.lake_dir
        found = []
        for entry in sorted(folder.iterdir()) if folder.is_dir() else ():
            version = latest_version(folder, entry.name) if is_dataset_name(entry.name) else None
            if version is None:
                continue
            try:
                found.append(self._info(entry.name, version))
            except LakeError as e:
                _LOG.warning("dataset %s is left out: %s", entry.name, e.message)
        return tuple(sorted(found, key=lambda d: d.loaded_at, reverse=True))

    def _info(self, dataset: str, version: int) -> DatasetInfo:
        info = read_version(self._settings.lake_dir, dataset, version)
        return DatasetInfo(
            name=dataset,
            version=version,
            loaded_at=info.loaded_at,
            row_count=info.row_count,
            synthetic=info.synthetic,
        )

    def resolve(self, name: str | None) -> str:
        """`name` when it exists; without a name: the setting, else the newest loaded, else the demo.

        Raises: BadRequest with the near match.
        """
        known = [d.name for d in self.datasets()]
        wanted = name or self._settings.dataset
        if not wanted:
            return known[0] if known else _DEMO
        if wanted not in known:
            self._raise_damage(wanted)
            hint = did_you_mean(wanted, known) or ", ".join(known) or _EMPTY_HINT
            raise BadRequest(f"unknown dataset {wanted!r}", hint=hint, error_class="unknown_name")
        return wanted

    def model(self, dataset: str) -> Model:
        """The model of the newest version."""
        info = read_version(self._settings.lake_dir, dataset, self._version(dataset))
        return model_from_text(info.model_text)

    def versions(self, dataset: str) -> tuple[VersionInfo, ...]:
        """All versions that can still be opened, newest first."""
        self._version(dataset)
        return read_versions(self._settings.lake_dir, dataset)

    def version(self, dataset: str, number: int) -> VersionInfo:
        """One version. Raises: LakeError "snapshot expired" when it is gone."""
        return read_version(self._settings.lake_dir, dataset, number)

    def newest(self, dataset: str) -> VersionInfo:
        """The newest version. Raises: BadRequest on an unknown dataset."""
        return read_version(self._settings.lake_dir, dataset, self._version(dataset))

    def changed_days(self, dataset: str, was: int, now: int) -> frozenset[date] | None:
        """Days whose rows differ between two versions; None when that cannot be told."""
        from askcore.lake.changes import changed_days

        return changed_days(self._settings.lake_dir, dataset, was, now)

    def load(
        self,
        dataset: str,
        delivery: Delivery,
        model: Model,
        *,
        dry_run: bool = False,
        checkpoint: Checkpoint | None = None,
    ) -> LoadReport:
        """Replace the keys that `delivery` holds, in one commit; nothing new makes no version.

        checkpoint: called at the named points of a load.
        Raises: BadRequest when nothing can be loaded, LakeError when the lake cannot be written.
        """
        from askcore.lake.load import LoadJob, load

        if not is_dataset_name(dataset):
            raise BadRequest(f"{dataset!r} cannot name a dataset", hint="letters, digits, _ . - only")
        job = LoadJob(
            lake_dir=self._settings.lake_dir,
            dataset=dataset,
            delivery=delivery,
            schema=FactSchema(model),
            retention_days=self._settings.retention_days,
            checkpoint=checkpoint or _pass,
            dry_run=dry_run,
        )
        return load(job)

    def open(self, dataset: str, version: int | None = None, *, progress: Progress | None = None) -> LakeView:
        """A view of the newest version, or of a pinned one; its serving file is built when missing.

        Raises: BadRequest on an unknown dataset; LakeError "snapshot expired" for a version that is gone.
        """
        number = self._version(dataset) if version is None else version
        return LakeView(self._files, self._files.acquire(dataset, number, progress))

    def close(self) -> None:
        """Close all serving files of this process."""
        self._files.close()

    def _raise_damage(self, dataset: str) -> None:
        """A dataset that exists but cannot be read: the reason is its damage, not its name."""
        if is_dataset_name(dataset):
            version = latest_version(self._settings.lake_dir, dataset)
            if version is not None:
                read_version(self._settings.lake_dir, dataset, version)

    def _version(self, dataset: str) -> int:
        known = is_dataset_name(dataset)
        version = latest_version(self._settings.lake_dir, dataset) if known else None
        if version is None:
            names = [d.name for d in self.datasets()]
            hint = did_you_mean(dataset, names) or ", ".join(names) or _EMPTY_HINT
            raise BadRequest(f"unknown dataset {dataset!r}", hint=hint, error_class="unknown_name")
        return version


def _pass(point: str) -> None:
    """Nobody watches the load."""
