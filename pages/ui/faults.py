"""The badge of an answer that rests on faulty rows, with the way to the health page."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from askcore.base.values import KINDS_OF_DATA, Verdict
from askcore.base.views import RunSnapshot
from pages.ui import health_filters, state
from pages.ui.text import t

HEALTH = "pages/lake/health.py"


def badge(run: RunSnapshot) -> None:
    """Red when a check failed on rows that were used; a link narrows the health page to these."""
    failed = [v for v in run.verdicts if v.status == "fail"]
    if not failed:
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.badge(t("verdict.corner", count=len(failed)), icon=":material/error:", color="red")
        of_data = [v for v in failed if v.kind in KINDS_OF_DATA and v.keys]
        if of_data:
            st.page_link(
                HEALTH,
                label=t("faults.see"),
                icon=":material/ecg_heart:",
                query_params=state.link_params(**narrowed(of_data, run.dataset)),
            )


def narrowed(failed: Sequence[Verdict], dataset: str) -> dict[str, str]:
    """Query parameters of the health page: the days of the bad keys, and what all of them share."""
    keys = [key for v in failed for key in v.keys]
    days = sorted({key["date"] for key in keys if key.get("date")})
    found = {"dataset": dataset, "show": "fail"}
    if days:
        found |= {"period": "custom", "range": f"{days[0]}_{days[-1]}"}
    checks, codes = {v.check for v in failed}, {health_filters.entity_code(k) for k in keys}
    if len(checks) == 1:
        found["check"] = checks.pop()
    if len(codes) == 1 and "" not in codes:
        found["entity"] = codes.pop()
    return found
