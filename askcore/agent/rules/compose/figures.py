"""Lookup, ranking, trend, share and funnel: answers from one query."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from askcore.agent.rules.compose.empty import own_spans
from askcore.agent.rules.compose.followups import figure_follow_ups
from askcore.agent.rules.compose.strip import total_strip
from askcore.agent.rules.compose.wording import Gate, Words
from askcore.agent.rules.understanding import Understanding
from askcore.agent.state import Final, State
from askcore.agent.verify import argument_periods
from askcore.base.values import TIME_GRAINS, Table, ToolResult
from askcore.tools.cells import is_number

_LISTED = 5  # rows named in prose; the table shows them all
_OTHERS = 3  # further metrics that are worded
_SERIES = 6  # lines of a chart named in prose


def compose_figures(found: Understanding, results: Sequence[ToolResult], state: State) -> Final:
    """The answer from the first query's table."""
    words = Words.of(state)
    result = next(r for r in results if r.tool == "query_report")
    table = result.table or Table(columns=(), rows=())
    gate = Gate.of([result])
    spans = own_spans(found.reading, argument_periods(result.args)[0], words)
    body = words.sentences((_body(found, result, table, words), spans))
    return Final(
        answer=gate.around(body, words),
        chart=None if found.chart is None else found.chart.as_json(),
        headline_step=result.id,
        headline=total_strip(result, words),
        notes=tuple(found.notes),
        follow_ups=figure_follow_ups(found, result, words),
    )


def _body(found: Understanding, result: ToolResult, table: Table, words: Words) -> str:
    metrics = _metrics(result)
    when = words.on(argument_periods(result.args)[0])
    whom = words.subject(found.reading)
    if not table.rows:
        return words.say("no_rows", when=when, whom=whom, metrics=words.join(map(words.label, metrics)))
    grain = next((k for k in table.dimensions if k in TIME_GRAINS), None)
    if found.intent == "share":
        return _share(found, result, table, when, words)
    if grain is not None and not result.args.get("sort"):
        return _trend(result, table, grain, (when, whom), words)
    if table.dimensions:
        return _ranking(found, result, table, (when, whom), words)
    return _lookup(table, metrics, (when, whom), words)


def _metrics(result: ToolResult) -> tuple[str, ...]:
    return tuple(result.args.get("metrics") or ())


def _lookup(table: Table, metrics: Sequence[str], about: tuple[str, str], words: Words) -> str:
    values = table.totals or table.rows[0]
    parts = [
        words.say("is", metric=words.label(key), value=words.bold(key, values[key]))
        if is_number(values.get(key))
        else words.say("is_unknown", metric=words.label(key))
        for key in metrics
    ]
    return words.say("lookup", when=about[0], whom=about[1], values=words.join(parts))


def _ranking(
    found: Understanding, result: ToolResult, table: Table, about: tuple[str, str], words: Words
) -> str:
    metrics = _metrics(result)
    key = str(result.args.get("sort") or metrics[0]).lstrip("-")
    key = key if key in metrics else metrics[0]
    ranked = [r for r in table.rows if is_number(r.get(key))]
    named = [
        words.say("named_value", name=words.row_name(r), value=words.bold(key, r[key]))
        for r in ranked[:_LISTED]
    ]
    order = "ranked" if not result.args.get("sort") else _order(result)
    head = words.say(order, when=about[0], whom=about[1], metric=words.label(key), rows=words.join(named))
    place = _place(found, result, key, about[0], words)
    totals = [_total(result, key, words)]
    for other in () if result.args.get("sort") else [m for m in metrics if m != key][:_OTHERS]:
        totals += [_beside(table, other, words), _total(result, other, words)]
    return words.sentences([place, head, _counted(table, words), *totals])


def _beside(table: Table, key: str, words: Words) -> str:
    """Another metric of the same rows."""
    named = [
        words.say("named_value", name=words.row_name(r), value=words.bold(key, r[key]))
        for r in table.rows[:_LISTED]
        if is_number(r.get(key))
    ]
    return words.say("ranked_more", metric=words.label(key), rows=words.join(named)) if named else ""


def _place(found: Understanding, result: ToolResult, key: str, when: str, words: Words) -> str:
    """The rank of the entity that was asked about."""
    table = result.table
    if not found.focus or table is None:
        return ""
    for place, row in enumerate(table.rows, start=1):
        if set(found.focus) & {str(v) for v in row.values()} and is_number(row.get(key)):
            value = words.bold(key, row[key])
            name, metric = words.row_name(row), words.label(key)
            return words.say(
                "rank_of", when=when, name=name, metric=metric, value=value, rank=place, n=table.row_count
            )
    return ""


