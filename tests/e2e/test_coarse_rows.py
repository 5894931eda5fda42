"""Weekly and monthly rows are never cut: a period that ends inside one is answered with that said."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from askcore.base.config import Settings
from askcore.service import Service

MONTHS = "month,revenue\n" + "".join(f"2025-{m:02d}-01,{m * 1000}\n" for m in range(3, 9))
WEEKS = "week,outlet,takings\n" + "".join(
    f"2025-0{1 + d // 28}-{1 + d % 28:02d},{o},{100 + d}\n" for d in range(0, 84, 7) for o in ("Pier", "Dock")
)


@pytest.fixture(scope="module")
def service(tmp_path_factory) -> Iterator[Service]:
    home = tmp_path_factory.mktemp("coarse")
    found = Service(Settings(home=home))
    for name, text in (("months", MONTHS), ("weeks", WEEKS)):
        path = home / f"{name}.csv"
        path.write_text(text, encoding="utf-8")
        found.ingest([path], dataset=name)
    yield found
    found.close()


def ask(service: Service, dataset: str, question: str) -> tuple[str, list[str]]:
    answer = service.ask(question, viewer="test", dataset=dataset, planner="rules")
    return answer["answer"], [n["code"] for n in answer["notes"]]


@pytest.mark.parametrize(
    ("question", "total"),
    [
        ("revenue from 2025-05-20 to 2025-07-10", 6000 + 7000),
        ("revenue from 2025-04-02 to 2025-06-30", 5000 + 6000),
    ],
)
def test_a_period_that_cuts_a_month_says_so(service, question, total):
    text, codes = ask(service, "months", question)
    assert f"{total:,}" in text
    assert "partial_period" in codes


@pytest.mark.parametrize(
    "question", ["revenue from 2025-04-01 to 2025-06-30", "revenue in June 2025", "total revenue"]
)
def test_whole_months_say_nothing(service, question):
    _, codes = ask(service, "months", question)
    assert "partial_period" not in codes


def test_a_few_days_of_weekly_rows_say_so(service):
    _, codes = ask(service, "weeks", "takings from 2025-01-05 to 2025-01-16")
    assert "partial_period" in codes
    _, codes = ask(service, "weeks", "total takings by outlet")
    assert "partial_period" not in codes


def test_a_session_stays_with_its_dataset(service):
    """Another one may have been loaded since; the follow-up is still about the first."""
    first = service.ask("revenue in June 2025", viewer="test", dataset="months", planner="rules")
    then = service.ask("and in July?", viewer="test", planner="rules", session_id=first["session_id"])
    assert then["snapshot"]["dataset"] == "months"
    assert "7,000" in then["answer"]
