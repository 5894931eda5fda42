"""freshness: how far each level's newest day lies behind today.

A verdict for every top entity that has others below it (a company delivers its own books). Where the top
entities are the finest ones, or too many to list, one verdict for all: a shop that closed is not late.

Up to the settlement lag (at least one step) passes, one step more warns, anything later fails. Weekly or
monthly data is measured in its own steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from askcore.base.values import Severity
from askcore.checks.finding import PASS, Figure, Finding, Grade, Outcome
from askcore.checks.frame import DUP, Frame
from askcore.checks.measures import Check, Measured
from askcore.checks.sql import Binder, all_of, fill, quote, readable
from askcore.checks.wording import name_of
from askcore.semantic.model import Level
from askcore.semantic.periods import step_end

NAME = "freshness"
_MOST_ENTITIES = 20  # verdicts that a reader still takes in
_SQL = """
SELECT @{top} AS entity, CAST(f.scope AS VARCHAR) AS scope, max(f.date) AS newest
FROM fact f WHERE @{where} GROUP BY ALL ORDER BY newest, entity, scope"""


def allowed_days(step_days: int, settlement_lag_days: int) -> int:
    """Lag that is still on time."""
    return max(1, settlement_lag_days) if step_days == 1 else step_days + settlement_lag_days


def grade(lag_days: int, *, step_days: int, settlement_lag_days: int, warn_steps: int) -> Grade:
    """Pass within the allowed lag, warn for up to `warn_steps` more, else fail.

    lag_days: as_of - newest day. Daily data settled next day: 1 passes, 2 warns, 3 fails.
    """
    late = lag_days - allowed_days(step_days, settlement_lag_days)
    if late <= 0:
        return PASS
    fails = late > warn_steps * step_days
    severity: Severity = "major" if fails else "minor"
    return Grade(status="fail" if fails else "warn", severity=severity)


def newest(frame: Frame, *, needed: bool = True) -> tuple[list[tuple[str | None, str, date]], str]:
    """(top entity, level, newest day) of everything delivered, oldest first, and the statement."""
    bind = Binder()
    top = _owner_level(frame)
    sql = fill(
        _SQL,
        top="NULL" if top is None else f"CAST(f.{quote(top.id)} AS VARCHAR)",
        where=all_of(
            [
                *frame.entity_conditions(bind),
                f"f.date <= {bind(frame.as_of)}",
                f"f.{DUP} = 1",
            ]
        ),
    )
    grain = frame.model.time.grain
    found = [
        (r[0], str(r[1]), max(r[2], min(step_end(r[2], grain), frame.as_of)))
        for r in frame.rows(sql, bind, needed=needed)
    ]
    return found, readable(sql, bind.values)


def _owner_level(frame: Frame) -> Level | None:
    """The level whose entities deliver their own data; None: everything is one delivery."""
    top = frame.model.top_level
    if top is None or frame.leaf is top:
        return None
    many = len(frame.view.catalog.by_level.get(top.key, ())) > _MOST_ENTITIES
    return None if many and frame.entity is None else top


def run(frame: Frame, measured: Measured) -> Sequence[Outcome]:
    """One verdict a top entity; the period does not matter."""
    days, sql = newest(frame)
    if not days:
        return [
            Outcome(
                check=NAME,
                kind="freshness",
                grade=Grade(status="skip"),
                n_checked=0,
                reason="skip_no_rows",
                words=_words(frame, None),
            )
        ]
    entities = sorted({entity for entity, _, _ in days}, key=lambda e: e or "")
    return [_outcome(frame, entity, [(s, d) for e, s, d in days if e == entity], sql) for entity in entities]


def of_scope(frame: Frame, scope: str | None, newest_day: date) -> Sequence[Outcome]:
    """Freshness of the rows of one level whose newest day is known already."""
    _, sql = newest(frame, needed=False)
    return [_outcome(frame, frame.entity, [(scope or "all", newest_day)], sql)]


def _outcome(frame: Frame, entity: str | None, scopes: Sequence[tuple[str, date]], sql: str) -> Outcome:
    time = frame.model.time
    grades = [
        grade(
            (frame.as_of - day).days,
            step_days=frame.step_days,
            settlement_lag_days=time.settlement_lag_days,
            warn_steps=frame.limits.freshness_warn_steps,
        )
        for _, day in scopes
    ]
    top = frame.model.top_level
    findings = []
    for (scope, day), one in zip(scopes, grades, strict=True):
        if one.status == "pass":
            continue
        ids = {top.id: entity} if top is not None and entity is not None else {}
        key = frame.key_of(day, scope, ids)
        lag = (frame.as_of - day).days
        findings.append(Finding(key=key, size=float(lag), is_fail=one.status == "fail"))
    lag = (frame.as_of - min(day for _, day in scopes)).days
    rank = {"pass": 0, "skip": 0, "warn": 1, "fail": 2}
    target = "" if top is None or entity is None else name_of(frame, top.key, entity)
    return Outcome(
        check=NAME,
        kind="freshness",
        grade=max(grades, key=lambda g: rank[g.status]),
        n_checked=len(scopes),
        findings=findings,
        words=_words(frame, min(day for _, day in scopes)),
        target=target,
        figures=(
            Figure(value=lag, metric="lag", unit="days"),
            Figure(value=_allowed(frame), metric="allowed", unit="days"),
        ),
        sql=sql,
    )


def _allowed(frame: Frame) -> int:
    return allowed_days(frame.step_days, frame.model.time.settlement_lag_days)


def _words(frame: Frame, day: date | None) -> dict[str, object]:
    allowed = _allowed(frame)
    return {
        "newest": "–" if day is None else day.isoformat(),
        "lag": 0 if day is None else (frame.as_of - day).days,
        "as_of": frame.as_of.isoformat(),
        "allowed": allowed,
        "fail": allowed + frame.limits.freshness_warn_steps * frame.step_days + 1,
    }


CHECK = Check(name=NAME, run=run)
