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


def contrast(one: str, other: str) -> float:
    """WCAG contrast of two #rrggbb colours."""

    def luminance(color: str) -> float:
        parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def mixed(color: str, ground: str, share: float) -> str:
    """A colour laid over another at an opacity."""
    parts = [(int(color[i : i + 2], 16), int(ground[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(share * c + (1 - share) * g):02x}" for c, g in parts)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_captions_and_picked_choices_are_readable(mode: str) -> None:
    import tomllib

    config = serve.FRAME.parent / ".streamlit" / "config.toml"
    theme = tomllib.loads(config.read_text(encoding="utf-8"))["theme"][mode]
    for ground in (theme["backgroundColor"], theme["secondaryBackgroundColor"]):
        assert contrast(mixed(theme["textColor"], ground, 0.6), ground) >= 4.5
    tinted = mixed(theme["primaryColor"], theme["backgroundColor"], 0.1)
    assert contrast(theme["primaryColor"], tinted) >= 4.5
    assert contrast("#ffffff", theme["primaryColor"]) >= 3.5
