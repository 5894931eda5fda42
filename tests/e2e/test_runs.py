"""Runs in the background: progress, cancel, sessions, a killed process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from askcore.base.config import Settings
from askcore.base.errors import BadRequest
from askcore.service import Service
from tests.fakes.llm_server import llm_server

ROOT = Path(__file__).resolve().parents[2]


def wait(service: Service, run_id: str, seconds: float = 20):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        snapshot = service.snapshot(run_id, viewer="ana")
        if not snapshot.is_active:
            return snapshot
        time.sleep(0.02)
    raise AssertionError("the run did not end")


def test_a_run_goes_on_in_the_background_and_its_revisions_grow(demo):
    run_id = demo.submit("上周营业额Top5门店", viewer="ana", dataset="demo")
    first = demo.snapshot(run_id, viewer="ana")
    done = wait(demo, run_id)
    assert (done.status, done.rev > first.rev) == ("done", True)
    assert [s.state for s in done.steps] == ["done"]
    assert done.chips and done.table is not None and done.follow_ups


def test_a_double_click_starts_one_run(demo):
    runs = {demo.submit("昨天营业额", viewer="ana", dataset="demo", key="click-1") for _ in range(2)}
    assert len(runs) == 1


def test_a_session_holds_its_runs_and_context(demo):
    session = demo.create_session(viewer="ana")
    wait(demo, demo.submit("近7天营业额Top5门店", viewer="ana", session_id=session, dataset="demo"))
    follow = wait(demo, demo.submit("换成下单率", viewer="ana", session_id=session, dataset="demo"))
    assert follow.reading.metrics == ("orderRate",)
    assert follow.reading.limit == 5
    assert len(demo.session_runs(session, viewer="ana")) == 2
    titles = {s.session_id: s.title for s in demo.sessions(viewer="ana")}
    assert titles[session] == "近7天营业额Top5门店"
    assert [s.session_id for s in demo.sessions(viewer="ana", search="换成下单")] == [session]


def test_an_edited_reading_is_run_as_it_is(demo):
    session = demo.create_session(viewer="ana")
    run = wait(demo, demo.submit("昨天营业额", viewer="ana", session_id=session, dataset="demo"))
    from dataclasses import replace

    edited = replace(run.reading, metrics=("validOrderCnt",))
    again = wait(
        demo,
        demo.submit(run.question, viewer="ana", session_id=session, dataset="demo", reading=edited),
    )
    assert again.reading == edited
    assert again.table.columns[-1].key == "validOrderCnt"


def test_cancel_stops_a_run_that_waits_for_its_model(demo_home):
    with llm_server(3.0) as (url, _):
        service = Service(Settings(home=demo_home, llm_base_url=url, llm_model="fake"))
        run_id = service.submit("昨天营业额", viewer="ana", dataset="demo", planner="llm")
        time.sleep(0.3)
        service.cancel(run_id, viewer="ana")
        assert wait(service, run_id).status == "cancelled"
        service.close()


def test_deleting_a_session_stops_its_run_and_removes_it(demo_home):
    with llm_server(3.0) as (url, _):
        service = Service(Settings(home=demo_home, llm_base_url=url, llm_model="fake"))
        session = service.create_session(viewer="ana")
        run_id = service.submit("昨天营业额", viewer="ana", session_id=session, dataset="demo", planner="llm")
        service.delete_session(session, viewer="ana")
        with pytest.raises(BadRequest):
            service.session_runs(session, viewer="ana")
        with pytest.raises(BadRequest):
            service.snapshot(run_id, viewer="ana")
        service.close()


@pytest.mark.parametrize(
    ("question", "how"),
    [
        ("", {}),
        ("   ", {}),
        ("x" * 2001, {}),
        ("昨天营业额", {"dataset": "demoo"}),
        ("昨天营业额", {"mode": "deeep"}),
        ("昨天营业额", {"planner": "gpt"}),
        ("昨天营业额", {"session_id": "nope"}),
    ],
)
def test_bad_input_is_refused_before_a_run_exists(demo, question, how):
    with pytest.raises(BadRequest):
        demo.submit(question, viewer="ana", **{"dataset": "demo", **how})


def test_an_unknown_company_is_named_with_those_that_exist(demo):
    answer = demo.ask("昨天营业额", viewer="ana", dataset="demo", entity="E09")
    assert answer["status"] == "failed"
    assert "E01" in answer["error"]["hint"]


def test_a_killed_process_leaves_an_interrupted_run_and_loses_nothing(demo_home):
    with llm_server(30.0) as (url, _):
        script = textwrap.dedent(f"""
            import sys, time
            sys.path.insert(0, {str(ROOT)!r})
            from pathlib import Path
            from askcore.base.config import Settings
            from askcore.service import Service
            service = Service(Settings(home=Path({str(demo_home)!r}), llm_base_url={url!r}, llm_model="fake"))
            done = service.ask("昨天营业额", viewer="ana", dataset="demo", planner="rules")
            run = service.submit("上周营业额", viewer="ana", session_id=done["session_id"],
                                 dataset="demo", planner="llm")
            while service.snapshot(run, viewer="ana").status != "running":
                time.sleep(0.02)
            print(done["run_id"], run, flush=True)
            time.sleep(60)
        """)
        process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
        finished, running = process.stdout.readline().split()
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
    service = Service(Settings(home=demo_home))
    assert service.snapshot(running, viewer="ana").status == "interrupted"
    kept = service.snapshot(finished, viewer="ana")
    assert kept.status == "done" and "188,321.16" in kept.answer
    service.close()
