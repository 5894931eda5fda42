"""Where every number of an answer comes from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from askcore.base.views import RunSnapshot
from pages.ui import tables
from pages.ui.text import has, t

POPOVER_PX = 560  # four columns; a phone narrows it
TRACED = ("exact", "derived")


def popover(run: RunSnapshot) -> None:
    """Badge "traced n/m"; orange when a number has no source."""
    found = run.provenance
    claims = int(found.get("claims") or 0)
    if not claims:
        return
    traced = sum(int(found.get(status) or 0) for status in TRACED)
    text = t("provenance.badge", traced=traced, claims=claims)
    doubtful = traced < claims
    shown = st.popover(
        f":orange[{text}]" if doubtful else text,
        icon=":material/warning:" if doubtful else ":material/fact_check:",
        type="tertiary",
        key=f"provenance-{run.run_id}",
        on_change="rerun",
    )
    if shown.open:
        with shown, st.container(width=POPOVER_PX):
            _items(found, run.run_id, doubtful=doubtful)


def _items(found: Mapping[str, Any], run_id: str, *, doubtful: bool) -> None:
    st.caption(t("provenance.doubt") if doubtful else t("provenance.all"))
    items = list(found.get("items") or ())
    tables.frame(
        {
            t("provenance.number"): [str(item.get("text", "")) for item in items],
            t("provenance.status"): [_status(item) for item in items],
            t("provenance.source"): [str(item.get("source") or "–") for item in items],
            t("provenance.formula"): [str(item.get("formula") or "–") for item in items],
        },
        key=f"claims-{run_id}",
    )


def _status(item: Mapping[str, Any]) -> str:
    status = str(item.get("status", ""))
    name = t(f"claim.{status}") if has(f"claim.{status}") else status
    flags = item.get("flags") or ()
    return f"{name} ({', '.join(str(f) for f in flags)})" if flags else name
