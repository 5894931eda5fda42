"""missing_days: steps (days, weeks …) without a row between an entity's own first and last one.

Expected are the steps on which anybody has rows, whatever the level, so that a market closed on weekends is
no gap; steps that nobody has count when their weekday usually has rows. An entity that opened or closed is
not missing outside its own time; one that is late by less than `closed_steps` at the end is. Entities are
told apart by a bitmap of their steps first, so that only those with gaps are looked at day by day.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta

from askcore.checks.finding import PASS, Finding, Grade, Outcome, day_of, grade_findings
from askcore.checks.frame import DUP, Frame
from askcore.checks.measures import ROWS, Check, Measured
from askcore.checks.spans import catalog_spans, spans_sql, step_of
from askcore.checks.sql import Binder, any_of, fill, listed, quote, readable
from askcore.checks.wording import ranges, text
from askcore.semantic.model import Level

NAME = "missing_days"
# `steps`: a bit for every step of the period that the entity has a row of, made in the same pass as its first
# and last one; counted to find the entities with gaps, then asked for each of their steps.
_SQL = """
WITH @{spans},
calendar AS (SELECT @{step} AS step, min(f.date) AS date FROM fact f WHERE @{wide} GROUP BY 1),
numbered AS (SELECT step, date, row_number() OVER (ORDER BY step) AS nr FROM calendar),
counted AS MATERIALIZED (
  SELECT s.*, a.nr AS first_nr, z.nr AS last_nr, greatest(z.nr - a.nr + 1, 0) AS expected,
         coalesce(bit_count(s.steps), 0) AS days
  FROM span s ASOF JOIN numbered a ON s.first <= a.step ASOF JOIN numbered z ON s.until >= z.step),
gaps AS (
  SELECT c.*, n.step, n.date FROM counted c JOIN numbered n ON n.nr BETWEEN c.first_nr AND c.last_nr
  WHERE c.days < c.expected AND coalesce(get_bit(c.steps, @{gap_at}), 0) = 0),
