"""anomaly: entities whose main sum on one of the newest days is far from what that day was to bring.

Judged as `detect_changes` judges, against the same weekdays of the eight weeks before, but reported only
where the distance leaves no doubt over thousands of entity-days: a list of faults is no place for noise. Days
without a row, and rows with nothing in them, are the findings of other checks. A business may surge, so it
warns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import numpy as np

from askcore.base.values import Period
from askcore.checks.finding import PASS, WARN, Figure, Finding, Grade, Key, Outcome
from askcore.checks.frame import DUP, Frame
from askcore.checks.measures import Check, Measured
from askcore.checks.share_shift import main_metric
from askcore.checks.sql import Binder, all_of, fill, listed, quote, readable
from askcore.checks.wording import label, name_of, number, text
from askcore.semantic.day_kinds import day_types, kinds_of
from askcore.semantic.model import Metric
from askcore.stats.anomalies import HISTORY_DAYS, amount_scores, deviations
from askcore.stats.day_types import Bools, Floats

NAME = "anomaly"
_COUNTED = ("order", "person")
# The entities that matter most, each with its days; what is not above 0 is no value to judge by.
_SQL = """
WITH kept AS (
  SELECT @{ids}, count(*) OVER () AS entities
  FROM fact f WHERE @{newest} GROUP BY ALL
  ORDER BY sum(f.@{metric}) DESC, @{names} LIMIT @{most}),
day AS (
  SELECT @{ids}, f.date, CAST(sum(f.@{metric}) AS DOUBLE) AS amount, any_value(k.entities) AS entities
  FROM fact f JOIN kept k ON @{same} WHERE @{all} GROUP BY ALL HAVING sum(f.@{metric}) > 0)
SELECT @{shown}, list(date ORDER BY date), list(amount ORDER BY date), any_value(entities)
FROM day GROUP BY ALL ORDER BY @{names}"""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Panel:
    """Entities × days; NaN where there is nothing to judge."""

    keys: tuple[dict[str, str], ...]
    """Ids of each entity by column."""
    days: tuple[date, ...]
    amounts: Floats
    n_entities: int
    """In all, the smaller ones that are not in the panel included."""
    sql: str


def run(frame: Frame, measured: Measured) -> Sequence[Outcome]:
    """One verdict over the finest level, on the newest days up to the period's end."""
    metric, covered = main_metric(frame), frame.view.catalog.period
    if metric is None or covered is None:
        return [_skip(frame, "skip_no_sums")]
    if frame.step_days != 1:
        return [_skip(frame, "skip_not_daily")]
    last = min(frame.period.end, frame.as_of, covered.end)
    tested = Period(start=last - timedelta(days=frame.limits.anomaly_days - 1), end=last)
    panel = _read(frame, metric, tested)
    first = len(panel.days) - tested.days
    types = day_types(panel.days, kinds_of(panel.days, frame.model.time.timezone))
    scores = amount_scores(panel.amounts, types, is_count=metric.unit in _COUNTED, first=first)
    n_checked = int(scores.is_scored.sum())
    if not n_checked:
        return [_skip(frame, "skip_no_history")]
    moved = deviations(panel.amounts, scores.expected)
    far = _far(frame, scores.z, moved)
    findings = [
        _finding(frame, metric, panel, int(row), int(column), scores.expected, moved, scores.z)
        for row, column in zip(*np.nonzero(far), strict=True)
    ]
    words = _words(frame, metric)
    return [
        Outcome(
            check=NAME,
            kind="anomaly",
            grade=WARN if findings else PASS,
            n_checked=n_checked,
            findings=findings,
            words=words,
            figures=tuple(_limits(frame, panel)),
            remark=_left_out(frame, panel),
            sql=panel.sql,
        )
    ]


def _far(frame: Frame, z: Floats, moved: Floats) -> Bools:
    limits = frame.limits
    with np.errstate(invalid="ignore"):
        found: Bools = (np.abs(z) >= limits.anomaly_z) & (np.abs(moved) >= limits.anomaly_deviation)
    return found


