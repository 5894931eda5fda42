"""nulls: a column that is delivered elsewhere but has no value in some rows; reserved columns only inform.

Rows are judged per source: the level's rows of one entity above (a chain's shops come from one file). A
column that a whole level never has is how the source is built, a column nobody has is not available: both
are no finding. A value that needs a weight (rating, cooking time) may be absent where the weight is 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from askcore.base.values import Severity
from askcore.checks.finding import PASS, Finding, Grade, Outcome
from askcore.checks.frame import Frame
from askcore.checks.measures import (
    ROWS,
    Aggregates,
    Check,
    Group,
    Measured,
    count_where,
)
from askcore.checks.sql import Binder, all_of, any_of, fill, listed, quote, readable
from askcore.checks.wording import labels, text
from askcore.semantic.model import Level, Metric

NAME = "nulls"
_SQL = """
SELECT @{key}, concat_ws(',', @{which}) AS columns
FROM fact f WHERE @{where} AND (@{bad}) ORDER BY f.date DESC"""
_BY_SOURCE = """
SELECT CAST(f.scope AS VARCHAR), @{source}, @{columns} FROM fact f WHERE @{where} GROUP BY ALL"""
_ELSEWHERE = "SELECT count(f.@{column}) FROM fact f WHERE f.scope = @{scope}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """A column without values in some rows of one group."""

    column: str
    scope: str
    source: str | None
    empty: int
    """Rows without a value."""
    filled: int
    """Rows with one."""
    reserved: bool


def columns(frame: Frame) -> tuple[Metric, ...]:
    """Stored metrics that matter here."""
    return tuple(m for m in frame.stored if frame.wants(frozenset({m.key})))


def empty(metric: Metric, frame: Frame) -> str:
    """Condition: the row should have a value and has none."""
    weight = metric.additivity.weight or metric.additivity.denominator
    parts = [f"f.{quote(metric.key)} IS NULL"]
    if weight is not None and weight in frame.columns:
        parts.append(f"f.{quote(weight)} > 0")
    return all_of(parts)


def facts(frame: Frame) -> Aggregates:
    """Rows with a value of each column."""
    return {f"has:{m.key}": f"count(f.{quote(m.key)})" for m in columns(frame)}


def suspects(groups: Sequence[Group], metrics: Sequence[Metric]) -> list[Metric]:
    """Columns that some row has no value of."""
    return [
        m for m in metrics if any(g.values[ROWS] > g.values[f"has:{m.key}"] for g in groups)
    ]  # fmt: skip


def gaps(every: Sequence[Gap]) -> list[Gap]:
    """Gaps in levels that have values of the column; what a whole level lacks is not listed."""
    has = {(g.column, g.scope) for g in every if g.filled}
    return [g for g in every if g.empty and (g.column, g.scope) in has]


def vanished(every: Sequence[Gap], frame: Frame) -> list[Gap]:
    """Columns empty in a whole level in this period though that level had values on other days."""
    has = {(g.column, g.scope) for g in every if g.filled}
    empty_levels = sorted({(g.column, g.scope) for g in every if g.empty} - has)
    back = set()
    for column, scope in empty_levels:
        bind = Binder()
        sql = fill(_ELSEWHERE, column=quote(column), scope=bind(scope))
        if frame.view.run(sql, bind.values).scalar():
            back.add((column, scope))
    return [g for g in every if g.empty and (g.column, g.scope) in back]


def source_level(frame: Frame) -> Level | None:
    """The level above the finest one, whose rows come in one file; None when there is only one level."""
    return frame.levels[-2] if len(frame.levels) > 1 else None


def by_source(frame: Frame, metrics: Sequence[Metric], *, needed: bool = True) -> tuple[list[Gap], str]:
    """Empty and filled rows of some columns in every level and source; not run unless `needed`."""
    bind = Binder()
    level = source_level(frame)
    sql = fill(
        _BY_SOURCE,
        source="NULL" if level is None else f"CAST(f.{quote(level.id)} AS VARCHAR)",
        columns=listed(f"{count_where(empty(m, frame))}, count(f.{quote(m.key)})" for m in metrics),
        where=frame.where(bind),
    )
    found = [
        Gap(
            column=metric.key,
            scope=row[0],
            source=row[1] or None,
            empty=int(row[2 + 2 * index]),
            filled=int(row[3 + 2 * index]),
            reserved=metric.reserved,
        )
        for row in frame.rows(sql, bind, needed=needed)
        for index, metric in enumerate(metrics)
    ]
    return found, readable(sql, bind.values)


def grade(found: Sequence[Gap], null_fail: float) -> Grade:
    """Reserved columns only: warn for information. Ordinary ones fail from `null_fail` of a group's rows."""
    if not found:
        return PASS
    ordinary = [g for g in found if not g.reserved]
    if any(g.empty >= null_fail * (g.empty + g.filled) for g in ordinary):
        return Grade(status="fail", severity="major")
    severity: Severity = "minor" if ordinary else "info"
    return Grade(status="warn", severity=severity)


def find(found: Sequence[Gap], frame: Frame) -> tuple[list[Finding], str]:
    """The rows behind the gaps: those of a level, since all its sources with empty rows are among them."""
    bind = Binder()
    by_key = {m.key: m for m in columns(frame)}
    scopes: dict[str, dict[str, None]] = {}
    for gap in found:
        scopes.setdefault(gap.column, {})[gap.scope] = None
    conditions = {
        column: all_of([f"f.scope IN ({bind.all(tuple(of))})", empty(by_key[column], frame)])
        for column, of in scopes.items()
    }
    which = [f"CASE WHEN {c} THEN {bind(key)} END" for key, c in conditions.items()]
    sql = fill(
        _SQL,
        key=frame.key_columns(),
        which=", ".join(which),
        where=frame.where(bind),
        bad=any_of(conditions.values()),
    )
    rows = frame.rows(sql, bind)
    return [
        Finding(
            key=frame.key(row),
            size=float(str(row[-1]).count(",") + 1),
            detail=labels(str(row[-1]).split(","), frame),
        )
        for row in rows
    ], readable(sql, bind.values)


def _skip() -> Outcome:
    return Outcome(
        check=NAME, kind="quality", grade=Grade(status="skip"), n_checked=0, reason="skip_no_columns"
    )


def run(frame: Frame, measured: Measured) -> Sequence[Outcome]:
    """One verdict over all columns."""
    metrics = columns(frame)
    if not metrics:
        return [_skip()]
    suspected = suspects(measured.facts, metrics)
    every, sql = by_source(frame, suspected or metrics, needed=bool(suspected))
    found = gaps(every) + vanished(every, frame)
    findings: list[Finding] = []
    if found:
        findings, sql = find(found, frame)
    absent = [
        m.key for m in frame.model.metrics if m.reserved and m.key not in frame.columns
        and m.additivity.kind != "ratio" and frame.wants(frozenset({m.key}))
    ]  # fmt: skip
    remark = text(frame.lang, "nulls_absent", metrics=labels(absent, frame)) if absent else ""
    return [
        Outcome(
            check=NAME,
            kind="quality",
            grade=grade(found, frame.limits.null_fail),
            n_checked=measured.count(ROWS),
            findings=findings,
            words={"metrics": labels(dict.fromkeys(g.column for g in found), frame)},
            remark=remark,
            sql=sql,
        )
    ]


CHECK = Check(name=NAME, run=run, facts=facts)
