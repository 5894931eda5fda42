"""The reports page over the fake service: make, watch, arrange, verify; hostile names do no harm."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from askcore.base.errors import LakeError
from askcore.base.reports import report_around
from askcore.base.restated import Restatement
from askcore.base.values import Period
from tests.fakes.reports import HOSTILE, WEEK, a_report
from tests.fakes.service import PERIOD, FakeService
from tests.pages.conftest import VIEWER, OpenApp
from tests.pages.test_ask_page import ask, words

REPORTS = "pages/reports/reports.py"
REPORT_ID = "p000000000001"


@pytest.fixture
def kept(fake: FakeService) -> FakeService:
    """A service with one report of the viewer of these tests."""
    fake.keep(a_report(), LOCAL)
    return fake


LOCAL = VIEWER


def key(app: AppTest, name: str) -> Any:
    return app.button(key=name)


def test_the_form_starts_with_the_newest_whole_week_and_makes_it(
    open_app: OpenApp, fake: FakeService
) -> None:
    app = open_app(REPORTS)
    assert app.date_input[0].value == (WEEK.start, WEEK.end)
    key(app, "reports.make").click().run()
    (asked,) = fake.started
    assert (asked["kind"], asked["period"], asked["lang"], asked["entity"]) == ("weekly", WEEK, "zh", None)
    assert "一饭集团经营周报" in [b.label for b in app.button]


def test_health_is_about_all_the_data(open_app: OpenApp, fake: FakeService) -> None:
    app = open_app(REPORTS, kind="health")
    key(app, "reports.make").click().run()
    assert fake.started[0]["kind"] == "health"
    assert fake.started[0]["period"] == PERIOD


def test_a_link_fills_the_form(open_app: OpenApp, fake: FakeService) -> None:
    app = open_app(REPORTS, kind="monthly", entity="E01", **{"from": "2026-09-01", "to": "2026-09-30"})
    key(app, "reports.make").click().run()
    asked = fake.started[0]
    assert (asked["kind"], asked["entity"]) == ("monthly", "E01")
    assert asked["period"] == Period.from_json({"from": "2026-09-01", "to": "2026-09-30"})


@pytest.mark.parametrize(
    "query",
    [
        {"kind": "<b>", "entity": "E99", "from": "x", "to": "2026-10-11"},
        {"from": "2026-10-11", "to": "2026-10-05"},
        {"from": "1999-01-01", "to": "1999-01-31"},
        {"report": "../../x"},
        {"report": "p999999999999"},
    ],
)
def test_garbage_in_the_url_falls_back(open_app: OpenApp, fake: FakeService, query: dict[str, str]) -> None:
    app = open_app(REPORTS, **query)
    assert app.date_input[0].value == (WEEK.start, WEEK.end)
    assert ("没有这份报告" in words(app)) is ("report" in query)


def test_options_reach_the_report(open_app: OpenApp, fake: FakeService) -> None:
    app = open_app(REPORTS)
    app.text_input(key="reports.new-title").set_value(" 给老板 ")
    app.toggle(key="reports.new-sql").set_value(True)
    key(app, "reports.make").click().run()
    options = fake.started[0]["options"]
    assert (options.title, options.sql, options.provenance) == ("给老板", True, True)


def test_a_report_under_way_shows_its_chapter_and_can_be_stopped(
    open_app: OpenApp, fake: FakeService
) -> None:
    fake.is_held = True
    app = open_app(REPORTS)
    key(app, "reports.make").click().run()
    assert "变化原因" in str([p.proto for p in app.get("progress")])
    key(app, "reports.stop-j1").click().run()
    assert "已停止" in words(app)
    key(app, "reports.dismiss-j1").click().run()
    assert "已停止" not in words(app)


def test_a_failed_report_says_why_and_a_refused_one_too(open_app: OpenApp, fake: FakeService) -> None:
    fake.fail_job(LOCAL)
    app = open_app(REPORTS, entity="E02")
    assert any("没有数据" in e.value for e in app.error)
    key(app, "reports.make").click().run()
    assert any("没有完整的一周" in e.value for e in app.error)


def test_nothing_made_yet_says_how(open_app: OpenApp) -> None:
    assert "还没有报告" in words(open_app(REPORTS))


def test_a_lake_that_cannot_be_read_says_so(open_app: OpenApp, fake: FakeService) -> None:
    fake.fail_with["overview"] = LakeError("磁盘坏了")
    app = open_app(REPORTS)
    assert any("磁盘坏了" in e.value for e in app.error)


# an open report -----------------------------------------------------------------------------------


def test_an_open_report_has_its_failures_first_and_every_block(open_app: OpenApp, kept: FakeService) -> None:
    app = open_app(REPORTS, report=REPORT_ID)
    (banner,) = app.error
    assert "1 项核验未通过" in banner.value
    shown = words(app)
    assert "6,003" in shown
    assert [m.value for m in app.metric] == ["6,003.00"]
    frames = [list(d.value.columns) for d in app.dataframe]
    assert ["门店", "营业额", "下单率"] in frames
    assert ["指标", "指标 2"] in frames
    assert "3 / 12 行" in shown
    assert len(app.get("plotly_chart")) == 1
    assert "secret_statement" not in str([c.value for c in app.code])


def test_only_open_sections_are_drawn(open_app: OpenApp, kept: FakeService) -> None:
    app = open_app(REPORTS, report=REPORT_ID)
    assert "内容2" not in words(app)
    app.session_state[f"reports.section-{REPORT_ID}-s2"] = True
    app.run()
    assert "内容2" in words(app)


def test_sections_are_moved_dropped_and_taken_back(open_app: OpenApp, kept: FakeService) -> None:
    app = open_app(REPORTS, report=REPORT_ID)
    key(app, "reports.move-1-s1").click().run()
    assert kept.kept[REPORT_ID][1].options.order == ("s2", "s1", "s3")
    app.checkbox(key=f"reports.keep-{REPORT_ID}-s2-True").uncheck().run()
    assert kept.kept[REPORT_ID][1].options.order == ("s1", "s3")
    app.checkbox(key=f"reports.keep-{REPORT_ID}-s2-False").check().run()
    assert kept.kept[REPORT_ID][1].options.order == ("s1", "s3", "s2")
    assert key(app, "reports.move--1-s1").disabled
    assert not app.exception


def test_the_last_section_cannot_be_dropped(open_app: OpenApp, kept: FakeService) -> None:
    app = open_app(REPORTS, report=REPORT_ID)
    for one in ("s2", "s3"):
        app.checkbox(key=f"reports.keep-{REPORT_ID}-{one}-True").uncheck().run()
    assert app.checkbox(key=f"reports.keep-{REPORT_ID}-s1-True").disabled


def test_title_and_statements_are_changed_by_the_options(open_app: OpenApp, kept: FakeService) -> None:
    app = open_app(REPORTS, report=REPORT_ID)
    app.session_state[f"reports.options-{REPORT_ID}-open"] = True
    app.run()
    app.text_input(key=f"reports.options-{REPORT_ID}-title").set_value("新标题")
    app.toggle(key=f"reports.options-{REPORT_ID}-sql").set_value(True)
    key(app, f"reports.options-{REPORT_ID}-apply").click().run()
    assert "新标题" in [t.value for t in app.title]
    assert any("secret_statement" in c.value for c in app.code)


def test_verifying_names_what_moved(open_app: OpenApp, kept: FakeService) -> None:
    app = open_app(REPORTS, report=REPORT_ID)
    key(app, "reports.verify").click().run()
    assert any("3 个一致" in s.value for s in app.success)
    key(app, "reports.verify").click().run()
    assert not app.success


def test_what_moved_is_listed_with_was_and_now(open_app: OpenApp, kept: FakeService) -> None:
    kept.moved = [
        {
            "address": "s1.t1:S01.grossAmt",
            "shown": "",
            "status": "drifted",
            "was": 100.0,
            "now": 99.5,
            "why": "",
        }
    ]
    app = open_app(REPORTS, report=REPORT_ID)
    key(app, "reports.verify").click().run()
    assert any("1 个已变" in w.value for w in app.warning)
    moved = next(d.value for d in app.dataframe if "原值" in d.value.columns)
    assert list(moved["原值"]) == ["100"]
    assert list(moved["现值"]) == ["99.5"]


def test_deleting_leads_back_to_the_list(open_app: OpenApp, kept: FakeService) -> None:
    app = open_app(REPORTS, report=REPORT_ID)
    app.session_state[f"reports.delete-{REPORT_ID}"] = True
    app.run()
    key(app, "reports.delete-now").click().run()
    assert kept.kept == {}
    assert "report" not in app.query_params
    assert not app.exception


def test_a_report_of_somebody_else_stays_closed(open_app: OpenApp, fake: FakeService) -> None:
    fake.keep(a_report(), "somebody else")
    assert "没有这份报告" in words(open_app(REPORTS, report=REPORT_ID))


@pytest.mark.parametrize("locale", ["zh-CN", "en-US"])
def test_hostile_names_are_shown_as_they_are(open_app: OpenApp, kept: FakeService, locale: str) -> None:
    app = open_app(REPORTS, locale=locale, report=REPORT_ID)
    for text in [e.value for e in (*app.markdown, *app.caption, *app.error)]:
        assert "![x](http" not in text
        assert ":red[hi]" not in text
    table = next(d.value for d in app.dataframe if "门店" in d.value.columns)
    assert HOSTILE in list(table["门店"])


def test_a_report_that_a_load_moved_is_marked_in_the_list_and_open(
    open_app: OpenApp, kept: FakeService
) -> None:
    report, made = kept.kept[REPORT_ID]
    kept.kept[REPORT_ID] = report, replace(made, version=2)
    kept.restatements[REPORT_ID] = Restatement(
        subject="report", subject_id=REPORT_ID, viewer=LOCAL, dataset="demo", was_version=2, version=3,
        state="moved", figures=4, moved=(), n_moved=7, checked_at=0.0,
    )  # fmt: skip
    said = "之后的导入改变了 7 个数字（版本 2 → 3）"
    for query in ({}, {"report": REPORT_ID}):
        assert said in words(open_app(REPORTS, **query)).replace("\\", "")


# from the ask page --------------------------------------------------------------------------------


def test_answers_are_collected_ordered_and_made_into_one(open_app: OpenApp, fake: FakeService) -> None:
    app = ask(open_app())
    run_id = app.query_params["run"]
    app.button(key=f"collect-{run_id}").click().run()
    assert app.button(key=f"collect-{run_id}").label == "已加入报告"
    app.switch_page(REPORTS).run()
    assert "已收集的回答" in str([s.value for s in app.subheader])
    app.button(key="reports.make-answers").click().run()
    assert fake.started[0]["kind"] == "answers"
    assert fake.started[0]["run_ids"] == (run_id,)
    assert "已收集的回答" not in str([s.value for s in app.subheader])


def test_a_collected_answer_can_be_taken_back(open_app: OpenApp, fake: FakeService) -> None:
    app = ask(open_app())
    run_id = app.query_params["run"]
    app.button(key=f"collect-{run_id}").click().run()
    app.button(key=f"collect-{run_id}").click().run()
    app.switch_page(REPORTS).run()
    assert "已收集的回答" not in str([s.value for s in app.subheader])


def test_every_answer_offers_the_report_of_its_days(open_app: OpenApp, fake: FakeService) -> None:
    app = ask(open_app())
    links = [link.proto for link in app.get("page_link") if link.proto.label == "本期报告"]
    assert len(links) == 1
    assert "kind=weekly" in links[0].query_string


@pytest.mark.parametrize(
    ("days", "kind", "expected"),
    [
        (("2026-10-07", "2026-10-07"), "weekly", ("2026-10-05", "2026-10-11")),
        (("2026-10-11", "2026-10-11"), "weekly", ("2026-10-05", "2026-10-11")),
        (("2026-10-05", "2026-10-11"), "weekly", ("2026-10-05", "2026-10-11")),
        (("2026-10-01", "2026-10-14"), "weekly", ("2026-10-01", "2026-10-14")),
        (("2026-10-01", "2026-10-15"), "monthly", ("2026-10-01", "2026-10-15")),
        (("2026-09-01", "2026-09-30"), "monthly", ("2026-09-01", "2026-09-30")),
    ],
)
def test_the_report_around_some_days(days: tuple[str, str], kind: str, expected: tuple[str, str]) -> None:
    found = report_around(Period.from_json({"from": days[0], "to": days[1]}))
    assert found == (kind, Period.from_json({"from": expected[0], "to": expected[1]}))
