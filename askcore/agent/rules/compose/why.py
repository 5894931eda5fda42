"""Why-answers: what changed, which parts the change lies in, and what speaks against the data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from askcore.agent.rules.compose.comparison import compared_part
from askcore.agent.rules.compose.followups import check_question
from askcore.agent.rules.compose.peers import beside_line, peer_line
from askcore.agent.rules.compose.strip import change_metric
from askcore.agent.rules.compose.wording import Gate, Words, beside, sentence
from askcore.agent.rules.understanding import Understanding
from askcore.agent.state import Final, State
from askcore.base.text import say
from askcore.base.values import ToolResult
from askcore.base.views import HeadlineMetric
from askcore.semantic.format import format_pct
from askcore.tools.cells import is_number

_NAMED = 4  # parts told a level; the rest is in the table
_WHOLE = 1.0  # beyond it a share of the change reads as nonsense: parts of both signs


def compose_why(found: Understanding, results: Sequence[ToolResult], state: State) -> Final:
    """The comparison in one line a metric, then the parts, the factors, the mix, peers, and the checks."""
    words = Words.of(state)
    by_tool = {r.tool: r for r in results}
    compared, explained = by_tool.get("compare_periods"), by_tool.get("explain_change")
    parts: list[str] = []
    if compared is not None:
        parts.append(compared_part(found, compared, words))
    if explained is not None and _has_nothing(compared):
        explained = None
    elif explained is not None:
        parts.append(_premise(found, explained, words))
        parts += _explained(explained, words, str(found.extra.get("way") or ""))
    else:
        parts.append(_not_explained(state, words))
    peers = by_tool.get("peer_benchmark")
    if peers is not None:
        parts.append(peer_line(peers, words))
    figures = [r for r in (compared, explained) if r is not None]
    gate = Gate.of(figures, told=("simpson", "attribution_market"))
    rest = [beside_line(r) if r is peers else r for r in results if r not in figures]
    answer = gate.around("\n\n".join(p for p in parts if p), words)
    remark = "" if explained is None else str(explained.facts.get("remark") or "")
    return Final(
        answer="\n\n".join(p for p in (answer, remark, beside(rest, words, found.reading)) if p),
        chart=_chart(explained),
        headline_step=None if explained is None else explained.id,
        headline=_strip(explained, words),
        notes=tuple(found.notes),
        follow_ups=_follow_ups(found, explained, words),
    )


def _say(words: Words, key: str, **values: Any) -> str:
    return say(words.lang, f"why.{key}", **values)


def _has_nothing(compared: ToolResult | None) -> bool:
    """Whether a period has no data of what is asked about: then there is no change to take apart."""
    changes: Mapping[str, Any] = {} if compared is None else compared.facts.get("changes") or {}
    first: Mapping[str, Any] = next(iter(changes.values()), {})
    return bool(first) and not (is_number(first.get("cur")) and is_number(first.get("prev")))


def _premise(found: Understanding, result: ToolResult, words: Words) -> str:
    """Said where the question takes for granted what the figures do not show."""
    total: Mapping[str, Any] = result.facts.get("total") or {}
    said, change = found.extra.get("said"), total.get("change")
    if not said or change is None or change * (1 if said == "up" else -1) > 0:
        return ""
    key = str(result.facts.get("metric") or result.args.get("metric"))
    way = "rose" if change > 0 else "fell" if change < 0 else "same"
    return _say(words, f"premise_{said}", metric=words.label(key), way=_say(words, f"premise_{way}"))


def _explained(result: ToolResult, words: Words, way: str) -> list[str]:
    facts: Mapping[str, Any] = result.facts
    key = str(facts.get("metric") or result.args.get("metric"))
    levels = (facts.get("segments") or {}).items()
    found = [words.sentences(_level(key, name, level, words)) for name, level in levels]
    if way:
        found = [_one_way(key, name, level, result, words, way) for name, level in levels]
    found.append(_drivers(key, facts, words))
    return [*found, *_verdicts(result, words)]


def _level(key: str, name: str, level: Mapping[str, Any], words: Words) -> Iterator[str]:
    rows = [
        r for r in level["rows"] if is_number(r["contribution"]) and _shows(key, r["contribution"], words)
    ]
    if not rows:
        return
    label = _level_label(name, level, words)
    named = [_part(key, name, row, rows, words) for row in rows[:_NAMED]]
    text = words.join(named)
    if len(rows) > _NAMED:
        text = _say(words, "rest", rows=text)
    kind = "parts_rate" if is_number(level.get("rate_effect")) else "parts"
    yield _say(words, kind, level=label, metric=words.label(key), rows=text)
    if is_number(level.get("rate_effect")):
        yield _say(
            words,
            "mix",
            level=label,
            metric=words.label(key),
            sign=_sign(level["rate_effect"]),
            rate=words.change(key, level["rate_effect"]),
            mix_sign=_sign(level["mix_effect"]),
            mix=words.change(key, level["mix_effect"]),
        )
    for kind in ("opened", "closed"):
        names = [_entity(name, r, words) for r in level["rows"] if r["kind"] == kind]
        if names:
            yield _say(words, kind, names=words.join(names[:_NAMED]))


def _level_label(name: str, level: Mapping[str, Any], words: Words) -> str:
    """What is split by, as a sentence names it."""
    label = str(level.get("label") or name).split("/")[0]
    return label.lower() if words.lang == "en" else label


def _one_way(
    key: str, name: str, level: Mapping[str, Any], result: ToolResult, words: Words, way: str
) -> str:
    """Only the parts that pulled the total down, or up, the strongest first."""
    sign = 1 if way == "up" else -1
    table = () if result.table is None else result.table.rows
    own = [r for r in table if r["part"] == name and is_number(r["contribution"])]
    pulled = [r for r in own if r["contribution"] * sign > 0 and _shows(key, r["contribution"], words)]
    pulled.sort(key=lambda r: -abs(r["contribution"]))
    label = _level_label(name, level, words)
    if not pulled:
        return _say(words, f"nobody_{way}", level=label, metric=words.label(key))
    text = words.join(_part(key, name, row, own, words) for row in pulled[:_NAMED])
    if len(pulled) > _NAMED:
        text = _say(words, "rest", rows=text)
    return _say(words, f"pulled_{way}", level=label, metric=words.label(key), rows=text)


def _part(
    key: str, level: str, row: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], words: Words
) -> str:
    """One part; its share only where all parts move one way.

    A part of a rate contributes by its weight as well: its own rate may move the other way.
    """
    delta = row["contribution"]
    if is_number(row.get("rate_effect")):
        return _say(
            words,
            "part_rate",
            name=_entity(level, row, words),
            sign=_sign(delta),
            change=words.change(key, delta),
            own_sign=_sign(row["rate_effect"]),
            own=words.change(key, row["rate_effect"]),
        )
    text = _say(
        words,
        "part_up" if delta > 0 else "part_down",
        name=_entity(level, row, words),
        change=words.change(key, delta),
    )
    one_way = all((r["contribution"] > 0) == (delta > 0) for r in rows)
    if not one_way or not is_number(row.get("share")) or abs(row["share"]) > _WHOLE:
        return text
    return _say(words, "part_share", part=text, share=format_pct(row["share"]))


def _shows(key: str, delta: float, words: Words) -> bool:
    """Whether a part is more than zeros when it is rounded as shown."""
    return any(c in "123456789" for c in words.change(key, delta))


def _entity(level: str, row: Mapping[str, Any], words: Words) -> str:
    """A part's name; its id too where others share it."""
    if level in words.model.levels_by_key and row["id"]:
        return words.entity_name(level, str(row["name"]), str(row["id"]))
    return str(row["name"])


