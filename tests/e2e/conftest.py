"""One demo lake for all end-to-end tests of a worker."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
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


def state_of(home: Path) -> bytes:
    """Every byte of a home's state, the log included.

    Through SQLite: opening and closing its file past it would drop the locks of this process, and a database
    that others write to would be damaged.
    """
    with closing(sqlite3.connect(home / "state" / "askcore.db")) as con:
        return con.serialize()


@pytest.fixture(scope="session")
def demo(demo_home: Path) -> Iterator[Service]:
    """The facade over the demo lake."""
    service = Service(Settings(home=demo_home))
    yield service
    service.close()
