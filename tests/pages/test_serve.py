"""The server's wrapper: headers on every answer, the service stopped at the end."""

from __future__ import annotations

import asyncio

import pytest
from starlette.types import Message, Receive, Scope, Send

import serve
from tests.fakes.service import FakeService


async def _plain(_scope: Scope, _receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"x"})


async def _nothing() -> Message:
    return {"type": "http.request"}


def test_every_response_carries_the_policy() -> None:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(serve.SecurityHeaders(_plain)({"type": "http"}, _nothing, send))
    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    policy = headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "object-src 'none'" in policy
    assert "http:" not in policy.replace("https:", "")
    assert headers["x-content-type-options"] == "nosniff"
    assert sent[1]["body"] == b"x"


def test_service_is_stopped_with_the_server(fake: FakeService) -> None:
    async def live() -> None:
        async with serve.lifespan(serve.app):
            assert not fake.closed

    asyncio.run(live())
    assert fake.closed


def test_legacy_pages_discovery_is_off() -> None:
    from streamlit.runtime.pages_manager import PagesManager

    PagesManager.uses_pages_directory = None
    source = serve.FRAME.with_name("serve.py").read_text(encoding="utf-8")
    assert "PagesManager.uses_pages_directory = False" in source


@pytest.mark.parametrize(
    "name", ["gatherUsageStats = false", 'fileWatcherType = "none"', 'toolbarMode = "viewer"']
)
def test_shipped_config_is_quiet(name: str) -> None:
    config = serve.FRAME.parent / ".streamlit" / "config.toml"
    assert name in config.read_text(encoding="utf-8")


def test_every_palette_has_ten_colours() -> None:
    import tomllib

    config = serve.FRAME.parent / ".streamlit" / "config.toml"
    theme = tomllib.loads(config.read_text(encoding="utf-8"))["theme"]
    for mode in ("light", "dark"):
        assert len(theme[mode]["chartCategoricalColors"]) == 10
