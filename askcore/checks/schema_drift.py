"""schema_drift: the columns of the newest load against those of the load before.

A column that is gone or holds another kind of value fails: figures made of it stop or change their meaning. A
column that is new warns, and so does a reserved or unused one that is gone. The first load has nothing to be
compared with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from askcore.checks.finding import Figure, Finding, Grade, Outcome, grade_findings
from askcore.checks.frame import Frame
from askcore.checks.measures import Check, Measured
from askcore.checks.wording import label, text
from askcore.semantic.shape import Shape

NAME = "schema_drift"
COLUMN = "column"
"""Part of a finding's key: the column, since all changes are of one load."""
_SQL = "SELECT name, sum(n) AS filled, sum(of_rows) AS of_rows FROM column_stat GROUP BY name ORDER BY name"
_SIZES = {"removed": 3.0, "retyped": 2.0, "added": 1.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One column that differs."""

    column: str
    kind: Literal["added", "removed", "retyped"]
    before: str = ""
    """Kind of its values in the load before: "money", "number" or "text"; "" when it was not there."""
    now: str = ""
    is_fail: bool = False


def compare(now: Shape, before: Shape, reserved: frozenset[str]) -> list[Change]:
    """What changed from one load to the next, by column.

    reserved: columns that a source may lack.
    """
    found = []
    for column, kind in before.columns.items():
        other = now.columns.get(column)
        if other is None:
            found.append(
                Change(column=column, kind="removed", before=kind, is_fail=column not in reserved)
            )  # fmt: skip
        elif other != kind:
            found.append(Change(column=column, kind="retyped", before=kind, now=other, is_fail=True))
    known = {*before.columns, *before.extra}
    for column in (*now.columns, *now.extra):
        if column not in known:
            found.append(Change(column=column, kind="added", now=now.columns.get(column, "")))
    gone = set(before.extra) - {*now.columns, *now.extra}
    found += [Change(column=column, kind="removed") for column in gone]
    return sorted(found, key=lambda c: (not c.is_fail, c.column))


def grade(findings: Sequence[Finding]) -> Grade:
    """Gone or of another kind fails, new warns."""
    return grade_findings(findings)


def run(frame: Frame, measured: Measured) -> Sequence[Outcome]:
    """One verdict a load; the period does not matter."""
    shapes, covered = frame.view.shapes, frame.view.catalog.period
    if len(shapes) < 2 or covered is None:
        reason = "skip_first_load" if shapes else "skip_no_shape"
        return [Outcome(check=NAME, kind="quality", grade=Grade(status="skip"), n_checked=0, reason=reason)]
    now, before = shapes
    reserved = frozenset(m.key for m in frame.model.metrics if m.reserved)
    key = frame.key_of(covered.end, frame.leaf.key if frame.leaf else "all", {})
    findings = [
        Finding(
            key={**key, COLUMN: change.column},
            size=_SIZES[change.kind] + change.is_fail,
            is_fail=change.is_fail,
            detail=_detail(change, frame),
        )
        for change in compare(now, before, reserved)
    ]
    return [
        Outcome(
            check=NAME,
            kind="quality",
            grade=grade(findings),
            n_checked=len({*now.columns, *now.extra, *before.columns, *before.extra}),
            findings=findings,
            words={"version": now.version, "before": before.version, "where": _columns(findings, frame)},
            figures=(
                Figure(value=now.version, metric="version"),
                Figure(value=before.version, metric="version_before"),
            ),
            sql=_SQL,
        )
    ]


def _columns(findings: Sequence[Finding], frame: Frame) -> str:
    """What happened to the columns, the gravest first; at most three are named."""
    ordered = sorted(findings, key=lambda f: (not f.is_fail, -f.size, f.key[COLUMN]))
    shown = text(frame.lang, "list_sep").join(f.detail for f in ordered[:3])
    return shown + (text(frame.lang, "and_more", n=len(ordered) - 3) if len(ordered) > 3 else "")


def _detail(change: Change, frame: Frame) -> str:
    return text(
        frame.lang,
        f"schema_drift_{change.kind}",
        column=label(change.column, frame),
        before=_kind(change.before, frame),
        now=_kind(change.now, frame),
    )


def _kind(kind: str, frame: Frame) -> str:
    return text(frame.lang, f"kind_{kind}") if kind else ""


CHECK = Check(name=NAME, run=run)
