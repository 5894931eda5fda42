"""range: negative counts and money, rates outside 0-1.

A money metric that is negative again and again (a profit) is a signed quantity, not a mistake.
"""

from __future__ import annotations

from collections.abc import Sequence

from askcore.checks.finding import FAIL, PASS, Finding, Grade, Outcome
from askcore.checks.frame import Frame
from askcore.checks.measures import ROWS, Aggregates, Check, Measured, count_where
from askcore.checks.sql import Binder, any_of, fill, quote, readable
from askcore.checks.wording import figure, label, labels, number
from askcore.semantic.model import Metric

NAME = "range"
_COUNTS = ("order", "person", "shop", "minute")
_SQL = """
SELECT @{key}, @{values} FROM fact f WHERE @{where} AND (@{bad}) ORDER BY f.date DESC"""


def outside(metric: Metric) -> str | None:
    """Condition: the value cannot be; None when any value can."""
    column = f"f.{quote(metric.key)}"
    if metric.is_rate:
        return f"{column} < 0 OR {column} > 1"
    if metric.unit in _COUNTS or metric.unit == "CNY":
        return f"{column} < 0"
    return None


def facts(frame: Frame) -> Aggregates:
    """Rows outside, and rows with a value, of each column that has a range."""
    found: dict[str, str] = {}
    for metric in frame.stored:
        condition = outside(metric)
        if condition is not None and frame.wants(frozenset({metric.key})):
            found[f"out:{metric.key}"] = count_where(condition)
            found[f"val:{metric.key}"] = f"count(f.{quote(metric.key)})"
    return found


def is_signed(metric: Metric, n_outside: int, n_values: int, signed_share: float) -> bool:
    """Whether so many values are negative that the metric is a signed quantity."""
    return metric.unit == "CNY" and n_outside >= signed_share * n_values and n_outside > 1


def grade(findings: Sequence[Finding]) -> Grade:
    """A value that cannot be fails."""
    return FAIL if findings else PASS


def run(frame: Frame, measured: Measured) -> Sequence[Outcome]:
    """One verdict over all columns that have a range."""
    ranged = [m for m in frame.stored if f"out:{m.key}" in facts(frame)]
    if not ranged:
        reason = Outcome(
            check=NAME, kind="quality", grade=Grade(status="skip"), n_checked=0, reason="skip_no_range"
        )
        return [reason]
    bad = [
        m
        for m in ranged
        if (n := measured.count(f"out:{m.key}"))
        and not is_signed(m, n, measured.count(f"val:{m.key}"), frame.limits.signed_share)
    ]
    findings, sql = _find(frame, bad or ranged, needed=bool(bad))
    return [
        Outcome(
            check=NAME,
            kind="quality",
            grade=grade(findings),
            n_checked=measured.count(ROWS),
            findings=findings,
            words={"metrics": labels([m.key for m in bad or ranged], frame)},
            sql=sql,
        )
    ]


def _find(frame: Frame, bad: Sequence[Metric], *, needed: bool) -> tuple[list[Finding], str]:
    bind = Binder()
    conditions = [c for m in bad if (c := outside(m)) is not None]
    sql = fill(
        _SQL,
        key=frame.key_columns(),
        values=", ".join(f"CAST(f.{quote(m.key)} AS DOUBLE)" for m in bad),
        where=frame.where(bind),
        bad=any_of(conditions),
    )
    found = []
    for row in frame.rows(sql, bind, needed=needed):
        worst, value = max(zip(bad, row[frame.key_width :], strict=True), key=lambda p: _excess(p[0], p[1]))
        unit = "" if worst.is_rate else worst.unit
        found.append(
            Finding(
                key=frame.key(row),
                size=_excess(worst, value),
                is_fail=True,
                detail=f"{label(worst.key, frame)} {number(value, unit)}",
                figures=figure(value, worst.key, unit),
            )
        )
    return found, readable(sql, bind.values)


def _excess(metric: Metric, value: float | None) -> float:
    if value is None:
        return 0.0
    return max(-value, value - 1 if metric.is_rate else 0.0, 0.0)


CHECK = Check(name=NAME, run=run, facts=facts)
