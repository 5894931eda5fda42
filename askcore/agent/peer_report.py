"""Peers for the screen: the tools' results as views. Every figure is a cell of a tool result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from askcore.base.peer_views import (
    PeerLine,
    PeerMetric,
    PeerPoint,
    PeerReport,
    PeerSeries,
    PeerSide,
    PeerSplit,
    PeerState,
    PeerTrend,
)
from askcore.base.values import Lang, Period, ToolResult
from askcore.tools import TOOLS_BY_NAME
from askcore.tools.base import ToolContext, call
from askcore.tools.peers.peer_columns import asked_metrics, peer_level

if TYPE_CHECKING:
    from askcore.lake import LakeView

WEEK_DAYS = 7
MAX_WEEKS = 26
_MAX_ENTITIES = 1000  # the tool's own cap


def peer_report(view: LakeView, ctx: ToolContext, *, period: Period | None) -> PeerReport:
    """Everybody in every metric that has peers; period None: the tool's own newest window."""
    result = _benchmark(ctx, {"limit": _MAX_ENTITIES}, period)
    if not result.ok or result.table is None:
        reason, hint = _reason(result)
        return PeerReport(dataset=view.dataset, version=view.version, reason=reason, hint=hint)
    facts = result.facts
    level = view.model.levels_by_key.get(str(facts["scope"]))
    metrics = tuple(_metric(key, found) for key, found in facts["metrics"].items())
    return PeerReport(
        dataset=view.dataset,
        version=view.version,
        level="" if level is None else level.label[ctx.lang].split("/")[0],
        period=Period.from_json(facts["current"]),
        baseline=facts["baseline"] and Period.from_json(facts["baseline"]),
        metrics=metrics,
        lines=_lines(result, metrics),
        findings=tuple(str(f["text"]) for f in facts["findings"]),
        notes=result.notes,
        sql=result.sql,
    )


def peer_trend(
    view: LakeView, ctx: ToolContext, *, metric: str, ids: Sequence[str], end: date, weeks: int
) -> PeerTrend:
    """Mean ranks of some entities over the weeks that end on `end`; weeks without data are left out.

    Raises: BadRequest on a metric that is unknown or has no peers.
    """
    only = _only(view, ctx, metric, ids)
    newest = Period(start=date.fromordinal(end.toordinal() - WEEK_DAYS + 1), end=end)
    found: dict[str, list[PeerPoint]] = {one: [] for one in ids}
    names: dict[str, str] = {}
    reason = ""
    for back in reversed(range(min(max(weeks, 1), MAX_WEEKS))):
        week = newest.shift(-WEEK_DAYS * back)
        result = _benchmark(ctx, {"metrics": [metric], **only}, week)
        if not result.ok or result.table is None or result.clamped:
            reason = _reason(result)[0] or reason
            continue
        for entity, name, row in _rows_of(result):
            names[entity] = name
            found.setdefault(entity, []).append(_point(row, metric, week))
    series = tuple(
        PeerSeries(id=one, name=names[one], points=tuple(points)) for one, points in found.items() if points
    )
    return PeerTrend(
        dataset=view.dataset,
        version=view.version,
        metric=metric,
        series=series,
        reason="" if series else reason,
    )


def peer_split(
    view: LakeView, ctx: ToolContext, *, metric: str, entity: str, period: Period, baseline: Period | None
) -> PeerSplit:
    """The change of one entity, own against market, as `explain_change` tells it.

    Raises: BadRequest on a metric that is unknown or has no peers.
    """
    args: dict[str, Any] = {"metric": metric, "current": period.as_json(), "by": [], "drivers": []}
    if baseline is not None:
        args["baseline"] = baseline.as_json()
    args |= _only(view, ctx, metric, [entity])
    result = call(TOOLS_BY_NAME["explain_change"], args, ctx)
    total = result.facts.get("total") if result.ok else None
    if not total:
        return PeerSplit(id=entity, metric=metric, reason=_reason(result)[0])
    market = result.facts.get("market") or {"reason": "no_column"}
    return PeerSplit(
        id=entity,
        metric=metric,
        before=total["baseline"],
        after=total["current"],
        change=total["change"],
        market=market.get("market"),
        own=market.get("own"),
        reason=str(market.get("reason") or ""),
    )


