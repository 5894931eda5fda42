"""Answers against peers: gaps in % or pp, ranks as n of N, and whether the peers moved too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
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
    moves = bool(found.extra.get("moves"))
    parts = [_head(found, words)]
    for key, one in facts.items():
        said = _moved(key, one, found, result, words) if moves else _gaps(key, one, found, words)
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
    said = [_alone(key, one, words) for key, one in facts.items() if _only(one)]
    cited = next((f" [{v.id}]" for v in result.verdicts if v.check == "peer_gap"), "")
    return _say(words, "line", rows=words.join(said)) + cited if said else ""


def beside_line(result: ToolResult) -> ToolResult:
    """The result without the verdicts that `peer_line` tells."""
    return replace(result, verdicts=tuple(v for v in result.verdicts if v.check not in _TOLD))


def _say(words: Words, key: str, **values: Any) -> str:
    return say(words.lang, f"peer_answer.{key}", **values)


def _telling(result: ToolResult) -> list[Any]:
    """Fallen ranks and groups that cannot be compared, in the verdicts' own words."""
    return [v for v in result.verdicts if v.check in ("peer_rank", "peer_group") and v.status == "warn"]


def _head(found: Understanding, words: Words) -> str:
    """The days; two windows only where the question is about a change between them."""
    reading = found.reading
    if reading is None or reading.period is None:
        return ""
    days = words.period(reading.period)
    if found.extra.get("moves") and reading.baseline is not None:
        return _say(words, "head_two", days=days, before=words.period(reading.baseline))
    return _say(words, "head" if reading.period.days == 1 else "head_days", days=days)


def _gaps(key: str, one: Mapping[str, Any], found: Understanding, words: Words) -> Iterator[str]:
    counts, side = one["counts"], str(found.extra.get("side", ""))
    label = words.label(key)
    if not counts["checked"]:
        yield _say(words, "nobody", metric=label)
        return
    if _only(one):
        yield sentence(_alone(key, one, words), words)
        return
    yield _say(
        words, "counts", metric=label, n=counts["checked"], behind=counts["behind"], ahead=counts["ahead"]
    )
    for name in _lists(side, str(one["polarity"])):
        named = [_entry(key, e, words) for e in one[name][:_NAMED] if is_number(e["gap"])]
        if named:
            kind = name if len(one[name]) <= _NAMED and counts[name] <= _NAMED else f"{name}_most"
            yield _say(words, kind, rows=words.join(named))
    hidden = counts["hidden_small"]
    if hidden:
        yield _say(words, "hidden", n=hidden)


def _lists(side: str, polarity: str) -> tuple[str, ...]:
    """Which sides are told: below the peers is behind, unless less is better."""
    if side in ("behind", "ahead"):
        return (side,)
    if side in ("below_peer", "above_peer"):
        return ("behind",) if (side == "below_peer") == (polarity != "down") else ("ahead",)
    return ("behind", "ahead")


def _only(one: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The one entity that was compared, when there is no other and it differs from its peers."""
    entries = [*one["behind"], *one["ahead"]]
    alone = one["counts"]["checked"] == len(entries) == 1 and is_number(entries[0]["gap"])
    return entries[0] if alone else None


def _alone(key: str, one: Mapping[str, Any], words: Words) -> str:
    """Own value, peer mean, gap and rank of the only entity compared."""
    entry = _only(one)
    assert entry is not None  # noqa: S101 - the callers asked
    text = _say(
        words,
        "against",
        name=_name(entry, words),
        metric=words.label(key),
        own=words.value(key, entry["own"]),
        peer=words.value(key, entry["peer"]),
        way=_say(words, "above" if entry["gap"] > 0 else "below"),
        gap=_gap(key, entry["gap"], words),
    )
    return _say(words, "ranked_alone", text=text, rank=entry["rank"]) if entry.get("rank") else text


def _entry(key: str, entry: Mapping[str, Any], words: Words) -> str:
    gap = _gap(key, entry["gap"], words)
    way = _say(words, "above" if entry["gap"] > 0 else "below")
    text = _say(words, "gap", name=_name(entry, words), way=way, gap=gap)
    return _say(words, "ranked", text=text, rank=entry["rank"]) if entry.get("rank") else text


def _gap(key: str, gap: float, words: Words) -> str:
    """Percentage points for rates, % for everything else."""
    return words.change(key, gap) if words.metric(key).is_rate else format_pct(gap)


def _name(entry: Mapping[str, Any], words: Words) -> str:
    leaf = words.model.leaf_level
    if leaf is None:
        return str(entry["name"])
    return words.entity_name(leaf.key, str(entry["name"]), str(entry["id"]))


def _moved(
    key: str, one: Mapping[str, Any], found: Understanding, result: ToolResult, words: Words
) -> Iterator[str]:
    """Whose rank gained or lost most places, in the directions asked for."""
    regrouped = {e["id"] for e in one["regrouped"]}
    level = words.model.leaf_level
    rows = [
        r
        for r in (() if result.table is None else result.table.rows)
        if is_number(r.get(f"{key}__rank_change")) and (level is None or r.get(level.id) not in regrouped)
    ]
    for way in found.extra["ways"]:
        sign = 1 if way == "up" else -1
        moved = [r for r in rows if sign * r[f"{key}__rank_change"] > 0]
        moved.sort(key=lambda r: -abs(r[f"{key}__rank_change"]))
        name = "rank_improved" if way == "up" else "rank_fell"
        named = [_move(key, r, words) for r in moved[:_NAMED]]
        label = words.label(key)
        yield (
            _say(words, name, metric=label, rows=words.join(named))
            if named
            else _say(words, f"no_{name}", metric=label)
        )


def _move(key: str, row: Mapping[str, Any], words: Words) -> str:
    places = row[f"{key}__rank_change"]
    return _say(
        words,
        "moved_down" if places < 0 else "moved_up",
        name=words.row_name(row),
        before=_rank(row[f"{key}__rank_mean_prev"]),
        now=_rank(row[f"{key}__rank_mean"]),
        places=_rank(abs(places)),
        n=row[f"{key}__peers"],
    )


def _rank(value: float) -> str:
    """A mean rank: one decimal where it has any."""
    return f"{value:.1f}".removesuffix(".0")


def _chart(result: ToolResult, facts: Mapping[str, Any], found: Understanding) -> dict[str, Any] | None:
    named = [c.key for c in result.table.columns if c.of] if result.table is not None else []
    leaf = named[-1] if named else None
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
