"""Who moved most in one metric: ranks over the weeks, and how much of a change was the market's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from askcore.base.peer_views import PeerLine, PeerMetric, PeerSeries, PeerSplit, PeerTrend
from askcore.base.reports import Block, ChartBlock, Figure, Source, TableBlock, TextBlock
from askcore.base.text import say
from askcore.base.values import ChartSpec, Column, Period, Table
from askcore.report.markup import one_line
from askcore.report.peers_context import Peers, addresses, figures

_MOVERS: Final = 5  # lines that a drawing keeps apart
_REASONS: Final = ("no_column", "no_rows", "peers_moved", "many")


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """Blocks with the calls behind them."""

    blocks: tuple[Block, ...] = ()
    sources: tuple[Source, ...] = ()
    figures: tuple[Figure, ...] = ()


def movers(peers: Peers, metric: PeerMetric) -> tuple[PeerLine, ...]:
    """Those whose mean rank moved most, either way, among about as many peers as before."""
    other = peers.regrouped(metric)
    moved = [one for one in peers.lines(metric) if one.rank_change and one.id and one.id not in other]
    return tuple(sorted(moved, key=lambda one: (-abs(one.rank_change or 0.0), one.id))[:_MOVERS])


def moves(peers: Peers, metric: PeerMetric, number: int) -> Told:
    """Trend and split of the biggest movers of a metric, for chapter `number`, from its second step on."""
    chosen = movers(peers, metric)
    if not chosen:
        return Told()
    trend = _trend(peers, metric, number, chosen)
    split = _splits(peers, metric, number, chosen, 2 + len(trend.sources))
    return Told(
        blocks=(*trend.blocks, *split.blocks),
        sources=(*trend.sources, *split.sources),
        figures=(*trend.figures, *split.figures),
    )


def _narrowed(peers: Peers, ids: Sequence[str]) -> Mapping[str, Any]:
    return {} if peers.scope is None else {"scope": peers.scope, "filters": {peers.scope: list(ids)}}


# ranks over weeks -------------------------------------------------------------------------------


def _trend(peers: Peers, metric: PeerMetric, number: int, chosen: Sequence[PeerLine]) -> Told:
    ids = [one.id for one in chosen]
    assert peers.report.period is not None  # noqa: S101 - standings have days
    trend = peers.found.trend(metric=metric.key, ids=ids, end=peers.report.period.end)
    weeks = sorted({p.period for s in trend.series for p in s.points}, key=lambda week: week.start)
    if not trend.series or len(weeks) < 2:
        reason = trend.reason or say(peers.lang, "report.no_trend")
        return Told(blocks=(TextBlock(paragraphs=(one_line(reason),), tone="note"),))
    names = {one.id: peers.name(one) for one in chosen}
    sources: list[Source] = []
    stated: list[Figure] = []
    for step, week in enumerate(weeks, start=2):
        args = {"metrics": [metric.key], **_narrowed(peers, ids), **week.as_json()}
        source = peers.source(number, step, "peer_benchmark", args)
        result, numbers = peers.made(source)
        sources.append(source)
        cells = (f"{row}.{metric.key}__rank_mean" for row in addresses(result.table).values())
        stated += figures(source, numbers, cells)
    lead = say(peers.lang, "report.trend_lead", n=len(chosen))
    return Told(
        blocks=(
            TextBlock(paragraphs=(one_line(lead),), tone="note"),
            _drawing(peers, metric, trend, names),
            _by_week(peers, metric, trend.series, weeks, names),
        ),
        sources=tuple(sources),
        figures=tuple(stated),
    )


def _drawing(peers: Peers, metric: PeerMetric, trend: PeerTrend, names: Mapping[str, str]) -> ChartBlock:
    rows = tuple(
        {"week": f"{p.period.start:%m-%d}", "name": names[s.id], "rank": p.rank}
        for s in trend.series
        for p in s.points
    )
    columns = (
        Column(key="week", label=say(peers.lang, "report.week")),
        Column(key="name", label=peers.report.level),
        Column(key="rank", label=say(peers.lang, "report.rank_mean"), unit="rank"),
    )
    table = Table(columns=columns, rows=rows, row_count=len(rows))
    title = say(peers.lang, "report.trend_of", label=metric.label)
    return ChartBlock(
        title=title, table=table, spec=ChartSpec(type="line", x="week", y=("rank",), color="name")
    )


def _by_week(
    peers: Peers,
    metric: PeerMetric,
    series: Sequence[PeerSeries],
    weeks: Sequence[Period],
    names: Mapping[str, str],
) -> TableBlock:
    """A row an entity, a column a week."""
    rows = tuple({"name": names[s.id], **{f"{p.period.start}": p.rank for p in s.points}} for s in series)
    head = Column(key="name", label=peers.report.level)
    columns = tuple(
        Column(key=f"{week.start}", label=f"{week.start:%m-%d}–{week.end:%m-%d}", unit="rank")
        for week in weeks
    )
    table = Table(columns=(head, *columns), rows=rows, row_count=len(rows))
    title = say(peers.lang, "report.trend_of", label=metric.label)
    return TableBlock(title=title, table=table, source="")


# own against market -----------------------------------------------------------------------------


def _splits(peers: Peers, metric: PeerMetric, number: int, chosen: Sequence[PeerLine], first: int) -> Told:
    report = peers.report
    if report.period is None or report.baseline is None:
        return Told()
    days = {"period": report.period, "baseline": report.baseline}
    found = [(one, peers.found.split(metric=metric.key, entity=one.id, **days)) for one in chosen]
    told = [(one, split) for one, split in found if split.change is not None]
    key = metric.key
    cells = (key, f"{key}@prev", f"{key}[delta]", f"{key}[delta]@market", f"{key}[delta]@own")
    sources: list[Source] = []
    stated: list[Figure] = []
    for step, (one, _) in enumerate(told, start=first):
        args = {"metric": key, "current": report.period.as_json(), "baseline": report.baseline.as_json()}
        more = {"by": [], "drivers": [], **_narrowed(peers, [one.id])}
        source = peers.source(number, step, "explain_change", {**args, **more})
        sources.append(source)
        stated += figures(source, peers.made(source)[1], cells)
    return Told(
        blocks=tuple(_split_blocks(peers, metric, found)), sources=tuple(sources), figures=tuple(stated)
    )


def _split_blocks(
    peers: Peers, metric: PeerMetric, found: Sequence[tuple[PeerLine, PeerSplit]]
) -> Iterator[Block]:
    lang = peers.lang
    rows = tuple(_split_row(peers, one, split) for one, split in found if split.change is not None)
    if rows:
        unit = "pp" if metric.gap_unit == "pp" else metric.unit
        units = {
            "before": metric.unit,
            "after": metric.unit,
            "change": unit,
            "market": unit,
            "own_part": unit,
        }
        keys = ("before", "after", "change", "market", "own_part")
        columns = (
            Column(key="name", label=peers.report.level),
            *(Column(key=k, label=say(lang, f"report.split_{k}"), unit=units[k]) for k in keys),
        )
        title = say(lang, "report.split_of", label=metric.label)
        table = Table(columns=columns, rows=rows, row_count=len(rows))
        yield TextBlock(paragraphs=(one_line(say(lang, "report.split_lead")),), tone="note")
        yield TableBlock(title=title, table=table, source="")
    reasons = [f"{peers.name(one)}: {_why_not(peers, split)}" for one, split in found if split.reason]
    if reasons:
        yield TextBlock(paragraphs=tuple(one_line(text, is_item=True) for text in reasons), tone="note")


def _split_row(peers: Peers, one: PeerLine, split: PeerSplit) -> dict[str, Any]:
    return {
        "name": peers.name(one),
        "before": split.before,
        "after": split.after,
        "change": split.change,
        "market": split.market,
        "own_part": split.own,
    }


def _why_not(peers: Peers, split: PeerSplit) -> str:
    """A reason's code in words; a sentence as it is."""
    return say(peers.lang, f"report.no_split_{split.reason}") if split.reason in _REASONS else split.reason
