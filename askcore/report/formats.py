"""The formats of a report by name."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from askcore.base.errors import BadRequest
from askcore.base.reports import Report
from askcore.base.text import say
from askcore.report.html import write_html
from askcore.report.markdown import write_markdown
from askcore.report.pdf import write_pdf
from askcore.report.xlsx import write_xlsx

FORMATS: Final = ("html", "pdf", "xlsx", "md")


def write(report: Report, file_format: str, *, fonts: Path) -> bytes:
    """The report as a file.

    fonts: folder where those of PDFs are kept. Raises: BadRequest on an unknown format.
    """
    if file_format == "html":
        return write_html(report)
    if file_format == "pdf":
        return write_pdf(report, fonts)
    if file_format == "xlsx":
        return write_xlsx(report)
    if file_format == "md":
        return write_markdown(report)
    told = say(report.lang, "report.unknown_format", format=file_format)
    raise BadRequest(told, hint=", ".join(FORMATS))
