"""A lake whose shops are called like words of questions; every figure says which shops it adds up.

The shops sell 1, 2, 4 … a day, so a total of days stands for exactly one set of shops: all seven sell 127 a
day, 889 a week.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import pytest

from askcore.base.config import Settings
from askcore.service import Service

SHOPS = {"sales": 1, "Top5": 2, "昨天": 4, "top": 8, "by": 16, "上周": 32, "shop": 64}
AS_OF = date(2026, 8, 31)  # Monday; last week is August 24 to 30


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    home = tmp_path_factory.mktemp("word-names")
    path = home / "words.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(("date", "shop", "sales", "orders"))
        for n in range(61):
            day = date(2026, 7, 1) + timedelta(days=n)
            out.writerows((day, shop, value, 1) for shop, value in SHOPS.items())
    service = Service(Settings(home=home))
    service.ingest([path], dataset="words")
    yield service
    service.close()


def ask(service: Service, question: str) -> dict[str, Any]:
    return service.ask(question, viewer="words", dataset="words", planner="rules", as_of=AS_OF)


TOTALS = [
    ("total sales last week", 889),
    ("sales last week", 889),
    ("上周 sales", 889),
    ("昨天的 sales", 127),
    ("sales yesterday", 127),
    ("sales by shop last week", 889),
    ("上周各门店 sales", 889),
]


@pytest.mark.parametrize(("question", "total"), TOTALS)
def test_a_word_of_the_sentence_is_no_shop(service, question, total):
    found = ask(service, question)
    assert found["status"] == "done", found["clarify"]
    assert found["table"]["totals"]["sales"] == total


def test_the_first_five_are_the_five_largest(service):
    for question in ("上周 sales Top5门店", "Top5 shops by sales last week"):
        rows = ask(service, question)["table"]["rows"]
        assert [r["sales"] for r in rows] == [448, 224, 112, 56, 28]


@pytest.mark.parametrize("name", SHOPS)
def test_a_quoted_word_is_the_shop(service, name):
    for question in (f"「{name}」上周的 orders", f'orders of "{name}" last week'):
        assert ask(service, question)["table"]["totals"]["orders"] == 7
    sold = ask(service, f'sales of shop "{name}" last week')
    assert sold["table"]["totals"]["sales"] == 7 * SHOPS[name]


@pytest.mark.parametrize("name", SHOPS)
@pytest.mark.parametrize(
    "wording",
    ["sales of {} last week", "{}上周的 sales", "{} sales last week", "门店{}上周 sales", "sales of shop {} last week",
     "上周{}和 Top5 的 sales", "{}"],
)  # fmt: skip
def test_whatever_is_answered_is_this_shop_or_all_or_asked(service, name, wording):
    found = ask(service, wording.format(name))
    if found["status"] != "done":
        return
    sets = {7 * SHOPS[name], 889, 127, 7 * (SHOPS[name] | SHOPS["Top5"])}
    rows = found["table"]["rows"]
    values = {found["table"]["totals"].get("sales")} | (
        {sum(r.get("sales") or 0 for r in rows)} if rows else set()
    )
    assert values & sets, found["answer"]


@pytest.mark.parametrize("question", ["sales by month", "每月 sales", "sales by shop", "how are sales going"])
def test_a_clock_before_the_data_is_told_that_there_is_none_yet(service, question):
    found = service.ask(question, viewer="words", dataset="words", planner="rules", as_of=date(2026, 6, 1))
    assert found["status"] == "done"
    assert found["error"] is None
    assert "2026-07-01" in found["answer"]
    assert "outside_coverage" in [n["code"] for n in found["notes"]]