def _read(frame: Frame, metric: Metric, tested: Period) -> _Panel:
    span = Period(start=tested.start - timedelta(days=HISTORY_DAYS), end=tested.end)
    bind, ids = Binder(), frame.ids_of(frame.leaf)
    columns = listed(f"CAST(f.{quote(i)} AS VARCHAR) AS {quote(i)}" for i in ids) or "'' AS one"
    names = listed(quote(i) for i in ids) or "one"
    sql = fill(
        _SQL,
        ids=columns,
        names=names,
        shown=names,
        metric=quote(metric.key),
        newest=_where(frame, bind, tested),
        most=bind(frame.limits.anomaly_series),
        same=all_of([f"CAST(f.{quote(i)} AS VARCHAR) = k.{quote(i)}" for i in ids]) if ids else "TRUE",
        all=_where(frame, bind, span),
    )
    rows = frame.rows(sql, bind)
    days = tuple(span.start + timedelta(days=n) for n in range(span.days))
    amounts = np.full((len(rows), span.days), np.nan)
    for at, row in enumerate(rows):
        amounts[at, [(day - span.start).days for day in row[-3]]] = row[-2]
    return _Panel(
        keys=tuple({i: str(value) for i, value in zip(ids, row, strict=False)} for row in rows),
        days=days,
        amounts=amounts,
        n_entities=int(rows[0][-1]) if rows else 0,
        sql=readable(sql, bind.values),
    )


def _where(frame: Frame, bind: Binder, days: Period) -> str:
    conditions = [f"f.date BETWEEN {bind(days.start)} AND {bind(days.end)}", f"f.{DUP} = 1"]
    if frame.leaf is not None:
        conditions.append(f"f.scope = {bind(frame.leaf.key)}")
    return all_of([*conditions, *frame.top_conditions(bind)])


def _finding(
    frame: Frame,
    metric: Metric,
    panel: _Panel,
    row: int,
    column: int,
    expected: Floats,
    moved: Floats,
    z: Floats,
) -> Finding:
    observed, usual = float(panel.amounts[row, column]), float(expected[row, column])
    key = _key(frame, panel, row, column)
    times = 1 + float(moved[row, column])
    detail = text(
        frame.lang,
        "anomaly_detail",
        who=_name(frame, panel.keys[row]),
        day=key["date"],
        observed=number(observed, metric.unit),
        usual=number(usual, metric.unit),
        times=f"{times:.2f}",
    )
    figures = (
        Figure(value=observed, metric=metric.key, unit="plain"),
        Figure(value=usual, metric="usual", unit="plain"),
        Figure(value=times, metric="times", unit="x"),
    )
    return Finding(key=key, size=abs(float(z[row, column])), detail=detail, figures=figures)


def _key(frame: Frame, panel: _Panel, row: int, column: int) -> Key:
    scope = frame.leaf.key if frame.leaf else "all"
    return frame.key_of(panel.days[column], scope, panel.keys[row])


def _name(frame: Frame, ids: dict[str, str]) -> str:
    leaf = frame.leaf
    return "" if leaf is None else name_of(frame, leaf.key, ids[leaf.id])


def _limits(frame: Frame, panel: _Panel) -> Iterator[Figure]:
    limits = frame.limits
    yield Figure(value=limits.anomaly_days, metric="window", unit="days")
    yield Figure(value=HISTORY_DAYS // 7, metric="weeks")
    yield Figure(value=limits.anomaly_z, metric="z_limit", unit="plain")
    yield Figure(value=limits.anomaly_deviation, metric="deviation_limit", unit="pct")
    if panel.n_entities > len(panel.keys):
        yield Figure(value=len(panel.keys), metric="series")
        yield Figure(value=panel.n_entities, metric="entities")


def _left_out(frame: Frame, panel: _Panel) -> str:
    """That only the largest were looked at, where there are more than a check can afford."""
    if panel.n_entities <= len(panel.keys):
        return ""
    return text(frame.lang, "anomaly_largest", n=len(panel.keys), all=panel.n_entities)


def _words(frame: Frame, metric: Metric | None) -> dict[str, Any]:
    limits = frame.limits
    return {
        "metrics": "" if metric is None else label(metric.key, frame),
        "window": limits.anomaly_days,
        "weeks": HISTORY_DAYS // 7,
        "limit": f"{limits.anomaly_z:g}",
        "least": f"{limits.anomaly_deviation:.0%}",
    }


def _skip(frame: Frame, reason: str) -> Outcome:
    return Outcome(
        check=NAME,
        kind="anomaly",
        grade=Grade(status="skip"),
        n_checked=0,
        reason=reason,
        words=_words(frame, None),
    )


CHECK = Check(name=NAME, run=run)
