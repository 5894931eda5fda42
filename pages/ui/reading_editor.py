"""Editing how a question was understood: one widget group for each part of a reading."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta

import streamlit as st

from askcore.base.values import TIME_GRAINS, Period, Reading, Sort
from askcore.base.views import Overview
from pages.ui.text import t

BASELINES = ("none", "previous", "year", "custom")
MAX_LIMIT = 1000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Choices:
    """What the widgets offer, made from the lake."""

    metrics: Mapping[str, str]
    levels: Mapping[str, str]
    """Levels that have entities -> label."""
    scopes: Mapping[str, str]
    """Layers of rows -> label; may hold more than the levels."""
    members: Mapping[str, Mapping[str, str]]
    """Level -> id -> name."""
    top_level: str
    bounds: Period


def choices(overview: Overview) -> Choices:
    """What this dataset offers."""
    members: dict[str, dict[str, str]] = {}
    for row in overview.entities:
        members.setdefault(row.level, {})[row.id] = row.name
    bounds = overview.period or Period(start=overview.as_of, end=overview.as_of)
    return Choices(
        metrics={m.key: m.label for m in overview.metrics if m.available},
        levels={row.level: row.level_label for row in overview.entities},
        scopes={key: label for key, label, _rows, _period in overview.scopes},
        members=members,
        top_level=overview.entities[0].level if overview.entities else "",
        bounds=bounds,
    )


def compact(reading: Reading) -> str:
    """The reading as short JSON for a URL: what is empty is left out."""
    kept = {k: v for k, v in reading.as_json().items() if v not in (None, [], {})}
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))


def key_of(reading: Reading) -> str:
    """Short id of a reading, so that widgets of another reading start anew."""
    return f"{zlib.crc32(compact(reading).encode()):08x}"


def edit(kind: str, reading: Reading, offered: Choices, key: str) -> Reading:
    """Draw the widgets of one part; gives the reading as edited."""
    return EDITORS[kind](reading, offered, f"{key}-{kind}")


def _entity(reading: Reading, offered: Choices, key: str) -> Reading:
    names = offered.members.get(offered.top_level, {})
    options = list(dict.fromkeys([*names, *([reading.entity] if reading.entity else [])]))
    if not options:
        return reading
    picked = st.selectbox(
        offered.levels.get(offered.top_level) or t("reading.entity"),
        options,
        index=options.index(reading.entity) if reading.entity else None,
        format_func=lambda one: names.get(one, one),
        key=key,
    )
    return replace(reading, entity=picked)


def _metrics(reading: Reading, offered: Choices, key: str) -> Reading:
    picked = st.multiselect(
        t("reading.metrics"),
        list(dict.fromkeys([*offered.metrics, *reading.metrics])),
        default=list(reading.metrics),
        format_func=lambda one: offered.metrics.get(one, one),
        key=key,
    )
    return replace(reading, metrics=tuple(picked) or reading.metrics)


def _period(reading: Reading, offered: Choices, key: str) -> Reading:
    picked = _range(t("reading.period"), reading.period or offered.bounds, offered.bounds, key)
    return replace(reading, period=picked)


def _baseline(reading: Reading, offered: Choices, key: str) -> Reading:
    shown = st.selectbox(
        t("reading.baseline"),
        BASELINES,
        index=BASELINES.index("custom" if reading.baseline else "none"),
        format_func=lambda one: t(f"baseline.{one}"),
        key=f"{key}-mode",
    )
    current = reading.period or offered.bounds
    previous = current.shift(-current.days)
    custom = _range(t("baseline.custom_range"), reading.baseline or previous, offered.bounds, f"{key}-range")
    picked = {"none": None, "previous": previous, "year": current.shift(-364), "custom": custom}
    return replace(reading, baseline=picked[shown])


def _by(reading: Reading, offered: Choices, key: str) -> Reading:
    names = {**{g: t(f"grain.{g}") for g in TIME_GRAINS}, **offered.levels}
    picked = st.multiselect(
        t("reading.by"),
        list(dict.fromkeys([*names, *reading.by])),
        default=list(reading.by),
        format_func=lambda one: names.get(one, one),
        key=key,
    )
    return replace(reading, by=tuple(picked))


def _scope(reading: Reading, offered: Choices, key: str) -> Reading:
    options = list(dict.fromkeys([*offered.scopes, *([reading.scope] if reading.scope else [])]))
    picked = st.selectbox(
        t("reading.scope"),
        options,
        index=options.index(reading.scope) if reading.scope else None,
        format_func=lambda one: offered.scopes.get(one, one),
        placeholder=t("reading.scope_auto"),
        key=key,
    )
    return replace(reading, scope=picked)


def _filters(reading: Reading, offered: Choices, key: str) -> Reading:
    kept = {k: v for k, v in reading.filters.items() if k not in offered.members}
    for level, names in offered.members.items():
        if level == offered.top_level:
            continue
        chosen = list(reading.filters.get(level, ()))
        picked = st.multiselect(
            t("reading.only", level=offered.levels.get(level, level)),
            list(dict.fromkeys([*names, *chosen])),
            default=chosen,
            format_func=lambda one, names=names: names.get(one, one),  # type: ignore[misc]
            key=f"{key}-{level}",
        )
        if picked:
            kept[level] = tuple(picked)
    return replace(reading, filters=kept)


def _sort(reading: Reading, offered: Choices, key: str) -> Reading:
    keys = list(dict.fromkeys([*reading.metrics, *([reading.sort.key] if reading.sort else [])]))
    options = [f"{sign}{one}" for one in keys for sign in ("-", "")]
    picked = st.selectbox(
        t("reading.sort"),
        options,
        index=options.index(reading.sort.as_arg()) if reading.sort else None,
        format_func=lambda one: _sort_name(one, offered),
        placeholder=t("reading.sort_none"),
        key=key,
    )
    if picked is None:
        return replace(reading, sort=None)
    return replace(reading, sort=Sort(key=picked.removeprefix("-"), descending=picked.startswith("-")))


def _sort_name(arg: str, offered: Choices) -> str:
    name = arg.removeprefix("-")
    label = offered.metrics.get(name, name)
    return t("reading.descending" if arg.startswith("-") else "reading.ascending", metric=label)


def _limit(reading: Reading, offered: Choices, key: str) -> Reading:
    picked = st.number_input(
        t("reading.limit"),
        min_value=1,
        max_value=MAX_LIMIT,
        value=reading.limit,
        placeholder=t("reading.limit_none"),
        key=key,
    )
    return replace(reading, limit=None if picked is None else min(int(picked), MAX_LIMIT))


def _range(label: str, value: Period, bounds: Period, key: str) -> Period:
    picked = date_range(label, value, bounds, key)
    return picked or value


def date_range(label: str, value: Period, bounds: Period, key: str) -> Period | None:
    """Two days in one widget; None while only one of them is picked."""
    year = timedelta(days=366)
    days = st.date_input(
        label,
        (value.start, value.end),
        min_value=min(bounds.start, value.start) - year,
        max_value=max(bounds.end, value.end),
        format="YYYY-MM-DD",
        key=key,
    )
    return Period(start=days[0], end=days[1]) if len(days) == 2 else None


EDITORS: Mapping[str, Callable[[Reading, Choices, str], Reading]] = {
    "entity": _entity,
    "metrics": _metrics,
    "period": _period,
    "baseline": _baseline,
    "scope": _scope,
    "by": _by,
    "filters": _filters,
    "sort": _sort,
    "limit": _limit,
}
