"""What a verdict's bad keys amount to: how much of what was checked, how many entities, which days."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from askcore.base.text import say
from askcore.base.values import Verdict
from askcore.base.views import HealthIssue
from askcore.checks.finding import Key, day_of
from askcore.checks.frame import Frame
from askcore.semantic.model import Level

# What `n_checked` counts, by the stem of the check; rows elsewhere.
_UNITS: Mapping[str, str] = {
    "freshness": "levels",
    "sync_log": "syncs",
    "schema_drift": "columns",
    "dimension_share_shift": "parts",
    "unit_drift": "values",
    "anomaly": "values",
    "missing_days": "days",
    "volume": "days",
    "uv_bound": "days",
    "ratio_recomputed": "days",
    "all_zero_child": "days",
}
NO_DAY = ("schema_drift", "dimension_share_shift", "freshness")
"""Checks whose findings are of a load or a window: their day says nothing."""


def issue_of(verdict: Verdict, frame: Frame) -> HealthIssue:
    """The issue without mutes and history."""
    stem = verdict.check.partition(":")[0]
    levels = {level.id: level for level in frame.levels}
    entities = {found for key in verdict.keys if (found := entity_of(key, frame)) is not None}
    days = [] if stem in NO_DAY else sorted({day_of(key) for key in verdict.keys})
    finest = [levels[column] for column, _ in entities]
    level = max(finest, key=frame.levels.index, default=None)
    return HealthIssue(
        verdict_id=verdict.id,
        check=verdict.check,
        impact=_sentence(verdict, frame, _unit(verdict, stem, frame), len(entities), level, days),
        n_entities=len(entities),
        n_days=len(days),
        first_day=days[0] if days else None,
        last_day=days[-1] if days else None,
    )


def entity_of(key: Key, frame: Frame) -> tuple[str, str] | None:
    """(id column, id) of the finest entity that a key names; None when it names none."""
    for level in reversed(frame.levels):
        if key.get(level.id):
            return level.id, key[level.id]
    return None


def _sentence(
    verdict: Verdict, frame: Frame, unit: str, n_entities: int, level: Level | None, days: list[date]
) -> str:
    words = {"n": verdict.n_bad, "checked": verdict.n_checked, "unit": unit}
    if verdict.status == "skip":
        return say(frame.lang, "health.impact_skip")
    if verdict.status == "pass":
        is_clean = verdict.actual == say(frame.lang, "checks.actual_ok", checked=verdict.n_checked)
        return say(frame.lang, "health.impact_none" if is_clean else "health.impact_explained", **words)
    impact = say(frame.lang, "health.impact", **words)
    if not days:
        return impact
    if level is None:
        return say(frame.lang, "health.impact_days", impact=impact, days=len(days))
    return say(
        frame.lang,
        "health.impact_where",
        impact=impact,
        entities=n_entities,
        level=_counted(_level_word(level, frame), n_entities, frame),
        days=len(days),
    )


def _unit(verdict: Verdict, stem: str, frame: Frame) -> str:
    """What was counted: "shop-days" where all keys are of one level, else plain words."""
    rule = {r.id for r in frame.model.cross_layer if r.rule == "sum"}
    kind = "days" if verdict.check in rule else _UNITS.get(stem, "rows")
    if kind != "days":
        return say(frame.lang, f"health.unit_{kind}")
    scopes = {key.get("scope", "") for key in verdict.keys}
    by_key = frame.model.levels_by_key
    level = by_key.get(scopes.pop()) if len(scopes) == 1 else None
    named = say(frame.lang, "health.unit_entity") if level is None else _level_word(level, frame)
    return say(frame.lang, "health.unit_days", level=named)


def _counted(word: str, count: int, frame: Frame) -> str:
    """The level's word as it follows its number."""
    if frame.lang == "zh" or count == 1:
        return word
    return f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"


def _level_word(level: Level, frame: Frame) -> str:
    found = level.label.get(frame.lang, level.key).split("/")[0]
    return found.lower() if frame.lang == "en" else found
