"""What the composer and the screen need of a search beside the table; everything is JSON-able."""

from __future__ import annotations

from typing import Any

from askcore.base.values import Lang
from askcore.tools.base import ToolContext
from askcore.tools.compare.change import is_good, tidy
from askcore.tools.detect.detect_texts import excluded_texts, finding_text, holiday_text
from askcore.tools.detect.finding import Finding, Search

_MAX_LISTED = 50


def search_facts(search: Search, ctx: ToolContext) -> dict[str, Any]:
    """Counts tested, thresholds, what was left out and why, each shown finding with its sentence."""
    return {
        "mode": search.mode,
        "metric": search.metric.key,
        "scope": search.scope if search.level is None else search.level.key,
        "period": search.period.as_json(),
        "history_from": search.history_start.isoformat(),
        "tested": {
            "series": search.series,
            "series_tested": search.tested_series,
            "days": search.tested_days,
        },
        "found": len(search.findings),
        "shown": len(search.shown),
        "thresholds": dict(search.thresholds),
        "excluded": _excluded(search, ctx.lang),
        "skip": search.skip,
        "findings": [_finding(search, f, ctx.lang) for f in search.shown],
    }


def _excluded(search: Search, lang: Lang) -> dict[str, Any]:
    out = search.excluded
    texts = [*excluded_texts(search, lang), holiday_text(search, lang)]
    return {
        "zero_rows": [{"id": s.id, "date": d.isoformat()} for s, d in out.zero_rows[:_MAX_LISTED]],
        "zero_row_count": len(out.zero_rows),
        "missing_rows": [{"id": s.id, "date": d.isoformat()} for s, d in out.missing_rows[:_MAX_LISTED]],
        "missing_row_count": len(out.missing_rows),
        "holidays": [d.isoformat() for d in out.holidays],
        "holiday_row_count": out.holiday_rows,
        "short_history": [{"id": s.id, "name": s.name} for s in out.short[:_MAX_LISTED]],
        "other_row_count": out.other_rows,
        "smaller_series": out.smaller_series,
        "texts": [t for t in texts if t],
    }


def _finding(search: Search, finding: Finding, lang: Lang) -> dict[str, Any]:
    return {
        "id": finding.series.id,
        "name": finding.series.name,
        "date": finding.day.isoformat(),
        "earliest": finding.earliest.isoformat(),
        "latest": finding.latest.isoformat(),
        "observed": tidy(finding.observed),
        "expected": tidy(finding.expected),
        "delta": tidy(finding.delta),
        "pct": None if finding.pct is None else tidy(finding.pct),
        "z": tidy(finding.z),
        "impact": tidy(finding.impact),
        "impact_unit": search.impact_unit,
        "day_type": finding.day_type.kind,
        "holiday": finding.day_type.holiday,
        "good": is_good(search.metric, finding.delta),
        "text": finding_text(search, finding, lang),
    }
