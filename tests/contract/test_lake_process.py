"""The lake across processes: killed loads, exit codes, several processes at once."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEAD = """
import sys, os, signal, time
from datetime import date, timedelta
from pathlib import Path
import pyarrow as pa
from askcore.base.config import Settings
from askcore.base.values import Period, QuerySpec
from askcore.lake import Delivery, Lake
from askcore.semantic.parse import parse_model
MODEL = parse_model(
    "version: 1\\nmodel: m\\ndataset:\\n  time: {column: date}\\n  levels:\\n  - {key: shop, id: shopId}\\n"
    "metrics:\\n- {key: gross, unit: CNY, additivity: {kind: sum}}\\n"
)
lake = Lake(Settings(home=Path(sys.argv[1])))
def delivery(value, months=("2026-09", "2026-10"), size=101_000):
    days = [date.fromisoformat(m + "-01") for m in months for _ in range(size)]
    shops = [f"S{i}" for _ in months for i in range(size)]
    return Delivery(table=pa.table({"date": days, "shopId": shops, "gross": [float(value)] * len(days)}))
def total(version=None):
    with lake.open("d", version) as view:
        whole = Period(start=date(2026, 1, 1), end=date(2026, 12, 31))
        return view.query(QuerySpec(metrics=("gross",), period=whole)).totals["gross"]
"""


def start(script: str, home: Path, *args: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", HEAD + textwrap.dedent(script), str(home), *args],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(script: str, home: Path, *args: str) -> tuple[int, str]:
    process = start(script, home, *args)
    out, err = process.communicate(timeout=120)
    return process.returncode, out.strip() or err


KILLED = """
lake.load("d", delivery(1, size=1000), MODEL)
point, count = sys.argv[2], int(sys.argv[3])
seen = 0
def checkpoint(name):
    global seen
    if name == point:
        seen += 1
        if seen == count:
            os.kill(os.getpid(), signal.SIGKILL)
lake.load("d", delivery(2), MODEL, checkpoint=checkpoint)
"""


@pytest.mark.parametrize(
    ("point", "count"), [("locked", 1), ("staged", 1), ("merged", 1), ("writing", 1), ("writing", 3)]
)
def test_a_load_that_is_killed_leaves_the_old_version_whole(tmp_path, point, count):
    code, _ = run(KILLED, tmp_path, point, str(count))
    assert code == -signal.SIGKILL
    code, out = run("print(total(), len(lake.versions('d')))", tmp_path)
    assert (code, out) == (0, "2000.0 1")
    code, out = run("print(lake.load('d', delivery(2), MODEL).version, total())", tmp_path)
    assert (code, out) == (0, "2 404000.0")


def test_a_load_that_is_killed_after_its_commit_is_whole(tmp_path):
    code, _ = run(KILLED, tmp_path, "committed", "1")
    assert code == -signal.SIGKILL
    code, out = run("print(total(), total(1), lake.model('d').name)", tmp_path)
    assert (code, out) == (0, "404000.0 2000.0 m")


def test_the_very_first_load_killed_leaves_no_dataset(tmp_path):
    script = """
    def checkpoint(name):
        if name == "writing":
            os.kill(os.getpid(), signal.SIGKILL)
    lake.load("d", delivery(2), MODEL, checkpoint=checkpoint)
    """
    assert run(script, tmp_path)[0] == -signal.SIGKILL
    assert run("print(lake.datasets(), lake.resolve(None))", tmp_path) == (0, "() demo")
    assert run("print(lake.load('d', delivery(2), MODEL).version, total())", tmp_path) == (
        0,
        "1 404000.0",
    )


def test_a_killed_build_leaves_no_half_file(tmp_path):
    assert run("lake.load('d', delivery(2), MODEL)", tmp_path)[0] == 0
    script = """
    def progress(stage, share):
        if stage == "summary":
            os.kill(os.getpid(), signal.SIGKILL)
    lake.open("d", progress=progress)
    """
    assert run(script, tmp_path)[0] == -signal.SIGKILL
    assert not (tmp_path / "serving" / "d" / "v1.duckdb").exists()
    assert run("print(total())", tmp_path) == (0, "404000.0")
    assert [p.name for p in (tmp_path / "serving" / "d").glob("*.tmp")] == []


def test_loading_and_querying_exits_with_0_ten_times_of_ten(tmp_path):
    script = "print(lake.load('d', delivery(int(sys.argv[2]), size=50), MODEL).version, total())"
    codes = [run(script, tmp_path, str(i + 1)) for i in range(10)]
    assert codes == [(0, f"{i + 1} {100.0 * (i + 1)}") for i in range(10)]


def test_processes_that_open_at_once_wait_for_one_build(tmp_path):
    assert run("lake.load('d', delivery(2), MODEL)", tmp_path)[0] == 0
    readers = [start("print(total())", tmp_path) for _ in range(3)]
    found = [r.communicate(timeout=120)[0].strip() for r in readers]
    assert found == ["404000.0"] * 3


def test_processes_that_load_at_once_all_arrive(tmp_path):
    script = """
    month = sys.argv[2]
    lake.load("d", delivery(1, months=(month,), size=100), MODEL)
    """
    months = ["2026-01", "2026-02", "2026-03", "2026-03"]
    writers = [start(script, tmp_path, m) for m in months]
    assert [(w.wait(timeout=120), w.communicate()[1]) for w in writers] == [(0, "")] * 4
    assert run("print(total())", tmp_path) == (0, "300.0")


def test_another_process_keeps_the_version_it_reads(tmp_path):
    """The reader holds version 1 while four newer ones are served."""
    assert run("lake.load('d', delivery(1, size=10), MODEL)", tmp_path)[0] == 0
    reader = start(
        """
        view = lake.open("d", 1)
        print("open", flush=True)
        time.sleep(100)
        """,
        tmp_path,
    )
    assert reader.stdout is not None
    assert reader.stdout.readline().strip() == "open"
    script = """
    for value in (2, 3, 4, 5):
        lake.load("d", delivery(value, size=10), MODEL)
        total()
    """
    assert run(script, tmp_path)[0] == 0
    served = sorted(p.name for p in (tmp_path / "serving" / "d").glob("*.duckdb"))
    assert served == ["v1.duckdb", "v4.duckdb", "v5.duckdb"]
    reader.kill()
    reader.communicate()


def test_importing_the_lake_loads_no_driver(tmp_path):
    script = (
        "import sys, askcore.lake; "
        "print([m for m in ('duckdb', 'deltalake', 'sqlglot', 'pyarrow', 'numpy') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
