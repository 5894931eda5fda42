"""One answered question as a section of a report."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from askcore.base.reports import (
    Block,
    ChartBlock,
    ChecksBlock,
    Figure,
    GridBlock,
    Headline,
    HeadlineBlock,
    Paragraph,
    Run,
    Section,
    Source,
    TableBlock,
    TextBlock,
)
from askcore.base.text import say
from askcore.base.values import KINDS_OF_DATA, Lang, Verdict
from askcore.base.views import RunSnapshot
from askcore.report.markup import paragraphs
from askcore.report.recall import recall
from askcore.tools import TOOLS_BY_NAME
from askcore.tools.recompute import table_values

if TYPE_CHECKING:
    from askcore.lake import LakeView

_ADDRESSES: Final = re.compile(r", (?=t\d+:)")


def section_of(run: RunSnapshot, number: int, view: LakeView, *, title: str = "") -> Section:
    """The answer with its evidence; its numbers are those that its calls give on the pinned version.

    title: of the section; "" = the question.
    """
    section = f"s{number}"
    sources = sources_of(run, section)
    known: dict[str, float] = {}
    for source in sources:
        known |= recall(source, view, run.lang).values
    failed = tuple(v for v in run.verdicts if v.status == "fail")
    return Section(
        id=section,
        title=title or run.question,
        question=run.question if title and run.question != title else "",
        run_id=run.run_id,
        blocks=tuple(_blocks(run, section, failed)),
        evidence=tuple(_evidence(run)),
        sources=sources,
        figures=tuple(told_figures(run, section, known)),
        failed=failed,
    )


def mark_of(failed: Sequence[Verdict]) -> str:
    """What figures on faulty rows are marked with: the ids of the failing checks of data."""
    return " ".join(v.id for v in failed if v.kind in KINDS_OF_DATA)


def sources_of(run: RunSnapshot, section: str) -> tuple[Source, ...]:
    """The run's calls, so that they can be made again."""
    reading = run.reading
    if reading is None:
        return ()
    return tuple(
        Source(
            id=f"{section}.{step.id}",
            tool=step.tool,
            args=dict(step.args),
            entity=reading.entity or "",
            as_of=reading.as_of,
            sql=step.sql,
        )
        for step in run.steps
        if step.state == "done" and step.tool in TOOLS_BY_NAME
    )


def _blocks(run: RunSnapshot, section: str, failed: Sequence[Verdict]) -> Iterator[Block]:
    lang, mark = run.lang, mark_of(failed)
    chips = " · ".join(f"{chip.label}: {chip.value}" for chip in run.chips)
    if chips:
        yield TextBlock(paragraphs=(_line(chips),), tone="note")
    if run.headline:
        items = tuple(
            Headline(label=m.label, value=m.value, delta=m.delta, good=m.good) for m in run.headline
        )
        yield HeadlineBlock(items=items, mark=mark)
    yield TextBlock(paragraphs=paragraphs(_said(run)))
    notes = [note.text for note in run.notes if note.text not in run.answer]
    if notes:
        yield TextBlock(paragraphs=tuple(_line(text) for text in notes), tone="note")
    if run.table is not None and run.chart is not None:
        yield ChartBlock(title=_chart_title(run), table=run.table, spec=run.chart)
    yield from _aligned(run)
    if run.table is not None and run.table.rows and run.table.dimensions and not _lists_checks(run):
        title = say(lang, "export.table")
        yield TableBlock(title=title, table=run.table, source=f"{section}.{run.table_step}", mark=mark)
    yield from _words(run)
    yield from _checks(run, passed=False)


def _lists_checks(run: RunSnapshot) -> bool:
    """Whether the table says what the verdicts say."""
    return any(s.id == run.table_step and s.tool in ("data_quality", "cross_check") for s in run.steps)


def _evidence(run: RunSnapshot) -> Iterator[Block]:
    yield from _ratios(run)
    yield from _slip(run)
    yield from _checks(run, passed=True)
    yield from _provenance(run)


def _checks(run: RunSnapshot, *, passed: bool) -> Iterator[ChecksBlock]:
    """Those that passed, or those that did not."""
    found = tuple(v for v in run.verdicts if (v.status == "pass") is passed)
    if found:
        title = say(run.lang, "report.passed" if passed else "export.checks")
        yield ChecksBlock(title=title, verdicts=found)


