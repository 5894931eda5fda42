"""Lake overview, explorer and data health, over the fake service."""

from __future__ import annotations

import json
from datetime import date

import pytest

from askcore.base.errors import BadRequest, LakeError
from askcore.base.values import Verdict
from tests.fakes.service import FakeService
from tests.pages.conftest import OpenApp
from tests.pages.test_ask_page import words

OVERVIEW = "pages/lake/overview.py"
HEALTH = "pages/lake/health.py"


def test_overview_names_size_range_and_demo_clock(open_app: OpenApp) -> None:
    app = open_app(OVERVIEW)
    assert [m.value for m in app.metric] == ["12.8 万", "9", "382", "3"]
    assert "演示数据 · 时钟 2026-10-18" in words(app)
    assert list(app.dataframe[0].value.columns) == ["层级", "编号", "名称", "首日", "末日"]


def test_overview_says_what_its_small_figures_are(open_app: OpenApp) -> None:
    assert "其中 2026-10 有 11,444 行" in words(open_app(OVERVIEW))
    assert "11,444 rows in 2026-10" in words(open_app(OVERVIEW, locale="en-GB"))


def test_overview_in_english(open_app: OpenApp) -> None:
    app = open_app(OVERVIEW, locale="en-GB")
    assert app.metric[0].value == "128.5K"
    assert app.title[0].value == "Lake overview"


def test_metric_catalogue_is_searchable(open_app: OpenApp) -> None:
    app = open_app(OVERVIEW, view="metrics")
    assert len(app.dataframe[0].value) == 4
    app.text_input(key="metrics.search").set_value("gmv").run()
    assert list(app.dataframe[0].value["键"]) == ["grossAmt"]


def test_sync_log_is_a_view_in_the_url(open_app: OpenApp) -> None:
    app = open_app(OVERVIEW, view="sync")
    assert "连接超时，已重试" in list(app.dataframe[0].value["说明"])


def test_messages_of_the_source_are_marked_as_its_own_words(open_app: OpenApp) -> None:
    assert "“说明”一列是来源系统的原文" in words(open_app(OVERVIEW, view="sync"))
    english = open_app(OVERVIEW, view="sync", locale="en-GB")
    assert "连接超时，已重试" in list(english.dataframe[0].value["Message"])
    assert "the source system's own words" in words(english)


def test_states_and_units_are_in_the_language_on_screen(open_app: OpenApp) -> None:
    assert "失败" in list(open_app(OVERVIEW, view="sync").dataframe[0].value["状态"])
    assert list(open_app(OVERVIEW, view="metrics").dataframe[0].value["单位"]) == ["元", "单", "比率", "倍"]
    english = open_app(OVERVIEW, view="metrics", locale="en-GB")
    assert list(english.dataframe[0].value["Unit"]) == ["CNY", "orders", "ratio", "times"]


def test_unknown_view_falls_back(open_app: OpenApp) -> None:
    app = open_app(OVERVIEW, view="nonsense")
    assert "编号" in app.dataframe[0].value.columns


def test_explorer_reads_the_reading_from_the_url(open_app: OpenApp) -> None:
    reading = json.dumps({"metrics": ["validOrderCnt"], "period": {"from": "2026-10-01", "to": "2026-10-05"}})
    app = open_app(OVERVIEW, reading=reading)
    assert app.multiselect[0].value == ["validOrderCnt"]
    assert app.date_input[0].value == (date(2026, 10, 1), date(2026, 10, 5))
    assert app.dataframe[0].value["下单率"].iloc[0] == pytest.approx(23.15)
    assert "范围已调整" in words(app)


def test_explorer_writes_the_edited_reading_into_the_url(open_app: OpenApp) -> None:
    app = open_app(OVERVIEW, view="explore")
    app.multiselect[0].set_value(["orderRate"])
    app.button(key="explore.run").click().run()
    assert not app.exception
    assert json.loads(app.query_params["reading"])["metrics"] == ["orderRate"]


def test_explorer_survives_a_damaged_link(open_app: OpenApp) -> None:
    for text in (
        "{",
        "[" * 20_000,
        "[1]",
        '{"metrics": 3}',
        '{"metrics": [], "period": {"from": "x", "to": "y"}}',
    ):
        app = open_app(OVERVIEW, reading=text)
        assert "链接里的查询无法使用" in words(app)
        assert len(app.dataframe) == 1


def test_explorer_shows_a_failed_query(open_app: OpenApp, fake: FakeService) -> None:
    fake.fail_with["explore"] = BadRequest("unknown metric 'x'", hint="grossAmt")
    shown = words(open_app(OVERVIEW, view="explore"))
    assert "查询没有成功" in shown
    assert "grossAmt" in shown


def test_health_lists_failures_first_and_hides_passes(open_app: OpenApp) -> None:
    app = open_app(HEALTH)
    assert [m.value for m in app.metric] == ["2", "2", "1", "3"]
    labels = [e.label for e in app.expander]
    assert len(labels) == 5
    assert "未通过" in labels[0]
    assert "重复行" in labels[0]
    assert "未检" in labels[-1]


def test_health_marks_a_chinese_sentence_on_an_english_page(open_app: OpenApp, fake: FakeService) -> None:
    quoting = "1 sync failed: 余杭店 10-14; 源接口超时，未写入任何数据"
    fake.findings = (
        Verdict(id="v1", kind="freshness", check="sync_log", status="warn", n_checked=9, note=quoting),
        Verdict(id="v2", kind="quality", check="nulls", status="warn", n_checked=9, note="2 rows: 余杭店"),
    )
    labels = [e.label for e in open_app(HEALTH, locale="en-GB").expander]
    assert ["quotes source text" in label for label in labels] == [True, False]
    assert not any("原文" in e.label for e in open_app(HEALTH).expander)


def test_health_evidence_is_drawn_only_when_opened(open_app: OpenApp) -> None:
    app = open_app(HEALTH)
    assert len(app.code) == 0
    app.session_state["health-3-v5"] = True
    app.run()
    assert "SELECT" in app.code[0].value
    assert list(app.dataframe[0].value["shopId"]) == ["S01"]
    assert "向来源核对后重新导入" in words(app)


def test_health_period_and_filter_are_in_the_url(open_app: OpenApp) -> None:
    app = open_app(HEALTH, period="7", show="pass")
    assert "2026-10-11 → 2026-10-17" in words(app)
    assert len(app.expander) == 3


def test_health_custom_range_is_cut_to_the_data(open_app: OpenApp) -> None:
    app = open_app(HEALTH, period="custom", range="2020-01-01_2026-01-05")
    assert "2025-10-01 → 2026-01-05" in words(app)
    assert "2026-09-20 → 2026-10-17" in words(open_app(HEALTH, period="custom", range="rubbish"))


def test_health_without_findings_is_no_silent_green(open_app: OpenApp, fake: FakeService) -> None:
    app = open_app(HEALTH, show="none")
    assert "没有符合筛选的检查结果" in words(app)


def test_health_error_says_what_to_do(open_app: OpenApp, fake: FakeService) -> None:
    fake.fail_with["health"] = LakeError("scan failed", hint="shorten the period")
    shown = words(open_app(HEALTH))
    assert "检查没有完成" in shown
    assert "shorten the period" in shown


def test_pages_of_an_empty_lake(open_app: OpenApp, fake: FakeService) -> None:
    fake.empty = True
    for page in (OVERVIEW, HEALTH):
        assert "askcore demo" in open_app(page).code[0].value
