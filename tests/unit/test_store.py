"""Sessions, runs and events survive, also a process that is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from askcore.base.errors import LakeError
from askcore.base.store import RunRow, Store
from askcore.base.values import Event

ROOT = Path(__file__).resolve().parents[2]


def row(store: Store, run_id: str, session_id: str, **changes) -> RunRow:
    fields = {
        "run_id": run_id,
        "session_id": session_id,
        "viewer": "ana",
        "question": "q",
        "dataset": "demo",
        "version": 0,
        "status": "running",
        "owner": store.owner,
        "started_at": 1.0,
        "ended_at": None,
        "has_fail": False,
        "view": "{}",
    }
    return RunRow(**{**fields, **changes})


@pytest.fixture
def store(tmp_path):
    found = Store(tmp_path)
    yield found
    found.close()


def test_events_come_back_in_order(store):
    store.create_run(row(store, "r1", store.create_session("ana", "t", 1.0)), key=None)
    for seq in (2, 1, 3):
        store.append_event(Event(run_id="r1", seq=seq, ts=float(seq), kind="plan", payload={"n": seq}))
    assert [e.payload["n"] for e in store.events("r1")] == [1, 2, 3]


def test_the_same_key_starts_one_run(store):
    session = store.create_session("ana", "t", 1.0)
    assert store.create_run(row(store, "r1", session), key="k") == "r1"
    assert store.create_run(row(store, "r2", session), key="k") == "r1"
    assert store.create_run(row(store, "r3", session, viewer="bob"), key="k") == "r3"
    assert store.run("r2") is None


def test_a_run_that_cannot_be_stored_leaves_nothing_open(store):
    session = store.create_session("ana", "t", 1.0)
    store.create_run(row(store, "r1", session), key=None)
    with pytest.raises(LakeError):
        store.create_run(row(store, "r1", session), key="k")
    assert store.create_run(row(store, "r2", session), key="k") == "r2"


def test_deleting_a_session_removes_its_runs_and_events(store):
    session = store.create_session("ana", "t", 1.0)
    store.create_run(row(store, "r1", session), key=None)
    store.append_event(Event(run_id="r1", seq=1, ts=1.0, kind="plan", payload={}))
    store.delete_session(session)
    assert store.session(session) is None
    assert store.run("r1") is None
    assert store.events("r1") == ()


def test_a_viewer_sees_only_own_sessions_newest_first(store):
    first = store.create_session("ana", "a", 1.0)
    second = store.create_session("ana", "b", 2.0)
    store.create_session("bob", "c", 3.0)
    assert [s.session_id for s in store.sessions("ana")] == [second, first]
    store.touch_session(first, 5.0)
    assert [s.session_id for s in store.sessions("ana")] == [first, second]


def test_own_runs_are_not_interrupted(store):
    session = store.create_session("ana", "t", 1.0)
    store.create_run(row(store, "r1", session), key=None)
    assert store.mark_interrupted(9.0) == ()
    assert store.run("r1").status == "running"


def test_runs_of_a_killed_process_become_interrupted(tmp_path):
    script = textwrap.dedent(f"""
        import sys, time
        sys.path.insert(0, {str(ROOT)!r})
        from pathlib import Path
        from askcore.base.store import Store, RunRow
        store = Store(Path({str(tmp_path)!r}))
        session = store.create_session("ana", "t", 1.0)
        store.create_run(RunRow(run_id="r1", session_id=session, viewer="ana", question="q",
            dataset="demo", version=0, status="running", owner=store.owner, started_at=1.0,
            ended_at=None, has_fail=False, view="{{}}"), key=None)
        print("ready", flush=True)
        time.sleep(60)
    """)
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline().strip() == "ready"
    other = Store(tmp_path)
    assert other.mark_interrupted(5.0) == (), "the process still lives"
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    assert other.mark_interrupted(6.0) == ("r1",)
    assert (other.run("r1").status, other.run("r1").ended_at) == ("interrupted", 6.0)
    other.close()
