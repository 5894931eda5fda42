"""A report as a PDF, set by typst: the report goes in as JSON, so that no cell can be markup."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final
from unicodedata import category

from askcore.base.reports import (
    Block,
    ChartBlock,
    ChecksBlock,
    GridBlock,
    HeadlineBlock,
    Report,
    Section,
    TableBlock,
    TextBlock,
)
from askcore.base.text import say
from askcore.base.values import Lang
from askcore.charts.svg import svg_chart
from askcore.report.cells import shown
from askcore.report.fonts import EXTRA_FAMILY, FAMILY, Fonts, fonts_for
from askcore.report.lines import alert_title, footer, meta
from askcore.report.progress import Progress, quiet
from askcore.report.setting import set_pdf

_MOST_CELLS: Final = 24_000
"""Cells of all tables on paper: some eighty pages, set with less than 700 MB; the XLSX has all rows."""
_LEAST_ROWS: Final = 50  # of each table, however many there are
_MAX_CELL: Final = 400  # letters; a cell of ten thousand would be pages
_GETA: Final = "\u3013"
"""The printer's mark for a missing character."""
_UNSEEN: Final = ("Cc", "Cf", "Cs", "Co", "Cn")


def write_pdf(report: Report, folder: Path, progress: Progress = quiet) -> bytes:
    """The file. folder: where the fonts are kept.

    Raises: AskError when typst refuses, which no text can make it do; Cancelled when `progress` said so.
    """
    document = _document(_on_paper(report))
    fonts = fonts_for(_characters(document), folder)
    if fonts.missing:
        document = _with_warning(_replaced(document, fonts), fonts, report.lang)
    n_texts = sum(1 for _ in _texts(document))
    return set_pdf(document, fonts.folders, n_texts, say(report.lang, "report.step_pdf"), progress)


def _on_paper(report: Report) -> Report:
    """The report with as many rows a table as pages can take; each says how many there are."""
    blocks = [b for s in report.sections for b in (*s.blocks, *s.evidence) if isinstance(b, TableBlock)]
    share = _MOST_CELLS // max(1, len(blocks))

    def fitted(found: tuple[Block, ...]) -> tuple[Block, ...]:
        return tuple(_fitted(block, share) for block in found)

    sections = [replace(s, blocks=fitted(s.blocks), evidence=fitted(s.evidence)) for s in report.sections]
    return replace(report, sections=tuple(sections))


