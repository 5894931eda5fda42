"""A report as one HTML file: no request, readable without script, printable, able to be verified.

The file carries its figures with their calls as JSON, so that `verify` can make the calls again.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
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
from askcore.base.values import Column, Lang
from askcore.charts.svg import svg_chart
from askcore.report.cells import is_figure, shown
from askcore.report.lines import alert_title, footer, meta
from askcore.report.manifest import manifest

DATA_ID: Final = "asklake-report"
_HERE: Final = Path(__file__).parent


def write_html(report: Report) -> bytes:
    """The file, UTF-8."""
    lang = report.lang
    body = "\n".join(
        part
        for part in (
            _header(report),
            _alert(report),
            _contents(report),
            *(_section(section, report) for section in report.sections),
            _footer(report),
        )
        if part
    )
    script = _asset("report.js")
    document = (
        f'<!doctype html><html lang="{"zh-CN" if lang == "zh" else "en"}"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_policy(script)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{_text(report.title)}</title><style>{_asset('report.css')}</style></head><body>{body}"
        f'<script type="application/json" id="{DATA_ID}">{_json(manifest(report))}</script>'
        f"<script>{script}</script></body></html>"
    )
    return document.encode("utf-8")


@cache
def _asset(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


def _policy(script: str) -> str:
    """Nothing is fetched; the only script is ours, named by its hash."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-{digest}'"


