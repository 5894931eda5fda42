"""Data health: what the checks say about the loaded data, worst first."""

from __future__ import annotations

from pages.ui import frame, health_filters, health_list, health_log, health_map, health_mutes, health_views

opened = frame.opened()
if opened is not None:
    here, overview = opened
    health_views.header(here, overview)
    frame.failure()
    report = health_views.load(here, *health_views.period(overview))
    if report is not None:
        health_views.counts(report)
        health_views.checked_period(report)
        match health_views.view():
            case "history":
                history = health_log.load(here)
                if history is not None:
                    health_log.show(history)
            case "muted":
                health_mutes.listed(here, health_filters.names_of(overview.entities))
            case _:
                filters = health_filters.from_url()
                health_map.show(here, overview, report.period, filters)
                health_filters.bar(report, overview, filters)
                health_list.show(here, overview, report, filters)
