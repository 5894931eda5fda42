"""What the health page is narrowed to: status, check, entity and day, all of them in the URL."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import streamlit as st

from askcore.base.values import Verdict
from askcore.base.views import EntityRow, HealthIssue, HealthReport, Overview
from pages.ui import state
from pages.ui import verdicts as verdict_views
from pages.ui.safe import esc
from pages.ui.text import has, t

MUTED = "muted"
KINDS = ("fail", "warn", "skip", MUTED, "pass")
"""Groups of the list, in its order."""
DEFAULT_SHOWN = "fail,warn,skip,muted"
NARROWING = ("check", "entity", "day")
_PLAIN_PARTS = ("date", "scope", "entity", "column")
_NONE = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Read from the URL; "" and None: not narrowed."""

    shown: tuple[str, ...]
    check: str
    entity: str
    """An entity code, see `entity_code`."""
    day: date | None

    @property
    def is_narrow(self) -> bool:
        """Whether more than the status is chosen."""
        return bool(self.check or self.entity or self.day)

    def keys_of(self, verdict: Verdict) -> tuple[Mapping[str, str], ...]:
        """The bad keys of a verdict that are meant."""
        day = "" if self.day is None else self.day.isoformat()
        return tuple(
            key
            for key in verdict.keys
            if (not day or key.get("date") == day) and (not self.entity or entity_code(key) == self.entity)
        )

    def meets(self, verdict: Verdict, issue: HealthIssue | None) -> bool:
        """Whether the list shows the verdict."""
        if kind_of(verdict, issue) not in self.shown or (self.check and verdict.check != self.check):
            return False
        return not (self.entity or self.day) or bool(self.keys_of(verdict))


def kind_of(verdict: Verdict, issue: HealthIssue | None) -> str:
    """Group of a verdict: its status, or muted when all of its findings are."""
    return MUTED if issue is not None and issue.is_muted else verdict.status


def entity_part(key: Mapping[str, str]) -> tuple[str, str] | None:
    """(column, value) of the finest entity that a key names."""
    named = [(name, value) for name, value in key.items() if value and name not in _PLAIN_PARTS]
    return named[-1] if named else None


def entity_code(key: Mapping[str, str]) -> str:
    """The finest entity of a key with its level, as the URL writes it; "" when it names none."""
    part = entity_part(key)
    return "" if part is None else code_of(key.get("scope", ""), part[1])


def code_of(scope: str, entity: str) -> str:
    """Level and id in one word."""
    return f"{scope}:{entity}" if scope else entity


def names_of(entities: Iterable[EntityRow]) -> dict[str, str]:
    """Entity code -> name; names that several entities share carry their ids."""
    rows = list(entities)
    seen: dict[tuple[str, str], int] = {}
    for row in rows:
        seen[row.level, row.name] = seen.get((row.level, row.name), 0) + 1
    named = {}
    for row in rows:
        is_shared = seen[row.level, row.name] > 1
        name = f"{row.name} {row.id}" if is_shared or not row.name else row.name
        named[code_of(row.level, row.id)] = name
        named.setdefault(row.id, name)
    return named


def check_label(check: str) -> str:
    """Name of a check for people; the id of a rule stays beside a shared name.

    Only sums between levels have ids of their model's own.
    """
    stem, _, rule = check.partition(":")
    if not has(f"check.{stem}"):
        stem, rule = "layer_sum", stem
    name = t(f"check.{stem}")
    return f"{name} · {rule}" if rule else name


def from_url() -> Filters:
    """The filters; what the URL does not say, or says wrongly, is open."""
    asked = (state.param("show") or DEFAULT_SHOWN).split(",")
    return Filters(
        shown=tuple(kind for kind in KINDS if kind in asked),
        check=state.param("check"),
        entity=state.param("entity"),
        day=_day(state.param("day")),
    )


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def bar(report: HealthReport, overview: Overview, filters: Filters) -> None:
    """The widgets: status pills, then check, entity and day."""
    _pills(report, filters)
    names = names_of(overview.entities)
    bad = [v for v in report.verdicts if v.status in ("warn", "fail")]
    keys = [key for v in bad for key in v.keys]
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        checks = sorted({v.check for v in report.verdicts}, key=check_label)
        _select("check", checks, filters.check, {c: check_label(c) for c in checks})
        entities = sorted({code for k in keys if (code := entity_code(k))}, key=lambda c: names.get(c, c))
        _select("entity", entities, filters.entity, names)
        days = sorted({k["date"] for k in keys if k.get("date")}, reverse=True)
        _select("day", days, "" if filters.day is None else filters.day.isoformat(), {})
        st.button(
            t("health.clear"),
            key="health.clear",
            icon=":material/filter_alt_off:",
            type="tertiary",
            disabled=not filters.is_narrow,
            on_click=clear,
        )


def clear() -> None:
    """Callback: everything but the status is open again."""
    for name in NARROWING:
        state.set_param(name, "")


def _pills(report: HealthReport, filters: Filters) -> None:
    found = dict.fromkeys(KINDS, 0)
    for verdict, issue in pairs(report):
        found[kind_of(verdict, issue)] += 1
    st.pills(
        t("health.show"),
        KINDS,
        selection_mode="multi",
        format_func=lambda one: f"{kind_label(one)} {found[one]}",
        key=state.bind("show", list(filters.shown)),
        label_visibility="collapsed",
        on_change=state.write_back,
        args=("show", DEFAULT_SHOWN, _shown_text),
    )


def kind_label(kind: str) -> str:
    """The word for a group of the list."""
    return t("health.muted") if kind == MUTED else t(f"verdict.{kind}")


def pairs(report: HealthReport) -> list[tuple[Verdict, HealthIssue | None]]:
    """Each verdict with its issue, if the report has issues."""
    issues: Sequence[HealthIssue | None] = report.issues or [None] * len(report.verdicts)
    return list(zip(report.verdicts, issues, strict=True))


def _shown_text(picked: Sequence[str]) -> str:
    return ",".join(kind for kind in KINDS if kind in picked) or "none"


def _select(name: str, options: Sequence[str], value: str, labels: Mapping[str, str]) -> None:
    """A menu bound to a query parameter; a value of the URL that is not found stays, so that it is seen."""
    offered = [_NONE, *options]
    if value and value not in options:
        offered.append(value)
    st.selectbox(
        t(f"health.by_{name}"),
        offered,
        format_func=lambda one: labels.get(one, one) if one else t(f"health.any_{name}"),
        key=state.bind(name, value),
        on_change=state.write_back,
        args=(name, _NONE),
        width=190,
    )


def said(filters: Filters, overview: Overview) -> str:
    """The narrowing in words, escaped; "" when there is none."""
    parts = []
    if filters.check:
        parts.append(check_label(filters.check))
    if filters.entity:
        parts.append(names_of(overview.entities).get(filters.entity, filters.entity))
    if filters.day is not None:
        parts.append(filters.day.isoformat())
    return esc(" · ".join(parts))


def rank(report: HealthReport) -> list[tuple[Verdict, HealthIssue | None]]:
    """As the list shows them: fail, warn, skip, muted, pass; within that the severest first."""
    return sorted(
        pairs(report),
        key=lambda one: (KINDS.index(kind_of(*one)), verdict_views.SEVERITY[one[0].severity]),
    )
