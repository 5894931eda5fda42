"""Demos are built once a session: half a second each."""

from __future__ import annotations

from functools import cache

import pytest
from demo_detectors import Seen, see

from askcore.lake.demo import build_demo


@cache
def _seen(seed: int, clean: bool) -> Seen:
    return see(build_demo(seed, clean))


@pytest.fixture(params=range(6), ids=lambda n: f"seed{n}")
def planted(request: pytest.FixtureRequest) -> Seen:
    return _seen(request.param, False)


@pytest.fixture(params=range(3), ids=lambda n: f"seed{n}")
def clean(request: pytest.FixtureRequest) -> Seen:
    return _seen(request.param, True)


@pytest.fixture(params=[(0, False), (1, False), (2, True)], ids=["seed0", "seed1", "clean2"])
def any_demo(request: pytest.FixtureRequest) -> Seen:
    return _seen(*request.param)


@pytest.fixture
def documented() -> Seen:
    return _seen(0, False)
