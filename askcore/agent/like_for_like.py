"""The like-for-like guard of a comparison as a view: coverage of both periods, the changes side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from askcore.base.text import say
from askcore.base.values import Lang, ToolResult
from askcore.base.views import AlignedRow, LikeForLike
from askcore.semantic.averages import resolve
from askcore.semantic.format import format_change, format_pct
from askcore.semantic.model import Metric, Model


def like_for_like(results: Sequence[ToolResult], model: Model, lang: Lang) -> LikeForLike | None:
    """Of the first comparison; None where none was made, or it had one layer and nothing to align."""
    found = next((r for r in results if r.ok and r.tool == "compare_periods"), None)
    if found is None:
        return None
    facts = found.facts
    changes: Mapping[str, Mapping[str, Any]] = facts.get("changes") or {}
    rows = tuple(r for key, one in changes.items() if (r := _row(resolve(model, key), one, lang)) is not None)
    base: Mapping[str, Any] = facts.get("like_for_like") or {}
    if not rows and not base:
        return None
    level = model.levels_by_key.get(str(base.get("level")))
    return LikeForLike(
        level="" if level is None else level.label[lang].split("/")[0],
        current=_coverage(facts, "current", lang),
        baseline=_coverage(facts, "baseline", lang),
        comparable=int(base.get("comparable") or 0),
        entities=int(base.get("shops") or 0),
        missing_rows=int(base.get("missing_rows") or 0),
        expected_rows=int(base.get("expected_rows") or 0),
        openers=_names(base, "openers"),
        closers=_names(base, "closers"),
        partials=_names(base, "partials"),
        rule=_rule(base, lang),
        rows=rows,
    )


def _rule(base: Mapping[str, Any], lang: Lang) -> str:
    """The rule as this comparison applied it: how long one must have been open depends on the periods."""
    if not base.get("open_since"):
        return ""
    share = f"{base['min_present']:.0%}"
    return say(lang, "answer.aligned_rule", share=share, day=base["open_since"])


def _names(base: Mapping[str, Any], key: str) -> tuple[str, ...]:
    return tuple(str(one.get("name") or one.get("id") or "") for one in base.get(key) or ())


def _coverage(facts: Mapping[str, Any], side: str, lang: Lang) -> str:
    """As "2026-10-05 – 2026-10-11, 7/7 days"; the step may be a week or a month."""
    days, steps = facts.get(side) or {}, (facts.get("steps") or {}).get(side) or {}
    return say(
        lang,
        "answer.aligned_coverage",
        start=days.get("from", ""),
        end=days.get("to", ""),
        present=steps.get("present", 0),
        expected=steps.get("expected", 0),
    )


def _row(metric: Metric, change: Mapping[str, Any], lang: Lang) -> AlignedRow | None:
    """The raw change, and the same over comparable entities or else over paired days."""
    same, paired = change.get("same_store"), change.get("aligned")
    aligned = same or paired
    if change.get("delta") is None or not aligned or aligned.get("delta") is None:
        return None
    return AlignedRow(
        metric=metric.label[lang],
        raw=_said(metric, change, lang),
        aligned=_said(metric, aligned, lang),
        basis="entities" if same else "days",
        differs=change["delta"] * aligned["delta"] < 0,
    )


def _said(metric: Metric, change: Mapping[str, Any], lang: Lang) -> str:
    delta = float(change["delta"])
    size = format_change(metric, delta, lang)
    sign = "+" if delta > 0 else "-" if delta < 0 else ""
    pct = change.get("pct")
    return f"{sign}{size}" if pct is None else f"{sign}{size} ({sign}{format_pct(float(pct))})"
