"""Nothing found: the answer says which of the reasons it is, with what is near, on two demo lakes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.e2e.demo_world import SEEDS, DemoWorld, demo_world


@pytest.fixture(scope="module", params=SEEDS, ids=lambda n: f"seed{n}")
def world(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoWorld]:
    with demo_world(tmp_path_factory.mktemp("empty"), request.param) as found:
        yield found


@pytest.mark.parametrize(
    "ask",
    ["{name}上周营业额", "{name}上周每天营业额", "{name}上周营业额环比", "gross sales of {name} last week"],
)
def test_a_closed_shop_tells_its_last_day(world: DemoWorld, ask: str) -> None:
    told = world.fault("F12")["detail"]
    found = world.put(ask.format(name=world.name(told["closed"])))
    assert found["status"] == "done"
    assert told["last_row"] in found["answer"]
    assert "0.00" not in found["answer"]


def test_a_shop_that_was_not_open_tells_its_first_day_also_beside_another(world: DemoWorld) -> None:
    told = world.fault("F12")["detail"]
    name, other = world.name(told["opened"]), world.name(told["closed"])
    for question in (f"{name} 8月营业额", f"{name}和{other} 8月营业额"):
        assert told["first_row"] in world.put(question)["answer"], question


def test_a_change_without_rows_is_not_taken_apart(world: DemoWorld) -> None:
    told = world.fault("F12")["detail"]
    found = world.put(f"{world.name(told['closed'])}上周营业额为什么变化")
    assert told["last_row"] in found["answer"]
    assert "没有剩余项" not in found["answer"]
    assert found["chart"] is None or found["table"] is None or found["table"]["step"] != "t2"


def test_a_lost_row_is_no_closed_day(world: DemoWorld) -> None:
    (key,) = world.fault("F4")["keys"]
    found = world.put(f"{world.name(key['shopId'])}{key['date']}营业额")
    assert "missing_days" in {v["check"] for v in found["verdicts"] if v["status"] == "fail"}
    assert "不等于零" in found["answer"]


def test_a_zero_that_the_level_above_contradicts_is_no_fact(world: DemoWorld) -> None:
    key = world.fault("F1")["keys"][0]
    found = world.put(f"{world.name(key['shopId'])}{key['date']}营业额")
    assert "all_zero_rows" in {v["check"] for v in found["verdicts"] if v["status"] == "fail"}
    assert found["answer"].startswith("**")


def test_days_outside_the_data_name_the_range(world: DemoWorld) -> None:
    found = world.put("2024年营业额")
    assert world.manifest["period"]["from"] in found["answer"]
    assert world.manifest["period"]["to"] in found["answer"]
    assert "outside_coverage" in {n["code"] for n in found["notes"]}


@pytest.mark.parametrize(
    "made_up", ["龙华店上周营业额", "E99上周营业额", "昨天各渠道营业额", "S9999上周营业额"]
)
def test_a_value_that_does_not_exist_is_asked_about_with_near_ones(world: DemoWorld, made_up: str) -> None:
    found = world.put(made_up)
    assert found["status"] in ("needs_clarification", "refused")
    assert found["clarify"] is None or len(found["clarify"]["options"]) >= 2


def test_one_wrong_character_offers_the_right_name_first(world: DemoWorld) -> None:
    shop = next(e for e in world.manifest["entities"] if e["level"] == "shop" and len(e["name"]) >= 4)
    wrong = shop["name"][0] + "圆" + shop["name"][2:]
    found = world.put(f"{wrong}上周营业额")
    if found["status"] == "needs_clarification":
        assert shop["name"] in found["clarify"]["options"][0]["label"]
    else:
        assert shop["name"] in found["answer"]
