"""The ask page in all its states, over the fake service."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from askcore.base.errors import LakeError
from askcore.base.values import Note
from askcore.base.views import DatasetInfo, RunSnapshot, StepView
from pages.ui import cache
from tests.fakes.service import FakeService
from tests.pages.conftest import VIEWER, OpenApp

QUESTION = "上周各门店营业额"


def words(app: AppTest) -> str:
    """Everything readable on screen, for a look at what is said."""
    kinds = ("title", "markdown", "caption", "text", "error", "info", "warning", "success", "button")
    found = [str(getattr(e, "value", "")) + str(getattr(e, "label", "")) for k in kinds for e in app.get(k)]
    found += [e.label for e in app.expander]
    return "\n".join(found).replace("\\", "").replace("\u2060", "")


def ask(app: AppTest, question: str = QUESTION) -> AppTest:
    app.chat_input[0].set_value(question).run()
    assert not app.exception, [e.message for e in app.exception]
    return app


def asked(app: AppTest, fake: FakeService, question: str = QUESTION) -> str:
    ask(app, question)
    return next(reversed(fake.runs))


def test_empty_conversation_offers_questions_and_names_the_demo_clock(open_app: OpenApp) -> None:
    app = open_app()
    shown = words(app)
    assert "今天想看什么？" in shown
    assert "上周各门店营业额" in shown
    assert "演示数据 · 时钟 2026-10-18" in shown
    assert not app.chat_input[0].disabled


def test_question_becomes_a_run_in_a_new_session_named_in_the_url(
    open_app: OpenApp, fake: FakeService
) -> None:
    app = open_app()
    run_id = asked(app, fake)
    assert app.query_params["run"] == run_id
    assert app.query_params["session"] == fake.runs[run_id].session_id
    assert fake.submitted == [
        {
            "question": QUESTION,
            "reading": None,
            "mode": "auto",
            "entity": None,
            "dataset": "demo",
            "skill": None,
        }
    ]


def test_finished_turn_shows_reading_steps_figures_answer_and_verdicts(
    open_app: OpenApp, fake: FakeService
) -> None:
    app = open_app()
    asked(app, fake)
    shown = words(app)
    assert "已完成 4 步" in shown
    assert "自动 → 深入" in shown
    assert [m.value for m in app.metric] == ["49.5万", "20.68%", "14,607"]
    assert "余杭店最近数据为 10-15，晚 2 天" in shown
    assert "剔除余杭店后下单率变化多少？" in shown
    assert len(app.get("plotly_chart")) == 1
    assert app.text[0].value == QUESTION


def test_suggestion_asks_its_question(open_app: OpenApp, fake: FakeService) -> None:
    app = open_app()
    app.button(key="suggest-look-0").click().run()
    assert [s["question"] for s in fake.submitted] == ["上周各门店营业额"]


def test_same_click_twice_starts_one_run(open_app: OpenApp, fake: FakeService) -> None:
    app = open_app()
    key = "tab-0"
    first = fake.submit(QUESTION, viewer=VIEWER, key=key)
    assert fake.submit(QUESTION, viewer=VIEWER, key=key) == first
    assert app.session_state["asklake"].submissions == 0
    ask(app)
    assert app.session_state["asklake"].submissions == 1


def test_running_turn_blocks_only_its_own_composer(open_app: OpenApp, fake: FakeService) -> None:
    fake.step_s = 1000.0
    app = open_app()
    run_id = asked(app, fake)
    assert app.chat_input[0].disabled
    assert app.button(key="ask.stop").label == "停止"
    app.button(key="sessions.new").click().run()
    assert not app.chat_input[0].disabled
    app.button(key=f"session-{fake.runs[run_id].session_id}").click().run()
    assert app.chat_input[0].disabled
    assert fake.cancelled == []


def test_stop_cancels_the_run_and_offers_to_ask_again(open_app: OpenApp, fake: FakeService) -> None:
    fake.step_s = 1000.0
    app = open_app()
    run_id = asked(app, fake)
    app.button(key="ask.stop").click().run()
    assert fake.cancelled == [run_id]
    assert "已停止" in words(app)
    fake.step_s = 0.0
    app.button(key=f"again-{run_id}").click().run()
    assert [s["question"] for s in fake.submitted] == [QUESTION, QUESTION]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("!fail", "查询超过 120 秒"),
        ("!interrupt", "服务重启打断了这次分析"),
        ("!refuse", "不能修改数据"),
        ("!clarify", "营业额 ÷ 订单"),
        ("!bad", "1 项核验未通过"),
    ],
)
def test_every_other_end_says_what_happened(open_app: OpenApp, question: str, expected: str) -> None:
    app = open_app()
    ask(app, question)
    assert expected in words(app)


def test_interrupted_run_can_be_asked_again(open_app: OpenApp, fake: FakeService) -> None:
    app = open_app()
    run_id = asked(app, fake, "!interrupt")
    app.button(key=f"again-{run_id}").click().run()
    assert len(fake.submitted) == 2


def test_clarifying_option_asks_its_question(open_app: OpenApp, fake: FakeService) -> None:
    app = open_app()
    run_id = asked(app, fake, "!clarify")
    app.button(key=f"clarify-{run_id}-1").click().run()
    assert fake.submitted[-1]["question"] == "上周客单价（实付口径）"


def test_untraced_number_makes_the_badge_orange(open_app: OpenApp, fake: FakeService) -> None:
    app = open_app()
    asked(app, fake, "!bad")
    labels = [p.proto.popover.label for p in app.get("popover")]
    assert ":orange[溯源 3/4]" in labels


def test_edited_chip_asks_again_with_the_edited_reading(open_app: OpenApp, fake: FakeService) -> None:
    app = open_app()
    run_id = asked(app, fake)
    app.session_state[f"chip-{run_id}-metrics"] = True
    app.run()
    app.multiselect(key=f"edit-{run_id}-metrics-metrics").set_value(["validOrderCnt"])
    app.button(key=f"ask-edit-{run_id}-metrics").click().run()
    assert not app.exception
    sent = fake.submitted[-1]
    assert sent["question"] == QUESTION
    assert sent["reading"].metrics == ("validOrderCnt",)
    assert sent["reading"].period.start == date(2026, 10, 11)


def test_edited_period_and_baseline_are_sent(open_app: OpenApp, fake: FakeService) -> None:
    app = open_app()
    run_id = asked(app, fake)
    app.session_state[f"chip-{run_id}-baseline"] = True
    app.run()
    app.selectbox(key=f"edit-{run_id}-baseline-baseline-mode").select("none")
    app.button(key=f"ask-edit-{run_id}-baseline").click().run()
    assert fake.submitted[-1]["reading"].baseline is None


def test_deleting_a_running_session_stops_it_and_frees_the_composer(
    open_app: OpenApp, fake: FakeService
) -> None:
    fake.step_s = 1000.0
    app = open_app()
    run_id = asked(app, fake)
    app.menu_button(key="sessions.menu").click("delete").run()
    assert fake.cancelled == []
    app.button(key="sessions.delete_confirm").click().run()
    assert fake.cancelled == [run_id]
    assert fake.sessions_by_id == {}
    assert not app.chat_input[0].disabled
    assert "session" not in app.query_params


def test_renaming_a_session_needs_a_title(open_app: OpenApp, fake: FakeService) -> None:
    app = open_app()
    session_id = fake.runs[asked(app, fake)].session_id
    app.menu_button(key="sessions.menu").click("rename").run()
    app.text_input(key="sessions.title").set_value("  周报  ")
    app.button(key="sessions.save").click().run()
    assert fake.sessions_by_id[session_id].title == "周报"
    app.menu_button(key="sessions.menu").click("rename").run()
    app.text_input(key="sessions.title").set_value("   ")
    app.button(key="sessions.save").click().run()
    assert fake.sessions_by_id[session_id].title == "周报"


def test_session_deleted_elsewhere_says_so(open_app: OpenApp, fake: FakeService) -> None:
    app = open_app()
    session_id = fake.runs[asked(app, fake)].session_id
    fake.delete_session(session_id, viewer=VIEWER)
    app.run()
    assert "不存在或已删除" in words(app)


def test_session_list_searches_and_marks_failures(open_app: OpenApp, fake: FakeService) -> None:
    app = open_app()
    asked(app, fake, "!bad 营业额")
    app.button(key="sessions.new").click().run()
    asked(app, fake, "下单率怎么样")
    assert len([b for b in app.button if str(b.key).startswith("session-")]) == 2
    app.text_input(key="sessions.search").set_value("下单率").run()
    assert len([b for b in app.button if str(b.key).startswith("session-")]) == 1


@pytest.mark.parametrize("query", [{"session": "nope"}, {"run": "nope"}])
def test_unknown_link_says_so(open_app: OpenApp, query: dict[str, Any]) -> None:
    app = open_app(**query)
    assert "不存在或已删除" in words(app)
    assert "今天想看什么？" in words(app)


def test_link_to_a_run_opens_its_session(open_app: OpenApp, fake: FakeService) -> None:
    run_id = fake.submit(QUESTION, viewer=VIEWER)
    app = open_app(run=run_id)
    assert app.query_params["session"] == fake.runs[run_id].session_id
    assert app.text[0].value == QUESTION


def test_session_of_someone_else_stays_closed(open_app: OpenApp, fake: FakeService) -> None:
    run_id = fake.submit("secret question", viewer="other")
    app = open_app(session=fake.runs[run_id].session_id)
    assert "secret question" not in words(app)
    assert "不存在或已删除" in words(app)


def test_language_follows_the_browser_and_the_switch_wins(open_app: OpenApp) -> None:
    app = open_app(locale="en-US")
    assert "What would you like to know?" in words(app)
    app.button(key="frame.lang").click().run()
    assert "今天想看什么？" in words(app)
    assert app.query_params["lang"] == "zh"


def test_language_in_the_url_wins_over_the_browser(open_app: OpenApp) -> None:
    assert "What would you like to know?" in words(open_app(lang="en"))


def test_empty_lake_says_how_to_fill_it(open_app: OpenApp, fake: FakeService) -> None:
    fake.empty = True
    app = open_app()
    assert "数据湖里还没有数据" in "".join(s.value for s in app.subheader)
    assert "askcore demo" in app.code[0].value
    assert app.chat_input[0].disabled


def test_broken_lake_says_what_failed_and_what_to_do(open_app: OpenApp, fake: FakeService) -> None:
    fake.fail_with["overview"] = LakeError("serving file is damaged", hint="run ingest again")
    shown = words(open_app())
    assert "读不到数据湖" in shown
    assert "serving file is damaged" in shown
    assert "run ingest again" in shown


def test_refused_submission_is_shown_and_nothing_started(open_app: OpenApp, fake: FakeService) -> None:
    fake.fail_with["submit"] = LakeError("queue is full", hint="wait a moment")
    app = open_app()
    ask(app)
    assert "queue is full" in words(app)
    assert not fake.runs


def test_only_the_newest_turns_are_drawn_until_asked_for(open_app: OpenApp, fake: FakeService) -> None:
    session_id = fake.create_session(viewer=VIEWER, title="long")
    for n in range(8):
        fake.submit(f"question {n}", viewer=VIEWER, session_id=session_id)
    app = open_app(session=session_id)
    assert "question 0" not in words(app)
    app.button(key="ask.earlier").click().run()
    assert "question 0" in words(app)


def test_question_and_titles_are_never_markdown(open_app: OpenApp, fake: FakeService) -> None:
    attack = "![x](http://evil.example/a.png) :red[hi] $1$"
    app = open_app()
    asked(app, fake, attack)
    assert app.text[0].value == attack
    raw = [b.label for b in app.button] + [m.value for m in app.markdown]
    assert not any("![x]" in label or "](http" in label or ":red[hi]" in label for label in raw)


def test_failure_is_said_once_and_nothing_is_offered_for_download(
    open_app: OpenApp, fake: FakeService
) -> None:
    app = open_app()
    run_id = asked(app, fake, "!fail")
    assert words(app).count("查询超过 120 秒") == 1
    assert app.get("download_button") == []
    assert app.button(key=f"again-{run_id}")


class Repeating(FakeService):
    """An answer whose words hold one of its notes and one of its verdicts."""

    def snapshot(self, run_id: str, *, viewer: str) -> RunSnapshot:
        run = super().snapshot(run_id, viewer=viewer)
        said = f"**{REPEATED}**。 [v1]\n\n" + run.answer
        notes = (
            Note(code="like_for_like", text=REPEATED),
            Note(code="holiday", text="含国庆假期"),
            Note(code="holiday", text="含国庆假期"),
        )
        return replace(run, answer=said, notes=notes)


REPEATED = "余杭店最近数据为 10-15，晚 2 天"


def test_a_warning_is_said_once(
    open_app: OpenApp, fake: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = Repeating()
    monkeypatch.setattr(cache, "service", lambda: service)
    app = open_app()
    asked(app, service)
    shown = words(app)
    assert shown.count(REPEATED) == 1
    assert shown.count("含国庆假期") == 1
    cards = [e.label for e in app.expander if "数据时效" in e.label]
    assert len(cards) == 1
    assert "1 / 6 条有问题" in cards[0].replace("\\", "").replace("\u2060", "")


def test_one_row_is_singular(open_app: OpenApp, fake: FakeService, monkeypatch: pytest.MonkeyPatch) -> None:
    step = StepView(id="t1", tool="query_report", thought="", state="done", row_count=1)
    scripted = FakeService.snapshot

    def snapshot(self: FakeService, run_id: str, *, viewer: str) -> RunSnapshot:
        return replace(scripted(self, run_id, viewer=viewer), steps=(step,))

    monkeypatch.setattr(FakeService, "snapshot", snapshot)
    shown = words(ask(open_app(locale="en-GB"), "sales"))
    assert "1 row" in shown
    assert "1 rows" not in shown


class TwoLakes(FakeService):
    """A newer dataset is the default while the demo is on screen."""

    def datasets(self) -> tuple[DatasetInfo, ...]:
        newer = DatasetInfo(name="newer", version=1, loaded_at=1_770_000_000.0, row_count=5)
        return (newer, *super().datasets())

    def default_dataset(self) -> str:
        return "newer"


@pytest.fixture
def two_lakes(fake: FakeService, monkeypatch: pytest.MonkeyPatch) -> TwoLakes:
    service = TwoLakes()
    monkeypatch.setattr(cache, "service", lambda: service)
    return service


def test_question_goes_to_the_dataset_on_screen_not_to_the_newest(
    open_app: OpenApp, two_lakes: TwoLakes
) -> None:
    app = open_app(dataset="demo")
    asked(app, two_lakes)
    ask(app, "第二个问题")
    assert [s["dataset"] for s in two_lakes.submitted] == ["demo", "demo"]


def test_follow_up_goes_to_the_dataset_of_its_turn(open_app: OpenApp, two_lakes: TwoLakes) -> None:
    app = open_app(dataset="demo")
    run_id = asked(app, two_lakes)
    app.button(key=f"follow-{run_id}-0").click().run()
    assert [s["dataset"] for s in two_lakes.submitted] == ["demo", "demo"]
