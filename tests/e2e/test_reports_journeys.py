"""The reports page in a real browser over the demo lake: from an answer to files that can be verified."""

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
SLOW_MS = 90_000


def file_of(page: Page, name: str) -> bytes:
    with page.expect_download(timeout=SLOW_MS) as waiting:
        page.get_by_role("button", name=name, exact=True).click()
    return Path(waiting.value.path()).read_bytes()


def test_from_an_answer_to_a_verified_report(opened: tuple[Page, Seen], tmp_path: Path) -> None:
    page, seen = opened
    page.goto("/")
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill("上周各品牌营业额")
    box.press("Enter")
    page.get_by_role("link", name="本期报告").click()
    page.wait_for_url("**/reports**from=2026-10-05**")
    page.get_by_role("button", name="生成报告").click()
    expect(page.get_by_test_id("stProgress")).to_be_visible()
    report = page.get_by_role("button", name="悦食餐饮经营周报")
    expect(report).to_be_visible(timeout=SLOW_MS)
    report.click()
    page.wait_for_url("**report=p**")
    expect(page.get_by_text("项核验未通过").first).to_be_visible()
    page.get_by_role("button", name="下移").first.click()
    outline = page.get_by_test_id("stCheckbox")
    expect(outline.nth(1)).to_contain_text("总览")
    html = file_of(page, "HTML")
    assert "悦食餐饮经营周报" in html.decode()
    assert file_of(page, "PDF")[:5] == b"%PDF-"
    page.get_by_role("button", name="重新核对数字").click()
    expect(page.get_by_text("0 个已变，0 个算不出")).to_be_visible(timeout=SLOW_MS)
    page.reload()
    expect(outline.nth(1)).to_contain_text("总览")
    page.get_by_role("button", name="全部报告").click()
    page.get_by_text("核对一份 HTML 报告").first.click()
    file = tmp_path / "report.html"
    file.write_bytes(html)
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_text("0 个已变，0 个算不出")).to_be_visible(timeout=SLOW_MS)
    other = tmp_path / "other.html"
    other.write_bytes(b"<html>nothing</html>")
    page.locator("input[type=file]").set_input_files(other)
    expect(page.get_by_text("没能核对这份报告")).to_be_visible(timeout=SLOW_MS)
    assert seen.external == []
    assert seen.errors == []


def test_the_page_is_operated_by_keyboard(opened: tuple[Page, Seen]) -> None:
    page, seen = opened
    page.goto("/reports?kind=health")
    make = page.get_by_role("button", name="生成报告")
    expect(make).to_be_visible()
    reached = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.add(
            page.evaluate("document.activeElement.innerText || document.activeElement.ariaLabel || ''")
        )
    said = " ".join(reached)
    for control in ("数据体检", "选项", "生成报告", "核对一份 HTML 报告"):
        assert control in said, control
    make.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="数据体检报告").first).to_be_visible(timeout=SLOW_MS)
    assert seen.errors == []
