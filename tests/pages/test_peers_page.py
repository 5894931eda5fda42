"""The peers page over the fake service, and its two drawings."""

from __future__ import annotations

from datetime import timedelta

from askcore.base.errors import LakeError
from pages.ui import peers_charts
from tests.fakes.service import LAST_WEEK, SHOPS, FakeService, _peers
from tests.pages.conftest import OpenApp
from tests.pages.test_ask_page import words

PEERS = "pages/peers/peers.py"


def test_the_table_has_the_furthest_behind_first_and_hides_small_groups(open_app: OpenApp) -> None:
    app = open_app(PEERS)
    table = app.dataframe[0].value
    assert list(table["门店"]) == [SHOPS["S02"], SHOPS["S01"]]
    assert list(table["差距"]) == [-10.0, 20.0]
    assert list(table["排名"]) == ["50/61", "7/61"]
    assert list(table["位置"]) == ["▼ 落后", "▲ 领先"]
    assert "同行太少" in words(app)
    assert SHOPS["S03"] not in list(table["门店"])
    assert [m.value for m in app.metric] == ["2", "1", "1", "1"]


def test_where_less_is_better_more_is_behind(open_app: OpenApp) -> None:
    table = open_app(PEERS, metric="lateRate").dataframe[0].value
    assert list(table["门店"]) == [SHOPS["S01"], SHOPS["S02"]]
    assert list(table["差距"]) == [2.0, -1.0]
    assert list(table["位置"]) == ["▼ 落后", "▲ 领先"]


def test_window_metric_and_shops_are_in_the_url(open_app: OpenApp) -> None:
    app = open_app(PEERS, period="14", metric="lateRate", shops="S01")
    first = LAST_WEEK.end - timedelta(days=13)
    assert f"{first} → {LAST_WEEK.end}" in words(app)
    assert app.selectbox(key="url.metric").value == "lateRate"
    assert app.button_group(key="url.shops").value == ["S01"]
    app.button_group(key="url.shops").set_value(["S01", "S02"]).run()
    assert app.query_params["shops"] == "S01,S02"


def test_one_company_can_be_looked_at(open_app: OpenApp, fake: FakeService) -> None:
    app = open_app(PEERS, entity="E02")
    assert app.selectbox(key="url.entity").value == "E02"
    assert fake.peer_entities == ["E02"]
    app.selectbox(key="url.entity").set_value("").run()
    assert fake.peer_entities == ["E02", None]
    assert "entity" not in app.query_params
    assert open_app(PEERS, entity="<b>").selectbox(key="url.entity").value == ""


def test_a_link_with_unknown_names_falls_back(open_app: OpenApp) -> None:
    app = open_app(PEERS, period="x", metric="nope", shops="S99,<b>")
    assert app.selectbox(key="url.metric").value == "exposureUv"
    assert app.button_group(key="url.shops").value == ["S02", "S01"]


def test_market_and_own_add_up_and_what_cannot_be_split_says_why(open_app: OpenApp) -> None:
    app = open_app(PEERS, shops="S01,S02")
    split = app.dataframe[1].value
    assert list(split["变化"]) == ["-20", "-1"]
    assert list(split["大盘"]) == ["-15", "–"]
    assert list(split["自身"]) == ["-5", "–"]
    assert "同行数变动太大" in words(app)


def test_a_dataset_without_peers_says_so(open_app: OpenApp, fake: FakeService) -> None:
    fake.has_peers = False
    app = open_app(PEERS)
    assert "来源没有同行数据" in words(app)
    assert "换一个数据集" in words(app)
    assert len(app.dataframe) == 0


def test_a_failure_says_what_to_do(open_app: OpenApp, fake: FakeService) -> None:
    fake.fail_with["peers"] = LakeError("disk gone", hint="mount it")
    shown = words(open_app(PEERS, locale="en-GB"))
    assert "Peer data could not be read" in shown
    assert "mount it" in shown


def test_asking_names_shop_metric_and_days(open_app: OpenApp, fake: FakeService) -> None:
    app = open_app(PEERS, shops="S02")
    app.button(key="peer-ask-S02").click().run()
    question = fake.submitted[-1]["question"]
    assert SHOPS["S02"] in question
    assert "曝光人数" in question
    assert LAST_WEEK.start.isoformat() in question


def test_the_strip_shows_everybody_and_tells_the_chosen_apart() -> None:
    report = _peers(LAST_WEEK)
    names = {"S01": "<b>西湖</b>", "S02": "滨江店", "S03": "拱墅店"}
    for dark in (False, True):
        shown = peers_charts.strip_figure(report, names, ["S01"], dark=dark)
        others, chosen = shown.data
        assert len(others.x) == 2
        assert len(chosen.x) == 2
        assert chosen.name == "&lt;b&gt;西湖&lt;/b&gt;"
        assert others.marker.symbol != chosen.marker.symbol or others.marker.size != chosen.marker.size


def test_the_trend_has_the_best_rank_on_top(fake: FakeService) -> None:
    found = fake.peer_trend(
        "demo", viewer="v", lang="zh", metric="exposureUv", ids=("S01", "S02"), end=LAST_WEEK.end
    )
    shown = peers_charts.trend_figure(found, {}, dark=False)
    assert shown.layout.yaxis.autorange == "reversed"
    assert [list(line.y) for line in shown.data] == [[9.0, 10.0, 11.0]] * 2
    assert len({line.marker.symbol for line in shown.data}) == 2
