"""The model planner over real sockets: it plans, never calculates, and is replaced in the open when it fails."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from askcore.base.config import Settings
from askcore.service import Service
from tests.e2e.conftest import state_of
from tests.fakes.llm_server import action, final, llm_server

YESTERDAY = {"from_": "2026-10-17", "to": "2026-10-17"}
QUESTION = "昨天营业额多少？"
TRUTH = "188,321.16"


def ask(home, url, question=QUESTION, **settings):
    made = Settings(home=home, llm_base_url=url, llm_model="fake", llm_api_key="sk-test-secret")
    service = Service(replace(made, **settings))
    try:
        return service.ask(question, viewer="test", dataset="demo", planner="llm", mode="deep")
    finally:
        service.close()


def test_a_model_plans_and_its_numbers_are_traced(demo_home):
    calls = (
        action("query_report", metrics=["grossAmt"], **YESTERDAY),
        final(f"2026-10-17 悦食餐饮营业额 {TRUTH} 元。"),
    )
    with llm_server(*calls) as (url, script):
        answer = ask(demo_home, url)
    assert (answer["status"], answer["planner"]) == ("done", "llm")
    assert answer["provenance"]["coverage"] == 1.0
    assert [s["tool"] for s in answer["steps"]] == ["query_report"]
    assert answer["usage"] | {"elapsed_ms": 0} == {
        "llm_calls": 2, "tokens_in": 200, "tokens_out": 20, "elapsed_ms": 0,
    }  # fmt: skip
    prompt = script.requests[0]["messages"][0]["content"]
    assert "grossAmt" in prompt and "2026-10-18" in prompt


def test_an_invented_number_is_marked(demo_home):
    calls = (
        action("query_report", metrics=["grossAmt"], **YESTERDAY),
        final("2026-10-17 悦食餐饮营业额 999,999.00 元。"),
    )
    with llm_server(*calls) as (url, _):
        answer = ask(demo_home, url)
    assert answer["provenance"]["untraced"] == 1


def test_a_bad_reply_is_repaired_once(demo_home):
    calls = ("I think you want sales.", action("query_report", metrics=["grossAmt"], **YESTERDAY))
    with llm_server(*calls, final(f"营业额 {TRUTH} 元。")) as (url, script):
        answer = ask(demo_home, url)
    assert answer["planner"] == "llm"
    assert "JSON" in script.requests[1]["messages"][-1]["content"]


@pytest.mark.parametrize(
    "replies",
    [("nonsense",), (500,), (429,), ('{"action": {"tool": 3}}',), ('{"final": {"answer": " "}}',)],
    ids=["nonsense", "error 500", "error 429", "bad action", "empty answer"],
)
def test_a_failing_model_is_replaced_by_the_embedded_planner_in_the_open(demo_home, replies):
    with llm_server(*replies) as (url, _):
        answer = ask(demo_home, url)
    assert (answer["status"], answer["planner"]) == ("done", "rules")
    assert TRUTH in answer["answer"]
    assert "planner_fallback" in {n["code"] for n in answer["notes"]}


def test_an_unreachable_model_is_replaced_too(demo_home):
    answer = ask(demo_home, "http://127.0.0.1:9/v1")
    assert TRUTH in answer["answer"]
    assert "planner_fallback" in {n["code"] for n in answer["notes"]}


def test_a_slow_model_ends_in_bounded_time(demo_home):
    started = time.monotonic()
    with llm_server(20.0) as (url, _):
        answer = ask(demo_home, url, llm_timeout_s=0.5)
        elapsed = time.monotonic() - started
    assert elapsed < 15
    assert TRUTH in answer["answer"]


def test_an_endless_loop_is_ended_and_marked_partial(demo_home):
    with llm_server(action("query_report", metrics=["grossAmt"], **YESTERDAY)) as (url, script):
        answer = ask(demo_home, url)
    assert len(script.requests) <= 4
    assert "forced_finish" in {n["code"] for n in answer["notes"]}
    assert answer["status"] == "done"


def test_an_unknown_tool_and_a_misspelt_argument_are_told_to_the_model(demo_home):
    calls = (
        action("drop_table", name="fact"),
        action("query_report", metric=["grossAmt"], **YESTERDAY),
        final("无法回答。"),
    )
    with llm_server(*calls) as (url, script):
        ask(demo_home, url)
    told = script.requests[2]["messages"]
    text = "\n".join(m["content"] for m in told)
    assert "drop_table" in text and "metrics" in told[-1]["content"] + told[-2]["content"]


def test_the_key_is_in_no_trace(demo_home):
    with llm_server(500) as (url, _):
        ask(demo_home, url)
    state = state_of(demo_home)
    assert b"sk-test-secret" not in state