def _json(value: Mapping[str, Any]) -> str:
    """JSON that cannot end its own element."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _text(value: object) -> str:
    return html.escape("" if value is None else str(value))


def _header(report: Report) -> str:
    lines = "".join(f"<p class=meta>{_text(line)}</p>" for line in meta(report))
    return f"<header><h1>{_text(report.title)}</h1>{lines}</header>"


def _alert(report: Report) -> str:
    """Failing checks come before any figure."""
    if not report.failed:
        return ""
    items = "".join(f"<li>{_text(verdict.note)}</li>" for verdict in report.failed)
    return f"<div class=alert role=alert><b>{_text(alert_title(report))}</b><ul>{items}</ul></div>"


def _contents(report: Report) -> str:
    if len(report.sections) < 2:
        return ""
    items = "".join(f'<li><a href="#{s.id}">{_text(s.title)}</a></li>' for s in report.sections)
    return f"<nav><h3>{_text(say(report.lang, 'report.contents'))}</h3><ol>{items}</ol></nav>"


def _section(section: Section, report: Report) -> str:
    asked = f"<p class=asked>{_text(section.question)}</p>" if section.question else ""
    blocks = "".join(_block(block, report.lang) for block in section.blocks)
    return (
        f'<section id="{section.id}"><h2>{_text(section.title)}</h2>{asked}{blocks}'
        f"{_appendix(section, report)}</section>"
    )


def _appendix(section: Section, report: Report) -> str:
    parts = []
    if report.has_provenance and section.evidence:
        body = "".join(_block(block, report.lang) for block in section.evidence)
        parts.append((say(report.lang, "report.evidence"), body))
    statements = [sql for source in section.sources for sql in source.sql]
    if report.has_sql and statements:
        body = "".join(f"<pre>{_text(sql)}</pre>" for sql in statements)
        parts.append((say(report.lang, "export.sql"), body))
    return "".join(f"<details><summary>{_text(t)}</summary>{body}</details>" for t, body in parts)


def _block(block: Block, lang: Lang) -> str:
    return _WRITERS[type(block)](block, lang)


def _prose(block: TextBlock, lang: Lang) -> str:
    parts: list[str] = []
    items: list[str] = []
    for paragraph in block.paragraphs:
        if paragraph.is_item:
            items.append(f"<li>{_inline(paragraph)}</li>")
            continue
        parts += _list(items)
        parts.append(f"<p>{_inline(paragraph)}</p>")
    parts += _list(items)
    tone = "" if block.tone == "plain" else f" class={block.tone}"
    return f"<div{tone}>{''.join(parts)}</div>" if parts else ""


def _list(items: list[str]) -> list[str]:
    """The items as a list, and none are left."""
    found = [f"<ul>{''.join(items)}</ul>"] if items else []
    items.clear()
    return found


def _inline(paragraph: Paragraph) -> str:
    return "".join(f"<b>{_text(r.text)}</b>" if r.is_strong else _text(r.text) for r in paragraph.runs)


def _strip(block: HeadlineBlock, lang: Lang) -> str:
    tones = {True: " class=up", False: " class=down", None: ""}
    mark = f' <span class=mark title="{_text(block.mark)}">⚠ {_text(block.mark)}</span>' if block.mark else ""
    items = "".join(
        f"<div><span class=meta>{_text(i.label)}</span>{mark}<b>{_text(i.value)}</b>"
        f"<span{tones[i.good]}>{_text(i.delta)}</span></div>"
        for i in block.items
    )
    return f"<div class=strip>{items}</div>"


def _table(block: TableBlock, lang: Lang) -> str:
    table = block.table
    figures = set(table.measures)
    head = "".join(
        f"<th data-sort{' class=n' if c.key in figures else ''}>{_text(c.label)}</th>" for c in table.columns
    )
    rows = "".join(f"<tr>{_cells(row, table.columns)}</tr>" for row in block.paper_rows)
    total = ""
    if table.totals and table.dimensions:
        named = {table.dimensions[-1]: say(lang, "report.total"), **table.totals}
        total = f"<tfoot><tr class=total>{_cells(named, table.columns)}</tr></tfoot>"
    count = say(lang, "report.rows", shown=len(block.paper_rows), all=table.row_count or table.shown)
    mark = f" <span class=mark>⚠ {_text(block.mark)}</span>" if block.mark else ""
    return (
        f"<h3>{_text(block.title)} <span class=meta>{_text(count)}</span>{mark}</h3><div class=wide><table>"
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody>{total}</table></div>"
    )


def _cells(row: Mapping[str, Any], columns: Iterable[Column]) -> str:
    found = []
    for column in columns:
        value = row.get(column.key)
        kind = f' class=n data-value="{value}"' if is_figure(value) else ""
        found.append(f"<td{kind}>{_text(shown(value, column.unit))}</td>")
    return "".join(found)


def _grid(block: GridBlock, lang: Lang) -> str:
    head = "".join(f"<th>{_text(h)}</th>" for h in block.heads)
    body = "".join("<tr>" + "".join(f"<td>{_text(v)}</td>" for v in row) + "</tr>" for row in block.rows)
    title = f"<h3>{_text(block.title)}</h3>"
    lead = f"<p class=note>{_text(block.lead)}</p>" if block.lead else ""
    rows = f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    return f"{title}{lead}<div class=wide><table>{rows}</table></div>"


def _chart(block: ChartBlock, lang: Lang) -> str:
    drawn = svg_chart(block.table, block.spec)
    return f'<figure aria-label="{_text(block.title)}">{drawn}</figure>' if drawn else ""


def _checks(block: ChecksBlock, lang: Lang) -> str:
    items = "".join(
        f"<li class={v.status}><b>{_text(say(lang, f'report.{v.status}'))}</b>"
        f" [{_text(v.id)}] {_text(v.note)}</li>"
        for v in block.verdicts
    )
    return f"<h3>{_text(block.title)}</h3><ul>{items}</ul>"


_WRITERS: Final[Mapping[type, Callable[[Any, Lang], str]]] = {
    TextBlock: _prose,
    HeadlineBlock: _strip,
    TableBlock: _table,
    GridBlock: _grid,
    ChartBlock: _chart,
    ChecksBlock: _checks,
}


def _footer(report: Report) -> str:
    return f"<footer class=meta>{_text(footer(report))}</footer>"
