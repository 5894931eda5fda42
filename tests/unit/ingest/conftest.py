"""A lake in a temporary folder and a door to ingest that takes text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from askcore.base.config import Settings
from askcore.lake import Lake
from askcore.lake.ingest import IngestReport, ingest


@pytest.fixture
def lake(tmp_path: Path) -> Iterator[Lake]:
    made = Lake(Settings(home=tmp_path / "home"))
    yield made
    made.close()


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def _write(text: str, name: str = "sales.csv", encoding: str = "utf-8") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode(encoding))
        return path

    return _write


@pytest.fixture
def load(lake: Lake, write: Callable[..., Path]) -> Callable[..., IngestReport]:
    """Write text to a file and ingest it; English texts, so that reasons can be compared."""

    def _load(text: str, name: str = "sales.csv", encoding: str = "utf-8", **how: Any) -> IngestReport:
        return ingest(lake, [write(text, name, encoding)], lang="en", **how)

    return _load
