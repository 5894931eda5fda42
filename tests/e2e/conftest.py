"""One demo lake for all end-to-end tests of a worker."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from askcore.base.config import Settings
from askcore.service import Service


@pytest.fixture(scope="session")
def demo_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the demo lake; tests may ask it, not load into it."""
    home = tmp_path_factory.mktemp("demo-home")
    service = Service(Settings(home=home))
    service.install_demo()
    service.close()
    return home


@pytest.fixture(scope="session")
def demo(demo_home: Path) -> Iterator[Service]:
    """The facade over the demo lake."""
    service = Service(Settings(home=demo_home))
    yield service
    service.close()
