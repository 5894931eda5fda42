"""`raw_inspect`: one row as the source delivered it, beside the lake's own values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from askcore.base.text import say
from askcore.base.values import Cell, CellRole, CellUnit, Column, Note, Table, Verdict
from askcore.semantic.format import number as formatted
from askcore.tools.base import Tool, ToolArgs, ToolContext, ToolOutput
from askcore.tools.cells import metric_cell
from askcore.tools.compare.change import tidy
from askcore.tools.compare.keys import row_key
from askcore.tools.raw_row.agreement import Compared
from askcore.tools.raw_row.raw_fields import RawField, chosen_fields, is_personal
from askcore.tools.raw_row.row_key import RowKey, resolve_key
from askcore.tools.raw_row.row_reading import DeliveredRow, RowReader, compared, number

_MOST = 50  # disagreeing fields in the facts; the table has all
_WORDED = 3


class RawInspectArgs(ToolArgs):
    """The source's own values of one row as delivered (doubled rows too), beside the lake's value of the
    same metric and whether they agree. `key` says which row: {"date": "YYYY-MM-DD"} and the id or name of a
    shop, chain or company, as {"date": "2026-10-15", "shop": "S0101"}; the keys of verdicts fit as they
    are. `fields` are field names or metric keys (default: all the row has).
    """

    key: dict[str, str | int] = Field(description='{"date": …, "shop": id or name}, any level')
    fields: list[str] = Field(default_factory=list, description="source fields or metric keys; empty = all")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """What was read of the row."""

    key: RowKey
    rows: tuple[DeliveredRow, ...]
    values: tuple[Compared, ...]
    hidden: int
    sql: str

    @property
    def differing(self) -> list[Compared]:
        """Values that the lake contradicts."""
        return [c for c in self.values if c.agreement in ("other_unit", "differs")]

    @property
    def compared(self) -> int:
        """Values that have a counterpart in the lake."""
        return sum(c.agreement != "not_compared" for c in self.values)


def run(args: RawInspectArgs, ctx: ToolContext) -> ToolOutput:
    """The row, or why there is none.

    Raises: BadRequest on unknown names or a missing day.
    """
    view = ctx.view
    key = resolve_key(view.model, view.catalog, args.key, entity=ctx.entity, lang=ctx.lang)
    fields = chosen_fields(view, args.fields, ctx.lang)
    reader = RowReader(view=view, key=key)
    rows, sql = reader.rows()
    shown_args = {"key": dict(key.args), **({"fields": list(args.fields)} if args.fields else {})}
    if not rows:
        return _no_row(reader, shown_args, sql, ctx)
    kept, hidden = _visible(fields, rows, keep_empty=bool(args.fields) or not view.raw_fields)
    found = _Found(key=key, rows=rows, values=compared(reader, rows, kept), hidden=hidden, sql=sql)
    return ToolOutput(
        table=_table(found, ctx),
        facts=_facts(found, ctx),
        cells=tuple(_cells(found, ctx)),
        verdicts=(_verdict(found, ctx),),
        notes=_notes(found, ctx),
        args=shown_args,
        sql=(sql,),
        row_count=len(found.values),
        scanned=len(rows),
    )


def _visible(
    fields: Sequence[RawField], rows: Sequence[DeliveredRow], *, keep_empty: bool
) -> tuple[list[RawField], int]:
    """(fields to show, how many are hidden as personal): fields without any value only when asked for."""
    kept, hidden = [], 0
    for field in fields:
        values = [r.fields.get(field.name) for r in rows]
        if is_personal(field, values):
            hidden += 1
        elif keep_empty or any(v is not None for v in values):
            kept.append(field)
    return kept, hidden


def _no_row(reader: RowReader, args: dict[str, Any], sql: str, ctx: ToolContext) -> ToolOutput:
    """No row is not a row of zeros: say so, and which days do exist."""
    key, near = reader.key, reader.near_days()
    parts = [say(ctx.lang, "raw_row.no_row", who=_who(key, ctx), day=key.day.isoformat())]
    held = ctx.view.catalog.period
    if near:
        days = say(ctx.lang, "compare.list_joint").join(d.isoformat() for d in near)
        parts.append(say(ctx.lang, "raw_row.near_days", days=days))
    if held is not None and not held.contains(key.day):
        first, last = held.start.isoformat(), held.end.isoformat()
        parts.append(say(ctx.lang, "raw_row.outside", first=first, last=last))
    text = ("" if ctx.lang == "zh" else " ").join(parts)
    is_outside = held is not None and not held.contains(key.day)
    return ToolOutput(
        facts={"key": dict(key.args), "rows": 0, "near_days": [d.isoformat() for d in near]},
        verdicts=(_skipped(key, text, ctx),),
        notes=(Note(code="outside_coverage" if is_outside else "empty", text=text),),
        args=args,
        sql=(sql,),
    )


def _who(key: RowKey, ctx: ToolContext) -> str:
    if key.level is None or not key.name:
        return say(ctx.lang, "raw_row.whole")
    entity_id = "" if key.entity is None else key.entity.id
    return ctx.view.catalog.spoken(key.level, key.name, entity_id, ctx.lang)


def _label(field: RawField, ctx: ToolContext) -> str:
    """What the field is about, in words; "" for one that the model does not know."""
    if field.kind == "other" and field.metric is None:
        return ""
    label = "" if field.metric is None else field.metric.label[ctx.lang]
    return say(ctx.lang, f"raw_row.kind_{field.kind}", label=label)


def _table(found: _Found, ctx: ToolContext) -> Table:
    """One row a field; with a row number where several rows have the key."""
    names = ["field", "source_value", "metric", "lake_value", "agrees", "remark"]
    if len(found.rows) > 1:
        names.insert(0, "row")
    rows = tuple(
        {
            "row": c.row,
            "field": c.field.name,
            "source_value": c.source,
            "metric": _label(c.field, ctx),
            "lake_value": None if c.lake is None else tidy(c.lake),
            "agrees": None if c.agreement == "not_compared" else c.agreement == "agrees",
            "remark": _remark(c, ctx),
        }
        for c in found.values
    )
    columns = tuple(Column(key=n, label=say(ctx.lang, f"raw_row.col_{n}")) for n in names)
    shown = tuple({n: row[n] for n in names} for row in rows)
    return Table(columns=columns, rows=shown, row_count=len(shown))


def _remark(one: Compared, ctx: ToolContext) -> str:
    if one.source is None:
        return say(ctx.lang, "raw_row.remark_no_source")
    if one.agreement == "not_compared":
        is_own = one.field.kind in ("value", "day_change", "week_change")
        return say(ctx.lang, "raw_row.remark_no_lake") if is_own else ""
    if one.agreement == "other_unit":
        return say(ctx.lang, "raw_row.remark_other_unit", factor=f"{one.factor:g}")
    if one.agreement == "differs":
        return say(ctx.lang, "raw_row.remark_differs", gap=_figure(one, _gap(one)))
    return ""


def _gap(one: Compared) -> float:
    source = number(one.source)
    return 0.0 if source is None or one.lake is None else tidy(source - one.lake)


def _figure(one: Compared, value: float | str | None) -> str:
    """A value in the metric's own format; the source's value in another unit stays as it is."""
    if not isinstance(value, int | float):
        return str(value)
    metric = one.field.metric
    return f"{value:g}" if metric is None or one.agreement == "other_unit" else formatted(metric, value)


def _facts(found: _Found, ctx: ToolContext) -> dict[str, Any]:
    return {
        "key": dict(found.key.args),
        "name": found.key.name,
        "rows": len(found.rows),
        "doubled": sum(r.copy > 1 for r in found.rows),
        "identical": _identical(found.rows),
        "read_row": next((r.number for r in found.rows if r.copy == 1), None),
        "compared": found.compared,
        "disagree": [
            {
                "row": c.row,
                "field": c.field.name,
                "metric": None if c.field.metric is None else c.field.metric.key,
                "label": _label(c.field, ctx),
                "source": c.source,
                "lake": None if c.lake is None else tidy(c.lake),
                "factor": c.factor,
            }
            for c in found.differing[:_MOST]
        ],
        "hidden": found.hidden,
    }


def _identical(rows: Sequence[DeliveredRow]) -> bool:
    return all((r.fields, r.lake) == (rows[0].fields, rows[0].lake) for r in rows[1:])


def _cells(found: _Found, ctx: ToolContext) -> Iterator[Cell]:
    """Source and lake value of every field, and the counts."""
    entity = _who(found.key, ctx) if found.key.name else ""
    day = found.key.day.isoformat()
    for one in found.values:
        for value in (number(one.source), one.lake):
            if value is not None:
                yield _cell(one, value, entity, day, ctx.step_id, is_source=value is not one.lake)
        if one.agreement == "differs" and one.field.metric is not None:
            yield metric_cell(
                one.field.metric,
                _gap(one),
                step=ctx.step_id,
                entity=entity,
                period=day,
                role="delta",
                unit="pp" if one.field.metric.is_rate else None,
            )
    for value in (found.compared, len(found.differing), len(found.values), found.hidden):
        yield _count(value, "count", ctx.step_id)
    yield _count(len(found.rows), "count", ctx.step_id)


def _count(value: float, unit: CellUnit, step: str) -> Cell:
    return Cell(value=value, unit=unit, metric="rows", step=step, role="rows", additivity="distinct")


def _cell(one: Compared, value: float, entity: str, day: str, step: str, *, is_source: bool) -> Cell:
    metric, kind = one.field.metric, one.field.kind
    unit: CellUnit | None = None
    role: CellRole = "value"
    if kind in ("day_change", "week_change"):
        role, unit = "delta", "pp" if metric is not None and metric.is_rate else None
    if kind == "rank":
        role, unit = "rank", "rank"
    if one.agreement == "other_unit" and is_source:
        unit = "plain"
    if metric is None:
        unit = "count" if kind == "peers" else "plain"
        name = "peers" if kind == "peers" else one.field.name
        return Cell(value=value, unit=unit, metric=name, entity=entity, period=day, step=step, role=role)
    return metric_cell(metric, value, step=step, entity=entity, period=day, role=role, unit=unit)


def _verdict(found: _Found, ctx: ToolContext) -> Verdict:
    """A value of the source's own that the lake contradicts weighs more than a reported change."""
    if not found.compared:
        reason = "raw_row.skip_none" if ctx.view.raw_fields else "raw_row.no_raw"
        return _skipped(found.key, say(ctx.lang, reason), ctx)
    bad = found.differing
    is_value = any(c.field.kind == "value" for c in bad)
    worded = [
        say(
            ctx.lang,
            "raw_row.agrees_one",
            label=_label(c.field, ctx),
            source=_figure(c, c.source),
            lake="" if c.lake is None or c.field.metric is None else formatted(c.field.metric, c.lake),
        )
        for c in bad[:_WORDED]
    ]
    names = say(ctx.lang, "compare.list_joint").join(worded)
    names += say(ctx.lang, "compare.and_more") if len(bad) > _WORDED else ""
    ok = say(ctx.lang, "raw_row.agrees_ok", n=found.compared)
    return Verdict(
        id="",
        kind="quality",
        check="raw_agrees",
        status="warn" if bad else "pass",
        severity="major" if is_value else "minor" if bad else "info",
        target=_target(found.key, ctx),
        expect=say(ctx.lang, "raw_row.agrees_expect"),
        actual=say(ctx.lang, "raw_row.agrees_actual", n=len(bad), total=found.compared),
        n_checked=found.compared,
        n_bad=len(bad),
        keys=(_verdict_key(found.key, ctx),) if bad else (),
        tolerance=say(ctx.lang, "raw_row.agrees_tolerance"),
        note=say(ctx.lang, "raw_row.agrees_bad", names=names) if bad else ok,
        remedy=say(ctx.lang, "raw_row.agrees_remedy") if bad else "",
        sql=found.sql,
    )


