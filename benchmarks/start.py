"""From the start of the server process to the first healthy answer, against a bare Streamlit app."""

from __future__ import annotations

import http.client
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.bench import ROOT, Bench, environment
from benchmarks.measure import MIN_PAIRS, Sample, cpu_s, interleave
from benchmarks.processes import wait_for
from benchmarks.report import Line, ratio_line

_MOST = 1.2
_LIMIT_S = 60
_HELLO = 'import streamlit as st\n\nst.write("hello")\n'
_QUIET = (
    "--server.headless=true",
    "--server.address=127.0.0.1",
    "--server.fileWatcherType=none",
    "--browser.gatherUsageStats=false",
)


def run(bench: Bench) -> Iterator[Line]:
    """The ratio of the two starts."""
    home, _ = bench.demo
    folder = bench.scratch / "hello"
    folder.mkdir(exist_ok=True)
    (folder / "hello.py").write_text(_HELLO, encoding="utf-8")
    ours = _Start(ROOT, "serve.py", home)
    bare = _Start(folder, "hello.py", home)
    for start in (ours, bare):
        start()
    pairs = interleave(ours, bare, pairs=MIN_PAIRS, take=_sample)
    yield ratio_line("start to healthy", pairs, _MOST, base="bare Streamlit")


class _Start:
    """Starts an app, waits until it is healthy, stops it."""

    def __init__(self, folder: Path, script: str, home: Path) -> None:
        self._folder = folder
        self._script = script
        self._env = environment(home)

    def __call__(self) -> float:
        """Seconds to the first healthy answer."""
        port = free_port()
        command = [sys.executable, "-m", "streamlit", "run", self._script, f"--server.port={port}", *_QUIET]
        quiet = subprocess.DEVNULL
        with subprocess.Popen(
            command, cwd=self._folder, env=self._env, stdout=quiet, stderr=quiet
        ) as process:
            try:
                return wait_for(lambda: is_healthy(port), limit_s=_LIMIT_S)
            finally:
                process.kill()


def _sample(start: Callable[[], object]) -> Sample:
    """The time to health only; stopping is not part of it."""
    cpu = cpu_s()
    seconds = start()
    assert isinstance(seconds, float)
    return Sample(wall_ms=seconds * 1000, cpu_ms=(cpu_s() - cpu) * 1000)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def is_healthy(port: int) -> bool:
    """Whether the server says so."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        connection.request("GET", "/_stcore/health")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()
