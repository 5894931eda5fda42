"""The blocks of a report on screen: the same content as in its files, drawn natively."""

from __future__ import annotations

import streamlit as st

from askcore.base.reports import (
    Block,
    ChartBlock,
    ChecksBlock,
    GridBlock,
    HeadlineBlock,
    Paragraph,
    Report,
    Section,
    TableBlock,
    TextBlock,
)
from pages.ui import cache, charts, state, tables
from pages.ui import verdicts as verdict_views
from pages.ui.safe import esc
from pages.ui.text import t

ROWS_SHOWN = 200
HASH_CHARS = 12


def section(report: Report, one: Section) -> None:
    """Its blocks, then what a reader opens to check."""
    if one.question and one.question != one.title:
        st.caption(esc(one.question))
    key = f"{report.report_id}-{one.id}"
    for number, block in enumerate(one.blocks):
        _block(report, block, f"{key}-{number}")
    if report.has_provenance and one.evidence:
        _evidence(report, one, key)
    if report.has_sql:
        for source in one.sources:
            for statement in source.sql:
                st.code(statement, language="sql", wrap_lines=True)


def _evidence(report: Report, one: Section, key: str) -> None:
    folded = st.expander(t("reports.evidence"), type="compact", key=f"evidence-{key}", on_change="rerun")
    if folded.open:
        with folded:
            for number, block in enumerate(one.evidence):
                _block(report, block, f"{key}-e{number}")


def _block(report: Report, block: Block, key: str) -> None:
    match block:
        case TextBlock():
            _text(block)
        case HeadlineBlock():
            _headline(block)
        case TableBlock():
            _title(block.title)
            tables.show(block.table, key=f"rows-{key}", limit=ROWS_SHOWN)
            _mark(block.mark)
        case GridBlock():
            _title(block.title)
            if block.lead:
                st.caption(esc(block.lead))
            tables.frame(_grid(block), key=f"grid-{key}")
        case ChartBlock():
            _chart(report, block, key)
        case ChecksBlock():
            _title(block.title)
            with st.container(gap="xsmall"):
                for verdict in block.verdicts:
                    verdict_views.card(verdict, f"check-{key}-{verdict.id}-{verdict.check}")


def _title(title: str) -> None:
    if title:
        st.markdown(f"**{esc(title)}**")


def _mark(mark: str) -> None:
    if mark:
        st.caption(f":red[:material/error: {esc(t('reports.mark', ids=mark))}]")


def _text(block: TextBlock) -> None:
    lines = [_paragraph(one, after_item=at > 0 and block.paragraphs[at - 1].is_item)
             for at, one in enumerate(block.paragraphs)]  # fmt: skip
    said = "\n".join(lines)
    if block.tone == "alert":
        st.error(said)
    elif block.tone == "note":
        st.caption(said)
    else:
        st.markdown(said)


def _paragraph(one: Paragraph, *, after_item: bool) -> str:
    runs = (
        f"**{esc(run.text)}**" if run.is_strong and run.text.strip() else _loose(run.text) for run in one.runs
    )
    said = "".join(runs)
    if one.is_item:
        return f"- {said}"
    return f"\n{said}\n" if after_item else f"{said}\n"


def _loose(text: str) -> str:
    """Literal text whose outer spaces stay: it stands beside emphasis."""
    said = esc(text)
    return f"{' ' * text[:1].isspace()}{said}{' ' * text[-1:].isspace()}" if said else " "


def _headline(block: HeadlineBlock) -> None:
    if not block.items:
        return
    with st.grid(min(len(block.items), 4), min_column_width=140):
        for item in block.items:
            st.metric(
                esc(item.label),
                item.value,
                item.delta or None,
                delta_color={True: "green", False: "red", None: "gray"}[item.good],  # type: ignore[arg-type]  # a literal out of a table
                delta_arrow="down" if item.delta.startswith(("-", "−")) else "up",
                border=True,
            )
    _mark(block.mark)


def _grid(block: GridBlock) -> dict[str, list[str]]:
    """Columns by their heads; two of one name keep their own cells."""
    heads = [
        head if block.heads.index(head) == at else f"{head} {at + 1}" for at, head in enumerate(block.heads)
    ]
    return {head: [row[at] if at < len(row) else "" for row in block.rows] for at, head in enumerate(heads)}


def _chart(report: Report, block: ChartBlock, key: str) -> None:
    drawn = cache.drawn(
        state.viewer(),
        ("report", key, report.title),
        state.is_dark(),
        lambda dark: cache.service().figure(block.table, block.spec, dark=dark, lang=report.lang),
    )
    _title(block.title)
    st.plotly_chart(drawn, key=f"chart-{key}", config=charts.CONFIG, alt=t("chart.alt", question=block.title))
