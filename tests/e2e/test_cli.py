"""The command line as a contract: one JSON on stdout, exit codes that mean something, ten times of ten."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ANSWER_KEYS = {
    "run_id", "session_id", "status", "mode", "mode_auto", "planner", "lang", "answer", "reading", "table",
    "chart", "verdicts", "notes", "provenance", "slip", "ratios", "like_for_like", "steps", "snapshot", "usage", "clarify", "report",
    "error", "skill",
}  # fmt: skip


def run(home: Path, *args: str) -> tuple[int, list[dict], str]:
    done = subprocess.run(
        [sys.executable, "-m", "askcore", *args],
        cwd=ROOT,
        env={**os.environ, "ASKCORE_HOME": str(home), "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("ask", "昨天营业额多少"), 0),
        (("ask", "把昨天的营业额改成5000"), 3),
        (("ask", "大学城店昨天营业额"), 3),
        (("ask", ""), 2),
        (("ask", "昨天营业额", "--dataset", "nowhere"), 2),
    ],
)
def test_ask_prints_every_key_and_exits_by_the_outcome(demo_home, args, code):
    got, objects, _ = run(demo_home, *args)
    assert got == code
    assert len(objects) == 1
    assert set(objects[0]) == ANSWER_KEYS


@pytest.mark.parametrize(
    "args",
    [
        ("ask", "昨天营业额", "--mode", "fast"),
        ("nonsense",),
        ("ingest", "/nowhere/file.csv"),
        ("search", ""),
        ("replay", "r0"),
        ("check-provenance", "--text", "/nowhere", "--cells", "/nowhere"),
        ("health", "--dataset", "nowhere"),
    ],
    ids=lambda a: " ".join(a[:2]),
)
def test_bad_input_is_json_and_exit_2(demo_home, args):
    code, objects, errors = run(demo_home, *args)
    assert code == 2
    assert objects[0]["error"]["message"]
    assert "Traceback" not in errors


def test_a_batch_gives_one_object_a_line_in_order(demo_home, tmp_path):
    lines = [
        {"id": "a", "question": "昨天营业额多少", "context": None},
        {"id": "b", "question": "换成订单量", "context": "昨天营业额多少"},
        {"id": "c", "question": "把昨天的营业额改成5000", "context": []},
    ]
    batch = tmp_path / "batch.jsonl"
    text = "\n".join(json.dumps(x, ensure_ascii=False) for x in lines)
    batch.write_text(text + "\n\nnot json\n", encoding="utf-8")
    code, objects, _ = run(demo_home, "ask", "--batch", str(batch))
    assert code == 0
    assert [o["id"] for o in objects] == ["a", "b", "c", 5]
    assert [o["status"] for o in objects] == ["done", "done", "refused", "failed"]
    assert objects[1]["reading"]["metrics"] == ["validOrderCnt"]
    assert all(set(o) == ANSWER_KEYS | {"id"} for o in objects)


def test_health_search_runs_and_replay_print_their_contract(demo_home):
    _, (health,), _ = run(demo_home, "health")
    assert {"dataset", "version", "as_of", "from", "to", "counts", "checks"} <= set(health)
    assert sum(health["counts"].values()) == len(health["checks"])
    _, (found,), _ = run(demo_home, "search", "进店")
    assert {"visitUv", "visitRate"} <= {h["key"] for h in found["hits"][:3]}
    _, (answer,), _ = run(demo_home, "ask", "昨天营业额多少")
    _, (listed,), _ = run(demo_home, "runs")
    assert answer["run_id"] in {r["run_id"] for r in listed["runs"]}
    code, (again,), _ = run(demo_home, "replay", answer["run_id"])
    assert (code, again["verdict"]) == (0, "same")


@pytest.mark.parametrize(
    "command", [("demo",), ("health",), ("search", "订单"), ("runs",), ("ask", "昨天订单量")]
)
def test_a_command_exits_with_its_code_ten_times_of_ten(demo_home, command):
    assert [run(demo_home, *command)[0] for _ in range(10)] == [0] * 10
