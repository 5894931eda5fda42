"""What every benchmark gets: sizes, folders, a demo lake of its own, clean child processes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from benchmarks.report import Skipped

ROOT = Path(__file__).resolve().parents[1]
DIR_VARIABLE = "ASKCORE_BENCH_DIR"
_OWN = ("ASKCORE_", "OPENAI_", "STREAMLIT_", "PYTHON")
_BYTECODE = Path(tempfile.gettempdir()) / "asklake-bench-bytecode"
"""Compiled modules of child processes, whatever the developer's shell says about writing them."""
_CHILD_TIMEOUT_S = 900


@dataclass(frozen=True)
class Bench:
    """One run of the benchmarks."""

    rows: int
    cache: Path
    """Kept between runs: large serving files, venvs of other tools."""
    peers: bool = False
    """Whether other tools are installed and measured too."""

    @cached_property
    def scratch(self) -> Path:
        """Removed at the end of the run."""
        return Path(tempfile.mkdtemp(prefix="asklake-bench-"))

    @cached_property
    def demo(self) -> tuple[Path, float]:
        """Home of a demo lake made for this run, and the seconds that making it took.

        Raises: Skipped when it cannot be made.
        """
        home = self.scratch / "demo"
        started = time.perf_counter()
        child([sys.executable, "-m", "askcore", "demo"], home=home)
        return home, time.perf_counter() - started

    def close(self) -> None:
        """Remove what this run made."""
        if "scratch" in self.__dict__:
            shutil.rmtree(self.scratch, ignore_errors=True)


def environment(home: Path | None = None) -> dict[str, str]:
    """The environment without the developer's own settings; modules are compiled once, as in normal use."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(_OWN)}
    if home is not None:
        kept["ASKCORE_HOME"] = str(home)
    return kept | {"PYTHONPATH": str(ROOT), "PYTHONPYCACHEPREFIX": str(_BYTECODE)}


def child(command: Sequence[str], home: Path | None = None) -> str:
    """Standard output of a process. Raises: Skipped with its last words when it fails."""
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=environment(home),
        capture_output=True,
        text=True,
        timeout=_CHILD_TIMEOUT_S,
        check=False,
    )
    if done.returncode != 0:
        last = [*done.stdout.strip().splitlines()[-1:], *done.stderr.strip().splitlines()[-1:]]
        raise Skipped(f"{' '.join(map(_short, command[1:4]))} ended with {done.returncode}: {last}")
    return done.stdout


def _short(word: str) -> str:
    return word if len(word) <= 40 else f"{word[:37]}…"
