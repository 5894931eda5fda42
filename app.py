"""The frame: language, navigation and page settings. Every screen runs inside it."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.ui import frame, state
from pages.ui.text import t

ICON = Path(__file__).parent / "static" / "icon.svg"

state.begin_run()
# First, and without a layout: once an icon is set, st.navigation does not fetch that of the page
# from the network; a layout given twice would make the page jump.
st.set_page_config(page_icon=str(ICON))
ask = st.Page(
    "pages/ask/ask.py",
    title=t("nav.ask"),
    icon=":material/chat_bubble:",
    url_path="home",  # kept by the default page, though it answers at "/" only
    default=True,
)
page = st.navigation(
    {
        "": [
            ask,
            st.Page(
                lambda: state.forward(ask),
                title=t("nav.ask"),
                url_path="ask",
                visibility="hidden",
            ),
        ],
        t("nav.data"): [
            st.Page(
                "pages/lake/overview.py",
                title=t("nav.overview"),
                icon=":material/database:",
                url_path="overview",
            ),
            st.Page(
                "pages/lake/health.py",
                title=t("nav.health"),
                icon=":material/ecg_heart:",
                url_path="health",
            ),
            st.Page(
                "pages/peers/peers.py",
                title=t("nav.peers"),
                icon=":material/leaderboard:",
                url_path="peers",
            ),
            st.Page(
                "pages/reports/reports.py",
                title=t("nav.reports"),
                icon=":material/description:",
                url_path="reports",
            ),
        ],
    }
)
st.set_page_config(
    page_title=f"{page.title} · {t('brand')}",
    layout="centered" if page.url_path in ("", "ask") else "wide",
)
frame.show(ICON)
page.run()
