"""A run of the agent loop against a bare loop over the openai SDK with the same replies and the same tools.

Ours is `Service.ask` with a language model: prompt, guard, tools, verdicts on the rows used, trace,
checkpoints and provenance. The bare loop sends the same messages and calls the same tool functions.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from askcore.agent.llm.planner import system_prompt
from askcore.agent.slip import with_second_path
from askcore.agent.state import Request, State
from askcore.agent.verify import with_row_verdicts
from askcore.base.config import Settings
from askcore.service import Service
from askcore.tools import TOOLS_BY_NAME
from askcore.tools.base import ToolContext, call, digest_of, parse_args
from benchmarks.bench import Bench
from benchmarks.llm_server import MODEL, serving
from benchmarks.measure import interleave
from benchmarks.report import Line, Skipped, pair_figures, ratio_line

if TYPE_CHECKING:
    from openai import OpenAI

    from askcore.lake import LakeView

_MOST = 1.5
_MOST_SECOND_MS = 5.0
_PAIRS = 15
_WARM_UP = 3
_QUESTION = "上周营业额和有效订单怎么样，比前一周如何？哪些门店最高？"

Call = tuple[str, dict[str, Any]]


def run(bench: Bench) -> Iterator[Line]:
    """The ratio of one whole run, and what each part of it takes."""
    home, _ = bench.demo
    service = Service(Settings(home=home))
    try:
        with service.lake.open("demo") as view:
            context = _context(service, view)
            calls = _calls(context)
            script = bench.scratch / "script.json"
            script.write_text(json.dumps(_script(calls, context)), encoding="utf-8")
            with serving(script) as url:
                yield from _compared(_settings(home, url), calls, context)
    finally:
        service.close()


def _settings(home: Path, url: str) -> Settings:
    """The demo lake with a language model at `url`."""
    return Settings(home=home, llm_base_url=url, llm_model=MODEL, llm_api_key="bench")


def _compared(settings: Settings, calls: list[Call], context: ToolContext) -> Iterator[Line]:
    from openai import OpenAI

    ours = Service(settings)
    client = OpenAI(base_url=settings.llm_base_url, api_key=settings.llm_api_key, max_retries=1)
    system = _system(context)
    turns = len(calls) + 1

    how: dict[str, Any] = {"mode": "deep", "planner": "llm", "as_of": context.as_of}

    def ask() -> dict[str, Any]:
        return ours.ask(_QUESTION, viewer="bench", dataset="demo", entity=context.entity, **how)

    def bare() -> str:
        return bare_loop(client, system, context)

    def bare_with_checks() -> str:
        return bare_loop(client, system, context, checks_rows=True)

    try:
        for _ in range(_WARM_UP):
            answer = ask()
            bare()
        _check(answer, calls)
        pairs = interleave(ask, bare, pairs=_PAIRS)
        claims = answer["provenance"]["claims"]
        note = (
            f"; a turn {pairs.ours_ms / turns:.1f} and {pairs.base_ms / turns:.1f} ms; "
            f"{len(calls)} tools, {claims} numbers traced, {len(answer['verdicts'])} verdicts"
        )
        yield ratio_line(f"run of {turns} turns", pairs, _MOST, base="SDK loop", note=note)
        alike = interleave(ask, bare_with_checks, pairs=_PAIRS)
        figures = pair_figures(alike, "SDK loop with the same checks of the rows used")
        yield Line(name="the same checks in both", figures=figures)
        tools = interleave(lambda: _tools(calls, context), bare, pairs=_PAIRS)
        yield Line(name="tools alone", figures=pair_figures(tools, "SDK loop"))
        yield from _second_paths(calls, context)
    finally:
        ours.close()
        client.close()


def _second_paths(calls: list[Call], context: ToolContext) -> Iterator[Line]:
    """What computing a tool's figures again from the lake's files adds, tool by tool."""
    for tool, args in calls:
        result = call(TOOLS_BY_NAME[tool], args, context)
        pairs = interleave(
            lambda result=result: with_second_path(result, context, 1),  # type: ignore[misc]
            lambda tool=tool, args=args: call(TOOLS_BY_NAME[tool], args, context),  # type: ignore[misc]
            pairs=_PAIRS,
        )
        again = with_second_path(result, context, 1)
        if len(again.verdicts) > len(result.verdicts):
            cpu = statistics.median(s.cpu_ms for s in pairs.ours)
            yield Line(
                name=f"second path of {tool}, {again.verdicts[-1].n_checked} figures",
                figures=f"{pair_figures(pairs, 'the tool')}; cpu {cpu:.1f} ms",
                goal=f"≤ {_MOST_SECOND_MS:g} ms",
                is_held=min(cpu, pairs.ours_ms) <= _MOST_SECOND_MS,
            )


def _check(answer: dict[str, Any], calls: list[Call]) -> None:
    """Raises: Skipped when the run was not the scripted one, so that there is nothing to compare."""
    ran = [step["tool"] for step in answer["steps"] if step["ok"]]
    if answer["status"] != "done" or ran != [tool for tool, _ in calls]:
        raise Skipped(f"the run ended {answer['status']} after {ran}: {answer.get('error')}")


def bare_loop(client: OpenAI, system: str, context: ToolContext, *, checks_rows: bool = False) -> str:
    """Chat, call the tool, chat again, until there is an answer.

    checks_rows: also check the rows that a tool used, which the product does and a bare loop does not.
    """
    messages: list[dict[str, str]] = [
        {"role": "system", "content": system},
        {"role": "user", "content": _QUESTION},
    ]
    while True:
        found = client.chat.completions.create(model=MODEL, messages=messages, temperature=0.2)  # type: ignore[arg-type]
        text = found.choices[0].message.content or ""
        reply = json.loads(text)
        if "final" in reply:
            return str(reply["final"]["answer"])
        tool = TOOLS_BY_NAME[reply["action"]["tool"]]
        args = reply["action"]["args"]
        if checks_rows:
            digest = with_row_verdicts(call(tool, args, context), context, 1).digest
        else:
            digest = digest_of(tool.run(parse_args(tool, args), context))
        messages.append({"role": "assistant", "content": text})
        messages.append({"role": "user", "content": digest})


def _tools(calls: list[Call], context: ToolContext) -> None:
    for name, args in calls:
        tool = TOOLS_BY_NAME[name]
        digest_of(tool.run(parse_args(tool, args), context))


def _context(service: Service, view: LakeView) -> ToolContext:
    as_of = service.as_of(view.model)
    top = view.model.top_level
    entity = view.catalog.by_level[top.key][0].id if top is not None else None
    return ToolContext(view=view, lang="zh", as_of=as_of, viewer="bench", entity=entity)


def _calls(context: ToolContext) -> list[Call]:
    """Four calls that a model might make for the question."""
    last = context.last_settled
    week = {"from": (last - timedelta(days=6)).isoformat(), "to": last.isoformat()}
    metrics = ["grossAmt", "validOrderCnt"]
    return [
        ("define_metric", {"metrics": metrics}),
        ("query_report", {"metrics": metrics, **week, "by": "date"}),
        ("query_report", {"metrics": metrics, **week, "by": "shop", "sort": "-grossAmt", "limit": 10}),
        ("compare_periods", {"metrics": metrics, "current": week, "mode": "previous"}),
    ]


def _script(calls: list[Call], context: ToolContext) -> list[str]:
    """The model's replies: the calls, then an answer whose numbers come from their results."""
    replies = [{"thought": "next", "action": {"tool": name, "args": args}} for name, args in calls]
    texts = [json.dumps(reply, ensure_ascii=False) for reply in replies]
    rows = call(TOOLS_BY_NAME["query_report"], calls[2][1], context).table
    total = call(TOOLS_BY_NAME["query_report"], calls[1][1], context).table
    assert rows is not None
    assert total is not None
    sales, orders = total.totals["grossAmt"], total.totals["validOrderCnt"]
    best = [f"{r['shopName']}营业额 {r['grossAmt']:,.2f} 元" for r in rows.rows[:5]]
    period = f"{calls[1][1]['from']} 至 {calls[1][1]['to']}"
    answer = f"{period}，营业额 {sales:,.2f} 元，有效订单 {orders:,} 单。最高的门店：{'；'.join(best)}。"
    chart = {"type": "line", "x": "date", "y": ["grossAmt"]}
    final = {"thought": "done", "final": {"answer": answer, "chart": chart}}
    return [*texts, json.dumps(final, ensure_ascii=False)]


def _system(context: ToolContext) -> str:
    request = Request(
        run_id="bench",
        session_id="bench",
        question=_QUESTION,
        dataset="demo",
        viewer="bench",
        as_of=context.as_of,
        lang="zh",
    )
    return system_prompt(State(request=request, view=context.view))
