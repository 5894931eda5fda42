"""`lake_overview`: what the dataset holds, how fresh it is, who opened and closed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from pydantic import Field

from askcore.base.errors import BadRequest, did_you_mean
from askcore.base.text import say
from askcore.base.values import Cell, Column, Period, Table
from askcore.checks.catalogue import run_checked
from askcore.checks.frame import DUP, Frame
from askcore.checks.limits import load_limits
from askcore.checks.sql import Binder, all_of, fill, quote
from askcore.semantic.catalog import Entity
from askcore.semantic.model import Level
from askcore.tools.base import Tool, ToolArgs, ToolContext, ToolOutput
from askcore.tools.data_quality import checked_period, frame_of, verdict_cells

_LISTED = 50  # entities named in the facts; the counts cover all
_COLUMNS = ("level", "entities", "rows", "first_day", "last_day")
_ROWS_SQL = """
SELECT CAST(f.scope AS VARCHAR) AS scope, strftime(f.date, '%Y-%m') AS month, count(*) AS n,
       min(f.date) AS first_day, max(f.date) AS last_day
FROM fact f WHERE @{where} GROUP BY ALL ORDER BY month, scope"""


class LakeOverviewArgs(ToolArgs):
    """What the dataset holds: entities of every level, first and last day, rows a month, how fresh it is,
    the last sync and its outcome, which shops opened or closed. `entity` is the id or name of one company,
    chain or shop (default: the company that the conversation is about).
    """

    entity: str | None = Field(default=None, description="id or name of an entity")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rows:
    """Rows of one level in one month."""

    scope: str
    month: str
    count: int
    first_day: date
    last_day: date


def run(args: LakeOverviewArgs, ctx: ToolContext) -> ToolOutput:
    """Counts from the catalog and one statement over the facts."""
    entity = _entity(args.entity, ctx)
    entities = _inside(entity, ctx)
    rows, sql = _rows(entity, ctx)
    period, _ = checked_period(None, None, ctx)
    frame = _frame(entity, period, ctx)
    checked = run_checked(frame, ("freshness", "sync_log"))
    openers, closers = turnover(entities, frame)
    table = _table(entities, rows, ctx)
    last_sync = _last_sync(frame)
    facts = {
        "entity": None if entity is None else {"level": entity.level, "id": entity.id, "name": entity.name},
        "period": _span(rows),
        "entities": {level: _names(found) for level, found in _by_level(entities, ctx).items()},
        "rows_per_month": _per_month(rows),
        "last_sync": last_sync,
        "openers": [_line(e, e.first_day) for e in openers[:_LISTED]],
        "closers": [_line(e, e.last_day) for e in closers[:_LISTED]],
    }
    cells = _cells(table, rows, (len(openers), len(closers)), ctx.step_id)
    return ToolOutput(
        table=table,
        facts=facts,
        cells=(*cells, *_sync_cells(last_sync, ctx.step_id), *verdict_cells(checked, ctx.step_id)),
        verdicts=tuple(c.verdict for c in checked),
        args={} if args.entity is None or entity is None else {"entity": entity.id},
        sql=(sql,),
        row_count=table.row_count,
        scanned=sum(r.count for r in rows),
    )


def turnover(entities: Sequence[Entity], frame: Frame) -> tuple[list[Entity], list[Entity]]:
    """(openers, closers) of the finest level, newest first.

    Openers have their first row after the data begins, closers their last one well before it ends: without
    rows for `closed_steps` an entity has closed; a shorter silence is missing data.
    """
    leaf = frame.leaf
    mine = [e for e in entities if leaf is not None and e.level == leaf.key and e.first_day]
    if not mine:
        return [], []
    begin = min(e.first_day for e in mine)
    end = date.fromisoformat(max(e.last_day for e in mine))
    closed = (end - timedelta(days=frame.limits.closed_steps * frame.step_days)).isoformat()
    openers = sorted((e for e in mine if e.first_day > begin), key=lambda e: e.first_day)
    closers = sorted((e for e in mine if e.last_day <= closed), key=lambda e: e.last_day)
    return openers[::-1], closers[::-1]


def _entity(name: str | None, ctx: ToolContext) -> Entity | None:
    catalog, top = ctx.view.catalog, ctx.view.model.top_level
    if name is None:
        return None if ctx.entity is None or top is None else catalog.entity(top.key, ctx.entity)
    for entity in catalog.entities:
        if name in (entity.id, entity.name):
            return entity
    known = [n for e in catalog.entities for n in (e.name, e.id)]
    raise BadRequest(
        say(ctx.lang, "checks.no_such_entity", name=name),
        hint=did_you_mean(name, known),
        error_class="unknown_name",
    )


def _inside(entity: Entity | None, ctx: ToolContext) -> list[Entity]:
    """The entity itself and everything below it; all when there is none."""
    found = ctx.view.catalog.entities
    if entity is None:
        return list(found)
    return [
        e
        for e in found
        if (e.level, e.id) == (entity.level, entity.id) or e.parents.get(entity.level) == entity.id
    ]


def _frame(entity: Entity | None, period: Period, ctx: ToolContext) -> Frame:
    """Freshness is a matter of the top entity that the asked one belongs to."""
    frame, top = frame_of(period, ctx), ctx.view.model.top_level
    if entity is None or top is None:
        return frame
    owner = entity.id if entity.level == top.key else entity.parents.get(top.key)
    return Frame(
        view=ctx.view, period=period, as_of=ctx.as_of, lang=ctx.lang, limits=load_limits(), entity=owner
    )


def _rows(entity: Entity | None, ctx: ToolContext) -> tuple[list[_Rows], str]:
    bind = Binder()
    conditions = [f"f.{DUP} = 1"]
    if entity is not None:
        level = ctx.view.model.levels_by_key[entity.level]
        conditions.append(f"f.{quote(level.id)} = {bind(entity.id)}")
    sql = fill(_ROWS_SQL, where=all_of(conditions))
    found = [
        _Rows(scope=str(scope), month=month, count=n, first_day=first, last_day=last)
        for scope, month, n, first, last in ctx.view.run(sql, bind.values).rows
    ]
    return found, sql


def _by_level(entities: Sequence[Entity], ctx: ToolContext) -> Mapping[str, list[Entity]]:
    return {level.key: [e for e in entities if e.level == level.key] for level in ctx.view.model.levels}


def _table(entities: Sequence[Entity], rows: Sequence[_Rows], ctx: ToolContext) -> Table:
    """One line a level: entities, rows, first and last day."""
    levels = ctx.view.model.levels
    lines = []
    for key in [level.key for level in levels] or sorted({r.scope for r in rows}):
        mine = [r for r in rows if r.scope == key]
        known = [e for e in entities if e.level == key]
        if not mine and not known:
            continue
        lines.append(
            {
                "level": _level_label(ctx.view.model.levels_by_key.get(key), ctx),
                "entities": len(known) if levels else None,
                "rows": sum(r.count for r in mine),
                "first_day": min(r.first_day for r in mine).isoformat() if mine else None,
                "last_day": max(r.last_day for r in mine).isoformat() if mine else None,
            }
        )
    columns = tuple(Column(key=k, label=say(ctx.lang, f"checks.column_{k}")) for k in _COLUMNS)
    return Table(columns=columns, rows=tuple(lines), row_count=len(lines))


def _level_label(level: Level | None, ctx: ToolContext) -> str:
    return say(ctx.lang, "checks.all_scope") if level is None else level.label.get(ctx.lang, level.key)


def _span(rows: Sequence[_Rows]) -> dict[str, str] | None:
    if not rows:
        return None
    first, last = min(r.first_day for r in rows), max(r.last_day for r in rows)
    return {"from": first.isoformat(), "to": last.isoformat()}


def _names(entities: Sequence[Entity]) -> dict[str, Any]:
    return {"count": len(entities), "listed": [_line(e, e.last_day) for e in entities[:_LISTED]]}


def _line(entity: Entity, day: str) -> dict[str, str]:
    return {"id": entity.id, "name": entity.name, "day": day}


def _per_month(rows: Sequence[_Rows]) -> dict[str, int]:
    found: dict[str, int] = {}
    for row in rows:
        found[row.month] = found.get(row.month, 0) + row.count
    return found


def _last_sync(frame: Frame) -> dict[str, Any] | None:
    """The newest line of the log, of the entity's own top entity when it has one."""
    log = frame.view.sync_log()
    mine = [r for r in log if frame.entity is not None and r.entity == frame.entity]
    newest = max(mine or log, key=lambda r: r.time, default=None)
    if newest is None:
        return None
    return {
        "time": newest.time,
        "entity": newest.entity,
        "state": newest.state,
        "rows": newest.rows,
        "message": newest.message,
    }


def _sync_cells(sync: Mapping[str, Any] | None, step: str) -> tuple[Cell, ...]:
    if sync is None or sync["rows"] is None:
        return ()
    return (Cell(value=sync["rows"], unit="count", metric="sync.rows", step=step, role="rows"),)


def _cells(
    table: Table, rows: Sequence[_Rows], turnover_counts: tuple[int, int], step: str
) -> tuple[Cell, ...]:
    def count(value: int, metric: str, entity: str = "", period: str = "cur") -> Cell:
        return Cell(
            value=value, unit="count", metric=metric, entity=entity, period=period, step=step, role="rows"
        )

    found = [count(sum(r.count for r in rows), "rows"), count(turnover_counts[0], "openers")]
    found.append(count(turnover_counts[1], "closers"))
    for line in table.rows:
        found.append(count(line["rows"], "rows", entity=str(line["level"])))
        if line["entities"] is not None:
            found.append(count(line["entities"], "entities", entity=str(line["level"])))
            found.append(count(line["entities"], f"entities of {line['level']}"))
    found += [count(n, "rows", period=month) for month, n in _per_month(rows).items()]
    return tuple(found)


TOOL = Tool(name="lake_overview", args=LakeOverviewArgs, run=run)
