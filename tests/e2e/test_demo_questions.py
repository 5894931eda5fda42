"""The demo's questions through the facade: plan, provenance, wording by checks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from askcore.service import Service

CASES = Path(__file__).resolve().parents[1] / "fixtures" / "questions" / "questions.jsonl"
FIGURES = {"lookup", "ranking", "compare", "trend"}
ALL = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines() if line.strip()]


def ask(demo: Service, case: Mapping[str, Any]) -> dict[str, Any]:
    context = case["context"]
    return demo.ask(
        case["question"],
        viewer="test",
        dataset="demo",
        planner="rules",
        context=[] if context is None else [context],
    )


def runs_as_planned(planned: Mapping[str, Any], step: Mapping[str, Any], *, more_metrics: bool) -> bool:
    """Whether a step used the tool with the planned arguments (DOMAIN: how a plan matches)."""
    if step["tool"] != planned["tool"]:
        return False
    for key, want in planned["args"].items():
        got = step["args"].get(key)
        if key == "metrics":
            fits = set(want) <= set(got or ()) if more_metrics else set(want) == set(got or ())
        elif key == "checks":
            fits = not got or bool(_set(want) & _set(_bare(got)))
        elif key in ("by", "chains", "shops", "companies"):
            fits = _set(want) == _set(got)
        elif key == "scope":
            fits = got in (want, None)
        else:
            fits = got == want
        if not fits:
            return False
    return True


def _set(value: Any) -> set[str]:
    if value is None:
        return set()
    return {value} if isinstance(value, str) else set(value)


def _bare(value: Any) -> Any:
    return [str(v).rpartition(":")[2] for v in value] if isinstance(value, list) else value


@pytest.mark.parametrize("case", ALL, ids=[c["id"] for c in ALL])
def test_a_question_runs_as_planned_and_every_number_is_traced(demo, case):
    answer = ask(demo, case)
    expected = {"refuse_readonly": "refused", "decline_or_naive": "refused", "clarify": "needs_clarification"}
    assert answer["status"] == expected.get(case["expect"], "done"), answer["error"]
    steps = iter(answer["steps"])
    wide = case["kind"] in ("compare", "clarify", "peer", "why")
    for planned in case["plan"]:
        assert any(runs_as_planned(planned, s, more_metrics=wide) for s in steps), (
            planned,
            [(s["tool"], s["args"]) for s in answer["steps"]],
        )
    if case.get("chart"):
        assert answer["chart"]["type"] == case["chart"]["type"]
    trace = answer["provenance"]
    assert trace["coverage"] in (None, 1.0), [
        (i["text"], i["status"]) for i in trace["items"] if i["status"] not in ("exact", "derived", "exempt")
    ]
    if case["kind"] in FIGURES:
        assert trace["claims"] >= 1
        assert {v["check"] for v in answer["verdicts"]}, "no figure goes out unchecked"


def test_a_health_check_names_every_planted_fault(demo, demo_home):
    manifest = json.loads((demo_home / "lake" / "demo" / "manifest.json").read_text(encoding="utf-8"))
    answer = ask(demo, {"question": "最近的数据可信吗？帮我体检一下", "context": None})
    found = {(v["check"], k.get("date"), k.get("shopId")) for v in answer["verdicts"] for k in v["keys"]}
    for fault in manifest["faults"]:
        recent = [k for k in fault["keys"] if k.get("date", "") >= "2026-09-18"]
        if fault["check"] not in {v["check"] for v in answer["verdicts"]}:
            continue
        for key in recent:
            assert (fault["check"], key["date"], key["shopId"]) in found, fault["id"]


def test_a_failed_check_on_used_rows_forbids_stating_the_figure_as_fact(demo):
    faulty = demo.ask("老城店2026-10-09营业额是多少", viewer="test", dataset="demo", planner="rules")
    assert any(v["status"] == "fail" for v in faulty["verdicts"])
    assert faulty["answer"].startswith("**")
    sound = demo.ask("科技园店2026-10-01营业额是多少", viewer="test", dataset="demo", planner="rules")
    assert not any(v["status"] == "fail" for v in sound["verdicts"])
    assert not sound["answer"].startswith("**")


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_suggestion_and_follow_up_can_be_answered(demo, lang):
    for group in demo.suggestions("demo", viewer="test", lang=lang):
        for question in group.questions:
            answer = demo.ask(question, viewer="test", dataset="demo", planner="rules")
            assert answer["status"] == "done", (question, answer["error"])
            run = demo.snapshot(answer["run_id"], viewer="test")
            for follow in run.follow_ups:
                again = demo.ask(follow, viewer="test", dataset="demo", planner="rules", context=[question])
                assert again["status"] == "done", (question, follow, again["error"])


def test_a_run_replays_to_the_same_figures(demo):
    answer = demo.ask("上周营业额Top5门店", viewer="test", dataset="demo", planner="rules")
    assert demo.replay(answer["run_id"], viewer="test") == {
        "run_id": answer["run_id"],
        "verdict": "same",
        "differences": [],
        "message": "",
    }


def test_another_viewer_sees_no_run(demo):
    answer = demo.ask("昨天营业额多少", viewer="ana", dataset="demo", planner="rules")
    with pytest.raises(Exception, match="no run"):
        demo.snapshot(answer["run_id"], viewer="bob")