def _fitted(block: Block, cells: int) -> Block:
    if isinstance(block, TableBlock):
        most = max(_LEAST_ROWS, cells // max(1, len(block.table.columns)))
        return replace(
            block, on_paper=min(most, block.table.shown if block.on_paper is None else block.on_paper)
        )
    return block


def _document(report: Report) -> dict[str, Any]:
    """The template's input; every leaf is text, a flag or a number."""
    return {
        "title": _clean(report.title),
        "lang": report.lang,
        "fonts": [FAMILY, EXTRA_FAMILY],
        "meta": [_clean(line) for line in meta(report)],
        "warning": "",
        "alert-title": alert_title(report),
        "alert": [_cut(v.note) for v in report.failed],
        "contents": say(report.lang, "report.contents"),
        "sections": [_section(s, report.lang) for s in report.sections],
        "appendix-title": say(report.lang, "report.appendix"),
        "appendix": [part for s in report.sections if (part := _appendix(s, report)) is not None],
        "footer": footer(report),
    }


def _section(section: Section, lang: Lang) -> dict[str, Any]:
    return {
        "title": _cut(section.title),
        "question": _cut(section.question),
        "blocks": _blocks(section.blocks, lang),
    }


def _appendix(section: Section, report: Report) -> dict[str, Any] | None:
    blocks = _blocks(section.evidence, report.lang) if report.has_provenance else []
    sql = [_clean(text) for source in section.sources for text in source.sql] if report.has_sql else []
    if not blocks and not sql:
        return None
    return {"title": _cut(section.title), "blocks": blocks, "sql": sql}


def _blocks(blocks: Iterable[Block], lang: Lang) -> list[dict[str, Any]]:
    return [made for block in blocks if (made := _MAKERS[type(block)](block, lang)) is not None]


def _prose(block: TextBlock, lang: Lang) -> dict[str, Any]:
    paragraphs = [
        {"item": p.is_item, "runs": [{"text": _clean(r.text), "strong": r.is_strong} for r in p.runs]}
        for p in block.paragraphs
    ]
    return {"kind": "prose", "tone": block.tone, "paragraphs": paragraphs}


def _strip(block: HeadlineBlock, lang: Lang) -> dict[str, Any]:
    items = [
        {"label": _cut(i.label), "value": _cut(i.value), "delta": _cut(i.delta), "good": i.good}
        for i in block.items
    ]
    return {"kind": "strip", "mark": block.mark, "items": items}


def _table(block: TableBlock, lang: Lang) -> dict[str, Any]:
    table, figures = block.table, set(block.table.measures)
    rows = [[_cut(shown(row.get(c.key), c.unit)) for c in table.columns] for row in block.paper_rows]
    named = {table.dimensions[-1]: say(lang, "report.total"), **table.totals} if table.totals else {}
    count = table.row_count or table.shown
    is_cut = count > len(rows)
    told = "report.rows_more" if table.shown > len(rows) else "report.rows"
    return {
        "kind": "rows",
        "title": _cut(block.title),
        "mark": block.mark,
        "heads": [_cut(c.label) for c in table.columns],
        "right": [c.key in figures for c in table.columns],
        "rows": rows,
        "total": [_cut(shown(named.get(c.key), c.unit)) for c in table.columns] if named else [],
        "more": say(lang, told, shown=len(rows), all=count) if is_cut else "",
    }


def _grid(block: GridBlock, lang: Lang) -> dict[str, Any]:
    return {
        "kind": "rows",
        "title": _cut(block.title),
        "lead": _cut(block.lead),
        "heads": [_cut(h) for h in block.heads],
        "right": [False for _ in block.heads],
        "rows": [[_cut(v) for v in row] for row in block.rows],
        "total": [],
        "more": "",
    }


def _chart(block: ChartBlock, lang: Lang) -> dict[str, Any] | None:
    drawn = svg_chart(block.table, block.spec)
    drawn = drawn.replace("<svg ", f'<svg font-family="{FAMILY}, {EXTRA_FAMILY}" ', 1)
    return {"kind": "chart", "title": _cut(block.title), "svg": _clean(drawn)} if drawn else None


def _checks(block: ChecksBlock, lang: Lang) -> dict[str, Any]:
    verdicts = [
        {"status": v.status, "word": say(lang, f"report.{v.status}"), "id": v.id, "note": _cut(v.note)}
        for v in block.verdicts
    ]
    return {"kind": "checks", "title": _cut(block.title), "verdicts": verdicts}


_MAKERS: Final[Mapping[type, Callable[[Any, Lang], dict[str, Any] | None]]] = {
    TextBlock: _prose,
    HeadlineBlock: _strip,
    TableBlock: _table,
    GridBlock: _grid,
    ChartBlock: _chart,
    ChecksBlock: _checks,
}


def _clean(text: str) -> str:
    """Without what has no shape of its own: controls, joiners, halves of pairs."""
    return "".join(c for c in text if c == "\n" or (category(c) not in _UNSEEN and not _is_selector(c)))


def _is_selector(char: str) -> bool:
    return 0xFE00 <= ord(char) <= 0xFE0F


def _cut(text: str) -> str:
    clean = _clean(text)
    return clean if len(clean) <= _MAX_CELL else f"{clean[:_MAX_CELL]}…"


def _characters(value: Any) -> set[str]:
    """Every character of every text in it."""
    found: set[str] = set()
    for text in _texts(value):
        found |= set(text)
    return found - {"\n"}


def _texts(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, Sequence):
        for one in value:
            yield from _texts(one)


def _replaced(value: Any, fonts: Fonts) -> Any:
    """The same with the printer's mark for what no font has."""
    if isinstance(value, str):
        return "".join(_GETA if c in fonts.missing else c for c in value)
    if isinstance(value, Mapping):
        return {key: _replaced(one, fonts) for key, one in value.items()}
    return [_replaced(one, fonts) for one in value] if isinstance(value, list) else value


def _with_warning(document: dict[str, Any], fonts: Fonts, lang: Lang) -> dict[str, Any]:
    listed = ", ".join(f"U+{ord(c):04X}" for c in sorted(fonts.missing)[:20])
    return {
        **document,
        "warning": say(lang, "report.no_glyph", n=len(fonts.missing), mark=_GETA, codes=listed),
    }
