"""orphans: a row whose entity above has no row on that day, though that level is delivered."""

from __future__ import annotations

from collections.abc import Sequence

from askcore.checks.finding import Finding, Grade, Outcome, grade_findings
from askcore.checks.frame import DUP, Frame
from askcore.checks.measures import Check, Measured
from askcore.checks.sql import Binder, fill, quote, readable
from askcore.semantic.model import Level, Model

NAME = "orphans"
_SQL = """
SELECT @{key}, f.@{parent} IS NULL AS unnamed
FROM fact f WHERE @{where} AND NOT EXISTS (
  SELECT 1 FROM fact p WHERE p.scope = @{upper} AND p.date = f.date AND p.@{dup} = 1 AND @{same})"""


def find(frame: Frame, lower: Level, upper: Level) -> tuple[list[Finding], str]:
    """Rows of `lower` without a row of `upper`."""
    bind = Binder()
    sql = fill(
        _SQL,
        key=frame.key_columns(),
        parent=quote(upper.id),
        where=frame.where(bind, scope=lower.key),
        upper=bind(upper.key),
        dup=DUP,
        same=frame.same_entity("p", "f", upper),
    )
    found = [
        Finding(key=frame.key(row), size=1.0 + bool(row[-1]), is_fail=bool(row[-1]))
        for row in frame.rows(sql, bind)
    ]
    return found, readable(sql, bind.values)


def grade(findings: Sequence[Finding]) -> Grade:
    """Without the parent's id: fail. The parent's row is missing: warn."""
    return grade_findings(findings)


def run(frame: Frame, measured: Measured) -> Sequence[Outcome]:
    """All neighbouring levels that have rows."""
    if not frame.pairs:
        return [skipped_pairs(NAME, frame)]
    findings: list[Finding] = []
    sqls = []
    for lower, upper in frame.pairs:
        found, sql = find(frame, lower, upper)
        findings += found
        sqls.append(sql)
    lowers = {lower.key for lower, _ in frame.pairs}
    n_checked = sum(int(g.values["rows"]) for g in measured.facts if g.scope in lowers)
    return [
        Outcome(
            check=NAME,
            kind="quality",
            grade=grade(findings),
            n_checked=n_checked,
            findings=findings,
            sql=";\n".join(sqls),
        )
    ]


def skipped_pairs(name: str, frame: Frame) -> Outcome:
    """No two levels have rows, so there is nothing to compare."""
    return Outcome(
        check=name,
        kind="cross-layer",
        grade=Grade(status="skip"),
        n_checked=0,
        reason="skip_one_layer",
    )


def ids_of(model: Model, name: str) -> tuple[str, ...]:
    """No meaning without two levels."""
    return (name,) if len(model.levels) > 1 else ()


CHECK = Check(name=NAME, run=run, ids_of=ids_of)