def _target(key: RowKey, ctx: ToolContext) -> str:
    return f"{_who(key, ctx)} {key.day.isoformat()}"


def _verdict_key(key: RowKey, ctx: ToolContext) -> dict[str, str]:
    scope = "" if key.level is None else key.level.key
    entity = "" if key.entity is None else key.entity.id
    return row_key(ctx.view.model, ctx.view.catalog, day=key.day, scope=scope, entity=entity)


def _skipped(key: RowKey, reason: str, ctx: ToolContext) -> Verdict:
    return Verdict(
        id="",
        kind="quality",
        check="raw_agrees",
        status="skip",
        target=_target(key, ctx),
        expect=say(ctx.lang, "raw_row.agrees_expect"),
        note=reason,
    )


def _notes(found: _Found, ctx: ToolContext) -> tuple[Note, ...]:
    notes: list[Note] = []
    count = len(found.rows)
    if any(r.copy > 1 for r in found.rows):
        name = "doubled_same" if _identical(found.rows) else "doubled_differ"
        notes.append(Note(code="duplicate", text=say(ctx.lang, f"raw_row.{name}", n=count)))
    elif count > 1:
        notes.append(Note(code="ambiguous", text=say(ctx.lang, "raw_row.several", n=count)))
    if not ctx.view.raw_fields:
        notes.append(Note(code="empty", text=say(ctx.lang, "raw_row.no_raw")))
    if found.hidden:
        notes.append(Note(code="clamped", text=say(ctx.lang, "raw_row.hidden", n=found.hidden)))
    return tuple(notes)


TOOL = Tool(name="raw_inspect", args=RawInspectArgs, run=run)
