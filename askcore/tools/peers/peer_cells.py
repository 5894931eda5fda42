"""Every number of the benchmark as a cell, so that a sentence may cite it without calculating."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from askcore.base.values import Cell, CellRole, CellUnit
from askcore.semantic.model import Level, Metric
from askcore.tools.base import ToolContext
from askcore.tools.cells import metric_cell
from askcore.tools.peers.peer_reading import PeerRows
from askcore.tools.peers.peer_table import ShopRow
from askcore.tools.peers.standing import FALLEN_SHARE, MAX_REGROUPED, MIN_GROUP, Standing, Window

_CITABLE = 200  # rows; a sentence names a handful


def peer_cells(
    rows: Sequence[ShopRow],
    found: PeerRows,
    counts: Mapping[str, Mapping[str, int]],
    level: Level | None,
    ctx: ToolContext,
) -> tuple[Cell, ...]:
    """Values, gaps, ranks and changes a shop; numbers of shops; the limits that verdicts state.

    rows: all that were read, for verdicts speak of shops that are not shown; those shown first. counts:
    metric key -> what is counted -> number of shops.
    """
    cells: list[Cell] = []
    for row in rows[:_CITABLE]:
        entity = row.name if level is None else ctx.view.catalog.spoken(level, row.name, row.id, ctx.lang)
        for one in row.by_metric.values():
            cells.extend(_standing_cells(one, entity, ctx.step_id))
    for key, numbers in counts.items():
        cells += [_count(n, "count", key, ctx.step_id, of=name) for name, n in numbers.items()]
    for shops in found.standings.values():
        without = sum(s.cur.without_peers for s in shops)
        if without:
            cells.append(_count(without, "days", "days", ctx.step_id))
        cells.append(Cell(value=len(shops), unit="count", metric="rows", step=ctx.step_id, role="rows"))
    for name in ("ranks_compared", "rank_fell"):
        every = sum(numbers[name] for numbers in counts.values())
        cells.append(_count(every, "count", "rank_change", ctx.step_id))
    if found.zero_rows:
        cells.append(_count(len(found.zero_rows), "count", "zero_rows", ctx.step_id))
    cells += [
        _limit(MIN_GROUP, "count", ctx.step_id),
        _limit(MAX_REGROUPED, "pct", ctx.step_id),
        _limit(FALLEN_SHARE, "pct", ctx.step_id),
    ]
    return tuple(cells)


def _standing_cells(one: Standing, entity: str, step: str) -> Iterator[Cell]:
    metric = one.metric
    yield from _window_cells(metric, one.cur, entity, step, suffix="", period="cur")
    if one.prev is not None:
        yield from _window_cells(metric, one.prev, entity, step, suffix="_prev", period="prev")
    for change, period in ((one.gap, "cur"), (one.peer_change, "peer"), (one.own_change, "cur")):
        if change is not None:
            unit: CellUnit = "pp" if metric.is_rate else "pct"
            role: CellRole = "delta" if metric.is_rate else "pctchg"
            yield metric_cell(metric, change, step=step, entity=entity, period=period, role=role, unit=unit)
    if one.rank_change is not None:
        yield _rank(one.rank_change, metric, entity, step, period="cur", role="delta")
    if one.regrouped is not None:
        yield Cell(
            value=one.regrouped,
            unit="pct",
            metric="peers",
            entity=entity,
            step=step,
            role="pctchg",
            additivity="ratio",
        )


def _window_cells(
    metric: Metric, window: Window, entity: str, step: str, *, suffix: str, period: str
) -> Iterator[Cell]:
    """Own value and peer mean over the same days; rank of the newest day, mean rank, number of peers."""
    if window.own is not None:
        yield metric_cell(metric, window.own, step=step, entity=entity, period=period)
    if window.peer is not None:
        yield metric_cell(
            metric, window.peer, step=step, entity=entity, period=f"peer{suffix}", additivity="ratio"
        )
    for value in dict.fromkeys(v for v in (window.rank, window.rank_mean) if v is not None):
        yield _rank(value, metric, entity, step, period=period, role="rank")
    for value in dict.fromkeys(v for v in (window.rank_group, window.group) if v is not None):
        yield Cell(
            value=value,
            unit="count",
            metric="peers",
            entity=entity,
            period=period,
            step=step,
            role="arg",
            additivity="distinct",
        )


def _rank(value: float, metric: Metric, entity: str, step: str, *, period: str, role: CellRole) -> Cell:
    return Cell(
        value=value,
        unit="rank",
        metric=metric.key,
        entity=entity,
        period=period,
        step=step,
        role=role,
        additivity="distinct",
    )


def _count(value: int, unit: CellUnit, metric: str, step: str, *, of: str = "cur") -> Cell:
    return Cell(
        value=value, unit=unit, metric=metric, period=of, step=step, role="arg", additivity="distinct"
    )


def _limit(value: float, unit: CellUnit, step: str) -> Cell:
    return Cell(value=value, unit=unit, metric="limit", step=step, role="verdict", additivity="distinct")