def _sign(value: float) -> str:
    return "+" if value > 0 else "-" if value < 0 else ""


def _drivers(key: str, facts: Mapping[str, Any], words: Words) -> str:
    rows = [r for r in facts.get("drivers") or () if is_number(r.get("contribution"))]
    named = [
        _say(
            words,
            "driver",
            name=r["name"],
            sign=_sign(r["contribution"]),
            change=words.change(key, r["contribution"]),
        )
        for r in rows
    ]
    return _say(words, "drivers", metric=words.label(key), rows=words.join(named)) if named else ""


def _verdicts(result: ToolResult, words: Words) -> Iterator[str]:
    """Simpson's reversal and what the market explains, in the verdicts' own words."""
    for verdict in result.verdicts:
        if verdict.check == "simpson" and verdict.status == "warn":
            yield _say(words, "simpson", note=verdict.note, id=verdict.id)
        if verdict.check == "attribution_market" and verdict.status == "pass":
            yield _say(words, "market", note=verdict.note, id=verdict.id)
        if verdict.check == "attribution_sum" and verdict.status == "pass":
            yield f"{sentence(verdict.note, words)} [{verdict.id}]"


def _not_explained(state: State, words: Words) -> str:
    failed = next((r.error for r in state.results if r.tool == "explain_change" and r.error), None)
    return (
        ""
        if failed is None
        else _say(words, "not_explained", why=failed.message.rstrip(words.say("full_stops")))
    )


def _chart(result: ToolResult | None) -> dict[str, Any] | None:
    if result is None or result.table is None:
        return None
    return {"type": "hbar", "x": "name", "y": ["contribution"], "color": "part_name"}


def _strip(result: ToolResult | None, words: Words) -> tuple[HeadlineMetric, ...]:
    total = {} if result is None else result.facts.get("total") or {}
    if result is None or not is_number(total.get("current")):
        return ()
    key = str(result.facts["metric"])
    return (change_metric(words, key, total["current"], total["change"], total.get("pct")),)


def _follow_ups(found: Understanding, result: ToolResult | None, words: Words) -> tuple[str, ...]:
    asked = [check_question(words)]
    if result is not None and words.model.time.grain == "day":
        key = str(result.facts.get("metric") or result.args["metric"])
        asked.append(_since(found, words.label(key), words))
    return tuple(asked)


def _since(found: Understanding, metric: str, words: Words) -> str:
    """The question from when on it changed, of the one entity that was asked about."""
    filters = {} if found.reading is None else found.reading.filters
    if sum(len(ids) for ids in filters.values()) == 1:
        return say(words.lang, "anomaly_answer.ask_since", name=words.subject(found.reading), metric=metric)
    return words.say("ask_since", metric=metric)
