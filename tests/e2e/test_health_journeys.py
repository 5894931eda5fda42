"""The health page in a real browser over the demo lake: link, map, issue, mute, question."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.test_browser_journeys import CHROMIUM, Seen, browser, real_server, tab

__all__ = ["browser", "real_server"]
pytestmark = [
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason="needs Chromium"),
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture
def opened(browser: Browser, real_server: str) -> Iterator[tuple[Page, Seen]]:
    """A tab whose links are paths of the server, high enough for the list below the map."""
    with tab(browser, real_server, height=1400) as (page, seen):
        yield page, seen


def issue(page: Page, text: str) -> Locator:
    return page.locator("[data-testid=stExpander]").filter(has_text=text)


def test_from_link_to_mark_to_mute_and_back(opened: tuple[Page, Seen]) -> None:
    page, seen = opened
    page.goto("/health?check=missing_days&period=30")
    expect(issue(page, "缺日")).to_have_count(1)
    expect(issue(page, "全零行")).to_have_count(0)
    page.get_by_role("button", name="清除筛选").click()
    expect(issue(page, "全零行")).to_have_count(1)
    mark = page.locator(".scatterlayer .point").first
    expect(mark).to_be_visible()
    box = mark.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_url("**entity=shop*")
    page.wait_for_url("**day=2026-10-**")
    one = issue(page, "全零行")
    expect(one).to_have_count(1)
    expect(issue(page, "缺日")).to_have_count(0)
    one.locator("summary").click()
    one.get_by_test_id("stPopover").get_by_role("button").click()
    page.get_by_label("原因").fill("已在补数")
    page.get_by_test_id("stFormSubmitButton").get_by_role("button").click()
    expect(one).to_contain_text("已静音")
    page.get_by_role("radio", name="已静音").click()
    expect(page.get_by_text("已在补数")).to_be_visible()
    page.get_by_role("button", name="取消静音").click()
    expect(page.get_by_text("没有静音的问题")).to_be_visible()
    assert seen.external == []
    assert seen.errors == []


def test_asking_about_an_issue_lands_in_a_conversation(opened: tuple[Page, Seen]) -> None:
    page, seen = opened
    page.goto("/health?check=missing_days&period=30")
    one = issue(page, "缺日")
    one.locator("summary").click()
    page.get_by_role("button", name="就此提问").click()
    page.wait_for_url("**session=**")
    expect(page.get_by_text("缺少 1 行").first).to_be_visible()
    assert seen.errors == []


def test_every_control_can_be_reached_by_keyboard(opened: tuple[Page, Seen]) -> None:
    page, _ = opened
    page.goto("/health?period=30")
    expect(issue(page, "全零行")).to_have_count(1)
    reached: set[str] = set()
    for _ in range(70):
        page.keyboard.press("Tab")
        reached.add(
            page.evaluate(
                "(() => { const e = document.activeElement;"
                " return (e.getAttribute('aria-label') || e.innerText || e.tagName).trim().replaceAll('\\n', ' ') })()"
            )
        )
    text = " | ".join(reached)
    for control in ("近 7 天", "问题", "未通过", "检查", "对象", "日期", "全零行", "缺日", "English"):
        assert any(control in one for one in reached), f"{control} not in {text}"
