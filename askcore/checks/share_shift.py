"""dimension_share_shift: the split of the main sum over entities or dimension values is not what it was.

The newest whole weeks are compared with as many before them by the population stability index,
PSI = Σ (p - q) · ln(p / q), p the shares now and q the shares before. Entities that opened or closed
meanwhile are left out: that is known. So is a dimension that most days has one value for everybody, such as
a holiday flag: it says something about the day, not about a part of the business.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from askcore.checks.finding import PASS, WARN, Figure, Finding, Grade, Outcome
from askcore.checks.frame import DUP, Frame
from askcore.checks.measures import Check, Measured
from askcore.checks.sql import Binder, all_of, fill, listed, quote, readable
from askcore.checks.wording import label, name_of, number, text
from askcore.semantic.model import Dimension, Level, Metric, Model

NAME = "dimension_share_shift"
_CARRIED = 0.8  # share of the index that the listed parts explain: the rest moved little
_LEAST_PARTS = 2
# `part`: what each entity or value adds up to in both windows. A share of nothing counts as `floor`.
_SQL = """
WITH part AS (
  SELECT @{top} AS top, @{ids}, sum(CASE WHEN f.date >= @{middle} THEN f.@{metric} ELSE 0 END) AS now,
         sum(CASE WHEN f.date < @{middle} THEN f.@{metric} ELSE 0 END) AS before
  FROM fact f WHERE @{where} GROUP BY ALL HAVING @{kept}),
share AS (
  SELECT *, greatest(now / sum(now) OVER (PARTITION BY top), @{floor}) AS p,
         greatest(before / sum(before) OVER (PARTITION BY top), @{floor}) AS q,
         count(*) OVER (PARTITION BY top) AS parts,
         min(least(now, before)) OVER (PARTITION BY top) AS least_sum
  FROM part
  QUALIFY sum(now) OVER (PARTITION BY top) > 0 AND sum(before) OVER (PARTITION BY top) > 0),
