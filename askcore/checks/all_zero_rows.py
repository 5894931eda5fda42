"""all_zero_rows: a row whose amounts are all 0 although the level above counted something for it.

The level above decides: its value exceeds the sum of the children it has -> the row was not loaded (fail).
It equals that sum -> the entity was closed that day (no finding). There is no such row -> nobody can tell
(warn), but only where several amounts are 0 together; with a single amount a zero is an ordinary value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from askcore.base.values import Severity
from askcore.checks.finding import PASS, Finding, Grade, Outcome
from askcore.checks.frame import DUP, Frame
from askcore.checks.measures import Aggregates, Check, Measured, count_where
from askcore.checks.sql import Binder, all_of, fill, listed, quote, readable
from askcore.checks.wording import figure, label, number, text
from askcore.semantic.model import Level

NAME = "all_zero_rows"
_SQL = """
WITH zero AS (SELECT f.* FROM fact f WHERE @{where} AND @{zero}),
siblings AS (
  SELECT f.date, @{parent_ids}, @{sums} FROM fact f
  WHERE @{wide} AND f.scope = @{lower} AND f.date IN (SELECT date FROM zero) GROUP BY ALL)
SELECT @{key}, p.date IS NOT NULL AS has_parent, @{values}
FROM zero f
LEFT JOIN fact p ON p.scope = @{upper} AND p.@{dup} = 1 AND p.date = f.date AND @{same_parent}
LEFT JOIN siblings s ON s.date = f.date AND @{same_siblings}
ORDER BY f.date DESC"""
_ALONE = "SELECT @{key} FROM fact f WHERE @{where} AND @{zero} ORDER BY f.date DESC"


def is_zero(frame: Frame) -> str:
    """Condition: every sum metric that has a value is 0, and one has."""
    names = [f"f.{quote(m.key)}" for m in frame.sums]
    return all_of(
        [
            *(f"coalesce({n}, 0) = 0" for n in names),
            f"coalesce({listed(names)}) IS NOT NULL" if names else "FALSE",
        ]
    )


def facts(frame: Frame) -> Aggregates:
    """Rows that are all zero."""
    return {"zero": count_where(is_zero(frame))} if frame.sums else {}


def contradiction(
    parent: Mapping[str, float | None], children: Mapping[str, float | None], rel: float, floor: float
) -> tuple[str, float] | None:
    """(metric, what is missing) where the parent exceeds its children most; None when it confirms them."""
    worst: tuple[str, float] | None = None
    for key, value in parent.items():
        if value is None:
            continue
        gap = value - (children.get(key) or 0.0)
        if gap > max(floor, rel * abs(value)) and (worst is None or gap > worst[1]):
            worst = (key, gap)
    return worst


def grade(findings: Sequence[Finding]) -> Grade:
    """Contradicted by the level above: fail, critical. Undecided: warn."""
    if not findings:
        return PASS
    contradicted = any(f.is_fail for f in findings)
    severity: Severity = "critical" if contradicted else "minor"
    return Grade(status="fail" if contradicted else "warn", severity=severity)


def find_pair(
    frame: Frame, lower: Level, upper: Level, *, needed: bool = True
) -> tuple[list[Finding], int, str]:
    """(findings, zero rows that the level above confirms, statement) of rows of `lower`."""
    bind = Binder()
    witnesses = [m.key for m in frame.additive] or [m.key for m in frame.sums]
    ids = frame.ids_of(upper)
    sql = fill(
        _SQL,
        where=frame.where(bind, scope=lower.key),
        wide=frame.where(bind, wide=True),
        lower=bind(lower.key),
        zero=is_zero(frame),
        parent_ids=listed(f"f.{quote(i)}" for i in ids),
        sums=listed(f"CAST(sum(f.{quote(w)}) AS DOUBLE) AS {quote(w)}" for w in witnesses),
        key=frame.key_columns("f"),
        values=listed(f"CAST(p.{quote(w)} AS DOUBLE), CAST(s.{quote(w)} AS DOUBLE)" for w in witnesses),
        upper=bind(upper.key),
        dup=DUP,
        same_parent=frame.same_entity("p", "f", upper),
        same_siblings=frame.same_entity("s", "f", upper),
    )
    findings: list[Finding] = []
    confirmed = 0
    for row in frame.rows(sql, bind, needed=needed):
        found = _judge(frame, row, witnesses, upper)
        if found is None:
            confirmed += 1
        else:
            findings.append(found)
    return findings, confirmed, readable(sql, bind.values)


def _judge(frame: Frame, row: Sequence[Any], witnesses: Sequence[str], upper: Level) -> Finding | None:
    width = frame.key_width
    if not row[width]:
        undecided = text(frame.lang, "all_zero_rows_undecided")
        return Finding(key=frame.key(row), detail=undecided) if _may_warn(frame) else None
    values = row[width + 1 :]
    worst = contradiction(
        dict(zip(witnesses, values[0::2], strict=True)),
        dict(zip(witnesses, values[1::2], strict=True)),
        frame.limits.sum_warn,
        frame.limits.sum_floor,
    )
    if worst is None:
        return None
    key, gap = worst
    unit = frame.model.by_key[key].unit
    detail = text(
        frame.lang,
        "all_zero_rows_detail",
        upper=upper.label.get(frame.lang, upper.key),
        metric=label(key, frame),
        gap=number(gap, unit),
    )
    figures = figure(gap, key, unit)
    return Finding(key=frame.key(row), size=gap, is_fail=True, detail=detail, figures=figures)


def _may_warn(frame: Frame) -> bool:
    return len(frame.sums) >= frame.limits.zero_min_metrics


def _alone(frame: Frame, *, needed: bool) -> tuple[list[Finding], str]:
    bind = Binder()
    sql = fill(_ALONE, key=frame.key_columns(), where=frame.where(bind), zero=is_zero(frame))
    undecided = text(frame.lang, "all_zero_rows_undecided")
    found = [Finding(key=frame.key(row), detail=undecided) for row in frame.rows(sql, bind, needed=needed)]
    return found, readable(sql, bind.values)


def run(frame: Frame, measured: Measured) -> Sequence[Outcome]:
    """Every level that has one above; a single layer is judged by its own rows."""
    if not frame.sums or (not frame.pairs and not _may_warn(frame)):
        return [_skip("skip_few_sums")]
    findings: list[Finding] = []
    sqls: list[str] = []
    confirmed = 0
    scopes = {lower.key for lower, _ in frame.pairs} or {g.scope for g in measured.facts}
    zeros = sum(int(g.values["zero"]) for g in measured.facts if g.scope in scopes)
    if not frame.pairs:
        findings, sql = _alone(frame, needed=zeros > 0)
        sqls.append(sql)
    for lower, upper in frame.pairs:
        found, closed, sql = find_pair(frame, lower, upper, needed=zeros > 0)
        findings += found
        confirmed += closed
        sqls.append(sql)
    remark = text(frame.lang, "all_zero_rows_closed", n=confirmed) if confirmed else ""
    return [
        Outcome(
            check=NAME,
            kind="quality",
            grade=grade(findings),
            n_checked=sum(int(g.values["rows"]) for g in measured.facts if g.scope in scopes),
            findings=findings,
            remark=remark,
            sql=";\n".join(sqls),
        )
    ]


def _skip(reason: str) -> Outcome:
    return Outcome(check=NAME, kind="quality", grade=Grade(status="skip"), n_checked=0, reason=reason)


CHECK = Check(name=NAME, run=run, facts=facts)
