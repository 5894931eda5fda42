"""Where the findings sit: by entity and by month."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from askcore.base.reports import Block, ChartBlock, TableBlock, TextBlock
from askcore.base.text import say
from askcore.base.values import ChartSpec, Column, Table, ToolResult
from askcore.checks.frame import Frame
from askcore.report.markup import one_line
from askcore.tools.finding_counts import entity_address

_COUNTS: Final = ("all", "fail", "warn", "checks")
_ON_PAPER: Final = 30
_BARS: Final = 15
_LINES: Final = 2  # months from which on a drawing says more than the table


def place_blocks(result: ToolResult, frame: Frame) -> Iterator[Block]:
    """Two tables with their drawings; nothing when there are no findings but those that inform."""
    lang = frame.lang
    entities, months = _entities(result, frame), _months(result)
    if not entities and not months:
        return
    yield TextBlock(paragraphs=(one_line(say(lang, "report.places_lead")),), tone="note")
    if entities:
        name = say(lang, "report.by_entity")
        table = _table(("level", "name", "id"), entities, frame)
        if len(entities) > 1:
            bars = Table(columns=table.columns, rows=table.rows[:_BARS], row_count=table.row_count)
            yield ChartBlock(title=name, table=bars, spec=ChartSpec(type="hbar", x="name", y=("all",)))
        yield TableBlock(title=name, table=table, source="", on_paper=_ON_PAPER)
    if months:
        name = say(lang, "report.by_month")
        table = _table(("month",), months, frame)
        if len(months) > _LINES:
            yield ChartBlock(title=name, table=table, spec=ChartSpec(type="hbar", x="month", y=("all",)))
        yield TableBlock(title=name, table=table, source="")


def place_cells(result: ToolResult, frame: Frame) -> Iterator[str]:
    """The cells that pages state: of the first entities, and of every month."""
    for fact in _by_entity(result)[:_ON_PAPER]:
        owner = f"{fact['name']}." if fact["name"] else ""
        place = f"{owner}{entity_address(fact['level'], fact['id'])}"
        yield from (f"{place}.findings.{name}[verdict]" for name in _COUNTS)
    for fact in result.facts.get("by_month", ()):
        yield from (f"month.findings.{name}[verdict]@{fact['id']}" for name in _COUNTS)


def _by_entity(result: ToolResult) -> Sequence[Mapping[str, Any]]:
    """Counts of the entities; () when the data has none, or no finding is of one."""
    found: Sequence[Mapping[str, Any]] = result.facts.get("by_entity", ())
    return found if any(fact["id"] for fact in found) else ()


def _entities(result: ToolResult, frame: Frame) -> list[dict[str, Any]]:
    levels = {level.key: level.label[frame.lang].split("/")[0] for level in frame.levels}
    nobody = say(frame.lang, "report.nobody")
    return [
        {**fact, "level": levels.get(fact["level"], ""), "name": fact["name"] or nobody}
        for fact in _by_entity(result)
    ]


def _months(result: ToolResult) -> list[dict[str, Any]]:
    return [{**fact, "month": fact["id"]} for fact in result.facts.get("by_month", ())]


def _table(dimensions: Sequence[str], rows: Sequence[Mapping[str, Any]], frame: Frame) -> Table:
    keys = (*dimensions, *_COUNTS)
    columns = tuple(
        Column(
            key=key,
            label=say(frame.lang, f"report.{'key' if key in dimensions else 'count'}_{key}"),
            unit="" if key in dimensions else "count",
        )
        for key in keys
    )
    return Table(columns=columns, rows=tuple({k: r[k] for k in keys} for r in rows), row_count=len(rows))
