"""Results -> answer. Sentences are made from cells by template, so every number has its source."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from askcore.agent.answer import settled
from askcore.agent.rules.compose.anomaly import compose_anomaly
from askcore.agent.rules.compose.comparison import compose_comparison
from askcore.agent.rules.compose.definition import compose_definition
from askcore.agent.rules.compose.entities import compose_entities
from askcore.agent.rules.compose.figures import compose_figures
from askcore.agent.rules.compose.overview import compose_overview
from askcore.agent.rules.compose.peers import compose_peers
from askcore.agent.rules.compose.quality import compose_quality
from askcore.agent.rules.compose.raw import compose_raw
from askcore.agent.rules.compose.report import compose_report
from askcore.agent.rules.compose.why import compose_why
from askcore.agent.rules.compose.wording import Words, bullets, sentence
from askcore.agent.rules.understanding import Understanding
from askcore.agent.state import Action, Fail, Final, State
from askcore.base.values import ToolResult

Composer = Callable[[Understanding, Sequence[ToolResult], State], Final]
_BY_TOOL: Mapping[str, Composer] = {
    "build_report": compose_report,
    "explain_change": compose_why,
    "detect_changes": compose_anomaly,
    "peer_benchmark": compose_peers,
    "cross_entity": compose_entities,
    "raw_inspect": compose_raw,
    "query_report": compose_figures,
    "compare_periods": compose_comparison,
    "cross_check": compose_quality,
    "data_quality": compose_quality,
    "lake_overview": compose_overview,
    "define_metric": compose_definition,
}
_ORDER = (
    "build_report",
    "explain_change",
    "detect_changes",
    "peer_benchmark",
    "cross_entity",
    "raw_inspect",
    "query_report",
    "compare_periods",
    "data_quality",
    "cross_check",
    "lake_overview",
    "define_metric",
)
_OF_FIGURES = ("used_rows", "second_path")
# Failures that are an answer in themselves: the data does not have it.
_ANSWERABLE = ("empty", "unknown_name", "bad_args")


def compose(found: Understanding, results: Sequence[ToolResult], state: State) -> Action:
    """The final action for an understood question and the results of its plan."""
    words = Words.of(state)
    if not found.calls or (found.intent == "coverage" and found.notes):  # no data: the notes say why
        return Final(
            answer=words.sentences(sentence(n.text, words) for n in found.notes),
            chart={},
            notes=tuple(found.notes),
            follow_ups=tuple(found.alternatives),
        )
    good = [r for r in results if r.ok]
    if not good:
        return _explain(found, results, words)
    if found.intent == "why" and any(r.tool == "compare_periods" for r in good):
        final = compose_why(found, good, state)  # the change is told even where it cannot be taken apart
    else:
        final = _BY_TOOL[_main_tool(good)](found, good, state)
    return replace(final, answer=f"{final.answer}\n\n{_passed(good, words)}") if found.asks_trust else final


def _passed(results: Sequence[ToolResult], words: Words) -> str:
    """What held of the rows behind the figures, for who asks whether to believe them."""
    held = [v for v in settled(results) if v.status == "pass" and v.check in _OF_FIGURES]
    return words.say("held") + bullets(held, words) if held else words.say("held_nothing")


def _main_tool(results: Sequence[ToolResult]) -> str:
    """The tool whose result the answer is about: analyses before figures before checks before overviews."""
    known = {r.tool for r in results}
    return next(tool for tool in _ORDER if tool in known)


def _explain(found: Understanding, results: Sequence[ToolResult], words: Words) -> Action:
    """No result: say why, as an answer when the data is the reason, as a failure otherwise."""
    error = next((r.error for r in results if r.error is not None), None)
    if error is None:
        return Final(answer=words.say("nothing"), chart={}, notes=tuple(found.notes))
    if error.error_class not in _ANSWERABLE:
        return Fail(error=error)
    hint = words.say("hint", hint=error.hint) if error.hint else ""
    return Final(
        answer=words.sentences([words.say("cannot", why=error.message), hint]),
        chart={},
        notes=tuple(found.notes),
        follow_ups=tuple(found.alternatives),
    )