def _benchmark(ctx: ToolContext, args: Mapping[str, Any], period: Period | None) -> ToolResult:
    window = {} if period is None else period.as_json()
    return call(TOOLS_BY_NAME["peer_benchmark"], {**args, **window}, ctx)


def _reason(result: ToolResult) -> tuple[str, str]:
    """(why there is no result, what to do)."""
    if result.error is not None:
        return result.error.message, result.error.hint
    return " ".join(note.text for note in result.notes), ""


def _only(view: LakeView, ctx: ToolContext, metric: str, ids: Sequence[str]) -> dict[str, Any]:
    """Arguments that narrow a tool to some entities of the level that has peers."""
    columns, _ = asked_metrics(view, [metric], ctx.lang)
    level = peer_level(view, columns, None)
    return {} if level is None else {"scope": level.key, "filters": {level.key: list(ids)}}


def _metric(key: str, found: Mapping[str, Any]) -> PeerMetric:
    counts = found["counts"]
    return PeerMetric(
        key=key,
        label=str(found["label"]),
        unit=str(found["unit"]),
        gap_unit=str(found["gap_unit"]),
        polarity=str(found["polarity"]),
        n_checked=counts["checked"],
        n_behind=counts["behind"],
        n_ahead=counts["ahead"],
        n_small=counts["hidden_small"],
        n_lacking=counts["no_peers"],
        n_peers_fell=counts["peers_fell"],
    )


def _rows_of(result: ToolResult) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """(id, name, row) of every entity; both "" where the rows are of no level."""
    if result.table is None:
        return
    named = [column.key for column in result.table.columns if column.of]
    for row in result.table.rows:
        entity = str(row.get(named[0]) or "") if named else ""
        yield entity, str(row.get(named[-1]) or entity) if named else "", row


def _lines(result: ToolResult, metrics: Sequence[PeerMetric]) -> tuple[PeerLine, ...]:
    hidden = {m.key: _ids(result, m.key, "hidden_small") for m in metrics}
    return tuple(
        _line(entity, name, row, metric, hidden[metric.key])
        for entity, name, row in _rows_of(result)
        for metric in metrics
    )


def _ids(result: ToolResult, metric: str, name: str) -> frozenset[str]:
    return frozenset(str(one["id"]) for one in result.facts["metrics"][metric][name])


def _line(
    entity: str, name: str, row: Mapping[str, Any], metric: PeerMetric, hidden: frozenset[str]
) -> PeerLine:
    def figure(suffix: str = "") -> float | None:
        value = row.get(f"{metric.key}{suffix}")
        return None if value is None else float(value)

    has_peers = figure("__peer") is not None
    state: PeerState = "ok" if has_peers else "small_group" if entity in hidden else "no_peers"
    rank, peers = figure("__rank"), figure("__peers")
    return PeerLine(
        id=entity,
        name=name,
        metric=metric.key,
        state=state,
        side=_side(figure("__gap"), metric.polarity),
        own=figure(),
        peer=figure("__peer"),
        gap=figure("__gap"),
        rank=rank,
        peers=peers,
        percentile=figure("__percentile"),
        rank_change=figure("__rank_change"),
        peer_change=figure("__peer_change"),
    )


def _side(gap: float | None, polarity: str) -> PeerSide:
    if gap is None:
        return ""
    if gap == 0:
        return "level"
    return "behind" if (gap < 0) == (polarity != "down") else "ahead"


def _point(row: Mapping[str, Any], metric: str, week: Period) -> PeerPoint:
    return PeerPoint(
        period=week,
        rank=row.get(f"{metric}__rank_mean"),
        peers=row.get(f"{metric}__peers"),
        gap=row.get(f"{metric}__gap"),
    )


def context(
    view: LakeView, *, lang: Lang, as_of: date, viewer: str, entity: str | None = None
) -> ToolContext:
    """What the tools get when a page or a report asks; entity: id of a top entity, None: all."""
    return ToolContext(view=view, lang=lang, as_of=as_of, viewer=viewer, entity=entity)
