"""sync_log: syncs that failed or brought no rows; recovered later warns, still open fails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from askcore.base.values import Severity
from askcore.base.views import SyncRow
from askcore.checks.finding import PASS, Finding, Grade, Key, Outcome
from askcore.checks.frame import Frame
from askcore.checks.lexicon import FAILED_STATES, RUNNING_STATES
from askcore.checks.measures import Check, Measured
from askcore.checks.wording import text

NAME = "sync_log"
_SQL = "SELECT time, entity, state, rows, message FROM sync_log ORDER BY time DESC"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """A sync that brought nothing."""

    row: SyncRow
    day: date
    recovered: date | None
    """Day of the entity's next good sync; None: not yet."""


def is_failed(row: SyncRow) -> bool:
    """Whether the state says so, or the sync ended without rows."""
    state = row.state.strip().lower()
    if state in RUNNING_STATES:
        return False
    return state in FAILED_STATES or row.rows == 0


def day_of_sync(row: SyncRow) -> date:
    """The day on which the sync ran."""
    return datetime.fromisoformat(row.time).date()


def troubles(log: Sequence[SyncRow]) -> list[Trouble]:
    """Failed syncs, newest first, each with the day the entity recovered."""
    found = []
    ordered = sorted(log, key=lambda r: r.time)
    for index, row in enumerate(ordered):
        if not is_failed(row):
            continue
        good = next(
            (
                day_of_sync(later)
                for later in ordered[index + 1 :]
                if later.entity == row.entity
                and not is_failed(later)
                and later.state.strip().lower() not in RUNNING_STATES
            ),
            None,
        )
        found.append(Trouble(row=row, day=day_of_sync(row), recovered=good))
    return found[::-1]


def grade(found: Sequence[Trouble]) -> Grade:
    """Still open: fail. Recovered: warn."""
    if not found:
        return PASS
    is_open = any(t.recovered is None for t in found)
    severity: Severity = "major" if is_open else "minor"
    return Grade(status="fail" if is_open else "warn", severity=severity)


def key_of(trouble: Trouble, frame: Frame) -> Key:
    """The day and the entity as the rows name it; "entity" as logged when nobody has that id."""
    for level in frame.levels:
        for entity in frame.view.catalog.by_level.get(level.key, ()):
            if trouble.row.entity in (entity.id, entity.name):
                parents = {frame.model.levels_by_key[k].id: v for k, v in entity.parents.items()}
                return frame.key_of(trouble.day, level.key, {**parents, level.id: entity.id})
    return {**frame.key_of(trouble.day, "all", {}), "entity": trouble.row.entity}


def run(frame: Frame, measured: Measured) -> Sequence[Outcome]:
    """Syncs that ran in the period; up to today when the period ends with the data."""
    log = [r for r in frame.view.sync_log() if frame.entity is None or _concerns(r, frame)]
    last = frame.period.end
    covered = frame.view.catalog.period
    if covered is not None and last >= covered.end:
        last = max(last, frame.as_of)
    inside = [r for r in log if frame.period.start <= day_of_sync(r) <= last]
    if not inside:
        reason = "skip_no_syncs" if log else "skip_no_sync_log"
        return [Outcome(check=NAME, kind="freshness", grade=Grade(status="skip"), n_checked=0, reason=reason)]
    found = [t for t in troubles(log) if frame.period.start <= t.day <= last]
    findings = [
        Finding(
            key=key_of(t, frame),
            size=1.0,
            is_fail=t.recovered is None,
            detail=_detail(t, frame),
        )
        for t in found
    ]
    return [
        Outcome(
            check=NAME,
            kind="freshness",
            grade=grade(found),
            n_checked=len(inside),
            findings=findings,
            sql=_SQL,
        )
    ]


def _concerns(row: SyncRow, frame: Frame) -> bool:
    key = key_of(Trouble(row=row, day=day_of_sync(row), recovered=None), frame)
    top = frame.model.top_level
    return top is None or (key[top.id] or frame.entity) == frame.entity


def _detail(trouble: Trouble, frame: Frame) -> str:
    name = "sync_log_open" if trouble.recovered is None else "sync_log_recovered"
    return text(
        frame.lang,
        name,
        message=trouble.row.message or trouble.row.state,
        day="" if trouble.recovered is None else trouble.recovered.isoformat(),
    )


CHECK = Check(name=NAME, run=run)
