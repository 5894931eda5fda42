"""Fresh processes: how long they take, and what they imported."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.bench import ROOT, child, environment
from benchmarks.report import Skipped

_LIST_IMPORTS = """
import json, sys
sys.argv = ["askcore", *sys.argv[1:]]
from askcore.cli import cli
try:
    cli()
except SystemExit:
    pass
files = {name: getattr(module, "__file__", None) or "" for name, module in list(sys.modules.items())}
print("\\n" + json.dumps({name: "site-packages" in file for name, file in files.items()}))
"""


def python(*arguments: str, home: Path | None = None) -> Callable[[], object]:
    """A process of this interpreter, from start to end."""
    command, env = [sys.executable, *arguments], environment(home)

    def run() -> None:
        done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, check=False)
        if done.returncode != 0:
            raise Skipped(f"{arguments[:3]} ended with {done.returncode}: {done.stderr.decode()[-200:]}")

    return run


def imported_by(arguments: list[str], home: Path) -> dict[str, bool]:
    """Modules that the command line imports for `arguments`, in order, and whether they are third-party."""
    said = child([sys.executable, "-c", _LIST_IMPORTS, *arguments], home)
    found: dict[str, bool] = json.loads(said.strip().splitlines()[-1])
    return found


def timed_import(module: str) -> tuple[float, int]:
    """(ms inside a fresh process, number of modules)."""
    code = (
        "import time, sys; a = time.perf_counter(); "
        f"import {module}; print((time.perf_counter() - a) * 1000, len(sys.modules))"
    )
    ms, modules = child([sys.executable, "-c", code]).split()
    return float(ms), int(modules)


def wait_for(is_true: Callable[[], bool], *, limit_s: float, every_s: float = 0.005) -> float:
    """Seconds until `is_true`. Raises: Skipped after `limit_s`."""
    started = time.perf_counter()
    while not is_true():
        if time.perf_counter() - started > limit_s:
            raise Skipped(f"nothing happened within {limit_s:.0f} s")
        time.sleep(every_s)
    return time.perf_counter() - started
