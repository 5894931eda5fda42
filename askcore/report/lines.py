"""The lines that every format of a report begins and ends with."""

from __future__ import annotations

from askcore.base.reports import Report
from askcore.base.text import say


def meta(report: Report) -> list[str]:
    """Whom and when it is about; when it was made, from what; whether the data is made up."""
    lang, days = report.lang, ""
    if report.period is not None:
        days = say(lang, "report.days", start=report.period.start, end=report.period.end)
    lines = [
        " · ".join(part for part in (report.entity, days) if part),
        say(lang, "report.made", at=report.made_at, dataset=report.dataset, version=report.version),
        say(lang, "report.synthetic") if report.is_synthetic else "",
    ]
    return [line for line in lines if line]


def alert_title(report: Report) -> str:
    """Above the failing checks; "" when none failed."""
    return say(report.lang, "report.failed", n=len(report.failed)) if report.failed else ""


def footer(report: Report) -> str:
    """How to make the figures again."""
    return say(report.lang, "report.verify", n=len(report.figures), report=report.report_id)
