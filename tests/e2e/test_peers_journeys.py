"""The peers page in a real browser over the demo lake."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_browser_journeys import CHROMIUM, Seen, browser, real_server
from tests.e2e.test_health_journeys import opened

__all__ = ["browser", "opened", "real_server"]
pytestmark = [
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason="needs Chromium"),
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
]


def test_from_link_to_shops_to_a_question(opened: tuple[Page, Seen]) -> None:
    page, seen = opened
    page.goto("/peers?metric=visitRate&period=14&shops=S0101")
    expect(page.get_by_text("进店率的周平均排名")).to_be_visible()
    expect(page.get_by_text("进店率的变化：大盘与自身")).to_be_visible()
    page.get_by_test_id("stButtonGroup").get_by_text("滨江店", exact=True).click()
    page.wait_for_url("**shops=S0101%2CS0203**")
    expect(page.locator(".legendtext", has_text="滨江店").first).to_be_visible()
    page.reload()
    expect(page.locator(".legendtext", has_text="滨江店").first).to_be_visible()
    page.get_by_role("button", name="就科技园店提问").click()
    page.wait_for_url("**session=**")
    expect(page.get_by_text("同行均值").first).to_be_visible()
    assert seen.external == []
    assert seen.errors == []
