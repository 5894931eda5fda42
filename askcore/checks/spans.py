"""From when to when each entity trades: what openers, closers and missing rows are told from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from askcore.checks.frame import DUP, Frame
from askcore.checks.sql import Binder, all_of, fill, listed, quote
from askcore.semantic.model import Level

# `newest`: the newest step of the entity's level within its top entity. An entity that has had no row for
# `closed` steps has closed and ends at its last row; else it is expected up to the newest step.
_SPANS = """
own AS (
  SELECT @{ids}, min(@{step}) AS first, max(@{step}) AS last@{also} FROM fact f WHERE @{where} GROUP BY ALL),
ends AS (SELECT o.*, t.newest FROM own o JOIN (@{newest}) t ON @{same_top}),
span AS (
  SELECT e.*, CASE WHEN e.newest - e.last >= @{closed} THEN e.last ELSE e.newest END AS until
  FROM ends e)"""
_NEWEST_OF_ALL = "SELECT @{top} AS top, max(@{step}) AS newest FROM fact f WHERE @{level} GROUP BY ALL"
_NEWEST_OF_OWN = "SELECT @{top} AS top, max(f.last) AS newest FROM own f GROUP BY ALL"


def step_of(frame: Frame, alias: str = "f") -> str:
    """SQL of the step that a row belongs to: its day, or the first day of its week, month …"""
    grain = frame.model.time.grain
    column = f"{alias}.date"
    return column if grain == "day" else f"CAST(date_trunc('{grain}', {column}) AS DATE)"


def spans_sql(frame: Frame, level: Level | None, bind: Binder, *, also: str = "") -> str:
    """CTEs `own`, `ends`, `span` over the whole dataset: ids, first, last, until, newest.

    also: a further aggregate over the same rows, with its name.
    """
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
        also=f", {also}" if also else "",
        where=all_of(conditions),
        newest=_newest(frame, scope, ids, bind),
        same_top=f"t.top = o.{quote(ids[0])}" if len(ids) > 1 else "TRUE",
        closed=str(frame.limits.closed_steps * frame.step_days),
    )


def _newest(frame: Frame, scope: str | None, ids: tuple[str, ...], bind: Binder) -> str:
    """The newest step of each top entity; the rows are read again only where filters hide some of them."""
    top = f"f.{quote(ids[0])}" if len(ids) > 1 else "TRUE"
    if not frame.filters:
        return fill(_NEWEST_OF_OWN, top=top)
    whole = [*frame.top_conditions(bind), f"f.{DUP} = 1", f"f.date <= {bind(frame.as_of)}"]
    if scope is not None:
        whole.append(f"f.scope = {bind(scope)}")
    return fill(_NEWEST_OF_ALL, top=top, step=step_of(frame), level=all_of(whole))


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """When an entity is expected to have rows, both days inclusive."""

    top: str
    """Id of the top entity that it belongs to."""
    first: date
    until: date

    def days_in(self, first: date, last: date) -> int:
        """Calendar days that it shares with a period."""
        return max(0, (min(last, self.until) - max(first, self.first)).days + 1)


def catalog_spans(frame: Frame, level: Level) -> Sequence[Span]:
    """Spans of the entities of a level as the catalog knows them, without touching the rows."""
    found = frame.spans.get(level.key)
    if found is None:
        found = frame.spans[level.key] = _catalog_spans(frame, level)
    return found


def _catalog_spans(frame: Frame, level: Level) -> list[Span]:
    closed = timedelta(days=frame.limits.closed_steps * frame.step_days)
    own = list(_own(frame, level))
    newest: dict[str, date] = {}
    for span, _ in own:
        newest[span.top] = max(newest.get(span.top, span.until), span.until)
    return [
        Span(
            top=span.top,
            first=span.first,
            until=span.until if newest[span.top] - span.until >= closed else newest[span.top],
        )
        for span, is_kept in own
        if is_kept
    ]


def _own(frame: Frame, level: Level) -> Iterator[tuple[Span, bool]]:
    """(first to last row, whether the filters keep it) of the entities of the frame's top entity."""
    top = frame.levels[0]
    for entity in frame.view.catalog.by_level.get(level.key, ()):
        ids = {**entity.parents, level.key: entity.id}
        owner = ids.get(top.key, "")
        if not entity.first_day or frame.entity not in (None, owner):
            continue
        first, last = date.fromisoformat(entity.first_day), date.fromisoformat(entity.last_day)
        is_kept = all(ids.get(name) in kept for name, kept in frame.filters.items() if name in ids)
        yield Span(top=owner, first=first, until=min(last, frame.as_of)), is_kept
