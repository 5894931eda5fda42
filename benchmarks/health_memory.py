"""`python -m benchmarks.health_memory DIR ROWS LIMIT PART`: the peak of a fresh process, as one JSON line.

PART: pass (the one pass of all row checks) or all (every check with its findings). LIMIT: what DuckDB may
hold, MB; 0 = no limit.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from askcore.checks.catalogue import CHECKS, run_checks
from askcore.checks.measures import measure
from benchmarks.big_lake import AS_OF, big_lake


def main() -> None:
    """Open, run once, tell."""
    from benchmarks.health import frame_of

    folder, rows, limit, part = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    with big_lake(folder, rows, memory_mb=limit) as lake:
        opened, started = peak_mb(), time.perf_counter()
        if part == "pass":
            measure(frame_of(lake), CHECKS)
        else:
            run_checks(lake.view, period=frame_of(lake).period, as_of=AS_OF, lang="en")
        seconds = time.perf_counter() - started
    print(json.dumps({"opened_mb": opened, "peak_mb": peak_mb(), "seconds": seconds}))


def peak_mb() -> float:
    """Largest resident size of this process so far (VmHWM); 0 where the system does not tell."""
    status = Path("/proc/self/status")
    if not status.exists():
        return 0.0
    line = next(x for x in status.read_text(encoding="ascii").splitlines() if x.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


if __name__ == "__main__":
    main()
