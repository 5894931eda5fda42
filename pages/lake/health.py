"""Data health: what the checks say about the loaded data, worst first."""

from __future__ import annotations

from askcore.base.errors import AskError
from pages.ui import frame, health_views
from pages.ui.text import t

here = frame.place()
if here is not None:
    try:
        overview = here.overview()
    except AskError as e:
        frame.error(t("error.lake"), e)
    else:
        health_views.header(here, overview)
        report = health_views.load(here, *health_views.period(overview))
        if report is not None:
            health_views.counts(report)
            health_views.checked_period(report)
            health_views.findings(report)
