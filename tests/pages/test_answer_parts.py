"""What stands beside an answer: slip, ratios, playbook; each shows on its case and not on the twin."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from askcore.base.restated import MovedFigure, Restatement
from askcore.base.values import Column, Table, Verdict
from askcore.base.views import RunSnapshot
from tests.fakes.service import RATIOS, SLIP, FakeService, second_path_verdict
from tests.pages.conftest import OpenApp
from tests.pages.test_ask_page import ask, words

HOSTILE = "![x](http://evil.example/a.png) :red[hi] $1$ | <b>"
Answered = Callable[..., AppTest]


@pytest.fixture
def answered(open_app: OpenApp, fake: FakeService, monkeypatch: pytest.MonkeyPatch) -> Answered:
    """answered(locale="zh-CN", **fields): an asked page whose answer has these fields."""

    def opened(*, locale: str = "zh-CN", **fields: Any) -> AppTest:
        scripted = FakeService.snapshot

        def snapshot(self: FakeService, run_id: str, *, viewer: str) -> RunSnapshot:
            return replace(scripted(self, run_id, viewer=viewer), **fields)

        monkeypatch.setattr(FakeService, "snapshot", snapshot)
        return ask(open_app(locale=locale))

    return opened


def popovers(app: AppTest) -> list[str]:
    return [p.proto.popover.label for p in app.get("popover")]


def opened(app: AppTest, kind: str) -> AppTest:
    """The page with the popover or expander of this kind open."""
    run_id = app.query_params["run"]
    app.session_state[f"{kind}-{run_id}"] = True
    app.run()
    assert not app.exception, [e.message for e in app.exception]
    return app


# slip -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("locale", "label"),
    [("zh-CN", "两条路径一致 14/14"), ("en-US", "14 of 14 figures agree on two paths")],
)
def test_agreement_of_two_paths_is_one_small_control(answered: Answered, locale: str, label: str) -> None:
    app = answered(locale=locale)
    assert label in popovers(app)
    assert not [c for c in app.code if "stored" in c.value]


def test_slip_opens_to_its_rows_and_the_second_sql(answered: Answered) -> None:
    app = opened(answered(), "slip")
    table = next(d.value for d in app.dataframe if "文件重算" in d.value.columns)
    assert list(table["行"]) == ["合计", "合计", "西湖店"]
    assert list(table["结论"]) == ["✓ 一致"] * 3
    assert [c.value for c in app.code if "stored" in c.value] == ["SELECT sum(x.grossAmt) FROM stored f"]
    assert "显示 3 / 14 个数字" in words(app)


def test_figures_that_differ_stand_first_and_red(answered: Answered) -> None:
    rows = (replace(SLIP[0], second="", is_same=False), *SLIP[1:])
    app = answered(verdicts=(second_path_verdict(bad=1),), slip=rows)
    mine = [label for label in popovers(app) if "路径" in label or "溯源" in label]
    assert mine == [":red[两条路径不一致 1/14]", "溯源 4/4"]
    table = next(d.value for d in opened(app, "slip").dataframe if "文件重算" in d.value.columns)
    assert table.iloc[0, 0] == "✗ 不一致"
    assert table["文件重算"].iloc[0] == "没有数据"
    assert "删除服务文件后重试" in words(app)


def test_answer_without_second_path_has_no_slip(answered: Answered) -> None:
    app = answered(verdicts=(), slip=())
    assert not [label for label in popovers(app) if "路径" in label]


def test_second_path_that_could_not_be_taken_is_grey(answered: Answered) -> None:
    skipped = Verdict(
        id="v1", kind="cross-layer", check="second_path", status="skip", note="不是可以相加的量"
    )
    app = answered(verdicts=(skipped,), slip=())
    assert ":gray[未用第二条路径重算]" in popovers(app)
    assert "不是可以相加的量" in words(opened(app, "slip"))


# ratios -----------------------------------------------------------------------------------------


def ratio_titles(app: AppTest) -> list[str]:
    return [e.label for e in app.expander if "比率怎么算的" in e.label]


def test_rate_shows_its_parts_and_the_plain_mean_on_demand(answered: Answered) -> None:
    app = answered()
    assert ratio_titles(app) == ["比率怎么算的"]
    assert "177,287" not in words(app)
    shown = words(opened(app, "ratios"))
    assert "下单人数 36,663 人 ÷ 进店人数 177,287 人 = **20.68%**" in shown
    assert "42 行门店数据的简单平均 21.30%，差 +0.62 个百分点" in shown
    assert "2026-10-11 – 2026-10-17]" not in shown


def test_small_denominator_is_grey_and_said(answered: Answered) -> None:
    small = replace(RATIOS[0], is_small=True)
    app = answered(ratios=(small, replace(small, period="2026-10-04 – 2026-10-10", is_small=False)))
    assert ratio_titles(app) == ["比率怎么算的 :gray-badge[样本小]"]
    shown = words(opened(app, "ratios"))
    assert shown.count(":gray-badge[样本小]") == 2
    assert "2026-10-04 – 2026-10-10" in shown


def test_answer_without_rates_has_no_strip(answered: Answered) -> None:
    assert not ratio_titles(answered(ratios=()))


# playbooks --------------------------------------------------------------------------------------


def trail(app: AppTest) -> str:
    return next(e.label for e in app.expander if "已完成" in e.label)


def followed(bad: int) -> Verdict:
    return Verdict(
        id="v9",
        kind="coverage",
        check="skill:drilldown",
        status="warn" if bad else "pass",
        n_checked=3,
        n_bad=bad,
        note="剧本",
    )


def test_picked_playbook_goes_with_typed_questions_only(open_app: OpenApp, fake: FakeService) -> None:
    app = open_app()
    menu = app.menu_button(key="ask.skill")
    assert menu.label == "自动选剧本"
    menu.click("drilldown").run()
    assert app.menu_button(key="ask.skill").label == "下钻归因"
    app.button(key="suggest-look-0").click().run()
    ask(app)
    assert [s["skill"] for s in fake.submitted] == [None, "drilldown"]
    app.menu_button(key="ask.skill").click("").run()
    ask(app)
    assert fake.submitted[-1]["skill"] is None


def test_playbook_survives_another_page(open_app: OpenApp) -> None:
    app = open_app()
    app.menu_button(key="ask.skill").click("drilldown").run()
    app.switch_page("pages/lake/overview.py").run()
    app.switch_page("pages/ask/ask.py").run()
    assert app.menu_button(key="ask.skill").label == "下钻归因"


def test_answer_names_the_playbook_it_followed(answered: Answered) -> None:
    app = answered(skill="drilldown", verdicts=(followed(0),))
    assert trail(app).endswith("· 下钻归因 :material/check:")
    assert not [e for e in app.expander if "未执行" in e.label]


def test_step_that_was_left_out_is_visible(answered: Answered) -> None:
    app = answered(skill="drilldown", verdicts=(followed(1),))
    assert ":orange[:material/warning: 下钻归因 缺 1 步]" in trail(app)
    assert [e.label for e in app.expander if "未执行" in e.label] == ["拆解变化原因 :gray[剧本要求，未执行]"]


def test_answer_without_playbook_names_none(answered: Answered) -> None:
    assert "下钻归因" not in trail(answered())


# hostile names ----------------------------------------------------------------------------------


def test_names_from_data_are_never_markdown(answered: Answered) -> None:
    app = answered(
        slip=(replace(SLIP[0], metric=HOSTILE, place=HOSTILE),),
        ratios=(replace(RATIOS[0], metric=HOSTILE, numerator=HOSTILE, level=HOSTILE),),
        skill=HOSTILE,
    )
    opened(opened(app, "slip"), "ratios")
    raw = [m.value for m in app.markdown] + [e.label for e in app.expander] + [c.value for c in app.caption]
    assert not [text for text in raw if "![x]" in text or "](http" in text or ":red[hi]" in text]


# table ------------------------------------------------------------------------------------------


def rows_of(app: AppTest) -> list[int]:
    """Rows of the tables of the answer itself, not of the steps."""
    (table,) = [e for e in app.expander if e.label.startswith("表格")]
    return [len(d.value) for d in table.dataframe]


def test_an_answer_without_a_chart_shows_its_rows_at_once(answered: Answered) -> None:
    app = answered(chart=None)
    assert rows_of(app) == [6]
    assert any(e.label == "表格 · 6 行" for e in app.expander)


def test_rows_stay_folded_under_a_chart_until_opened(answered: Answered) -> None:
    app = answered()
    assert rows_of(app) == []
    assert rows_of(opened(app, "table")) == [6]


def test_a_cut_table_says_of_how_many_rows(answered: Answered) -> None:
    table = Table(
        columns=(Column(key="shopName", label="门店"), Column(key="grossAmt", label="营业额", unit="CNY")),
        rows=tuple({"shopName": f"店{n}", "grossAmt": 100.0 * n} for n in range(20)),
        row_count=35,
    )
    app = answered(table=table, chart=None, locale="en-US")
    assert any(e.label == "Table · 20 of 35 rows" for e in app.expander)


# restated ---------------------------------------------------------------------------------------


def restatement(run_id: str, **fields: Any) -> Restatement:
    moved = MovedFigure(address="s1.t1:x", label=f"营业额 {HOSTILE}", was=1000.5, now=900.25, unit="CNY")
    found = Restatement(
        subject="run", subject_id=run_id, viewer="test@example.com", dataset="demo", was_version=2, version=3,
        state="moved", figures=4, moved=(moved,), n_moved=3, checked_at=0.0,
    )  # fmt: skip
    return replace(found, **fields)


def test_an_answer_that_a_load_moved_says_so_with_was_and_now(answered: Answered, fake: FakeService) -> None:
    app = answered(version=2)
    run_id = app.query_params["run"]
    assert "之后的导入" not in words(app)
    assert "还没有与之核对" in words(app)
    assert fake.caught_up == ["demo"]  # not compared yet: that is begun, and said
    fake.restatements[run_id] = restatement(run_id)
    st.cache_resource.clear()
    app = opened(app, "restated-what")
    assert "之后的导入改变了 3 个数字（版本 2 → 3）" in words(app).replace("\\", "")
    moved = next(d.value for d in app.dataframe if "原值" in d.value.columns)
    assert list(moved["原值"]) == ["¥1,000.50"]
    assert list(moved["现值"]) == ["¥900.25"]
    assert "1 / 3" in words(app)
    app.button(key=f"restated-again-{run_id}").click().run()
    assert len(fake.submitted) == 2


@pytest.mark.parametrize("fields", [{"state": "same", "moved": (), "n_moved": 0}])
def test_an_answer_that_is_as_told_has_no_mark(
    answered: Answered, fake: FakeService, fields: dict[str, Any]
) -> None:
    app = answered(version=2)
    run_id = app.query_params["run"]
    fake.restatements[run_id] = restatement(run_id, **fields)
    st.cache_resource.clear()
    app.run()
    assert "之后的" not in words(app)


def test_an_answer_on_the_newest_version_is_not_looked_up(answered: Answered, fake: FakeService) -> None:
    app = answered(version=3)
    fake.restatements[app.query_params["run"]] = restatement(app.query_params["run"])
    app.run()
    assert fake.caught_up == []
    assert "之后的" not in words(app)


def test_what_cannot_be_made_again_is_not_called_moved(answered: Answered, fake: FakeService) -> None:
    app = answered(version=2)
    run_id = app.query_params["run"]
    fake.restatements[run_id] = restatement(
        run_id, state="unreachable", moved=(), n_moved=0, why="没有这个指标"
    )
    st.cache_resource.clear()
    app.run()
    assert "算不出" in words(app)
