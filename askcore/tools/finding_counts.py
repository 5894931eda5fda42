"""How many findings each entity and each month has: where the trouble sits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Final, Literal

from askcore.base.values import Cell, Verdict, VerdictStatus
from askcore.checks.frame import Frame
from askcore.checks.impact import NO_DAY, entity_of
from askcore.checks.wording import name_of
from askcore.semantic.catalog import Entity

CountedBy = Literal["entity", "month"]
_STATUSES: Final[tuple[VerdictStatus, ...]] = ("fail", "warn")
_MOST_WITHOUT: Final = 1000  # with more entities only those with findings are told
_ELSEWHERE: Final = ("", "")
"""Where findings are counted that name no entity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """An entity or a month; `fail` and `warn` count bad keys of checks with that status."""

    key: str
    """Id of the entity, or "2026-10"; "" for findings that name none."""
    fail: int
    warn: int
    checks: int
    """How many checks found something."""
    name: str = ""
    """Spoken name of the entity."""
    level: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingCounts:
    """Entities with most findings first, months oldest first; places without findings too."""

    entities: tuple[Place, ...] = ()
    months: tuple[Place, ...] = ()


def finding_counts(verdicts: Sequence[Verdict], frame: Frame, by: Sequence[CountedBy]) -> FindingCounts:
    """Bad keys of what fails or warns; findings that only inform are left out, as on the health page."""
    told = [v for v in verdicts if v.status in _STATUSES and v.severity != "info"]
    return FindingCounts(
        entities=_entities(told, frame) if "entity" in by else (),
        months=_months(told, frame) if "month" in by else (),
    )


def _entities(verdicts: Sequence[Verdict], frame: Frame) -> tuple[Place, ...]:
    hits: dict[tuple[str, str], list[Verdict]] = defaultdict(list)
    levels = {level.id: level.key for level in frame.levels}
    for verdict in verdicts:
        for key in verdict.keys:
            column, entity_id = entity_of(key, frame) or _ELSEWHERE
            hits[levels.get(column, ""), entity_id].append(verdict)
    known = [(e.level, e.id) for e in frame.view.catalog.entities if _is_meant(e, frame)]
    without = known if len(known) <= _MOST_WITHOUT else []
    places = [
        _place(entity_id, hits.get((level, entity_id), ()), level, _name(level, entity_id, frame))
        for level, entity_id in dict.fromkeys([*hits, *without, _ELSEWHERE])
    ]
    order = {level.key: n for n, level in enumerate(frame.levels)}
    return tuple(sorted(places, key=lambda p: (-p.fail - p.warn, -p.fail, order.get(p.level, -1), p.key)))


def _is_meant(entity: Entity, frame: Frame) -> bool:
    """Whether it belongs to the frame's top entity."""
    owner = {**entity.parents, entity.level: entity.id}
    return frame.entity is None or owner.get(frame.levels[0].key) == frame.entity


def _name(level: str, entity_id: str, frame: Frame) -> str:
    return name_of(frame, level, entity_id) if level else ""


def _months(verdicts: Sequence[Verdict], frame: Frame) -> tuple[Place, ...]:
    days = (frame.period.start + timedelta(days=n) for n in range(frame.period.days))
    hits: dict[str, list[Verdict]] = {_month(day): [] for day in days}
    for verdict in verdicts:
        if verdict.check.partition(":")[0] not in NO_DAY:
            for key in verdict.keys:
                hits.setdefault(_month(date.fromisoformat(key["date"])), []).append(verdict)
    return tuple(_place(month, hits[month]) for month in sorted(hits))


def _month(day: date) -> str:
    return f"{day:%Y-%m}"


def _place(key: str, hits: Sequence[Verdict], level: str = "", name: str = "") -> Place:
    fail = sum(v.status == "fail" for v in hits)
    checks = len({v.check for v in hits})
    return Place(key=key, fail=fail, warn=len(hits) - fail, checks=checks, name=name, level=level)


def count_facts(found: FindingCounts) -> dict[str, Any]:
    """Places with findings, for the screen and the model; {} when nothing was counted."""
    every = (("by_entity", found.entities), ("by_month", found.months))
    return {name: [_fact(p) for p in places if p.checks] for name, places in every if places}


def _fact(place: Place) -> Mapping[str, Any]:
    return {"id": place.key, "name": place.name, "level": place.level, **_counts(place)}


def _counts(place: Place) -> Mapping[str, int]:
    both = place.fail + place.warn
    return {"all": both, "fail": place.fail, "warn": place.warn, "checks": place.checks}


def count_cells(found: FindingCounts, step: str) -> Iterator[Cell]:
    """Counts of every place, also of those without findings: what was mended has moved to 0."""
    for place in found.entities:
        yield from _cells(place, step, entity_address(place.level, place.key), "cur")
    for place in found.months:
        yield from _cells(place, step, "month", place.key)


def entity_address(level: str, entity_id: str) -> str:
    """What the metric of an entity's counts begins with: "shop.S0301"."""
    return f"{level}.{entity_id}" if level else "elsewhere"


def _cells(place: Place, step: str, owner: str, period: str) -> Iterator[Cell]:
    for name, count in _counts(place).items():
        metric = f"{owner}.findings.{name}"
        yield Cell(
            value=count,
            unit="count",
            metric=metric,
            entity=place.name,
            period=period,
            step=step,
            role="verdict",
        )
