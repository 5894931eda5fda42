"""The empty conversation: what is in the lake, and questions that work on it."""

from __future__ import annotations

import streamlit as st

from askcore.base.errors import AskError
from askcore.base.views import Overview
from pages.ui import asking, cache, frame
from pages.ui import format as fmt
from pages.ui.frame import Place
from pages.ui.safe import esc
from pages.ui.text import has, t

ICONS = {
    "look": ":material/query_stats:",
    "compare": ":material/compare_arrows:",
    "check": ":material/verified:",
}


def show(here: Place) -> None:
    """Title, one line of facts, groups of questions."""
    st.space("large")
    st.title(t("welcome.title"), anchor=False)
    try:
        overview = here.overview()
        groups = cache.suggestions(here.viewer, here.dataset, here.version, here.lang)
    except AskError as e:
        frame.error(t("error.lake"), e)
        return
    st.caption(esc(" · ".join(_facts(overview))))
    st.space("small")
    for group in groups:
        name = t(f"suggest.{group.key}") if has(f"suggest.{group.key}") else group.key
        with st.container(gap="xsmall"):
            st.caption(f"{ICONS.get(group.key, '')} {esc(name)}".strip())
            with st.container(horizontal=True, gap="xsmall"):
                for number, question in enumerate(group.questions):
                    asking.button(esc(question), question, f"suggest-{group.key}-{number}")


def _facts(overview: Overview) -> list[str]:
    labels = {row.level: row.level_label for row in overview.entities}
    counts = dict.fromkeys(labels, 0)
    for row in overview.entities:
        counts[row.level] += 1
    leaf = list(counts)[-1] if counts else ""
    facts = [t("facts.entities", count=counts[leaf], level=labels[leaf])] if leaf else []
    facts.append(fmt.period(overview.period))
    facts.append(t("facts.metrics", count=sum(m.available for m in overview.metrics)))
    late = sum(v.n_bad for v in overview.freshness if v.status in ("warn", "fail"))
    facts.append(t("facts.late", count=late) if late else t("facts.fresh"))
    return facts
