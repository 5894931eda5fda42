"""A venv for each tool, made where there is none: their pins exclude each other and ours.

Soda Core 4 is under the Elastic License 2.0: it is installed here to be measured, and is no dependency.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from benchmarks.report import Skipped

_LIMIT_S = 240


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A peer: what is installed, what drives it, and how many times as fast ours is to be."""

    name: str
    worker: str
    requirements: tuple[str, ...]
    least: float


TOOLS = (
    Tool(name="Soda 3", worker="soda3", requirements=("soda-core-duckdb==3.5.6",), least=10),
    Tool(name="Soda 4", worker="soda4", requirements=("soda-duckdb==4.28.0", "duckdb==2.0.1"), least=10),
    Tool(
        name="GX",
        worker="gx",
        requirements=("great-expectations==1.24.1", "pandas==3.1.1", "pyarrow==26.0.1"),
        least=5,
    ),
    Tool(
        name="pandera",
        worker="pandera_polars",
        requirements=("pandera[polars]==0.35.0", "polars==2.1.0"),
        least=1,
    ),
)


def interpreter(tool: Tool, cache: Path) -> Path:
    """The Python of the tool's venv.

    Raises: Skipped when the registry cannot be reached or lacks a release.
    """
    mark = hashlib.sha256(" ".join((sys.version, *tool.requirements)).encode()).hexdigest()[:8]
    home = cache / "venvs" / f"{tool.worker}-{mark}"
    python = home / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not (home / "done").exists():
        print(f"  (installing {', '.join(tool.requirements)} into {home})", file=sys.stderr, flush=True)
        shutil.rmtree(home, ignore_errors=True)
        _succeed([sys.executable, "-m", "venv", str(home)], f"no venv for {tool.name}")
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        _succeed([*install, *tool.requirements], f"{tool.name} cannot be installed from the package registry")
        (home / "done").touch()
    return python


def _succeed(command: list[str], otherwise: str) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_LIMIT_S, check=False)
    except subprocess.TimeoutExpired as e:
        raise Skipped(f"{otherwise}: no answer within {_LIMIT_S} s") from e
    if done.returncode != 0:
        raise Skipped(f"{otherwise}: {(done.stderr.strip().splitlines() or ['no reason given'])[-1]}")
