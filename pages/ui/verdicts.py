"""Verdicts beside the answer and on the health page: badge, card, evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import streamlit as st

from askcore.base.values import Verdict, VerdictStatus
from pages.ui import format as fmt
from pages.ui import tables
from pages.ui.frame import source_note
from pages.ui.safe import esc, short
from pages.ui.said import is_said
from pages.ui.text import has, t

ORDER: tuple[VerdictStatus, ...] = ("fail", "warn", "skip", "pass")
COLORS = {"fail": "red", "warn": "orange", "skip": "gray", "pass": "green"}
ICONS = {
    "fail": ":material/error:",
    "warn": ":material/warning:",
    "skip": ":material/help:",
    "pass": ":material/check_circle:",
}
SEVERITY = {"critical": 0, "major": 1, "minor": 2, "info": 3}
STRIP_CARDS = 4
KEYS_SHOWN = 200
MAX_URGENT = 6  # failures are never folded away, warnings beyond this are
SUMMARY_CHARS = 60
TARGET_CHARS = 16


def strip(verdicts: Sequence[Verdict], run_id: str, shown: Sequence[str] = ()) -> None:
    """Counts and the cards that matter, failures first; the rest folds away.

    shown: texts on screen beside it; a card does not say again what they say.
    """
    if not verdicts:
        return
    ranked = rank(verdicts)
    failed = sum(v.status == "fail" for v in ranked)
    urgent = failed + sum(v.status == "warn" for v in ranked)
    count = max(STRIP_CARDS, failed, min(urgent, MAX_URGENT))
    head, rest = ranked[:count], ranked[count:]
    with st.container(border=True, gap="small", key=f"verdicts-{run_id}"):
        _counts(ranked)
        _cards(head, run_id, shown)
        if rest:
            more = st.expander(
                t("verdict.more", count=len(rest)),
                type="compact",
                key=f"verdicts-more-{run_id}",
                on_change="rerun",
            )
            if more.open:
                with more:
                    _cards(rest, run_id, shown)


def rank(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Fail, warn, skip, pass; within that the severest first."""
    return sorted(verdicts, key=lambda v: (ORDER.index(v.status), SEVERITY[v.severity]))


def label(verdict: Verdict) -> str:
    """Name of a check for people; its id when it has none."""
    for key in (f"check.{verdict.check.partition(':')[0]}", f"kind.{verdict.kind}"):
        if has(key):
            return t(key)
    return verdict.check


def card(verdict: Verdict, key: str, shown: Sequence[str] = ()) -> None:
    """One verdict; its evidence is drawn when it is opened."""
    repeated = is_said(verdict.note, shown)
    folded = st.expander(_card_title(verdict, repeated=repeated), key=key, on_change="rerun")
    if folded.open:
        with folded:
            evidence(verdict, key, said=SUMMARY_CHARS if not repeated else len(verdict.note))


def evidence(verdict: Verdict, key: str, *, said: int) -> None:
    """Everything a person needs to believe or mend it.

    said: how many characters of its note the title, or the page, shows already.
    """
    if len(verdict.note) > said:
        st.markdown(esc(verdict.note))
    if not fmt.is_chinese(verdict.expect):  # else the whole verdict is in the language of its answer
        source_note(verdict.note)
    facts = [
        (t("verdict.target"), verdict.target),
        (t("verdict.expect"), verdict.expect),
        (t("verdict.actual"), verdict.actual),
        (t("verdict.tolerance"), verdict.tolerance),
        (t("verdict.checked"), _checked(verdict)),
        (t("verdict.rule"), verdict.check),
        (t("verdict.severity"), t(f"severity.{verdict.severity}")),
    ]
    st.markdown("  \n".join(f":gray[{name}] {esc(value)}" for name, value in facts if value))
    if verdict.keys:
        _keys(verdict, key)
    if verdict.remedy:
        st.info(esc(verdict.remedy), icon=":material/build:")
    if verdict.sql:
        st.code(verdict.sql, language="sql", wrap_lines=True)


def _counts(verdicts: Sequence[Verdict]) -> None:
    found = Counter(v.status for v in verdicts)
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center"):
        st.markdown(f"**{t('verdict.title')}**", width="content")
        for status in ORDER:
            if found[status]:
                st.badge(
                    f"{t(f'verdict.{status}')} {found[status]}",
                    icon=ICONS[status],
                    color=COLORS[status],  # type: ignore[arg-type]  # a literal out of a table
                )


def _cards(verdicts: Sequence[Verdict], run_id: str, shown: Sequence[str]) -> None:
    with st.grid(2, min_column_width=260, gap="xsmall"):
        for verdict in verdicts:
            card(verdict, f"verdict-{run_id}-{verdict.id}", shown)


def _card_title(verdict: Verdict, *, repeated: bool) -> str:
    color, icon = COLORS[verdict.status], ICONS[verdict.status]
    name = esc(label(verdict))
    if verdict.kind == "freshness" and verdict.target:
        name += f" · {short(verdict.target, TARGET_CHARS)}"
    title = f":{color}[{icon}] **{name}** :{color}[{t(f'verdict.{verdict.status}')}]"
    title += f" :gray[{esc(verdict.id)}]"  # answers cite it
    summary = _extent(verdict) if repeated else verdict.note or verdict.actual or verdict.target
    return f"{title}  \n:gray[{short(summary, SUMMARY_CHARS)}]" if summary else title


def _extent(verdict: Verdict) -> str:
    """What stands on a card whose note the answer says already."""
    return _checked(verdict) if verdict.n_bad else t("verdict.said")


def _checked(verdict: Verdict) -> str:
    if verdict.n_checked == 0:
        return t("verdict.unchecked")
    return t(
        "verdict.bad_of",
        bad=fmt.integer(verdict.n_bad),
        checked=fmt.integer(verdict.n_checked),
    )


def _keys(verdict: Verdict, key: str) -> None:
    shown = verdict.keys[:KEYS_SHOWN]
    names = list(dict.fromkeys(name for found in shown for name in found))
    tables.frame(
        {name: [found.get(name, "") for found in shown] for name in names},
        key=f"keys-{key}",
        visible_rows=6,
    )
    if len(verdict.keys) > len(shown):
        st.caption(t("verdict.keys", shown=len(shown), total=fmt.integer(len(verdict.keys))))
