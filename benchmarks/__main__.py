"""`python -m benchmarks [name…] [--rows N] [--peers]`: runs the benchmarks and prints one line a figure.

A goal that is not held does not fail the run; a benchmark that breaks does.
"""

from __future__ import annotations

import argparse
import importlib
import os
import platform
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.bench import DIR_VARIABLE, Bench
from benchmarks.report import Skipped, verdict

BENCHMARKS = {
    "query": "query tool against hand-written SQL",
    "health": "data-health checks against the 19-column floor",
    "loop": "agent loop against a raw openai SDK loop",
    "imports": "imports and one question on the command line",
    "pages": "reruns of the pages",
    "start": "start to healthy against a bare Streamlit app",
    "reports": "a report's PDF against weasyprint and Chromium, and its other files",
    "asks": "questions, demo and ingest",
    "detection": "anomalies and change points against DOMAIN's figures",
}
_ROWS = 1_000_000


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what was asked for; 1 when a benchmark broke."""
    asked = _parsed(arguments)
    bench = Bench(rows=asked.rows, cache=asked.dir, peers=asked.peers)
    _clean_environment()
    print(_machine(), flush=True)
    counts: Counter[str] = Counter()
    try:
        broken = [name for name in asked.names or BENCHMARKS if not _run(name, bench, counts)]
    finally:
        bench.close()
    print(f"\n{counts['held']} held, {counts['not held']} not held, {counts['skipped']} skipped")
    if broken:
        print(f"broken: {', '.join(broken)}")
    return 1 if broken else 0


def _parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name", help=", ".join(BENCHMARKS))
    parser.add_argument("--rows", type=int, default=_ROWS, help="shop-days of the large lake (%(default)s)")
    cache = Path(os.environ.get(DIR_VARIABLE) or Path(tempfile.gettempdir()) / "asklake-bench")
    parser.add_argument("--dir", type=Path, default=cache, help="where large lakes are kept (%(default)s)")
    peers = "health: Soda, Great Expectations and pandera too, each in a venv made in DIR from the registry"
    parser.add_argument("--peers", action="store_true", help=peers)
    found = parser.parse_args(arguments)
    for name in found.names:
        if name not in BENCHMARKS:
            parser.error(f"no benchmark {name!r}; there are {', '.join(BENCHMARKS)}")
    return found


def _clean_environment() -> None:
    """The developer's own settings do not count, and the folder's variable is no setting of AskLake."""
    for name in [n for n in os.environ if n.startswith(("ASKCORE_", "OPENAI_"))]:
        del os.environ[name]


def _machine() -> str:
    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    return f"{now}, {os.cpu_count()} cores, Python {platform.python_version()}, load {_load()}"


def _load() -> str:
    return " ".join(f"{n:.1f}" for n in os.getloadavg())


def _run(name: str, bench: Bench, counts: Counter[str]) -> bool:
    """Print the lines of one benchmark and count their verdicts; False when it broke."""
    started = time.perf_counter()
    print(f"\n{name}: {BENCHMARKS[name]}", flush=True)
    try:
        for line in importlib.import_module(f"benchmarks.{name}").run(bench):
            counts[verdict(line)] += 1
            print(line.text(), flush=True)
    except (Skipped, ImportError) as e:
        counts["skipped"] += 1
        print(f"  skipped: {e}")
    except Exception:  # noqa: BLE001 - one that breaks must not stop the rest
        traceback.print_exc(file=sys.stdout)
        return False
    print(f"  ({time.perf_counter() - started:.0f} s, load {_load()})", flush=True)
    return True


if __name__ == "__main__":
    raise SystemExit(main())
