"""future_date: a row of a day that has not come yet; never settled, so always wrong."""

from __future__ import annotations

from collections.abc import Sequence

from askcore.checks.finding import FAIL, PASS, Finding, Grade, Outcome
from askcore.checks.frame import DAY, DUP, Frame
from askcore.checks.measures import Check, Measured
from askcore.checks.sql import Binder, all_of, fill, readable

NAME = "future_date"
_SQL = """
SELECT @{key} FROM fact f WHERE @{where} ORDER BY f.date DESC"""


def grade(findings: Sequence[Finding]) -> Grade:
    """Any row after today fails."""
    return FAIL if findings else PASS


def run(frame: Frame, measured: Measured) -> Sequence[Outcome]:
    """Looks at the whole dataset: a future row lies outside every clamped period."""
    bind = Binder()
    conditions = [
        f"f.{DAY} > {bind(frame.as_of)}",
        f"f.{DUP} = 1",
        *frame.entity_conditions(bind),
    ]
    sql = fill(_SQL, key=frame.key_columns(), where=all_of(conditions))
    findings = []
    for row in frame.rows(sql, bind):
        ahead = (row[0] - frame.as_of).days
        findings.append(Finding(key=frame.key(row), size=float(ahead), is_fail=True))
    return [
        Outcome(
            check=NAME,
            kind="quality",
            grade=grade(findings),
            n_checked=frame.view.catalog.row_count,
            findings=findings,
            words={"as_of": frame.as_of.isoformat()},
            sql=readable(sql, bind.values),
        )
    ]


CHECK = Check(name=NAME, run=run)
