"""A report as a workbook: a summary, a sheet a table with typed cells, the checks, the sources, the SQL.

Texts are written as texts: nothing in a cell can become a formula or a link.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from math import isfinite
from typing import TYPE_CHECKING, Any, Final

from askcore.base.reports import ChecksBlock, GridBlock, HeadlineBlock, Report, Section, TableBlock, TextBlock
from askcore.base.text import say
from askcore.base.values import Lang
from askcore.report.lines import alert_title, footer, meta
from askcore.report.manifest import query_hash
from askcore.report.progress import Progress, go_on, quiet

if TYPE_CHECKING:
    from xlsxwriter import Workbook
    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

_LONGEST_CELL: Final = 32_000  # a spreadsheet takes 32,767 characters
_LONGEST_NAME: Final = 31
_SHEETS: Final = 0.9  # of the time; the rest is packing the book
_WIDEST: Final = 60
_FORBIDDEN: Final = re.compile(r"[\[\]:*?/\\]")
_UNPRINTED: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_FORMATS: Final = {
    "ratio": "0.00%",
    "pp": '+0.00" pp";-0.00" pp"',
    "change": "+0.00%;-0.00%",
    "places": "+0.0;-0.0;0.0",
    "CNY": "#,##0.00",
    "USD": "#,##0.00",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Styles:
    head: Format
    strong: Format
    title: Format
    soft: Format
    bad: Format
    wrap: Format
    day: Format
    numbers: Mapping[str, Format]
    number: Format
    whole: Format


def write_xlsx(report: Report, progress: Progress = quiet) -> bytes:
    """The file. Raises: Cancelled when `progress` said so."""
    from xlsxwriter import Workbook

    out = io.BytesIO()
    options = {
        "in_memory": True,
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
        "nan_inf_to_errors": False,
    }
    book = Workbook(out, options)
    book.set_properties({"title": _text(report.title)[:250], "comments": _text(footer(report))})
    styles = _styles(book)
    names: set[str] = set()
    _summary(book.add_worksheet(_named(say(report.lang, "report.sheet_summary"), names)), report, styles)
    writing = say(report.lang, "report.step_write", format="XLSX")
    for number, section in enumerate(report.sections):
        go_on(progress, writing, _SHEETS * number / len(report.sections))
        blocks = (*section.blocks, *(section.evidence if report.has_provenance else ()))
        several = sum(isinstance(block, TableBlock) for block in blocks) > 1
        for block in blocks:
            if isinstance(block, TableBlock):
                named = block.title if several else section.title
                sheet = book.add_worksheet(_named(f"{section.id} {named}", names))
                _table(sheet, block, section, report.lang, styles)
            elif isinstance(block, GridBlock):
                sheet = book.add_worksheet(_named(f"{section.id} {block.title}", names))
                _rows(sheet, block.heads, block.rows, styles)
    _checks(book.add_worksheet(_named(say(report.lang, "report.sheet_checks"), names)), report, styles)
    if report.has_sql:
        _queries(book.add_worksheet(_named(say(report.lang, "report.sheet_sql"), names)), report, styles)
    book.close()
    return out.getvalue()


def _styles(book: Workbook) -> _Styles:
    return _Styles(
        head=book.add_format({"bold": True, "bg_color": "#F7F7F9", "bottom": 1}),
        strong=book.add_format({"bold": True}),
        title=book.add_format({"bold": True, "font_size": 16}),
        soft=book.add_format({"font_color": "#5A5D66"}),
        bad=book.add_format({"font_color": "#B3261E", "text_wrap": True}),
        wrap=book.add_format({"text_wrap": True, "valign": "top"}),
        day=book.add_format({"num_format": "yyyy-mm-dd"}),
        numbers={unit: book.add_format({"num_format": pattern}) for unit, pattern in _FORMATS.items()},
        number=book.add_format({"num_format": "#,##0.00"}),
        whole=book.add_format({"num_format": "#,##0"}),
    )


def _named(wanted: str, taken: set[str]) -> str:
    """A sheet's name: allowed, short enough, used once."""
    base = _FORBIDDEN.sub(" ", _text(wanted)).strip().strip("'") or "sheet"
    name, number = base[:_LONGEST_NAME], 1
    while name.casefold() in taken:
        number += 1
        tail = f" {number}"
        name = f"{base[: _LONGEST_NAME - len(tail)]}{tail}"
    taken.add(name.casefold())
    return name


def _text(value: object) -> str:
    """What XML can hold."""
    return _UNPRINTED.sub("", str(value))


def _fitting(text: str, lang: Lang) -> str:
    """What a cell can hold, saying what was cut."""
    clean = _text(text)
    if len(clean) <= _LONGEST_CELL:
        return clean
    return clean[:_LONGEST_CELL] + say(lang, "report.cut_cell", n=f"{len(clean):,}")


