"""The peer report: everybody against the mean of their peers, metric by metric, with who moved and why.

The standings come from the facade; each number is a cell of a call that the report names and makes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from askcore.base.peer_views import PeerMetric
from askcore.base.reports import Block, ChecksBlock, Figure, Headline, HeadlineBlock, Section, TextBlock
from askcore.base.text import say
from askcore.base.values import KINDS_OF_DATA, Period
from askcore.report.answers import mark_of
from askcore.report.markup import one_line
from askcore.report.peers_context import Peers, addresses, figures, shown_gap
from askcore.report.peers_moves import moves
from askcore.report.peers_tables import furthest, standing_blocks, stated

_COUNTS: Final = (
    "checked",
    "behind",
    "ahead",
    "level",
    "hidden_small",
    "no_peers",
    "peers_fell",
    "regrouped",
)


def peer_sections(peers: Peers, step: Callable[[str, float], None]) -> tuple[Section, ...]:
    """The chapters: overview, one a metric, whether the rows can be trusted.

    step: told which chapter is being made and how far the whole is (0-1).
    """
    metrics = peers.report.metrics
    last = len(metrics) + 2
    name = say(peers.lang, "report.chapter_health")
    step(name, 0.0)
    checks = _checks(peers, last, name)
    mark = mark_of(checks.failed)
    found = [_overview(peers, mark)]
    for number, metric in enumerate(metrics, start=2):
        step(metric.label, (number - 1) / last)
        found.append(_metric(peers, metric, number, mark))
    return (*found, checks)


def _overview(peers: Peers, mark: str) -> Section:
    report, lang = peers.report, peers.lang
    items = tuple(
        Headline(
            label=say(lang, "report.behind_of", label=m.label), value=f"{m.n_behind:,} / {m.n_checked:,}"
        )
        for m in report.metrics
    )
    blocks: list[Block] = [
        TextBlock(paragraphs=(one_line(_compared(peers)),), tone="note"),
        HeadlineBlock(items=items, mark=mark),
        TextBlock(paragraphs=tuple(one_line(_sentence(peers, m), is_item=True) for m in report.metrics)),
    ]
    if report.findings:
        head = one_line(say(lang, "report.ranks_fell"), is_strong=True)
        told = tuple(one_line(text, is_item=True) for text in report.findings)
        blocks.append(TextBlock(paragraphs=(head, *told)))
    if report.notes:
        blocks.append(TextBlock(paragraphs=tuple(one_line(n.text) for n in report.notes), tone="note"))
    cells = [f"{m.key}[arg]@{name}" for m in report.metrics for name in _COUNTS]
    title = say(lang, "report.chapter_overview")
    found = _section(peers, 1, title, blocks, [*cells, *_cited(peers, peers.report.metrics)])
    own = tuple(replace(v, id=f"p{n}") for n, v in enumerate(peers.benchmark.verdicts, start=1))
    checks = (ChecksBlock(title=say(lang, "report.peers_verdicts"), verdicts=own),) if own else ()
    return replace(found, evidence=checks)


def _compared(peers: Peers) -> str:
    """Whom, when and against which days."""
    report = peers.report
    words = {"level": report.level, "n": len(report.entities)}
    words |= {} if report.period is None else {"start": report.period.start, "end": report.period.end}
    if report.baseline is None:
        return say(peers.lang, "report.peers_compared", **words)
    days = {"start2": report.baseline.start, "end2": report.baseline.end}
    return say(peers.lang, "report.peers_compared_with", **words, **days)


def _sentence(peers: Peers, metric: PeerMetric) -> str:
    """How many are on which side, the furthest of each, who is hidden and why."""
    lang, lines = peers.lang, peers.lines(metric)
    words = {"label": metric.label, "n": metric.n_checked, "all": len(peers.report.entities)}
    sides = {"behind": metric.n_behind, "ahead": metric.n_ahead}
    said = [say(lang, "report.peers_sides", **words, **sides)]
    for side in ("behind", "ahead"):
        one = furthest(lines, side)
        if one is not None:
            gap = shown_gap(one.gap, metric)
            said.append(say(lang, f"report.furthest_{side}", name=peers.name(one), gap=gap))
    counts = {"small": metric.n_small, "lacking": metric.n_lacking, "fell": metric.n_peers_fell}
    counts["regrouped"] = peers.benchmark.facts["metrics"][metric.key]["counts"]["regrouped"]
    said += [say(lang, f"report.peers_{name}", n=count) for name, count in counts.items() if count]
    return ("" if lang == "zh" else " ").join(said)


def _cited(peers: Peers, metrics: Sequence[PeerMetric]) -> Iterator[str]:
    """The gaps that the sentences name."""
    rows = addresses(peers.benchmark.table)
    for metric in metrics:
        lines = peers.lines(metric)
        for one in (furthest(lines, "behind"), furthest(lines, "ahead")):
            if one is not None:
                yield f"{rows[one.id]}.{metric.key}__gap"


def _metric(peers: Peers, metric: PeerMetric, number: int, mark: str) -> Section:
    lines = peers.lines(metric)
    told = moves(peers, metric, number)
    blocks: list[Block] = [
        TextBlock(paragraphs=(one_line(_sentence(peers, metric)),)),
        *standing_blocks(peers, metric, lines, f"s{number}.t1", mark),
        *told.blocks,
    ]
    rows = addresses(peers.benchmark.table)
    cells = [f"{metric.key}[arg]@{name}" for name in _COUNTS]
    cells += [f"{rows[line.id]}.{metric.key}{end}" for line, end in stated(lines)]
    found = _section(peers, number, metric.label, blocks, cells)
    return replace(found, sources=(*found.sources, *told.sources), figures=(*found.figures, *told.figures))


def _section(peers: Peers, number: int, title: str, blocks: Sequence[Block], cells: Sequence[str]) -> Section:
    """A chapter that states these cells of the benchmark."""
    source, numbers = peers.standings(number)
    return Section(
        id=f"s{number}",
        title=title,
        question="",
        run_id="",
        blocks=tuple(blocks),
        sources=(source,),
        figures=figures(source, numbers, cells),
    )


def _checks(peers: Peers, number: int, title: str) -> Section:
    """Whether the rows of both periods can be trusted; what failed marks the figures."""
    lang, period = peers.lang, peers.report.period
    assert period is not None  # noqa: S101 - standings have days
    days = Period(start=(peers.report.baseline or period).start, end=period.end)
    source = peers.source(number, 1, "data_quality", days.as_json())
    result, numbers = peers.made(source)
    told = tuple(v for v in result.verdicts if v.status != "pass")
    passed = tuple(v for v in result.verdicts if v.status == "pass")
    lead = say(lang, "report.peers_rows", start=days.start, end=days.end)
    lines = (one_line(lead), one_line(str(result.facts.get("summary", ""))))
    listed = (ChecksBlock(title=say(lang, "export.checks"), verdicts=told),) if told else ()
    evidence = (ChecksBlock(title=say(lang, "report.passed"), verdicts=passed),) if passed else ()
    return Section(
        id=f"s{number}",
        title=title,
        question="",
        run_id="",
        blocks=(TextBlock(paragraphs=lines), *listed),
        evidence=evidence,
        sources=(replace(source, sql=result.sql),),
        figures=tuple(
            Figure(address=address, value=float(value))
            for address, value in numbers.items()
            if address.endswith(("[verdict]", "[rows]"))
        ),
        failed=tuple(v for v in told if v.status == "fail" and v.kind in KINDS_OF_DATA),
    )
