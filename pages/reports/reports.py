"""Reports: make one, see what is being made, open what was made; or one report, arranged and handed on."""

from __future__ import annotations

from pages.ui import frame, report_jobs, report_list, report_new, report_view, reports_frame

opened = frame.opened()
if opened is not None:
    here, overview = opened
    made = reports_frame.chosen()
    reports_frame.header(here, overview, made)
    frame.failure()
    if made is not None:
        report_view.show(here, made)
    else:
        report_new.show(here, overview)
        report_jobs.show()
        report_list.show()
        reports_frame.verify_file()
