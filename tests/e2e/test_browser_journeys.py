"""Whole journeys in Chromium against the server that users start.

Journeys that need a run to last use the fake service, which holds it until the test lets it go; the
others run against both. A test waits on what the page shows, never on time: WAIT_MS only bounds how
long a loaded machine may take.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = "/usr/bin/chromium"
ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-quic",
    "--no-first-run",
    "--disable-component-update",
    "--disable-sync",
]
OWN_PROBES = re.compile(r"/_stcore/(health|host-config)")
QUESTION = "上周各门店营业额和下单率怎么样，和前一周比"
DONE = re.compile(r"已完成 \d+ 步")
WAIT_MS = 60_000
START_S = 120
HELD = "!hold 上周营业额为什么下降"

pytestmark = [
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason="needs Chromium"),
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
]


@dataclass(slots=True)
class Seen:
    """What a page did beside showing itself."""

    external: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def serving(script: str, home: Path) -> Iterator[str]:
    """The address of a fresh server process."""
    port = free_port()
    env = {k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy")}
    command = [sys.executable, "-m", "streamlit", "run", str(ROOT / script)]
    with (home / "server.log").open("wb") as log:
        server = subprocess.Popen(
            [*command, "--server.port", str(port), "--server.address", "127.0.0.1"],
            cwd=ROOT,
            env={**env, "ASKCORE_HOME": str(home)},
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            wait_until_healthy(port, server)
            yield f"http://127.0.0.1:{port}"
        finally:
            os.killpg(server.pid, signal.SIGTERM)
            server.wait(timeout=START_S)


def wait_until_healthy(port: int, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        assert server.poll() is None, "the server ended"
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=2):
                return
        except OSError:
            time.sleep(0.2)
    raise AssertionError("the server did not become healthy")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=WAIT_MS)
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        yield found
        found.close()


@pytest.fixture(scope="module")
def fake_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving("tests/fakes/serve_fake.py", tmp_path_factory.mktemp("fake")) as address:
        yield address


@pytest.fixture(scope="module")
def real_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    home = tmp_path_factory.mktemp("real")
    subprocess.run(
        [sys.executable, "-m", "askcore", "demo"],
        cwd=ROOT,
        env={**os.environ, "ASKCORE_HOME": str(home)},
        check=True,
        capture_output=True,
        timeout=300,
    )
    with serving("serve.py", home) as address:
        yield address


@pytest.fixture(params=["fake_server", "real_server"])
def server(request: pytest.FixtureRequest) -> str:
    return str(request.getfixturevalue(request.param))


@contextmanager
def tab(
    browser: Browser,
    address: str,
    *,
    locale: str = "zh-CN",
    width: int = 1440,
    height: int = 900,
    dark: bool = False,
) -> Iterator[tuple[Page, Seen]]:
    context = browser.new_context(
        viewport={"width": width, "height": height},
        base_url=address,
        locale=locale,
        timezone_id="Asia/Shanghai",
        color_scheme="dark" if dark else "light",
    )
    page, seen = context.new_page(), Seen()
    page.set_default_timeout(WAIT_MS)
    page.on("request", lambda r: None if is_local(r.url, address) else seen.external.append(r.url))
    page.on("pageerror", lambda e: seen.errors.append(str(e)))
    page.on(
        "console",
        lambda m: (
            seen.errors.append(f"{m.text} {m.location.get('url', '')}")
            if m.type == "error" and not OWN_PROBES.search(m.location.get("url", ""))
            else None
        ),
    )
    try:
        yield page, seen
    finally:
        context.close()


def is_local(url: str, address: str) -> bool:
    return url.startswith((address, address.replace("http", "ws", 1), "data:", "blob:"))


def ask(page: Page, question: str = QUESTION) -> None:
    box = page.get_by_test_id("stChatInputTextArea")
    expect(box).to_be_enabled()
    box.fill(question)
    box.press("Enter")


def release(page: Page, address: str) -> None:
    """Let the held runs of the fake service go on."""
    assert page.request.get(f"{address}/fake/release").ok


def settled(page: Page) -> None:
    """Until no script runs and nothing is still loading."""
    expect(page.locator("[data-testid=stApp][data-test-script-state=notRunning]")).to_be_visible()
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)


def expect_running(page: Page) -> None:
    expect(page.get_by_role("button", name=re.compile("停止"))).to_be_visible()
    expect(page.get_by_test_id("stChatInputTextArea")).to_be_disabled()


def expect_done(page: Page) -> None:
    expect(page.get_by_text(DONE).last).to_be_visible()
    expect(page.get_by_test_id("stPlotlyChart").last).to_be_visible()
    expect(page.get_by_test_id("stChatInputTextArea")).to_be_enabled()


def scrolls_sideways(page: Page) -> bool:
    return bool(
        page.evaluate(
            "[document.scrollingElement, document.querySelector('main')]"
            ".some(e => e && e.scrollWidth > e.clientWidth + 1)"
        )
    )


CUT_TEXTS = """[...document.querySelectorAll('main p, main [data-testid=stMetricValue]')]
    .filter(e => e.offsetParent && !e.closest('button, summary, [role=radio]'))
    .filter(e => { for (let n = e; n && n.tagName != 'MAIN'; n = n.parentElement) {
        if (getComputedStyle(n).textOverflow == 'ellipsis' && n.scrollWidth > n.clientWidth + 1) return true
    } return false })
    .map(e => e.innerText)"""
"""Texts in the page that end in an ellipsis for want of room."""

WATCH_FRAMES = """() => { window.seen = []
    const look = () => {
        const title = [...document.querySelectorAll('h1')].some(e => e.innerText.includes('今天想看什么'))
        const turns = document.querySelectorAll('[data-testid=stChatMessage]').length
        window.seen.push(`${title ? 'welcome' : ''} ${turns ? 'turn' : ''}`.trim())
        requestAnimationFrame(look)
    }; look() }"""
"""Notes for every frame which of the welcome and a turn the page shows."""

FOCUSED = """async () => { const look = e => { const found = []
        for (let n = e, i = 0; n && i < 4; n = n.parentElement, i++) { const s = getComputedStyle(n)
            found.push(s.outlineStyle, s.outlineWidth, s.boxShadow, s.borderColor, s.backgroundColor) }
        return found.join() }
    const e = document.activeElement
    const name = e.getAttribute('aria-label') || e.placeholder || e.innerText
    const focused = look(e)
    e.blur()
    const frame = () => new Promise(done => requestAnimationFrame(done))
    for (let n = 0; n < 100 && look(e) == focused; n++) await frame()
    const shows = look(e) != focused || e.tagName == 'MAIN'
    e.focus()
    for (let n = 0; n < 100 && look(e) != focused; n++) await frame()
    return {name: name.replace(/\\s+/g, ' ').trim(), shows} }"""
"""The name of the focused element, and whether it looks other than without the focus."""


def test_question_is_answered_with_verdicts_and_provenance(browser: Browser, server: str) -> None:
    with tab(browser, server) as (page, seen):
        page.goto(server)
        ask(page)
        expect_done(page)
        expect(page.get_by_text("核验", exact=True)).to_be_visible()
        page.get_by_test_id("stPopoverButton").filter(has_text=re.compile(r"溯源 \d+/\d+")).click()
        expect(page.get_by_text(re.compile("答案里的每个数字|有数字没有可靠来源"))).to_be_visible()
        expect(page).to_have_url(re.compile("session=.*run="))
        assert seen == Seen()


def test_run_goes_on_over_a_reload_and_in_a_second_tab(browser: Browser, fake_server: str) -> None:
    with tab(browser, fake_server) as (page, seen), tab(browser, fake_server) as (second, _):
        page.goto(fake_server)
        ask(page, f"reload: {HELD}")
        expect_running(page)
        page.reload()
        expect_running(page)
        second.goto(page.url)
        expect_running(second)
        release(page, fake_server)
        expect_done(page)
        expect_done(second)
        assert page.get_by_text(DONE).count() == 1
        assert seen == Seen()


def test_opened_step_stays_open_until_the_run_is_done(browser: Browser, fake_server: str) -> None:
    thought = "先确认“营业额”“下单率”的口径"
    with tab(browser, fake_server) as (page, _):
        page.goto(fake_server)
        ask(page, f"steps: {HELD}")
        page.get_by_text(re.compile("第 2 步")).first.click()
        page.get_by_text("检索指标与字段").click()
        expect(page.get_by_text(thought, exact=True)).to_be_visible()
        release(page, fake_server)
        expect_done(page)
        expect(page.get_by_text(thought, exact=True)).to_be_visible()


def test_escape_stops_the_run(browser: Browser, fake_server: str) -> None:
    with tab(browser, fake_server) as (page, seen):
        page.goto(fake_server)
        ask(page, f"stop: {HELD}")
        expect_running(page)
        page.keyboard.press("Escape")
        expect(page.get_by_text("已停止。已完成的步骤保留在上面。")).to_be_visible()
        expect(page.get_by_test_id("stChatInputTextArea")).to_be_enabled()
        expect(page.get_by_role("button", name="再问一次")).to_be_visible()
        assert seen == Seen()


def test_other_session_is_free_while_a_run_works(browser: Browser, fake_server: str) -> None:
    with tab(browser, fake_server) as (page, _):
        page.goto(fake_server)
        ask(page, f"switch: {HELD}")
        expect_running(page)
        page.get_by_role("button", name="新建").click()
        expect(page.get_by_test_id("stChatInputTextArea")).to_be_enabled()
        page.get_by_role("link", name="数据健康").click()
        expect(page.get_by_role("heading", name="数据健康")).to_be_visible()
        page.get_by_role("link", name="智能问数").click()
        expect(page.get_by_text("今天想看什么？")).to_be_visible()
        page.get_by_role("button", name=re.compile("switch")).first.click()
        expect_running(page)
        release(page, fake_server)
        expect_done(page)


def test_follow_up_chip_asks_the_next_question(browser: Browser, server: str) -> None:
    with tab(browser, server) as (page, seen):
        page.goto(server)
        ask(page)
        expect_done(page)
        chip = page.locator("[class*='st-key-follow-'] button").first
        question = chip.inner_text().splitlines()[-1]
        chip.click()
        expect(page.get_by_test_id("stChatMessage").filter(has_text=question)).to_be_visible()
        expect(page.get_by_text(DONE)).to_have_count(2)
        assert seen == Seen()


def test_edited_chip_asks_again(browser: Browser, server: str) -> None:
    with tab(browser, server) as (page, seen):
        page.goto(server)
        ask(page)
        expect_done(page)
        settled(page)
        chip = page.locator("[class*='st-key-chip-'][class*='-metrics'] button").first
        page.mouse.move(700, 400)
        for _ in range(3):  # by hand: until then the page follows its end, which grows while it is drawn
            page.mouse.wheel(0, -5000)
            page.wait_for_timeout(300)
        expect(chip).to_be_in_viewport(ratio=1)
        chip.click()
        page.get_by_role("button", name="按此重问").click()
        expect(page.get_by_test_id("stChatMessage")).to_have_count(2)
        expect(page.get_by_text(DONE)).to_have_count(2)
        assert seen == Seen()


def test_deleting_a_running_session_stops_it(browser: Browser, fake_server: str) -> None:
    with tab(browser, fake_server) as (page, _):
        page.goto(fake_server)
        ask(page, f"delete: {HELD}")
        expect_running(page)
        page.get_by_test_id("stMenuButtonButton").first.click()
        page.get_by_text("删除会话").click()
        page.get_by_role("button", name="确认删除").click()
        expect(page.get_by_text("今天想看什么？")).to_be_visible()
        expect(page.get_by_role("button", name=re.compile("delete"))).to_have_count(0)
        expect(page).not_to_have_url(re.compile("session="))


def test_ask_has_an_address_of_its_own(browser: Browser, server: str) -> None:
    with tab(browser, server) as (page, seen):
        page.goto(server)
        ask(page)
        expect_done(page)
        link = page.url.replace("/?", "/ask?")
    with tab(browser, server) as (page, seen):
        page.goto(link)
        expect_done(page)
        expect(page.get_by_test_id("stChatMessage")).to_have_count(1)
        expect(page).to_have_url(re.compile("session=.*run="))
        expect(page.get_by_role("dialog")).to_have_count(0)
        assert seen == Seen()


def test_welcome_never_stands_beside_a_turn(browser: Browser, fake_server: str) -> None:
    with tab(browser, fake_server) as (page, _):
        page.goto(fake_server)
        settled(page)
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 6})
        page.evaluate(WATCH_FRAMES)
        ask(page, f"welcome: {HELD}")
        expect_running(page)
        shown = set(page.evaluate("window.seen"))
        page.keyboard.press("Escape")
        expect(page.get_by_test_id("stChatInputTextArea")).to_be_enabled()
    assert {"welcome", "turn"} <= shown
    assert "welcome turn" not in shown


def test_tab_follows_the_screen_and_the_focus_shows(browser: Browser, fake_server: str) -> None:
    stops = [
        "智能问数",
        "数据健康",
        "English",
        "搜索会话",
        "新建",
        "上周各门店营业额",
        "问一个关于你数据的问题…",
    ]
    with tab(browser, fake_server) as (page, _):
        page.goto(fake_server)
        settled(page)
        page.add_style_tag(content="* { transition: none !important }")
        found: list[dict[str, Any]] = []
        while not found or stops[-1] not in found[-1]["name"]:
            page.keyboard.press("Tab")
            found.append(page.evaluate(FOCUSED))
            assert len(found) < 150, [one["name"] for one in found]
    names = [one["name"] for one in found]
    places = [next(i for i, name in enumerate(names) if name.endswith(stop)) for stop in stops]
    assert places == sorted(places), names
    assert [one["name"] for one in found if not one["shows"]] == []


def test_cold_deep_link_runs_the_frame(browser: Browser, tmp_path: Path) -> None:
    with (
        serving("tests/fakes/serve_fake.py", tmp_path) as address,
        tab(browser, address) as (page, seen),
    ):
        response = page.goto(f"{address}/health?period=7")
        assert response is not None
        assert "default-src 'self'" in response.headers["content-security-policy"]
        expect(page.get_by_role("heading", name="数据健康")).to_be_visible()
        expect(page.get_by_role("link", name="智能问数")).to_be_visible()
        expect(page.get_by_text("English")).to_be_visible()
        expect(page.get_by_role("dialog")).to_have_count(0)
        assert seen == Seen()


def test_cold_deep_link_into_an_empty_lake_says_how_to_fill_it(browser: Browser, tmp_path: Path) -> None:
    with serving("serve.py", tmp_path) as address, tab(browser, address) as (page, seen):
        page.goto(f"{address}/health")
        expect(page.get_by_text("数据湖里还没有数据")).to_be_visible()
        expect(page.get_by_role("link", name="智能问数")).to_be_visible()
        expect(page.get_by_role("dialog")).to_have_count(0)
        assert seen == Seen()


def test_language_follows_the_browser_and_switches(browser: Browser, server: str) -> None:
    with tab(browser, server, locale="en-US") as (page, seen):
        page.goto(server)
        expect(page.get_by_text("What would you like to know?")).to_be_visible()
        page.get_by_role("button", name="中文").click()
        expect(page.get_by_text("今天想看什么？")).to_be_visible()
        expect(page).to_have_url(re.compile("lang=zh"))
        page.get_by_role("link", name="数据健康").click()
        expect(page.get_by_role("heading", name="数据健康")).to_be_visible()
        page.reload()
        expect(page.get_by_role("heading", name="数据健康")).to_be_visible()
        assert seen == Seen()


def test_reading_opens_in_the_explorer(browser: Browser, server: str) -> None:
    with tab(browser, server) as (page, seen):
        page.goto(server)
        ask(page)
        expect_done(page)
        page.get_by_test_id("stPageLink").get_by_text("在数据探索中打开").click()
        expect(page.get_by_role("button", name="查询")).to_be_visible()
        expect(page.get_by_test_id("stDataFrame").first).to_be_visible()
        expect(page).to_have_url(re.compile("reading="))
        page.reload()
        expect(page.get_by_role("button", name="查询")).to_be_visible()
        assert seen == Seen()


@pytest.mark.parametrize("path", ["/", "/overview", "/overview?view=explore", "/health"])
def test_phone_width_needs_no_sideways_scroll(browser: Browser, server: str, path: str) -> None:
    with tab(browser, server, width=390, dark=True) as (page, seen):
        page.goto(server + path)
        if path == "/":
            ask(page)
            expect_done(page)
        else:
            expect(page.get_by_role("heading").first).to_be_visible()
            settled(page)
        assert not scrolls_sideways(page)
        assert seen == Seen()


@pytest.mark.parametrize("width", [390, 700, 1000, 1440])
@pytest.mark.parametrize("path", ["/overview", "/health"])
def test_no_text_is_cut_at_any_width(browser: Browser, real_server: str, path: str, width: int) -> None:
    with tab(browser, real_server, width=width, locale="en-US") as (page, _):
        page.goto(real_server + path)
        expect(page.get_by_test_id("stMetric").first).to_be_visible()
        settled(page)
        assert page.evaluate(CUT_TEXTS) == []


def test_titles_in_the_session_list_stand_at_the_left(browser: Browser, fake_server: str) -> None:
    with tab(browser, fake_server) as (page, _):
        page.goto(fake_server)
        for title in ("short", "!clarify a title that is longer than the sidebar is wide"):
            ask(page, title)
            expect(page.get_by_test_id("stChatMessage")).to_be_visible()
            expect(page.get_by_test_id("stChatInputTextArea")).to_be_enabled()
            expect(page.get_by_test_id("stMenuButtonButton").first).to_be_in_viewport(ratio=1)
            page.get_by_role("button", name="新建").click()
            expect(page.get_by_text("今天想看什么？")).to_be_visible()
        lines = page.locator("[class*='st-key-session-'] button")
        edges = {round(line.bounding_box()["x"]) for line in lines.all()}  # type: ignore[index]
        assert len(edges) == 1
