"""What one rerun of the chat page may cost with cached data: 60 ms of processor, 200 KB sent."""

from __future__ import annotations

import time

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

from tests.fakes.service import FakeService
from tests.pages.conftest import VIEWER, OpenApp

TURNS = 6
SESSIONS = 10
RERUNS = 7
MAX_CPU_MS = 200  # the goal of 60 is held by the benchmark; this catches a page that does its work twice
MAX_BYTES = 200_000


def test_rerun_of_a_full_conversation_stays_in_budget(
    open_app: OpenApp, fake: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    session_id = fake.create_session(viewer=VIEWER, title="long")
    for n in range(TURNS):
        fake.submit(f"question {n}", viewer=VIEWER, session_id=session_id)
    for n in range(SESSIONS):
        fake.submit(f"other {n}", viewer=VIEWER)
    app = open_app(session=session_id)
    sent: list[int] = []
    enqueue = ForwardMsgQueue.enqueue

    def counted(self: ForwardMsgQueue, message: ForwardMsg) -> None:
        sent.append(message.ByteSize())
        enqueue(self, message)

    monkeypatch.setattr(ForwardMsgQueue, "enqueue", counted)
    costs = []
    for _ in range(RERUNS):
        sent.clear()
        started = time.process_time()
        app.run()
        costs.append((time.process_time() - started) * 1000)
    assert sum(sent) <= MAX_BYTES
    assert min(costs) <= MAX_CPU_MS, costs
