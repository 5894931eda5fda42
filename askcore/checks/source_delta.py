"""source_delta: the change that the source reports against the last period equals the one we compute."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from askcore.base.values import Period
from askcore.checks.finding import PASS, WARN, Finding, Grade, Outcome
from askcore.checks.frame import DUP, Frame
from askcore.checks.measures import Check, Measured
from askcore.checks.sql import Binder, Expressions, MissingInput, any_of, fill, listed, readable
from askcore.checks.wording import figure, label, labels, number, text
from askcore.semantic.model import Metric, Model, SourceDelta

NAME = "source_delta"
_ROLE = "last_period_diff"
_SQL = """
WITH joined AS MATERIALIZED (
  SELECT @{key}, @{columns} FROM raw r
  JOIN fact f ON @{join} AND f.@{dup} = 1
  JOIN fact b ON b.date = f.date - @{step} AND @{series} AND b.@{dup} = 1 AND @{before}
  WHERE @{where} AND r.@{dup} = 1),
counted AS (SELECT count_if(@{known}) AS n FROM joined),
bad AS (SELECT * FROM joined WHERE @{bad})
SELECT counted.n, bad.* FROM counted LEFT JOIN bad ON TRUE ORDER BY bad.date DESC NULLS LAST"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delta:
    """A metric whose change the source reports."""

    metric: Metric
    now: str
    before: str
    reported: str
    tolerance: float


def deltas(frame: Frame, rule: SourceDelta) -> list[Delta]:
    """Metrics that can be compared; those whose unit has no tolerance are left out."""
    pattern = frame.model.raw.columns.get(_ROLE, "")
    earlier = Expressions(model=frame.model, columns=frame.columns, alias="b")
    found = []
    for metric in frame.model.metrics:
        if metric.unit not in rule.abs_tol or not frame.wants(frozenset({metric.key})):
            continue
        try:
            found.append(
                Delta(
                    metric=metric,
                    now=frame.expressions.metric(metric.key),
                    before=earlier.metric(metric.key),
                    reported=frame.expressions.field(pattern.replace("{key}", metric.key)),
                    tolerance=rule.abs_tol[metric.unit],
                )
            )
        except MissingInput:
            continue
    return found


def gap_of(now: float, before: float, reported: float, tolerance: float, rel: float) -> float:
    """By how many tolerances the reported change misses ours; at most 1 is fine."""
    gap = abs((now - before) - reported)
    allowed = max(tolerance, rel * abs(reported))
    return gap / allowed if allowed else gap


def grade(findings: Sequence[Finding]) -> Grade:
    """Our figures come from the values, so a wrong reported change only warns."""
    return WARN if findings else PASS


def run(frame: Frame, measured: Measured) -> Sequence[Outcome]:
    """One verdict over all metrics whose change the source reports."""
    rule = frame.model.source_delta
    if rule is None:
        return []
    found = deltas(frame, rule) if frame.raw_fields else []
    if not found:
        return [_skip("skip_no_source_values" if frame.raw_fields else "skip_no_raw")]
    rows, n_checked, sql = _query(frame, found, rule)
    if n_checked == 0:
        return [_skip("skip_no_rows")]
    findings = [_finding(frame, row, found, rule) for row in rows]
    return [
        Outcome(
            check=NAME,
            kind="quality",
            grade=grade(findings),
            n_checked=n_checked,
            findings=findings,
            words={"metrics": labels([d.metric.key for d in found], frame)},
            sql=sql,
        )
    ]


def _skip(reason: str) -> Outcome:
    return Outcome(
        check=NAME,
        kind="quality",
        grade=Grade(status="skip"),
        n_checked=0,
        reason=reason,
        words={"metrics": ""},
    )


def _query(
    frame: Frame, found: Sequence[Delta], rule: SourceDelta
) -> tuple[Sequence[Sequence[Any]], int, str]:
    bind = Binder()
    step = timedelta(days=frame.step_days)
    columns, known, bad = [], [], []
    for index, delta in enumerate(found):
        columns += [
            f"{delta.now} AS a{index}", f"{delta.before} AS b{index}", f"{delta.reported} AS d{index}",
        ]  # fmt: skip
        known.append(f"a{index} IS NOT NULL AND b{index} IS NOT NULL AND d{index} IS NOT NULL")
        limit = f"greatest({delta.tolerance!r}, {rule.rel_tol!r} * abs(d{index})) + 1e-9"
        bad.append(f"abs((a{index} - b{index}) - d{index}) > {limit}")
    earlier = Period(start=frame.period.start - step, end=frame.period.end - step)
    sql = fill(
        _SQL,
        key=frame.key_columns(),
        columns=listed(columns),
        join=frame.same_row("f", "r"),
        dup=DUP,
        step=str(step.days),
        series=frame.same_series("b", "f"),
        before=f"b.date BETWEEN {bind(earlier.start)} AND {bind(earlier.end)}",
        where=frame.where(bind),
        known=any_of(known),
        bad=any_of(bad),
    )
    rows = frame.rows(sql, bind)
    return [r[1:] for r in rows if r[1] is not None], int(rows[0][0]), readable(sql, bind.values)


def _finding(frame: Frame, row: Sequence[Any], found: Sequence[Delta], rule: SourceDelta) -> Finding:
    values = row[frame.key_width :]
    worst, size, shown = found[0].metric, -1.0, (0.0, 0.0)
    for index, delta in enumerate(found):
        now, before, reported = values[3 * index : 3 * index + 3]
        if now is None or before is None or reported is None:
            continue
        gap = gap_of(now, before, reported, delta.tolerance, rule.rel_tol)
        if gap > size:
            worst, size, shown = delta.metric, gap, (now - before, reported)
    detail = text(
        frame.lang,
        "source_delta_detail",
        metric=label(worst.key, frame),
        ours=number(shown[0], worst.unit),
        theirs=number(shown[1], worst.unit),
    )
    figures = tuple(f for value in shown for f in figure(value, worst.key, worst.unit))
    return Finding(key=frame.key(row), size=size, detail=detail, figures=figures)


def ids_of(model: Model, name: str) -> tuple[str, ...]:
    """Where the model has the rule."""
    return (name,) if model.source_delta is not None else ()


CHECK = Check(name=NAME, run=run, ids_of=ids_of)
