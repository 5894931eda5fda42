"""The source's own change against the day or week before, held against the computed one, row by row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from askcore.base.text import say
from askcore.base.values import Cell, Lang, Verdict
from askcore.checks.sql import Binder, Expressions, MissingInput, any_of, listed, quote, readable
from askcore.semantic.averages import split_key
from askcore.semantic.format import number
from askcore.semantic.model import Level, Metric
from askcore.tools.base import ToolContext
from askcore.tools.cells import metric_cell
from askcore.tools.compare.keys import row_key
from askcore.tools.compare.rows import Reader

_DAY, _WEEK = "last_period_diff", "last_week_diff"
_SHIFTS = {_DAY: 1, _WEEK: 7}
# Days between the periods -> the source's fields that are about the rows compared.
_FIELDS_OF_SHIFT = {1: (_DAY,), 7: (_WEEK, _DAY)}
_MAX_KEYS = 20
_MAX_WORDED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceDelta:
    """The verdict, and the figures in its note as cells."""

    verdict: Verdict
    cells: tuple[Cell, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Field:
    """A metric's SQL, and the SQL of the source's own change of it."""

    metric: Metric
    value: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """One value whose source difference disagrees."""

    metric: Metric
    day: Any
    id: str
    name: str
    computed: float
    source: float


def source_delta(
    reader: Reader,
    metrics: Sequence[str],
    *,
    level: Level | None,
    shift_days: int,
    is_equal_length: bool,
    ctx: ToolContext,
) -> SourceDelta:
    """Every row of the current period whose partner exists; skip with the reason where there is none."""
    model = reader.model
    suffixes = _FIELDS_OF_SHIFT.get(shift_days, ()) if is_equal_length else ()
    if not suffixes or (shift_days == 1 and reader.periods[1].days > 1):
        return _skipped("compare.source_shift", ctx.lang)
    by_shift = {_SHIFTS[s]: _fields(reader, metrics, s) for s in suffixes}
    if model.source_delta is None or level is None or not any(by_shift.values()):
        return _skipped("compare.source_no_fields", ctx.lang)
    count, bad, statements = 0, list[_Row](), []
    for shift, fields in by_shift.items():
        if fields:
            checked, rows, sql = _read(reader, level, shift, fields)
            count, bad = count + checked, bad + rows
            statements.append(sql)
    if not count:
        return _skipped("compare.source_no_rows", ctx.lang)
    bad.sort(key=lambda r: -abs(r.computed - r.source))
    return _graded(reader, level, count, bad, ";\n".join(statements), ctx)


def _fields(reader: Reader, metrics: Sequence[str], suffix: str) -> list[_Field]:
    """The metrics whose change the source tells in fields of this suffix."""
    model, columns = reader.model, frozenset(reader.view.catalog.columns)
    raw = frozenset(reader.view.raw_fields)
    expressions = Expressions(model=model, columns=columns, raw_fields=raw)
    template = model.raw.columns.get(suffix, "{key}__" + suffix)
    found = []
    for key in dict.fromkeys(split_key(m)[0] for m in metrics):
        try:
            value, source = expressions.metric(key), expressions.field(template.format(key=key))
        except MissingInput:
            continue
        found.append(_Field(metric=model.metric(key), value=value, source=source))
    return found


def _read(reader: Reader, level: Level, shift: int, fields: Sequence[_Field]) -> tuple[int, list[_Row], str]:
    """(values checked, disagreeing ones, the statement)."""
    binder = Binder()
    sql = _statement(reader, binder, level, shift, fields)
    count, bad = 0, []
    for day, entity, name, *values in reader.view.run(sql, binder.values).rows:
        if day is None:
            count = int(sum(n or 0 for n in values[::3]))
            continue
        for field, computed, told, is_bad in zip(
            fields, values[::3], values[1::3], values[2::3], strict=True
        ):
            if is_bad:
                bad.append(
                    _Row(
                        metric=field.metric,
                        day=day,
                        id=entity,
                        name=name,
                        computed=computed,
                        source=told,
                    )
                )
    return count, bad, readable(sql, binder.values)


def _statement(reader: Reader, binder: Binder, level: Level, shift: int, fields: Sequence[_Field]) -> str:
    """One row of counts (without a date), then the rows with a disagreement."""
    ids = level_ids(reader, level)
    same = " AND ".join(f"f.{quote(c)} = r.{quote(c)}" for c in ("date", "scope", "_dup_n", *ids))
    partner = " AND ".join(f"a.{quote(c)} = b.{quote(c)}" for c in ids)
    keys = listed(f"f.{quote(c)}" for c in ids)
    values = listed(f"{f.value} AS v{i}" for i, f in enumerate(fields))
    told = listed(f"{f.source} AS t{i}" for i, f in enumerate(fields))
    gaps = listed(f"a.v{i} - b.v{i} AS d{i}, a.t{i}" for i in range(len(fields)))
    bad = [
        f"coalesce(abs(d{i} - t{i}) > {_tolerance(reader, binder, f.metric, f't{i}')}, false)"
        for i, f in enumerate(fields)
    ]
    counts = listed(f"count(d{i} + t{i}), NULL, NULL" for i in range(len(fields)))
    found = listed(f"d{i}, t{i}, {bad[i]}" for i in range(len(fields)))
    current = reader.where(binder, level.key, reader.periods[1])
    before = reader.where(binder, level.key, reader.periods[1].shift(-shift))
    return (
        f"WITH a AS (SELECT f.date, {keys}, f.{quote(level.name)} AS who, {values}, {told} "  # noqa: S608
        f"FROM fact f JOIN raw r ON {same} WHERE {current}), "
        f"b AS (SELECT f.date, {keys}, {values} FROM fact f WHERE {before}), "
        f"j AS (SELECT a.date, a.{quote(level.id)} AS id, coalesce(a.who, a.{quote(level.id)}) AS who, "
        f"{gaps} "
        f"FROM a JOIN b ON {partner} AND b.date = a.date - CAST({binder(shift)} AS INTEGER)) "
        f"SELECT NULL AS date, NULL AS id, NULL AS who, {counts} FROM j "
        f"UNION ALL SELECT date, id, who, {found} FROM j WHERE {any_of(bad)}"
    )


def _tolerance(reader: Reader, binder: Binder, metric: Metric, told: str) -> str:
    """SQL: how far computed and source difference may be apart."""
    rule = reader.model.source_delta
    limit, share = (0.0, 0.0) if rule is None else (rule.abs_tol.get(metric.unit, 0.0), rule.rel_tol)
    return f"greatest({binder(limit)}, {binder(share)} * abs({told})) + 1e-9"


def level_ids(reader: Reader, level: Level) -> tuple[str, ...]:
    """Id columns from the top down to the level."""
    levels = reader.model.levels
    return tuple(x.id for x in levels[: levels.index(level) + 1])


def _graded(
    reader: Reader,
    level: Level,
    count: int,
    bad: Sequence[_Row],
    sql: str,
    ctx: ToolContext,
) -> SourceDelta:
    """Our figures come from the values, so a wrong reported change only warns."""
    lang = ctx.lang
    worded = [_worded(r, lang) for r in bad[:_MAX_WORDED]]
    model, catalog = reader.model, reader.view.catalog
    keys = [row_key(model, catalog, day=r.day, scope=level.key, entity=r.id) for r in bad[:_MAX_KEYS]]
    verdict = Verdict(
        id="",
        kind="period",
        check="source_delta",
        status="warn" if bad else "pass",
        severity="minor" if bad else "info",
        target=say(lang, "compare.target_source_delta"),
        expect=say(lang, "compare.source_expect"),
        actual=say(lang, "compare.source_actual", n=len(bad), total=count),
        n_checked=count,
        n_bad=len(bad),
        keys=tuple(keys),
        note=say(lang, "compare.sentence_joint").join(worded) or say(lang, "compare.source_pass"),
        sql=sql,
    )
    return SourceDelta(verdict=verdict, cells=tuple(_cells(bad[:_MAX_WORDED], ctx.step_id)))


def _worded(row: _Row, lang: Lang) -> str:
    return say(
        lang,
        "compare.source_row",
        who=row.name,
        day=row.day.isoformat(),
        label=row.metric.label[lang],
        computed=number(row.metric, row.computed),
        source=number(row.metric, row.source),
    )


def _cells(rows: Sequence[_Row], step: str) -> Iterator[Cell]:
    for row in rows:
        for value in (row.computed, row.source):
            yield metric_cell(
                row.metric,
                value,
                step=step,
                entity=row.name,
                period=row.day.isoformat(),
                role="delta",
                unit="pp" if row.metric.is_rate else None,
            )


def _skipped(reason: str, lang: Lang) -> SourceDelta:
    return SourceDelta(
        verdict=Verdict(
            id="",
            kind="period",
            check="source_delta",
            status="skip",
            target=say(lang, "compare.target_source_delta"),
            note=say(lang, reason),
        )
    )
