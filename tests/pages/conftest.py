"""The frame over a fake service: `open_app()` gives an AppTest that has run once."""

from __future__ import annotations

import gc
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.ui import cache
from tests.fakes.service import FakeService

ROOT = Path(__file__).resolve().parents[2]
VIEWER = "test@example.com"
OpenApp = Callable[..., AppTest]


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeService:
    """The service that the pages see; runs end at once."""
    service = FakeService()
    monkeypatch.setattr(cache, "service", lambda: service)
    return service


@pytest.fixture(autouse=True)
def fresh_caches() -> Iterator[None]:
    """Nothing cached for one test is seen by the next."""
    st.cache_resource.clear()
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


@pytest.fixture
def open_app(fake: FakeService) -> OpenApp:
    """open_app(page="", locale="zh-CN", theme="light", **query) -> AppTest after its first run."""

    def opened(page: str = "", *, locale: str = "zh-CN", theme: str = "light", **query: str) -> AppTest:
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)
        app.context = {"locale": locale, "theme": theme}
        for name, value in query.items():
            app.query_params[name] = value
        app.run()
        if page:
            app.switch_page(page)
            for name, value in query.items():
                app.query_params[name] = value
            app.run()
        assert not app.exception, [e.message for e in app.exception]
        return app

    return opened
