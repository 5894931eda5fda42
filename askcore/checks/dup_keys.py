"""dup_keys: a row key that one delivery holds more than once; identical copies warn, differing ones fail."""

from __future__ import annotations

from collections.abc import Sequence

from askcore.checks.finding import Figure, Finding, Grade, Outcome, grade_findings
from askcore.checks.frame import DUP, Frame
from askcore.checks.measures import ROWS, Check, Measured
from askcore.checks.sql import Binder, fill, listed, quote, readable
from askcore.checks.wording import text

NAME = "dup_keys"
_SQL = """
WITH doubled AS (SELECT f.* FROM fact f WHERE @{where} AND f.@{dup} = 2)
SELECT @{key}, count(*) AS copies, count(DISTINCT @{content}) AS versions
FROM doubled d JOIN fact f ON @{same} GROUP BY ALL ORDER BY copies DESC, f.date"""

_COUNT = "SELECT count(*) FROM fact f WHERE @{where} AND f.@{dup} = 2"


def find(frame: Frame, *, needed: bool = True) -> tuple[list[Finding], str]:
    """The doubled keys and the statement that lists them; not run unless `needed`."""
    bind = Binder()
    columns = sorted(frame.columns - {DUP, "date", "scope"})
    sql = fill(
        _SQL,
        where=frame.where(bind, doubles=True),
        dup=DUP,
        key=frame.key_columns("f"),
        content=f"ROW({listed(f'f.{quote(c)}' for c in columns)})",
        same=frame.same_row("d", "f"),
    )
    width = frame.key_width
    found = [
        Finding(
            key=frame.key(row),
            size=float(row[width]),
            is_fail=int(row[width + 1]) > 1,
            figures=(Figure(value=int(row[width]), metric="copies"),),
            detail=text(
                frame.lang,
                "dup_keys_differ" if int(row[width + 1]) > 1 else "dup_keys_same",
                copies=int(row[width]),
            ),
        )
        for row in frame.rows(sql, bind, needed=needed)
    ]
    return found, readable(sql, bind.values)


def grade(findings: Sequence[Finding]) -> Grade:
    """Differing copies fail: nobody can say which one is right. Identical ones warn."""
    return grade_findings(findings)


def count(frame: Frame) -> int:
    """How many keys are doubled; nearly free, since the column is 1 in whole blocks of rows."""
    bind = Binder()
    sql = fill(_COUNT, where=frame.where(bind, doubles=True), dup=DUP)
    return int(frame.view.run(sql, bind.values).scalar() or 0)


def run(frame: Frame, measured: Measured) -> Sequence[Outcome]:
    """One verdict over all rows of the frame."""
    findings, sql = find(frame, needed=count(frame) > 0)
    n_checked = measured.count(ROWS)
    return [
        Outcome(
            check=NAME,
            kind="quality",
            grade=grade(findings),
            n_checked=n_checked,
            findings=findings,
            sql=sql,
        )
    ]


CHECK = Check(name=NAME, run=run)
