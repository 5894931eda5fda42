"""The versions of a dataset as its Delta log tells them, read without any driver.

A load writes what belongs to its version (model, sync log, counts) into the commit itself, so that a
version and its meaning appear together or not at all. Version 0 is the empty table that the first load
fills; a dataset exists from version 1 on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from askcore.base.errors import LakeError

COMMIT_KEY = "asklake"  # name of our entry in the commit's metadata
FACTS = "facts"
_COMMIT_FILE = re.compile(r"^(\d{20})\.json$")
_DATASET_NAME = re.compile(r"^\w[\w.-]{0,99}$")


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionInfo:
    """One committed version of a dataset."""

    dataset: str
    version: int
    loaded_at: float
    """Seconds since the epoch."""
    row_count: int
    rows_added: int = 0
    rows_changed: int = 0
    rows_unchanged: int = 0
    key_dimensions: bool = False
    """Whether dimension columns are part of the row key."""
    model_text: str = ""
    """The model that the version was loaded with, as YAML."""
    synthetic: bool = False
    sync_file: str = ""
    """Parquet file of the sync log, relative to the dataset's folder; "" when there is none."""
    shape: Mapping[str, Any] = field(default_factory=dict)
    """What the load delivered, as `shapes.read_shapes` reads it; {} when the commit does not say."""


def is_dataset_name(name: str) -> bool:
    """Whether `name` may be a folder of the lake."""
    return _DATASET_NAME.fullmatch(name) is not None


def facts_dir(lake_dir: Path, dataset: str) -> Path:
    """The Delta table of a dataset."""
    return lake_dir / dataset / FACTS


def commit_numbers(facts: Path) -> list[int]:
    """Numbers of the commits in the log, ascending; [] when there is no table."""
    log = facts / "_delta_log"
    if not log.is_dir():
        return []
    matches = (_COMMIT_FILE.match(entry.name) for entry in log.iterdir())
    return sorted(int(m.group(1)) for m in matches if m)


def read_versions(lake_dir: Path, dataset: str) -> tuple[VersionInfo, ...]:
    """All versions with rows that the log still tells of, newest first."""
    facts = facts_dir(lake_dir, dataset)
    numbers = [n for n in commit_numbers(facts) if n > 0]
    return tuple(read_version(lake_dir, dataset, n) for n in reversed(numbers))


def latest_version(lake_dir: Path, dataset: str) -> int | None:
    """Number of the newest version; None when nothing was loaded."""
    numbers = commit_numbers(facts_dir(lake_dir, dataset))
    return numbers[-1] if numbers and numbers[-1] > 0 else None


def read_version(lake_dir: Path, dataset: str, version: int) -> VersionInfo:
    """What the commit `version` says; a commit by another writer keeps the meaning of the one before.

    Raises: LakeError when the log does not have it or holds no entry of ours.
    """
    facts = facts_dir(lake_dir, dataset)
    loaded_at, entry = _commit(facts, version)
    number = version
    while entry is None and number > 1:
        number -= 1
        _, entry = _commit(facts, number)
    if entry is None:
        raise LakeError(
            f"the log of dataset {dataset!r} is damaged: no commit up to {version} says what it holds",
            hint=f"restore {facts / '_delta_log'} from a copy, or load the files into another dataset",
        )
    return VersionInfo(
        dataset=dataset,
        version=version,
        loaded_at=loaded_at,
        row_count=int(entry.get("row_count", 0)),
        rows_added=int(entry.get("rows_added", 0)),
        rows_changed=int(entry.get("rows_changed", 0)),
        rows_unchanged=int(entry.get("rows_unchanged", 0)),
        key_dimensions=bool(entry.get("key_dimensions", False)),
        model_text=str(entry.get("model", "")),
        synthetic=bool(entry.get("synthetic", False)),
        sync_file=str(entry.get("sync_file", "")),
        shape=entry.get("shape") or {},
    )


def _commit(facts: Path, version: int) -> tuple[float, dict[str, Any] | None]:
    path = facts / "_delta_log" / f"{version:020d}.json"
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        for line in lines:
            info = json.loads(line).get("commitInfo") if '"commitInfo"' in line else None
            if info is not None:
                text = info.get(COMMIT_KEY)
                return float(info.get("timestamp", 0)) / 1000, json.loads(text) if text else None
    except FileNotFoundError as e:
        raise LakeError(f"snapshot expired: version {version} is no longer in the lake") from e
    except (OSError, ValueError, TypeError, AttributeError) as e:
        raise LakeError(f"the commit {path.name} of the lake cannot be read: {e}") from e
    return path.stat().st_mtime, None
