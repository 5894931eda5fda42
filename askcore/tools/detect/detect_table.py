"""The table of a search: one row a finding, the heaviest first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from askcore.base.text import say
from askcore.base.values import Column, Lang, Table
from askcore.tools.compare.change import tidy
from askcore.tools.detect.detect_texts import day_type_text
from askcore.tools.detect.finding import LISTED, Finding, Search

EXPECTED, DELTA, PCT, IMPACT = "__expected", "__delta", "__pct", "__impact"


def findings_table(search: Search, lang: Lang) -> Table:
    """At most `LISTED` rows; `row_count` counts all findings."""
    columns = tuple(_columns(search, lang))
    rows = [_row(search, finding, lang) for finding in search.findings[:LISTED]]
    kept = {c.key for c in columns}
    return Table(
        columns=columns,
        rows=tuple({k: v for k, v in row.items() if k in kept} for row in rows),
        row_count=len(search.findings),
    )


def _columns(search: Search, lang: Lang) -> Iterator[Column]:
    metric, level = search.metric, search.level
    label, is_change = metric.label[lang], search.mode == "changepoint"
    if level is not None:
        name = level.label[lang]
        if level.id != level.name:
            yield Column(key=level.id, label=f"{name} ID", of=level.key)
        yield Column(key=level.name, label=name, of=level.key)
    yield Column(
        key="date", label=say(lang, "detect.col_since" if is_change else "detect.col_date"), unit="date"
    )
    if is_change:
        yield Column(key="earliest", label=say(lang, "detect.col_earliest"), unit="date")
        yield Column(key="latest", label=say(lang, "detect.col_latest"), unit="date")
    else:
        yield Column(key="dayType", label=say(lang, "detect.col_day_type"))
    observed = say(lang, f"detect.col_observed_{search.mode}", label=label)
    yield Column(key=metric.key, label=observed, unit=metric.unit)
    expected = say(lang, f"detect.col_expected_{search.mode}", label=label)
    yield Column(key=metric.key + EXPECTED, label=expected, unit=metric.unit)
    if metric.is_rate:
        yield Column(key=metric.key + DELTA, label=say(lang, "detect.col_delta", label=label), unit="pp")
    else:
        yield Column(key=metric.key + PCT, label=say(lang, "detect.col_pct", label=label), unit="ratio")
    yield Column(key="z", label=say(lang, "detect.col_z"))
    impact = say(lang, "detect.col_impact_changepoint" if is_change else "detect.col_impact")
    yield Column(key=metric.key + IMPACT, label=impact, unit=search.impact_unit)


def _row(search: Search, finding: Finding, lang: Lang) -> dict[str, Any]:
    key, level = search.metric.key, search.level
    ids = {} if level is None else {level.id: finding.series.id, level.name: finding.series.name}
    return {
        **ids,
        "date": finding.day.isoformat(),
        "earliest": finding.earliest.isoformat(),
        "latest": finding.latest.isoformat(),
        "dayType": day_type_text(finding.day_type, lang),
        key: tidy(finding.observed),
        key + EXPECTED: tidy(finding.expected),
        key + DELTA: tidy(finding.delta),
        key + PCT: None if finding.pct is None else tidy(finding.pct),
        "z": tidy(finding.z),
        key + IMPACT: tidy(finding.impact),
    }
