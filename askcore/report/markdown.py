"""A report as Markdown: for wikis and chats; what a cell holds is never markup."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

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
from askcore.base.text import say
from askcore.base.values import Lang
from askcore.report.cells import is_figure, shown
from askcore.report.lines import alert_title, footer, meta

_MARKS: Final = re.compile(r"([\\`*_{}\[\]<>()#+!|~&])")


def write_markdown(report: Report) -> bytes:
    """The file, UTF-8. Charts are left out: their table stands below them."""
    lines = [f"# {_text(report.title)}", "", *(f"{_text(line)}  " for line in meta(report))]
    if report.failed:
        lines += ["", f"> **{_text(alert_title(report))}**", ">"]
        lines += [f"> - {_text(v.note)}" for v in report.failed]
    for section in report.sections:
        lines += ["", *_section(section, report)]
    lines += ["", "---", "", _text(footer(report)), ""]
    return "\n".join(lines).encode("utf-8")


def _section(section: Section, report: Report) -> Iterator[str]:
    yield f"## {_text(section.title)}"
    if section.question:
        yield f"\n*{_text(section.question)}*"
    yield from _blocks(section.blocks, report.lang)
    if report.has_provenance:
        yield from _blocks(section.evidence, report.lang)
    if report.has_sql:
        for source in section.sources:
            for statement in source.sql:
                fence = "`" * max(3, _longest_ticks(statement) + 1)
                yield f"\n{fence}sql\n{statement}\n{fence}"


def _longest_ticks(text: str) -> int:
    return max((len(run) for run in re.findall(r"`+", text)), default=0)


def _blocks(blocks: Iterable[Block], lang: Lang) -> Iterator[str]:
    for block in blocks:
        yield ""
        yield from _WRITERS[type(block)](block, lang)


def _text(value: object) -> str:
    """One line, every mark escaped."""
    return _MARKS.sub(r"\\\1", " ".join(str(value).split()))


def _prose(block: TextBlock, lang: Lang) -> Iterator[str]:
    for paragraph in block.paragraphs:
        yield f"- {_inline(paragraph)}" if paragraph.is_item else f"{_inline(paragraph)}\n"


def _inline(paragraph: Paragraph) -> str:
    return "".join(f"**{_text(r.text)}**" if r.is_strong else _spaced(r.text) for r in paragraph.runs)


def _spaced(text: str) -> str:
    """Escaped, with the spaces at its ends, which part it from its neighbours."""
    inner = _text(text)
    return f"{' ' if text[:1].isspace() else ''}{inner}{' ' if inner and text[-1:].isspace() else ''}"


def _strip(block: HeadlineBlock, lang: Lang) -> Iterator[str]:
    mark = f" ⚠ {_text(block.mark)}" if block.mark else ""
    for item in block.items:
        delta = f" ({_text(item.delta)})" if item.delta else ""
        yield f"- {_text(item.label)}: **{_text(item.value)}**{delta}{mark}"


def _table(block: TableBlock, lang: Lang) -> Iterator[str]:
    table, figures = block.table, set(block.table.measures)
    mark = f" ⚠ {_text(block.mark)}" if block.mark else ""
    count = say(lang, "report.rows", shown=len(block.paper_rows), all=table.row_count or table.shown)
    yield f"### {_text(block.title)} ({_text(count)}){mark}\n"
    yield _row([c.label for c in table.columns])
    yield "|" + "|".join("---:" if c.key in figures else "---" for c in table.columns) + "|"
    for row in block.paper_rows:
        yield _row([shown(row.get(c.key), c.unit) for c in table.columns])
    if table.totals and table.dimensions:
        named = {table.dimensions[-1]: say(lang, "report.total"), **table.totals}
        yield _row([shown(v, c.unit) if is_figure(v := named.get(c.key)) else v or "" for c in table.columns])


def _grid(block: GridBlock, lang: Lang) -> Iterator[str]:
    yield f"### {_text(block.title)}\n"
    if block.lead:
        yield f"{_text(block.lead)}\n"
    yield _row(block.heads)
    yield "|" + "---|" * len(block.heads)
    for row in block.rows:
        yield _row(row)


def _row(values: Sequence[object]) -> str:
    return "| " + " | ".join(_text(v) for v in values) + " |"


def _checks(block: ChecksBlock, lang: Lang) -> Iterator[str]:
    yield f"### {_text(block.title)}\n"
    for v in block.verdicts:
        yield f"- **{say(lang, f'report.{v.status}')}** \\[{_text(v.id)}\\] {_text(v.note)}"


def _nothing(block: ChartBlock, lang: Lang) -> Iterator[str]:
    return iter(())


_WRITERS: Final[Mapping[type, Callable[[Any, Lang], Iterator[str]]]] = {
    TextBlock: _prose,
    HeadlineBlock: _strip,
    TableBlock: _table,
    GridBlock: _grid,
    ChartBlock: _nothing,
    ChecksBlock: _checks,
}
