"""Findings of the finest level, entity by day, as many as a page can draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from askcore.base.text import say
from askcore.base.values import Period, Verdict
from askcore.base.views import HealthHeatmap, HeatCell, HeatEntity, Mute
from askcore.checks.frame import Frame
from askcore.checks.impact import entity_of
from askcore.checks.mutes import covers
from askcore.checks.wording import joined, name_of
from askcore.semantic.model import Level

MAX_ENTITIES = 200
MAX_DAYS = 92
_NO_DAY = ("schema_drift", "dimension_share_shift", "freshness", "sync_log")
"""Checks whose findings are no shop-days."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Hit:
    """One bad key of the finest level."""

    entity_id: str
    day: date
    check: str
    is_fail: bool
    is_muted: bool


def shown_days(period: Period) -> Period:
    """The newest days of a period that a heatmap shows."""
    first = max(period.start, period.end - timedelta(days=MAX_DAYS - 1))
    return Period(start=first, end=period.end)


def heatmap(
    verdicts: Sequence[Verdict], frame: Frame, *, asked: Period, active: Sequence[Mute], with_info: bool
) -> HealthHeatmap:
    """The heatmap of what was found in the frame's period.

    asked: days before the cut. active: mutes that cover the day of the run. with_info: also findings that
    only inform, such as a reserved column that a source lacks on every day.
    """
    leaf = frame.leaf
    hits: list[_Hit] = []
    n_elsewhere = 0
    for verdict in verdicts:
        if verdict.status not in ("warn", "fail") or (verdict.severity == "info" and not with_info):
            continue
        mutes = [m for m in active if m.check == verdict.check]
        for key in verdict.keys:
            hit = _hit(verdict, key, frame, leaf, mutes)
            if hit is None:
                n_elsewhere += 1
            else:
                hits.append(hit)
    entities = _entities(frame, leaf, hits)
    kept = {e.id: e for e in entities[:MAX_ENTITIES]}
    cells = _cells([h for h in hits if h.entity_id in kept], kept)
    return HealthHeatmap(
        dataset=frame.view.dataset,
        version=frame.view.version,
        level="" if leaf is None else leaf.label.get(frame.lang, leaf.key),
        period=frame.period,
        entities=tuple(kept.values()),
        cells=cells,
        n_entities=len(entities),
        n_elsewhere=n_elsewhere + sum(h.entity_id not in kept for h in hits),
        note=_note(frame, asked, len(entities)),
    )


def _hit(
    verdict: Verdict, key: Mapping[str, str], frame: Frame, leaf: Level | None, mutes: Sequence[Mute]
) -> _Hit | None:
    """The shop-day of a key; None when it names another level or no day of the period."""
    stem = verdict.check.partition(":")[0]
    found = entity_of(key, frame)
    day = date.fromisoformat(key["date"])
    if stem in _NO_DAY or not frame.period.contains(day) or (leaf is not None and found is None):
        return None
    if found is not None and (leaf is None or found[0] != leaf.id):
        return None
    return _Hit(
        entity_id="" if found is None else found[1],
        day=day,
        check=verdict.check,
        is_fail=verdict.status == "fail",
        is_muted=any(covers(m, verdict.check, key) for m in mutes),
    )


def _entities(frame: Frame, leaf: Level | None, hits: Sequence[_Hit]) -> list[HeatEntity]:
    """Entities with rows in the period or findings, those with most findings first."""
    days = frame.period
    if leaf is None:
        return [HeatEntity(id="", name=frame.view.dataset, first_day=days.start, last_day=days.end)]
    count: dict[str, int] = {}
    for hit in hits:
        count[hit.entity_id] = count.get(hit.entity_id, 0) + 1
    found = []
    for entity in frame.view.catalog.by_level.get(leaf.key, ()):
        owner = {**entity.parents, leaf.key: entity.id}.get(frame.levels[0].key)
        if not entity.first_day or frame.entity not in (None, owner):
            continue
        first, last = date.fromisoformat(entity.first_day), date.fromisoformat(entity.last_day)
        if entity.id in count or (first <= days.end and last >= days.start):
            name = name_of(frame, leaf.key, entity.id)
            found.append(HeatEntity(id=entity.id, name=name, first_day=first, last_day=last))
    return sorted(found, key=lambda e: (-count.get(e.id, 0), e.id))


def _cells(hits: Sequence[_Hit], kept: Mapping[str, HeatEntity]) -> tuple[HeatCell, ...]:
    grouped: dict[tuple[str, date], list[_Hit]] = {}
    for hit in hits:
        grouped.setdefault((hit.entity_id, hit.day), []).append(hit)
    order = {entity_id: position for position, entity_id in enumerate(kept)}
    return tuple(
        HeatCell(
            entity_id=entity_id,
            name=kept[entity_id].name,
            day=day,
            status="fail" if any(h.is_fail for h in found) else "warn",
            checks=tuple(dict.fromkeys(h.check for h in sorted(found, key=lambda h: not h.is_fail))),
            is_muted=all(h.is_muted for h in found),
        )
        for (entity_id, day), found in sorted(
            grouped.items(), key=lambda item: (order[item[0][0]], item[0][1])
        )
    )


def _note(frame: Frame, asked: Period, n_entities: int) -> str:
    """What was cut."""
    parts = []
    if asked.days > frame.period.days:
        parts.append(say(frame.lang, "health.cut_days", days=frame.period.days))
    if n_entities > MAX_ENTITIES:
        parts.append(say(frame.lang, "health.cut_entities", shown=MAX_ENTITIES, total=n_entities))
    return joined(parts, frame.lang)
