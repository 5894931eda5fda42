"""Lake overview: what is in the lake, how fresh it is, and an explorer."""

from __future__ import annotations

from askcore.base.errors import AskError
from pages.ui import frame, lake_views
from pages.ui.text import t

here = frame.place()
if here is not None:
    try:
        overview = here.overview()
    except AskError as e:
        frame.error(t("error.lake"), e)
    else:
        lake_views.header(here, overview)
        lake_views.figures(overview)
        lake_views.freshness(overview)
        lake_views.views(here, overview)