def _said(run: RunSnapshot) -> str:
    """The answer, or why there is none."""
    if run.answer:
        return run.answer
    return run.error.message if run.error is not None else ""


def _line(text: str) -> Paragraph:
    return Paragraph(runs=(Run(text=text),))


def _chart_title(run: RunSnapshot) -> str:
    assert run.table is not None  # noqa: S101 - the caller has looked
    assert run.chart is not None  # noqa: S101
    labels = {c.key: c.label for c in run.table.columns}
    return say(run.lang, "answer.comma").join(labels.get(key, key) for key in run.chart.y)


def _grid(
    lang: Lang, title: str, heads: Sequence[str], rows: Sequence[tuple[str, ...]], lead: str = ""
) -> Iterator[GridBlock]:
    if rows:
        named = tuple(say(lang, f"export.{head}") for head in heads)
        yield GridBlock(title=say(lang, f"export.{title}"), heads=named, rows=tuple(rows), lead=lead)


def _aligned(run: RunSnapshot) -> Iterator[GridBlock]:
    """Both periods' coverage, and each change beside the aligned one."""
    found = run.like_for_like
    if found is None:
        return
    parts = [found.current, found.baseline]
    if found.entities:
        parts.append(say(run.lang, "export.comparable", count=found.comparable, all=found.entities))
    for key, names in (("opened", found.openers), ("closed", found.closers), ("partial", found.partials)):
        if names:
            parts.append(f"{say(run.lang, f'export.{key}')}: {', '.join(names)}")
    parts.append(found.rule)
    rows = [(r.metric, r.raw, r.aligned, say(run.lang, f"export.by_{r.basis}")) for r in found.rows]
    heads = ("metric", "raw", "aligned", "basis")
    yield from _grid(run.lang, "like_for_like", heads, rows, " · ".join(p for p in parts if p))


def _ratios(run: RunSnapshot) -> Iterator[GridBlock]:
    rows = [(r.metric, r.period, r.numerator, r.denominator, r.weighted, r.naive, r.gap) for r in run.ratios]
    heads = ("metric", "period", "numerator", "denominator", "weighted", "naive", "gap")
    yield from _grid(run.lang, "ratios", heads, rows)


def _slip(run: RunSnapshot) -> Iterator[GridBlock]:
    rows = [
        (r.metric, r.place, r.period, r.first, r.second, say(run.lang, f"export.{_agrees(r.is_same)}"))
        for r in run.slip
    ]
    yield from _grid(run.lang, "slip", ("metric", "place", "period", "first", "second", "result"), rows)


def _agrees(is_same: bool) -> str:
    return "same" if is_same else "differs"


def _words(run: RunSnapshot) -> Iterator[GridBlock]:
    """What the cells refute of the words."""
    items = (run.provenance.get("words") or {}).get("items", ())
    rows = [(i["text"], i["why"]) for i in items if i["status"] == "contradicted"]
    yield from _grid(run.lang, "words", ("said", "data"), rows)


def _provenance(run: RunSnapshot) -> Iterator[GridBlock]:
    rows = [
        (str(i["text"]), say(run.lang, f"export.claim_{i['status']}"), i["formula"] or i["source"])
        for i in run.provenance.get("items", ())
        if i["status"] != "exempt"
    ]
    yield from _grid(run.lang, "provenance", ("number", "grade", "source"), rows)


def told_figures(run: RunSnapshot, section: str, known: Mapping[str, float]) -> Iterator[Figure]:
    """Numbers of the shown table, and the cells that sentences cite.

    known: cells and tables of the run's calls by address, on the version that it was given on.
    """
    shown = table_values(run.table, run.table_step)
    for address, value in shown.items():
        if isinstance(value, int | float) and not isinstance(value, bool):
            yield Figure(address=f"{section}.{address}", value=float(value))
    done = {f"{section}.{address}" for address in shown}
    for item in run.provenance.get("items", ()):
        for address in _ADDRESSES.split(str(item["source"])):
            cited = f"{section}.{address}"
            if cited in known and cited not in done:
                done.add(cited)
                yield Figure(address=cited, value=float(known[cited]), shown=str(item["text"]))
