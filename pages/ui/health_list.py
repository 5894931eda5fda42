"""The list of issues: severest first, each with its impact, history, evidence and what can be done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from askcore.base.values import Verdict
from askcore.base.views import HealthIssue, HealthReport, Overview
from pages.ui import asking, health_filters, health_mutes
from pages.ui import format as fmt
from pages.ui import verdicts as verdict_views
from pages.ui.frame import Place
from pages.ui.health_filters import MUTED, Filters, check_label, kind_label, kind_of, names_of
from pages.ui.safe import esc, short
from pages.ui.text import has, t

PAGE_SIZE = 25
SUMMARY_CHARS = 240
MUTED_ICON = ":material/notifications_off:"


def show(here: Place, overview: Overview, report: HealthReport, filters: Filters) -> None:
    """The list as the filters want it; only opened entries draw their evidence."""
    shown = [one for one in health_filters.rank(report) if filters.meets(*one)]
    said = health_filters.said(filters, overview)
    if said:
        st.caption(f":material/filter_alt: {said} · {t('health.matches', count=len(shown))}")
    if not report.verdicts:
        st.info(t("health.none"), icon=":material/info:")
    elif not shown:
        st.info(t("health.nothing_here"), icon=":material/filter_alt:")
    pages = -(-len(shown) // PAGE_SIZE)
    first = (st.pagination(pages, key="health.page") - 1) * PAGE_SIZE if pages > 1 else 0
    names = names_of(overview.entities)
    with st.container(gap="xsmall"):
        for verdict, issue in shown[first : first + PAGE_SIZE]:
            _entry(here, report, verdict, issue, filters, names)


def _entry(
    here: Place,
    report: HealthReport,
    verdict: Verdict,
    issue: HealthIssue | None,
    filters: Filters,
    names: Mapping[str, str],
) -> None:
    key = f"health-{report.version}-{verdict.id}"
    entry = st.expander(_title(verdict, issue), key=key, on_change="rerun")
    if entry.open:
        with entry:
            keys = filters.keys_of(verdict)
            _actions(here, report, verdict, issue, filters, names)
            if issue is not None:
                _standing(issue)
                health_mutes.lines(here, issue.mutes, names, key)
            if len(keys) < len(verdict.keys):
                st.caption(t("health.keys_meant", shown=len(keys), total=fmt.integer(len(verdict.keys))))
            verdict_views.evidence(replace(verdict, keys=keys), key, said=SUMMARY_CHARS)


def _title(verdict: Verdict, issue: HealthIssue | None) -> str:
    name = esc(check_label(verdict.check))
    facts = [t(f"severity.{verdict.severity}")]
    if issue is not None and verdict.status in ("warn", "fail"):
        facts.append(issue.impact)
        if issue.n_new:
            facts.append(t("health.n_new", count=fmt.integer(issue.n_new)))
        if issue.n_muted and not issue.is_muted:
            facts.append(t("health.n_muted", count=fmt.integer(issue.n_muted)))
    elif verdict.n_checked:
        facts.append(_extent(verdict))
    if fmt.quotes_source(verdict.note):
        facts.append(t("data.source_mark"))
    summary = short(verdict.note or verdict.actual or verdict.target, SUMMARY_CHARS)
    return f"{_badges(verdict, issue)} **{name}** :gray[{esc(' · '.join(facts))}]  \n:gray[{summary}]"


def _badges(verdict: Verdict, issue: HealthIssue | None) -> str:
    color, icon = verdict_views.COLORS[verdict.status], verdict_views.ICONS[verdict.status]
    own = f":{color}-badge[{icon} {t(f'verdict.{verdict.status}')}]"
    if kind_of(verdict, issue) == MUTED:
        return f":gray-badge[{MUTED_ICON} {kind_label(MUTED)}] {own}"
    return own


def _extent(verdict: Verdict) -> str:
    return t("verdict.bad_of", bad=fmt.integer(verdict.n_bad), checked=fmt.integer(verdict.n_checked))


def _standing(issue: HealthIssue) -> None:
    """Impact and since when."""
    parts = [f":gray[{t('health.impact')}] {esc(issue.impact)}"]
    if issue.since_version is not None:
        since = t("health.since", version=issue.since_version)
        if issue.n_new is not None:
            since += " · " + t("health.n_new", count=fmt.integer(issue.n_new))
        parts.append(f":gray[{t('health.persists')}] {esc(since)}")
    st.markdown("  \n".join(parts))


def _actions(
    here: Place,
    report: HealthReport,
    verdict: Verdict,
    issue: HealthIssue | None,
    filters: Filters,
    names: Mapping[str, str],
) -> None:
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        asking.elsewhere(
            t("health.ask"), question(report, verdict, issue, filters), f"ask-{verdict.id}", here.dataset
        )
        if verdict.status in ("warn", "fail"):
            health_mutes.form(here, verdict, filters.keys_of(verdict), names)


def question(report: HealthReport, verdict: Verdict, issue: HealthIssue | None, filters: Filters) -> str:
    """A question about the issue that the planner understands.

    It names days and, where the planner knows one word for it, the check; names of entities stay out: they
    may be any text.
    """
    start, end = report.period.start, report.period.end
    if filters.day is not None:
        start = end = filters.day
    elif issue is not None and issue.first_day is not None and issue.last_day is not None:
        start, end = issue.first_day, issue.last_day
    stem = verdict.check.partition(":")[0]
    own = f"ask_check.{stem}"
    return t(own if has(own) else "ask_check.any", start=start.isoformat(), end=end.isoformat())
