"""The formats of a report by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from askcore.base.errors import BadRequest
from askcore.base.reports import Report
from askcore.base.text import say
from askcore.report.html import write_html

WRITERS: Final[Mapping[str, Callable[[Report], bytes]]] = {"html": write_html}
FORMATS: Final = tuple(WRITERS)


def write(report: Report, file_format: str) -> bytes:
    """The report as a file. Raises: BadRequest on an unknown format."""
    writer = WRITERS.get(file_format)
    if writer is None:
        raise BadRequest(
            say(report.lang, "report.unknown_format", format=file_format), hint=", ".join(FORMATS)
        )
    return writer(report)