moved AS (
  SELECT *, (p - q) * ln(p / q) AS moved, sum((p - q) * ln(p / q)) OVER (PARTITION BY top) AS psi,
         sum((p - q) * ln(p / q)) OVER (PARTITION BY top ORDER BY (p - q) * ln(p / q) DESC, @{keys}
           ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS above
  FROM share WHERE parts >= @{least_parts} AND least_sum >= 0)
SELECT top, @{keys}, CAST(p AS DOUBLE), CAST(q AS DOUBLE), CAST(moved AS DOUBLE), CAST(psi AS DOUBLE), parts
FROM moved WHERE (psi > @{warn} AND coalesce(above, 0) < @{carried} * psi) OR above IS NULL
ORDER BY top, moved DESC, @{keys}"""
_OF_THE_DAY = """
SELECT count(*) AS days, count_if(n > 1) AS split FROM (
  SELECT f.date, count(DISTINCT f.@{column}) AS n FROM fact f WHERE @{where} GROUP BY 1)"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Windows:
    """Two neighbouring windows of the same length."""

    start: date
    middle: date
    """First day of the newer one."""
    end: date

    @property
    def days(self) -> int:
        """Length of one window."""
        return (self.end - self.middle).days + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    findings: list[Finding]
    n_parts: int
    highest: float
    sql: str


def psi(now: Sequence[float], before: Sequence[float], floor: float) -> float:
    """Population stability index of two splits; a part without anything counts as `floor`.

    Raises: ZeroDivisionError when one side has nothing at all.
    """
    pairs = [
        (max(a / sum(now), floor), max(b / sum(before), floor)) for a, b in zip(now, before, strict=True)
    ]
    return sum((p - q) * math.log(p / q) for p, q in pairs)


def windows(first: date, last: date, *, step_days: int, most_days: int) -> Windows | None:
    """The newest window and the one before; whole weeks of daily data, None when there are not two.

    first, last: days that the data covers. most_days: length of a window; shorter when the data is.
    """
    unit = 7 if step_days == 1 else step_days
    most = most_days if step_days == 1 else 4 * step_days
    fitting = ((last - first).days + 1) // 2
    days = min(most, fitting) // unit * unit
    if days < (unit if step_days == 1 else 2 * unit):
        return None
    middle = last - timedelta(days=days - 1)
    return Windows(start=middle - timedelta(days=days), middle=middle, end=last)


def grade(findings: Sequence[Finding]) -> Grade:
    """A business may change: it warns."""
    return WARN if findings else PASS


def main_metric(frame: Frame) -> Metric | None:
    """The sum that is split: the first headline one, money and orders before people."""
    for metrics in (frame.additive, frame.sums):
        usable = {m.key: m for m in metrics if not m.reserved}
        named = [usable[key] for key in frame.model.headline_metrics() if key in usable]
        if usable:
            return named[0] if named else next(iter(usable.values()))
    return None


def run(frame: Frame, measured: Measured) -> Sequence[Outcome]:
    """One verdict; every level with rows and every dimension is looked at, up to the period's end."""
    metric, covered = main_metric(frame), frame.view.catalog.period
    if metric is None or covered is None:
        return [_skip(frame, "skip_no_sums")]
    last = min(frame.period.end, frame.as_of, covered.end)
    found_windows = windows(
        covered.start, last, step_days=frame.step_days, most_days=frame.limits.share_window_days
    )
    if found_windows is None:
        return [_skip(frame, "skip_short")]
    found = [_level(frame, level, metric, found_windows) for level in frame.scopes]
    found += [_dimension(frame, one, metric, found_windows) for one in _dimensions(frame, found_windows)]
    n_checked = sum(f.n_parts for f in found)
    findings = [finding for f in found for finding in f.findings]
    words = {**_words(frame, found_windows), "metrics": label(metric.key, frame)}
    if not n_checked:
        return [_skip(frame, "skip_no_parts")]
    highest = max(f.highest for f in found)
    return [
        Outcome(
            check=NAME,
            kind="anomaly",
            grade=grade(findings),
            n_checked=n_checked,
            findings=findings,
            words={**words, "psi": f"{highest:.2f}"},
            figures=(
                Figure(value=found_windows.days, metric="window", unit="days"),
                Figure(value=highest, metric="psi", unit="plain"),
                Figure(value=frame.limits.share_psi, metric="psi_limit", unit="plain"),
            ),
            sql=";\n".join(f.sql for f in found),
        )
    ]


def _level(frame: Frame, level: Level, metric: Metric, window: Windows) -> _Found:
    """The split of a top entity's sum over its entities of a level; of everything over the top entities."""
    bind = Binder()
    ids = frame.ids_of(level)
    slack = timedelta(days=frame.limits.closed_steps * frame.step_days)
    traded = [
        f"min(f.date) <= {bind(min(window.start + slack, window.middle))}",
        f"max(f.date) >= {bind(max(window.end - slack, window.middle))}",
    ]
    where = all_of([*_conditions(frame, bind, window), f"f.scope = {bind(level.key)}"])
    sql = _statement(
        frame,
        bind,
        metric,
        window,
        top=f"CAST(f.{quote(ids[0])} AS VARCHAR)" if len(ids) > 1 else "''",
        columns=ids,
        where=where,
        kept=all_of(traded),
    )

    def finding(row: Sequence[Any]) -> Finding:
        key = frame.key_of(window.end, level.key, dict(zip(ids, map(str, row[1:-5]), strict=True)))
        return _finding(frame, key, name_of(frame, level.key, str(row[-6])), row[-5:])

    return _run(frame, bind, sql, finding)


def _dimension(frame: Frame, dimension: Dimension, metric: Metric, window: Windows) -> _Found:
    """The split over the values of a dimension: a top entity's sum, or everything where it is the finest."""
    bind = Binder()
    leaf = frame.leaf
    top = None if leaf is frame.model.top_level else frame.model.top_level
    conditions = [*_conditions(frame, bind, window), f"f.{quote(dimension.column)} <> ''"]
    if leaf is not None:
        conditions.append(f"f.scope = {bind(leaf.key)}")
    sql = _statement(
        frame,
        bind,
        metric,
        window,
        top="''" if top is None else f"CAST(f.{quote(top.id)} AS VARCHAR)",
        columns=(dimension.column,),
        where=all_of(conditions),
        kept="TRUE",
    )

    def finding(row: Sequence[Any]) -> Finding:
        ids = {top.id: str(row[0])} if top is not None else {}
        key = frame.key_of(window.end, leaf.key if leaf else "all", ids)
        named = dimension.values.get(str(row[1]), {}).get(frame.lang, str(row[1]))
        shown = f"{dimension.label.get(frame.lang, dimension.key)} {named}"
        return _finding(frame, {**key, dimension.key: str(row[1])}, shown, row[-5:])

    return _run(frame, bind, sql, finding)


def _statement(
    frame: Frame,
    bind: Binder,
    metric: Metric,
    window: Windows,
    *,
    top: str,
    columns: Sequence[str],
    where: str,
    kept: str,
) -> str:
    return fill(
        _SQL,
        top=top,
        ids=listed(f"f.{quote(c)}" for c in columns),
        keys=listed(quote(c) for c in columns),
        middle=bind(window.middle),
        metric=quote(metric.key),
        where=where,
        kept=kept,
        floor=repr(frame.limits.share_floor),
        least_parts=str(_LEAST_PARTS),
        warn=repr(frame.limits.share_psi),
        carried=repr(_CARRIED),
    )


def _conditions(frame: Frame, bind: Binder, window: Windows) -> list[str]:
    return [
        f"f.date BETWEEN {bind(window.start)} AND {bind(window.end)}",
        *frame.top_conditions(bind),
        f"f.{DUP} = 1",
    ]


def _run(frame: Frame, bind: Binder, sql: str, finding: Any) -> _Found:
    """The parts that carry a shift, and the largest part of every split without one."""
    rows = frame.rows(sql, bind)
    parts = {row[0]: int(row[-1]) for row in rows}
    return _Found(
        findings=[finding(row) for row in rows if row[-2] > frame.limits.share_psi],
        n_parts=sum(parts.values()),
        highest=max((float(row[-2]) for row in rows), default=0.0),
        sql=readable(sql, bind.values),
    )


def _finding(frame: Frame, key: dict[str, str] | Any, shown: str, values: Sequence[Any]) -> Finding:
    now, before, moved, index, _ = values
    detail = text(
        frame.lang,
        "dimension_share_shift_detail",
        part=shown,
        before=number(before, "ratio"),
        now=number(now, "ratio"),
        psi=f"{index:.2f}",
    )
    figures = (
        Figure(value=float(before), metric="share_before", unit="pct"),
        Figure(value=float(now), metric="share", unit="pct"),
        Figure(value=float(index), metric="psi", unit="plain"),
    )
    return Finding(key=key, size=float(moved), detail=detail, figures=figures)


def _dimensions(frame: Frame, window: Windows) -> Iterator[Dimension]:
    """Dimensions that split most days and have few enough values to be parts of the business."""
    for dimension in frame.model.dimensions:
        n_values = len(frame.view.catalog.dimension_values.get(dimension.key, ()))
        if dimension.column not in frame.columns or not _LEAST_PARTS <= n_values <= frame.limits.share_values:
            continue
        bind = Binder()
        conditions = _conditions(frame, bind, window)
        if frame.leaf is not None:
            conditions.append(f"f.scope = {bind(frame.leaf.key)}")
        sql = fill(_OF_THE_DAY, column=quote(dimension.column), where=all_of(conditions))
        days, split = frame.rows(sql, bind)[0]
        if split * 2 >= days > 0:
            yield dimension


def _words(frame: Frame, window: Windows | None) -> dict[str, object]:
    return {
        "limit": f"{frame.limits.share_psi:g}",
        "window": "" if window is None else window.days,
        "psi": "",
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


def ids_of(model: Model, name: str) -> tuple[str, ...]:
    """No meaning without anything that splits the sum."""
    return (name,) if model.levels or model.dimensions else ()


CHECK = Check(name=NAME, run=run, ids_of=ids_of)
