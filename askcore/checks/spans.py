"""From when to when each entity trades: what openers, closers and missing rows are told from."""

from __future__ import annotations

from askcore.checks.frame import DUP, Frame
from askcore.checks.sql import Binder, all_of, fill, listed, quote
from askcore.semantic.model import Level

# `newest`: the newest step of the entity's level within its top entity. An entity that has had no row for
# `closed` steps has closed and ends at its last row; else it is expected up to the newest step.
_SPANS = """
own AS (
  SELECT @{ids}, min(@{step}) AS first, max(@{step}) AS last FROM fact f WHERE @{where} GROUP BY ALL),
ends AS (SELECT o.*, max(o.last) OVER (@{partition}) AS newest FROM own o),
span AS (
  SELECT e.*, CASE WHEN e.newest - e.last >= @{closed} THEN e.last ELSE e.newest END AS until
  FROM ends e)"""


def step_of(frame: Frame, alias: str = "f") -> str:
    """SQL of the step that a row belongs to: its day, or the first day of its week, month …"""
    grain = frame.model.time.grain
    column = f"{alias}.date"
    return column if grain == "day" else f"CAST(date_trunc('{grain}', {column}) AS DATE)"


def spans_sql(frame: Frame, level: Level | None, bind: Binder) -> str:
    """CTEs `own`, `ends`, `span` over the whole dataset: ids, first, last, until, newest."""
    ids = frame.ids_of(level)
    scope = None if level is None else level.key
    conditions = [
        *frame.entity_conditions(bind, scope=scope),
        f"f.{DUP} = 1",
        f"f.date <= {bind(frame.as_of)}",
    ]
    return fill(
        _SPANS,
        ids=listed(f"f.{quote(i)}" for i in ids) if ids else "TRUE AS everything",
        step=step_of(frame),
        where=all_of(conditions),
        partition=f"PARTITION BY o.{quote(ids[0])}" if len(ids) > 1 else "",
        closed=str(frame.limits.closed_steps * frame.step_days),
    )
