"""volume: rows a day against the entities that trade that day."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from askcore.checks.finding import Figure, Finding, Grade, Outcome, grade_findings
from askcore.checks.frame import Frame
from askcore.checks.measures import Check, Measured
from askcore.checks.spans import catalog_spans
from askcore.checks.sql import Binder, fill, listed, quote, readable
from askcore.checks.wording import text
from askcore.semantic.model import Level, Model

NAME = "volume"
_SQL = """
SELECT @{top} AS entity, f.date, @{present} AS present
FROM fact f WHERE @{where} GROUP BY ALL ORDER BY f.date"""
_Spans = Sequence[tuple[date, date]]


def trading(spans: _Spans, days: Sequence[date]) -> list[int]:
    """How many of the spans (first to last day) cover each of the days, which are in order."""
    starts = sorted(first for first, _ in spans)
    ends = sorted(last for _, last in spans)
    found, opened, closed = [], 0, 0
    for day in days:
        while opened < len(starts) and starts[opened] <= day:
            opened += 1
        while closed < len(ends) and ends[closed] < day:
            closed += 1
        found.append(opened - closed)
    return found


def run(frame: Frame, measured: Measured) -> Sequence[Outcome]:
    """One verdict; every day of every top entity is looked at."""
    leaf = frame.leaf
    if leaf is None:
        return [_skip("skip_no_levels")]
    spans = _spans(frame, leaf)
    bind = Binder()
    ids = listed(f"f.{quote(i)}" for i in frame.ids_of(leaf))
    sql = fill(
        _SQL,
        top=f"CAST(f.{quote(frame.levels[0].id)} AS VARCHAR)",
        present=f"count(DISTINCT ({ids}))" if frame.extra_keys else "count(*)",
        where=frame.where(bind, scope=leaf.key),
    )
    by_top: dict[str, dict[date, int]] = {}
    for top, day, present in frame.rows(sql, bind):
        by_top.setdefault(top or "", {})[day] = present
    findings: list[Finding] = []
    n_checked = 0
    for top, present in by_top.items():
        days = sorted(present)
        n_checked += len(days)
        for day, active in zip(days, trading(spans.get(top, ()), days), strict=True):
            share = 1 - present[day] / active if active else 0.0
            if share >= frame.limits.volume_warn:
                findings.append(_finding(frame, top, day, present[day], active))
    if n_checked == 0:
        return [_skip("skip_no_rows")]
    return [
        Outcome(
            check=NAME,
            kind="coverage",
            grade=grade_findings(findings),
            n_checked=n_checked,
            findings=findings,
            words=_words(frame),
            sql=readable(sql, bind.values),
        )
    ]


def _spans(frame: Frame, leaf: Level) -> dict[str, list[tuple[date, date]]]:
    """Top entity -> first and last day of each of its finest entities."""
    found: dict[str, list[tuple[date, date]]] = {}
    for span in catalog_spans(frame, leaf):
        found.setdefault(span.top, []).append((span.first, span.until))
    return found


def _skip(reason: str) -> Outcome:
    return Outcome(
        check=NAME, kind="coverage", grade=Grade(status="skip"), n_checked=0, reason=reason,
        words={"share": ""},
    )  # fmt: skip


def _words(frame: Frame) -> dict[str, object]:
    return {"share": f"{1 - frame.limits.volume_warn:.0%}"}


def _finding(frame: Frame, top: str, day: date, present: int, active: int) -> Finding:
    leaf = frame.leaf
    scope = "all" if leaf is None else leaf.key
    share = 1 - present / active
    return Finding(
        key=frame.key_of(day, scope, {frame.levels[0].id: top}),
        size=share,
        is_fail=share >= frame.limits.volume_fail,
        detail=text(frame.lang, "volume_detail", present=present, active=active),
        figures=(Figure(value=present, metric="present"), Figure(value=active, metric="active")),
    )


def ids_of(model: Model, name: str) -> tuple[str, ...]:
    """No meaning without entities."""
    return (name,) if model.levels else ()


CHECK = Check(name=NAME, run=run, ids_of=ids_of)
