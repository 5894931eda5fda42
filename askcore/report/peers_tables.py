"""Where everybody stands in one metric: counters, the gaps as bars, the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from askcore.base.peer_views import PeerLine, PeerMetric
from askcore.base.reports import Block, ChartBlock, Headline, HeadlineBlock, TableBlock, TextBlock
from askcore.base.text import say
from askcore.base.values import ChartSpec, Column, Table
from askcore.report.markup import one_line
from askcore.report.peers_context import Peers

FIGURES: Final = (
    "",
    "__peer",
    "__gap",
    "__rank",
    "__peers",
    "__percentile",
    "__rank_change",
    "__peer_change",
)
"""Columns of the benchmark that the table shows, by their endings."""
_ON_PAPER: Final = 40
_BARS: Final = 20


def standing_blocks(
    peers: Peers, metric: PeerMetric, lines: Sequence[PeerLine], source: str, mark: str
) -> Iterator[Block]:
    """Counters, bars and table; those who cannot be compared are counted, not listed.

    lines: of the metric, the furthest behind first. source: the benchmark's id. mark: verdicts that failed
    on rows behind the figures.
    """
    yield HeadlineBlock(items=tuple(_counters(peers, metric)), mark=mark)
    shown = [one for one in lines if one.state == "ok"]
    if not shown:
        return
    if metric.polarity == "down":
        lower = say(peers.lang, "report.lower_is_ahead", label=metric.label)
        yield TextBlock(paragraphs=(one_line(lower),), tone="note")
    table = _table(peers, metric, shown)
    name = say(peers.lang, "report.gap_of", label=metric.label)
    if len(shown) > 1 and table.column_of("name"):
        gap = next(c for c in table.columns if c.key == "gap")
        spec = ChartSpec(type="hbar", x="name", y=("gap",))
        yield ChartBlock(title=name, table=_drawn(peers, shown, gap), spec=spec)
    title = say(peers.lang, "report.standings", label=metric.label)
    yield TableBlock(title=title, table=table, source=source, mark=mark, on_paper=_ON_PAPER)


def stated(lines: Sequence[PeerLine]) -> Iterator[tuple[PeerLine, str]]:
    """(entity, ending of a column) of the numbers that pages show: the table's head, the bars."""
    shown = [one for one in lines if one.state == "ok"]
    yield from ((one, ending) for one in shown[:_ON_PAPER] for ending in FIGURES)
    yield from ((one, "__gap") for one in shown[-(_BARS // 2) :])


def _counters(peers: Peers, metric: PeerMetric) -> Iterator[Headline]:
    counts = {
        "checked": metric.n_checked,
        "behind": metric.n_behind,
        "ahead": metric.n_ahead,
        "small": metric.n_small,
        "lacking": metric.n_lacking,
    }
    for name, count in counts.items():
        if count or name not in ("small", "lacking"):
            yield Headline(label=say(peers.lang, f"report.peers_n_{name}"), value=f"{count:,}")


def _drawn(peers: Peers, shown: Sequence[PeerLine], gap: Column) -> Table:
    """The gaps that a drawing has room for: those furthest behind and furthest ahead."""
    kept = shown if len(shown) <= _BARS else (*shown[: _BARS // 2], *shown[-(_BARS // 2) :])
    rows = tuple({"name": peers.name(one), "gap": one.gap} for one in kept)
    return Table(columns=(Column(key="name", label=peers.report.level), gap), rows=rows, row_count=len(shown))


def _table(peers: Peers, metric: PeerMetric, shown: Sequence[PeerLine]) -> Table:
    rows = tuple(_row(peers, metric, one) for one in shown)
    gap = "pp" if metric.gap_unit == "pp" else "change"
    units = {"own": metric.unit, "peer": metric.unit, "gap": gap, "percentile": "ratio"}
    units |= {"rank_change": "places", "peer_change": gap}
    always = ("own", "peer", "gap")
    keys = [k for k in rows[0] if k in always or any(row[k] not in (None, "") for row in rows)]
    columns = tuple(Column(key=k, label=_label(peers, k), unit=units.get(k, "")) for k in keys)
    return Table(columns=columns, rows=rows, row_count=len(rows))


def _label(peers: Peers, key: str) -> str:
    return peers.report.level if key == "name" else say(peers.lang, f"report.peers_{key}")


def _row(peers: Peers, metric: PeerMetric, one: PeerLine) -> dict[str, Any]:
    return {
        "name": one.name if one.id else "",
        "id": one.id if one.id != one.name else "",
        "own": one.own,
        "peer": one.peer,
        "gap": one.gap,
        "side": say(peers.lang, f"report.side_{one.side}") if one.side else "",
        "rank": shown_rank(one),
        "percentile": one.percentile,
        "rank_change": one.rank_change,
        "peer_change": one.peer_change,
    }


def shown_rank(line: PeerLine) -> str:
    """As "10/69"; "" without a rank."""
    if line.rank is None:
        return ""
    return f"{line.rank:.0f}/{line.peers:.0f}" if line.peers else f"{line.rank:.0f}"


def furthest(lines: Sequence[PeerLine], side: str) -> PeerLine | None:
    """The one furthest behind or ahead; None when nobody is on that side.

    lines: the furthest behind first.
    """
    found = [one for one in lines if one.side == side]
    return (found[0] if side == "behind" else found[-1]) if found else None
