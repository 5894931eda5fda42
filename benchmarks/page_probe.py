"""Reruns of the real pages over a demo lake, in a process of its own: `python -m benchmarks.page_probe`.

Prints one JSON list of `Page` objects. The home comes from `ASKCORE_HOME` as for the app.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
QUESTION = "上周各门店营业额"
VIEWER = "test@example.com"
"""Who AppTest says is looking."""
TRIVIAL = 'import streamlit as st\nst.write("hello")\n'
_RERUNS = 15
_WARM_UP = 3
_LIMIT_S = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The reruns of one page."""

    name: str
    cpu_ms: list[float]
    trivial_ms: list[float]
    """Reruns of a trivial page in between."""
    bytes: int
    """Sent to the browser in one rerun."""
    elements: int
    error: str = ""


def main() -> None:
    """Probe all pages."""
    warnings.simplefilter("ignore")
    from streamlit.testing.v1 import AppTest

    trivial = AppTest.from_string(TRIVIAL, default_timeout=_LIMIT_S)
    trivial.run()
    session, run = _finished_run()
    ask = _opened("", "text", QUESTION, session=session, run=run)
    found = [_probe("ask", ask, trivial.run)]
    for name, kind in (("overview", "dataframe"), ("health", "expander")):
        found.append(_probe(name, _opened(f"pages/lake/{name}.py", kind), trivial.run))
    sys.stdout.write(json.dumps([asdict(page) for page in found]) + "\n")


def _finished_run() -> tuple[str, str]:
    """(session, run) of a question that has been answered."""
    from askcore.service import get_service

    service = get_service()
    run = service.submit(QUESTION, viewer=VIEWER)
    until = time.monotonic() + _LIMIT_S
    while (snapshot := service.snapshot(run, viewer=VIEWER)).is_active:
        if time.monotonic() > until:
            raise TimeoutError(f"the run is still {snapshot.status}")
        time.sleep(0.02)
    if snapshot.status != "done":
        raise RuntimeError(f"the run ended {snapshot.status}: {snapshot.error}")
    return snapshot.session_id, run


def _opened(page: str, kind: str, text: str = "", **query: str) -> Callable[[], object]:
    """The app at a page, as a function that reruns it and tells how many elements it shows.

    kind, text: an element that the page has when it shows what it should.
    """
    from streamlit.testing.v1 import AppTest

    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=_LIMIT_S)
    app.context = {"locale": "zh-CN", "theme": "light"}
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    if page:
        app.switch_page(page)

    def rerun() -> int:
        app.run()
        if app.exception:
            raise RuntimeError(app.exception[0].message)
        if not any(text in str(getattr(found, "value", "")) for found in app.get(kind)):
            raise RuntimeError(f"no {kind} {text}".strip())
        return sum(1 for _ in app.main) + sum(1 for _ in app.sidebar)

    return rerun


def _probe(name: str, rerun: Callable[[], object], trivial: Callable[[], object]) -> Page:
    cpu, base, sizes = [], [], _Sizes()
    try:
        for _ in range(_WARM_UP):
            rerun()
            trivial()
        for _ in range(_RERUNS):
            cpu.append(_cpu_ms(rerun))
            base.append(_cpu_ms(trivial))
        sizes.watch()
        elements = rerun()
        sizes.stop()
    except RuntimeError as e:
        return Page(name=name, cpu_ms=[], trivial_ms=[], bytes=0, elements=0, error=str(e))
    assert isinstance(elements, int)
    return Page(name=name, cpu_ms=cpu, trivial_ms=base, bytes=sizes.total, elements=elements)


def _cpu_ms(run: Callable[[], object]) -> float:
    started = time.process_time()
    run()
    return (time.process_time() - started) * 1000


class _Sizes:
    """Adds up the messages that would go to the browser."""

    def __init__(self) -> None:
        from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

        self.total = 0
        self._queue = ForwardMsgQueue
        self._enqueue = ForwardMsgQueue.enqueue

    def watch(self) -> None:
        """Count from here on."""
        original = self._enqueue

        def counted(queue, message):  # type: ignore[no-untyped-def]  # Streamlit's own types
            self.total += message.ByteSize()
            original(queue, message)

        self._queue.enqueue = counted  # type: ignore[method-assign]

    def stop(self) -> None:
        """Count no more."""
        self._queue.enqueue = self._enqueue  # type: ignore[method-assign]


if __name__ == "__main__":
    main()
