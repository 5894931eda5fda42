"""Answers against peers: gaps in % or pp, ranks as n of N, and whether the peers moved too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from askcore.agent.rules.compose.wording import Gate, Words, beside, sentence
from askcore.agent.rules.understanding import Understanding
from askcore.agent.state import Final, State
from askcore.base.text import say
from askcore.base.values import ToolResult
from askcore.semantic.format import format_pct
from askcore.tools.cells import is_number

_NAMED = 5
_TOLD = ("peer_gap", "peer_rank", "peer_group")


def compose_peers(found: Understanding, results: Sequence[ToolResult], state: State) -> Final:
    """Counts and the furthest shops of each metric, ranks that moved, then the checks."""
    words = Words.of(state)
    result = next(r for r in results if r.tool == "peer_benchmark")
    facts: Mapping[str, Any] = result.facts.get("metrics") or {}
    parts = [_head(result, words)]
    for key, one in facts.items():
        said = _moved(key, one, found, words) if found.extra.get("moves") else _gaps(key, one, found, words)
        parts.append(words.sentences(said))
    parts.append(words.sentences(f"{sentence(v.note, words)} [{v.id}]" for v in _telling(result)))
    if not facts:
        parts = [sentence(n.text, words) for n in result.notes] or [words.say("nothing")]
    gate = Gate.of([result], told=_TOLD)
    answer = gate.around("\n\n".join(p for p in parts if p), words)
    others = beside([r for r in results if r is not result], words, found.reading)
    return Final(
        answer="\n\n".join(p for p in (answer, others) if p),
        chart=_chart(result, facts, found),
        headline_step=result.id,
        notes=tuple(found.notes),
        follow_ups=_follow_ups(facts, words),
    )


def peer_line(result: ToolResult, words: Words) -> str:
    """One entity against its peers, as a line of a longer answer."""
    facts: Mapping[str, Any] = result.facts.get("metrics") or {}
    said = [
        _against(key, entry, words)
        for key, one in facts.items()
        for entry in (*one["behind"], *one["ahead"])[:1]
        if is_number(entry["gap"])
    ]
    return _say(words, "line", rows=words.join(said)) if said else ""


def _say(words: Words, key: str, **values: Any) -> str:
    return say(words.lang, f"peer_answer.{key}", **values)


def _telling(result: ToolResult) -> list[Any]:
    """Fallen ranks and groups that cannot be compared, in the verdicts' own words."""
    return [v for v in result.verdicts if v.check in ("peer_rank", "peer_group") and v.status == "warn"]


def _head(result: ToolResult, words: Words) -> str:
    current, baseline = result.facts.get("current"), result.facts.get("baseline")
    days = f"{current['from']} – {current['to']}" if current else ""
    if baseline and result.args.get("baseline"):
        return _say(words, "head_two", days=days, before=f"{baseline['from']} – {baseline['to']}")
    return _say(words, "head", days=days)


def _gaps(key: str, one: Mapping[str, Any], found: Understanding, words: Words) -> Iterator[str]:
    counts, side = one["counts"], str(found.extra.get("side", ""))
    label = words.label(key)
    if not counts["checked"]:
        yield _say(words, "nobody", metric=label)
        return
    yield _say(
        words, "counts", metric=label, n=counts["checked"], behind=counts["behind"], ahead=counts["ahead"]
    )
    lists = (
        ("ahead",) if side == "above_peer" else ("behind",) if side == "below_peer" else ("behind", "ahead")
    )
    for name in lists:
        named = [_entry(key, e, words) for e in one[name][:_NAMED] if is_number(e["gap"])]
        if named:
            kind = name if len(one[name]) <= _NAMED and counts[name] <= _NAMED else f"{name}_most"
            yield _say(words, kind, rows=words.join(named))
    hidden = counts["hidden_small"]
    if hidden:
        yield _say(words, "hidden", n=hidden)


def _entry(key: str, entry: Mapping[str, Any], words: Words) -> str:
    gap = _gap(key, entry["gap"], words)
    way = _say(words, "above" if entry["gap"] > 0 else "below")
    text = _say(words, "gap", name=_name(entry, words), way=way, gap=gap)
    return _say(words, "ranked", text=text, rank=entry["rank"]) if entry.get("rank") else text


def _against(key: str, entry: Mapping[str, Any], words: Words) -> str:
    way = _say(words, "above" if entry["gap"] > 0 else "below")
    text = _say(
        words,
        "against",
        name=_name(entry, words),
        metric=words.label(key),
        way=way,
        gap=_gap(key, entry["gap"], words),
    )
    return _say(words, "ranked", text=text, rank=entry["rank"]) if entry.get("rank") else text


def _gap(key: str, gap: float, words: Words) -> str:
    """Percentage points for rates, % for everything else."""
    return words.change(key, gap) if words.metric(key).is_rate else format_pct(gap)


def _name(entry: Mapping[str, Any], words: Words) -> str:
    leaf = words.model.leaf_level
    if leaf is None:
        return str(entry["name"])
    return words.entity_name(leaf.key, str(entry["name"]), str(entry["id"]))


def _moved(key: str, one: Mapping[str, Any], found: Understanding, words: Words) -> Iterator[str]:
    """Whose rank gained or lost most places."""
    name = "rank_fell" if found.extra.get("down") else "rank_improved"
    rows = one[name][: found.top_n or _NAMED]
    label = words.label(key)
    if not rows:
        yield _say(words, f"no_{name}", metric=label)
        return
    named = [
        _say(
            words,
            "moved_down" if e["rank_change"] < 0 else "moved_up",
            name=_name(e, words),
            before=_rank(e["rank_mean_before"]),
            now=_rank(e["rank_mean"]),
            places=_rank(abs(e["rank_change"])),
            n=e["peers"],
        )
        for e in rows
    ]
    yield _say(words, name, metric=label, rows=words.join(named))


def _rank(value: float) -> str:
    """A mean rank: one decimal where it has any."""
    return f"{value:.1f}".removesuffix(".0")


def _chart(result: ToolResult, facts: Mapping[str, Any], found: Understanding) -> dict[str, Any] | None:
    leaf = next((c.key for c in result.table.columns if c.of), None) if result.table is not None else None
    if leaf is None or not facts:
        return {}
    key = next(iter(facts))
    column = f"{key}__rank_change" if found.extra.get("moves") else f"{key}__gap"
    return {"type": "hbar", "x": leaf, "y": [column]}


def _follow_ups(facts: Mapping[str, Any], words: Words) -> tuple[str, ...]:
    for key, one in facts.items():
        if one["behind"]:
            name = _name(one["behind"][0], words)
            return (_say(words, "ask_why", name=name, metric=words.label(key)), words.say("ask_health"))
    return (words.say("ask_health"),)
