"""The health page in depth: map, filters in the URL, mutes, history, and the way to a question."""

from __future__ import annotations

from datetime import date

import pytest

from askcore.base.errors import LakeError
from askcore.base.values import Verdict
from pages.ui import health_map
from tests.fakes.service import AS_OF, FakeService, _heatmap
from tests.pages.conftest import OpenApp
from tests.pages.test_ask_page import words

HEALTH = "pages/lake/health.py"


def labels(app) -> list[str]:
    return [e.label for e in app.expander]


def test_the_url_narrows_to_check_entity_and_day(open_app: OpenApp) -> None:
    app = open_app(HEALTH, check="missing_days", entity="S04", day="2026-10-16")
    (one,) = labels(app)
    assert "缺日" in one
    assert "余杭店" in words(app)
    assert "1 项" in words(app)


@pytest.mark.parametrize(
    ("name", "value"), [("check", "no_such"), ("entity", "S99"), ("day", "2020-01-01"), ("day", "rubbish")]
)
def test_a_filter_that_finds_nothing_says_so_and_can_be_cleared(
    open_app: OpenApp, name: str, value: str
) -> None:
    app = open_app(HEALTH, **{name: value})
    if value == "rubbish":
        assert len(labels(app)) > 1
        return
    assert labels(app) == []
    assert "没有符合筛选的检查结果" in words(app)
    app.button(key="health.clear").click().run()
    assert len(labels(app)) > 1


def test_a_menu_writes_the_url(open_app: OpenApp) -> None:
    app = open_app(HEALTH)
    app.selectbox(key="url.check").set_value("missing_days").run()
    assert app.query_params["check"] == "missing_days"
    assert len(labels(app)) == 1


def test_an_issue_names_impact_and_since_when(open_app: OpenApp) -> None:
    app = open_app(HEALTH)
    assert any(r"2 / 186" in one.replace("\\", "") for one in labels(app))
    app.session_state["health-3-v6"] = True
    app.run()
    assert "自版本 2 起" in words(app)


def test_a_mute_is_set_with_its_reason_and_ended(open_app: OpenApp, fake: FakeService) -> None:
    app = open_app(HEALTH)
    app.session_state["health-3-v6"] = True
    app.session_state["mute-missing_days-open"] = True
    app.run()
    app.text_input(key="mute-missing_days-reason").set_value("补数中")
    app.selectbox(key="mute-missing_days-days").set_value(14)
    app.button(key="mute-missing_days-now").click().run()
    assert not app.exception
    (mute,) = fake.muted
    assert (mute.check, mute.reason, dict(mute.key)) == ("missing_days", "补数中", {})
    assert (mute.until - AS_OF).days == 13
    assert any("已静音" in one and "缺日" in one for one in labels(app))
    muted = open_app(HEALTH, view="muted")
    assert "补数中" in words(muted)
    muted.button(key="unmute-all-m1").click().run()
    assert fake.muted == []
    assert "没有静音的问题" in words(muted)


def test_a_mute_without_a_reason_is_refused_with_the_way_out(open_app: OpenApp, fake: FakeService) -> None:
    app = open_app(HEALTH)
    app.session_state["health-3-v6"] = True
    app.session_state["mute-missing_days-open"] = True
    app.run()
    app.button(key="mute-missing_days-now").click().run()
    assert fake.muted == []
    assert "write why" in words(app)


def test_history_tells_what_appeared_and_what_was_mended(open_app: OpenApp) -> None:
    app = open_app(HEALTH, view="history")
    first, second = labels(app)
    assert "版本 3" in first
    assert "新出现 1" in first
    assert "已修复 1" in first
    assert "首次检查" in second
    app.session_state["history-3"] = True
    app.run()
    assert list(app.dataframe[0].value["变化"]) == ["新出现", "已修复"]
    assert "未评估" in words(app)
    assert "空值" in words(app)


@pytest.mark.parametrize(
    ("name", "view", "said"),
    [("health_heatmap", "issues", "热力图没有完成"), ("health_history", "history", "读不到历史")],
)
def test_a_part_that_fails_leaves_the_rest(
    open_app: OpenApp, fake: FakeService, name: str, view: str, said: str
) -> None:
    fake.fail_with[name] = LakeError("disk gone", hint="mount it")
    app = open_app(HEALTH, view=view)
    assert said in words(app)
    assert "mount it" in words(app)
    assert len(app.metric) == 4
    if view == "issues":
        assert labels(app)


def test_asking_about_an_issue_starts_a_conversation_of_its_days(
    open_app: OpenApp, fake: FakeService
) -> None:
    app = open_app(HEALTH)
    app.session_state["health-3-v6"] = True
    app.run()
    app.button(key="ask-v6").click().run()
    assert not app.exception
    assert fake.submitted[-1]["question"] == "2026-10-16到2026-10-17有没有漏数？"


def test_hostile_names_stay_text(open_app: OpenApp, fake: FakeService) -> None:
    name = "<img src=x onerror=alert(1)> [x](javascript:1) **b** $x^2$ :red[y]"
    fake.findings = (
        Verdict(
            id="v1", kind="quality", check="dup_keys", status="fail", n_checked=3, n_bad=1, note=name,
            keys=({"date": "2026-10-16", "shopId": name},),
        ),
    )  # fmt: skip
    app = open_app(HEALTH)
    (one,) = labels(app)
    assert "\\<img" in one
    assert "\\]\\(javascript" in one


def test_the_map_draws_signs_beside_colours_and_escapes_labels() -> None:
    found = _heatmap(health_map.Period(start=date(2026, 10, 11), end=date(2026, 10, 17)))
    names = {"shop:S04": "<b>余杭</b>店"}
    shown = health_map.figure(found, "shop", names, dark=False, chosen="shop:S04|2026-10-16")
    ground, marks = shown.data
    assert ground.z.shape == (6, 7)
    assert list(marks.marker.symbol) == list("x") or marks.marker.symbol == "x"
    assert list(marks.customdata[0]) == ["shop:S04", "2026-10-16"]
    assert "&lt;b&gt;" in shown.layout.yaxis.ticktext[3]
    assert len(shown.layout.shapes) == 1
    day = found.period.start
    assert ground.z[3][(date(2026, 10, 16) - day).days] == health_map.LEVELS["fail"]


def test_widgets_that_a_browser_sends_as_unset_leave_the_url(open_app: OpenApp) -> None:
    app = open_app(HEALTH, period="7", check="missing_days")
    app.session_state["url.period"] = None
    app.selectbox(key="url.check").set_value("").run()
    assert app.query_params["period"] == "7"
    assert app.query_params["check"] == "missing_days"
    app.selectbox(key="url.check").set_value("").run()
    assert "check" not in app.query_params
