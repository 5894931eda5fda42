"""How a worker talks: one JSON line when ready, one for every `run` it is told, one with its peak at the end.

Standard library only: every worker runs in the venv of its tool. What a tool prints itself goes to stderr.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

Counts = Mapping[str, int]
Spec = dict[str, Any]
_SAID = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def serve(run: Callable[[str, Spec], Counts], version: str) -> None:
    """Answer until standard input ends.

    run: (Parquet file, list of checks) -> check -> rows found; what it takes is measured. The worker is
    called with the file and the file of the checks as arguments.
    """
    file, spec = sys.argv[1], json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))
    _say(version=version)
    for line in sys.stdin:
        if line.strip() != "run":
            break
        gc.collect()
        cpu, wall = time.process_time(), time.perf_counter()
        found = run(file, spec)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        _say(wall_ms=wall * 1000, cpu_ms=cpu * 1000, found=dict(found))
    _say(peak_mb=_peak_mb())


def _say(**what: object) -> None:
    _SAID.write(json.dumps(what) + "\n")
    _SAID.flush()


def _peak_mb() -> float:
    """Largest resident size so far; 0 where the system does not tell."""
    status = Path("/proc/self/status")
    if not status.exists():
        return 0.0
    line = next(x for x in status.read_text(encoding="ascii").splitlines() if x.startswith("VmHWM"))
    return int(line.split()[1]) / 1024
