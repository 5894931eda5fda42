"""Lake overview: what is in the lake, how fresh it is, and an explorer."""

from __future__ import annotations

from pages.ui import frame, lake_views

opened = frame.opened()
if opened is not None:
    here, overview = opened
    lake_views.header(here, overview)
    lake_views.figures(overview)
    lake_views.freshness(overview)
    lake_views.views(here, overview)