def _order(result: ToolResult) -> str:
    return "ranked_down" if str(result.args["sort"]).startswith("-") else "ranked_up"


def _counted(table: Table, words: Words) -> str:
    """N of N rows, from the query's own count."""
    if table.shown >= table.row_count:
        return words.say("all_rows", n=table.row_count)
    return words.say("some_rows", shown=table.shown, n=table.row_count)


def _total(result: ToolResult, key: str, words: Words) -> str:
    table = result.table
    if table is None or not is_number(table.totals.get(key)):
        return ""
    metric = words.metric(key)
    kind = "total" if metric.is_additive else "overall"
    return words.say(kind, metric=words.whole(key, result), value=words.value(key, table.totals[key]))


def _trend(result: ToolResult, table: Table, grain: str, about: tuple[str, str], words: Words) -> str:
    metrics = _metrics(result)
    key = metrics[0]
    rows = [r for r in table.rows if is_number(r.get(key))]
    if not rows:
        return words.say("no_rows", when=about[0], whom=about[1], metrics=words.label(key))
    head = words.say("trend", when=about[0], whom=about[1], metric=words.label(key))
    total = _total(result, key, words)
    if any(k not in TIME_GRAINS for k in table.dimensions):
        return words.sentences([head, total, _latest(result, key, grain, words)])
    if len(rows) <= _LISTED:
        named = [
            words.say("named_value", name=words.bucket(str(r[grain]), grain), value=words.bold(key, r[key]))
            for r in rows
        ]
        total = words.sentences([words.say("buckets", rows=words.join(named)), total])
    others = [_total(result, other, words) for other in metrics[1 : 1 + _OTHERS]]
    return words.sentences([head, total, _extremes(result, key, grain, words), *others])


def _extremes(result: ToolResult, key: str, grain: str, words: Words) -> str:
    """Highest, lowest and the change from first to last among whole buckets: a cut week is no fall."""
    series = (result.facts.get("series") or {}).get(key) or []
    if not series:
        return ""
    found = series[0]
    is_cut = any(note.code == "partial_period" for note in result.notes)
    extremes = words.say(
        "whole_extremes" if is_cut else "extremes",
        high=words.bucket(found["max"]["bucket"], grain),
        high_value=words.bold(key, found["max"]["value"]),
        low=words.bucket(found["min"]["bucket"], grain),
        low_value=words.bold(key, found["min"]["value"]),
    )
    change = found["change"]
    if not change:
        return extremes
    moved = words.say(
        "rose_from" if change > 0 else "fell_from",
        first=words.bucket(found["first"]["bucket"], grain),
        last=words.bucket(found["last"]["bucket"], grain),
        change=words.change(key, change),
    )
    return words.sentences([extremes, moved])


def _latest(result: ToolResult, key: str, grain: str, words: Words) -> str:
    """Each series' figure in the newest whole bucket."""
    series = (result.facts.get("series") or {}).get(key) or []
    if not series:
        return ""
    last = max(str(s["last"]["bucket"]) for s in series)
    named = [
        words.say("named_value", name=s["entity"], value=words.bold(key, s["last"]["value"]))
        for s in series
        if str(s["last"]["bucket"]) == last
    ]
    return words.say("latest", bucket=words.bucket(last, grain), rows=words.join(named[:_SERIES]))


def _share(found: Understanding, result: ToolResult, table: Table, when: str, words: Words) -> str:
    """Shares from the query's own share cells."""
    key = _metrics(result)[0]
    whole = _total(result, key, words)
    top = (result.facts.get("top_share") or {}).get(key)
    if top is not None and top["n"] > 1 and not found.focus:
        head = words.say(
            "top_share",
            when=when,
            n=top["n"],
            metric=words.label(key),
            value=words.value(key, top["top"]),
            share=f"{top['share'] * 100:.2f}%",
        )
        return words.sentences([head, whole])
    total: Any = table.totals.get(key)
    wanted = set(found.focus)
    has_shares = any(c.role == "share" and c.metric == key for c in result.cells)
    rows = [
        r
        for r in (table.rows if has_shares and is_number(total) else ())
        if is_number(r.get(key)) and (not wanted or wanted & {str(v) for v in r.values()})
    ]
    named = [
        words.say(
            "named_share",
            name=words.row_name(r),
            value=words.value(key, r[key]),
            share=f"{float(r[key]) / float(total) * 100:.2f}%",
        )
        for r in rows[:_LISTED]
    ]
    if not named:
        return words.say("no_share", when=when, metric=words.label(key)) + whole
    head = words.say("share", when=when, metric=words.label(key), rows=words.join(named))
    return words.sentences([head, whole])