totals AS (SELECT sum(expected) AS expected, sum(least(days, expected)) AS days FROM counted)
SELECT t.expected, t.days, g.date, @{scope}, @{gap_ids}, @{parent}
FROM totals t LEFT JOIN gaps g ON TRUE ORDER BY g.date DESC"""
_STEPS = "bitstring_agg(CASE WHEN f.date BETWEEN @{start} AND @{end} THEN @{at} END, 0, @{size}) AS steps"
_CALENDAR = "SELECT DISTINCT @{step} FROM fact f WHERE @{where} ORDER BY 1"


def uncovered(
    present: Sequence[date], *, first: date, last: date, grain_days: int, share: float
) -> list[date]:
    """Steps between `first` and `last` that nobody has though they are usually there.

    Daily data: a day counts when its weekday has rows on at least `share` of its dates. Longer steps: every
    step counts.
    """
    have = set(present)
    step = timedelta(days=grain_days if grain_days in (1, 7) else 0)
    if not step or not have:
        return []
    every = [first + step * n for n in range((last - first).days // step.days + 1)]
    of_weekday = Counter(d.weekday() for d in every)
    hits = Counter(d.weekday() for d in every if d in have)
    return [d for d in every if d not in have and hits[d.weekday()] >= share * of_weekday[d.weekday()]]


def run(frame: Frame, measured: Measured) -> Sequence[Outcome]:
    """The finest level that has rows; a dataset without levels is one series."""
    leaf = frame.leaf
    scope = None if leaf is None else leaf.key
    n_rows = sum(int(g.values[ROWS]) for g in measured.facts if g.scope == scope)
    return [complete(frame, leaf, n_rows) or outcome(frame, leaf)]


def outcome(frame: Frame, level: Level | None) -> Outcome:
    """Missing steps of the entities of one level."""
    expected, present, findings, sql = entity_gaps(frame, level)
    if expected == 0:
        return _skip("skip_no_rows")
    if present < frame.limits.min_fill * expected:
        return _skip("skip_sparse")
    days, calendar_sql = shared_gaps(frame, level)
    remark = _remark(frame, findings, days)
    return Outcome(
        check=NAME,
        kind="coverage",
        grade=grade_findings([*findings, *days]),
        n_checked=expected + len(days),
        findings=[*findings, *days],
        remark=remark,
        sql=f"{sql};\n{calendar_sql}",
    )


def complete(frame: Frame, level: Level | None, n_rows: int) -> Outcome | None:
    """A pass when the rows are as many as the catalog lets expect, every calendar day one; else None.

    Saves the statements in the common case of daily data without a gap.
    """
    dimensions = frame.model.dimensions_by_key
    if level is None or frame.step_days != 1 or any(name in dimensions for name in frame.filters):
        return None
    days = frame.period
    expected = sum(s.days_in(days.start, days.end) for s in catalog_spans(frame, level))
    if expected == 0 or expected != n_rows or frame.extra_keys:
        return None
    *_, sql = entity_gaps(frame, level, needed=False)
    return Outcome(check=NAME, kind="coverage", grade=PASS, n_checked=expected, sql=sql)


def _remark(frame: Frame, gaps: Sequence[Finding], days: Sequence[Finding]) -> str:
    if days:
        nobody = ranges([day_of(f.key) for f in days], frame)
        return text(frame.lang, "missing_days_nobody", days=nobody)
    return text(frame.lang, "missing_days_upper") if any(f.is_fail for f in gaps) else ""


def _skip(reason: str) -> Outcome:
    return Outcome(check=NAME, kind="coverage", grade=Grade(status="skip"), n_checked=0, reason=reason)


def entity_gaps(
    frame: Frame, level: Level | None, *, needed: bool = True
) -> tuple[int, int, list[Finding], str]:
    """(expected entity-steps, those with a row, missing ones, statement); not run unless `needed`.

    A missing one fails where the level above has values on the day: the row exists at the source.
    """
    bind = Binder()
    ids = frame.ids_of(level)
    scope = None if level is None else level.key
    upper = next((u for low, u in frame.pairs if low == level), None)
    days, step = frame.period, step_of(frame)
    steps = fill(
        _STEPS,
        start=bind(days.start),
        end=bind(days.end),
        at=_position(frame, step, bind),
        size=str(days.days + frame.step_days),
    )
    sql = fill(
        _SQL,
        spans=spans_sql(frame, level, bind, also=steps),
        step=step,
        wide=frame.where(bind, wide=True),
        gap_at=_position(frame, "n.step", bind),
        scope=bind(scope or "all"),
        gap_ids=listed(
            f"CAST(g.{quote(one.id)} AS VARCHAR)" if one.id in ids else "NULL" for one in frame.levels
        )
        or "NULL",
        parent=_parent_has_values(frame, upper, bind),
    )
    rows = frame.rows(sql, bind, needed=needed)
    width = max(len(frame.levels), 1)
    found = [
        Finding(key=frame.key(row[2 : 4 + width]), size=1.0, is_fail=bool(row[-1]))
        for row in rows
        if row[2] is not None
    ]
    expected, present = (int(rows[0][0] or 0), int(rows[0][1] or 0)) if rows else (0, 0)
    return expected, present, found, readable(sql, bind.values)


def _position(frame: Frame, step: str, bind: Binder) -> str:
    """SQL of the bit of a step: days from the first step that the period touches."""
    grain, start = frame.model.time.grain, bind(frame.period.start)
    first = start if grain == "day" else f"CAST(date_trunc('{grain}', CAST({start} AS DATE)) AS DATE)"
    return f"CAST(date_diff('day', {first}, {step}) AS INTEGER)"


def _parent_has_values(frame: Frame, upper: Level | None, bind: Binder) -> str:
    """SQL: the entity above has a row with something in it on the day of the gap."""
    if upper is None:
        return "FALSE"
    something = any_of(f"p.{quote(m.key)} > 0" for m in frame.sums)
    return fill(
        "EXISTS (SELECT 1 FROM fact p WHERE p.scope = @{upper} AND p.@{dup} = 1"
        " AND p.date = g.date AND @{same} AND (@{something}))",
        upper=bind(upper.key),
        dup=DUP,
        same=frame.same_entity("p", "g", upper),
        something=something,
    )


def shared_gaps(frame: Frame, level: Level | None) -> tuple[list[Finding], str]:
    """Steps that nobody of the level has."""
    bind = Binder()
    scope = None if level is None else level.key
    sql = fill(_CALENDAR, step=step_of(frame), where=frame.where(bind, wide=True))
    present = [row[0] for row in frame.rows(sql, bind)]
    if not present:
        return [], readable(sql, bind.values)
    missing = uncovered(
        present,
        first=present[0],
        last=present[-1],
        grain_days=frame.step_days,
        share=frame.limits.calendar_share,
    )
    found = [Finding(key=frame.key_of(d, scope or "all", {}), size=0.5) for d in missing]
    return found, readable(sql, bind.values)


CHECK = Check(name=NAME, run=run)
