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
WORD_STATUSES = ("contradicted", "supported")


def popover(run: RunSnapshot) -> None:
    """Badge "traced n/m"; orange when a number has no source."""
    found = run.provenance
    claims = int(found.get("claims") or 0)
    words = found.get("words") or {}
    if not claims and not words.get("checked"):
        return
    traced = sum(int(found.get(status) or 0) for status in TRACED)
    text = t("provenance.badge", traced=traced, claims=claims)
    doubtful = traced < claims or bool(words.get("contradicted"))
    shown = st.popover(
        f":orange[{text}]" if doubtful else text,
        icon=":material/warning:" if doubtful else ":material/fact_check:",
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
    _words(found.get("words") or {}, run_id)


def _words(found: Mapping[str, Any], run_id: str) -> None:
    """What the cells say of words such as "rose", "highest", "half"; those they do not decide stay out."""
    items = [item for item in found.get("items") or () if item.get("status") in WORD_STATUSES]
    if not items:
        return
    items.sort(key=lambda item: WORD_STATUSES.index(str(item["status"])))
    st.caption(t("provenance.words", refuted=found.get("contradicted") or 0, checked=len(items)))
    tables.frame(
        {
            t("provenance.word"): [str(item.get("text", "")) for item in items],
            t("provenance.status"): [t(f"words.{item['status']}") for item in items],
            t("provenance.why"): [str(item.get("why") or "–") for item in items],
        },
        key=f"words-{run_id}",
    )


def _status(item: Mapping[str, Any]) -> str:
    status = str(item.get("status", ""))
    name = t(f"claim.{status}") if has(f"claim.{status}") else status
    flags = item.get("flags") or ()
    return f"{name} ({', '.join(str(f) for f in flags)})" if flags else name