def _summary(sheet: Worksheet, report: Report, styles: _Styles) -> None:
    sheet.set_column(0, 0, 28)
    sheet.set_column(1, 3, 22)
    at = 0
    sheet.write_string(at, 0, _fitting(report.title, report.lang), styles.title)
    for line in meta(report):
        at += 1
        sheet.write_string(at, 0, _fitting(line, report.lang), styles.soft)
    if report.failed:
        at += 2
        sheet.write_string(at, 0, alert_title(report), styles.bad)
        for verdict in report.failed:
            at += 1
            sheet.write_string(at, 0, _fitting(verdict.note, report.lang), styles.bad)
    for section in report.sections:
        at += 2
        sheet.write_string(at, 0, _fitting(section.title, report.lang), styles.strong)
        for cells in _lines(section):
            at += 1
            for column, (text, style) in enumerate(cells):
                sheet.write_string(at, column, _fitting(text, report.lang), getattr(styles, style, None))
    sheet.write_string(at + 2, 0, _fitting(footer(report), report.lang), styles.soft)


def _lines(section: Section) -> Iterator[list[tuple[str, str]]]:
    """Texts of a section as (text, style) by column."""
    for block in section.blocks:
        if isinstance(block, TextBlock):
            for paragraph in block.paragraphs:
                yield [(paragraph.plain, "soft" if block.tone == "note" else "")]
        elif isinstance(block, HeadlineBlock):
            for item in block.items:
                mark = f"⚠ {block.mark}" if block.mark else ""
                yield [(item.label, ""), (item.value, "strong"), (item.delta, "soft"), (mark, "bad")]


def _table(sheet: Worksheet, block: TableBlock, section: Section, lang: Lang, styles: _Styles) -> None:
    table = block.table
    for column, one in enumerate(table.columns):
        sheet.write_string(0, column, _fitting(one.label, lang), styles.head)
    rows = list(table.rows)
    if table.totals and table.dimensions:
        rows.append({table.dimensions[-1]: say(lang, "report.total"), **table.totals})
    widths = [len(c.label) * 2 for c in table.columns]
    for at, row in enumerate(rows, start=1):
        for column, one in enumerate(table.columns):
            value = row.get(one.key)
            _write(sheet, at, column, value, one.unit, lang, styles)
            widths[column] = max(widths[column], len(str(value)) + 2)
    for column, width in enumerate(widths):
        sheet.set_column(column, column, min(max(width, 8), _WIDEST))
    sheet.freeze_panes(1, 0)
    if block.mark:
        told = "\n".join(f"[{v.id}] {v.note}" for v in section.failed)
        sheet.write_comment(
            0, 0, _text(told)[:_LONGEST_CELL], {"author": "AskLake", "x_scale": 3, "y_scale": 2}
        )


def _write(
    sheet: Worksheet, row: int, column: int, value: Any, unit: str, lang: Lang, styles: _Styles
) -> None:
    """A value as the type that it is."""
    if value is None:
        return
    if isinstance(value, bool):
        sheet.write_boolean(row, column, value)
    elif isinstance(value, int | float):
        if isfinite(value):
            is_whole = float(value).is_integer()
            style = styles.numbers.get(unit) or (styles.whole if is_whole else styles.number)
            sheet.write_number(row, column, value, style)
    elif (day := _day(value, unit)) is not None:
        sheet.write_datetime(row, column, day, styles.day)
    else:
        sheet.write_string(row, column, _fitting(str(value), lang))


def _day(value: Any, unit: str) -> datetime | None:
    """A day as a spreadsheet's date; None for all else, and for days before its calendar."""
    if isinstance(value, str) and unit == "date":
        try:
            value = date.fromisoformat(value)
        except ValueError:
            return None
    if isinstance(value, date) and value.year >= 1900:
        return datetime(value.year, value.month, value.day)  # noqa: DTZ001 - a day has no zone
    return None


def _rows(sheet: Worksheet, heads: Sequence[str], rows: Sequence[Sequence[str]], styles: _Styles) -> None:
    for column, head in enumerate(heads):
        sheet.write_string(0, column, _text(head), styles.head)
    for at, row in enumerate(rows, start=1):
        for column, value in enumerate(row):
            sheet.write_string(at, column, _text(value)[:_LONGEST_CELL], styles.wrap)
    for column in range(len(heads)):
        longest = max((len(str(row[column])) for row in rows), default=0)
        sheet.set_column(column, column, min(max(len(heads[column]) * 2, longest + 2, 10), _WIDEST))
    sheet.freeze_panes(1, 0)


def _checks(sheet: Worksheet, report: Report, styles: _Styles) -> None:
    heads = [say(report.lang, f"report.{k}") for k in ("section", "status", "check", "note", "remedy")]
    rows = [
        (s.title, say(report.lang, f"report.{v.status}"), v.check, v.note, v.remedy)
        for s in report.sections
        for block in (*s.blocks, *s.evidence)
        if isinstance(block, ChecksBlock)
        for v in block.verdicts
    ]
    _rows(sheet, heads, rows, styles)


def _queries(sheet: Worksheet, report: Report, styles: _Styles) -> None:
    heads = [say(report.lang, f"report.{k}") for k in ("section", "query", "hash")] + ["SQL"]
    rows = [
        (section.title, f"{source.id} {source.tool}", query_hash(source), sql)
        for section in report.sections
        for source in section.sources
        for sql in source.sql
    ]
    _rows(sheet, heads, rows, styles)
