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
from askcore.report.progress import Progress, go_on, quiet
from askcore.report.xlsx import write_xlsx

FORMATS: Final = ("html", "pdf", "xlsx", "md")


def write(report: Report, file_format: str, *, fonts: Path, progress: Progress = quiet) -> bytes:
    """The report as a file.

    fonts: folder where those of PDFs are kept. Raises: BadRequest on an unknown format; Cancelled when
    `progress` said so.
    """
    if file_format not in FORMATS:
        told = say(report.lang, "report.unknown_format", format=file_format)
        raise BadRequest(told, hint=", ".join(FORMATS))
    go_on(progress, say(report.lang, "report.step_write", format=file_format.upper()), 0.0)
    made = _written(report, file_format, fonts, progress)
    go_on(progress, "", 1.0)
    return made


def _written(report: Report, file_format: str, fonts: Path, progress: Progress) -> bytes:
    if file_format == "html":
        return write_html(report)
    if file_format == "pdf":
        return write_pdf(report, fonts, progress)
    if file_format == "xlsx":
        return write_xlsx(report, progress)
    return write_markdown(report)
