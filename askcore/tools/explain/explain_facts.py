"""What the composer and the screen need of an explanation beside the table; everything is JSON-able."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from askcore.base.text import say
from askcore.base.values import Lang
from askcore.stats.contributions import RatioSplit
from askcore.tools.base import ToolContext
from askcore.tools.compare.change import is_good, tidy
from askcore.tools.explain.drivers import SegmentDrivers
from askcore.tools.explain.explanation import Explanation
from askcore.tools.explain.parts import Part, driver_parts, market_parts
from askcore.tools.explain.segments import LevelSplit, Segment

_MAX_SEGMENTS = 20  # listed a level; the table has all
_MAX_WITH_DRIVERS = 10  # segments whose own drivers are listed


def explanation_facts(found: Explanation, parts: Sequence[Part], ctx: ToolContext) -> dict[str, Any]:
    """Totals, segments a level, drivers, Simpson, market, restored rows, checks of the sums."""
    base, current = found.periods
    windows = found.asked.windows
    return {
        "metric": found.metric.key,
        "unit": found.metric.unit,
        "kind": "sum" if found.asked.is_sum else "ratio",
        "scope": found.scope,
        "current": current.as_json(),
        "baseline": base.as_json(),
        "asked": {
            "current": windows.asked_current.as_json(),
            "baseline": windows.asked_baseline.as_json(),
        },
        "total": _total(found),
        "segments": {x.key: _level(found, x, parts) for x in found.levels},
        "drivers": _drivers(found, ctx.lang),
        "simpson": [_simpson(x) for x in found.levels if isinstance(x.split, RatioSplit)],
        "market": _market(found, ctx.lang),
        "restored": [_segment(s) | {"part": x.key} for x, s in found.restored[:_MAX_SEGMENTS]],
        "not_restored": [_segment(s) | {"kind": s.kind} for s in found.unrestored[:_MAX_SEGMENTS]],
        "missing_rows": {
            "total": [_segment(s) for s in found.missing.own[:_MAX_SEGMENTS]],
            "parts": [_segment(s) for s in found.missing.below[:_MAX_SEGMENTS]],
        },
        "sums": [
            {
                "part": c.part,
                "parts": c.n_parts,
                "expected": tidy(c.expected),
                "actual": tidy(c.actual),
                "is_exact": c.is_exact,
            }
            for c in found.checks
        ],
        "remark": say(ctx.lang, "explain.remark"),
    }


def _total(found: Explanation) -> dict[str, Any]:
    total = found.total
    return {
        "baseline": total.prev,
        "current": total.cur,
        "change": total.delta,
        "pct": total.pct,
        "good": is_good(found.metric, total.delta),
    }


def _level(found: Explanation, level: LevelSplit, parts: Sequence[Part]) -> dict[str, Any]:
    rows = [p for p in parts if p.part == level.key]
    split = level.split
    facts: dict[str, Any] = {
        "label": level.label,
        "layer": level.layer,
        "of_total": level.of_total,
        "total": {
            "baseline": tidy(split.before),
            "current": tidy(split.after),
            "change": tidy(split.change),
        },
        "n": len(rows),
        "opened": [p.name for p in rows if p.kind == "opened"][:_MAX_SEGMENTS],
        "closed": [p.name for p in rows if p.kind == "closed"][:_MAX_SEGMENTS],
        "rows": [_row(p) for p in rows[:_MAX_SEGMENTS]],
        "drivers": _by_segment(found, level),
    }
    if isinstance(split, RatioSplit):
        facts |= {"rate_effect": tidy(split.rate_effect), "mix_effect": tidy(split.mix_effect)}
    return facts


def _row(part: Part) -> dict[str, Any]:
    row = part.as_row()
    del row["part"]
    return {k: v for k, v in row.items() if v is not None or k in ("baseline", "current", "share")}


def _by_segment(found: Explanation, level: LevelSplit) -> dict[str, Any] | None:
    """Effects of the drivers summed over the segments, and of each segment."""
    one = next((d for d in found.by_segment if d.key == level.key), None)
    if one is None:
        return None
    keys = found.asked.drivers
    return {
        "sum": {k: tidy(v) for k, v in zip(keys, one.total.effects, strict=True)},
        "left": tidy(one.total.bucket),
        "rows": [_segment_drivers(one, key, keys) for key in _largest(one)],
    }


def _largest(one: SegmentDrivers) -> list[str]:
    return sorted(one.by_segment, key=lambda k: -abs(one.by_segment[k].change))[:_MAX_WITH_DRIVERS]


def _segment_drivers(one: SegmentDrivers, key: str, drivers: Sequence[str]) -> dict[str, Any]:
    chain = one.by_segment[key]
    return {
        "id": key,
        "kind": chain.kind,
        "effects": {k: tidy(v) for k, v in zip(drivers, chain.effects, strict=True)},
        "left": tidy(one.left.get(key, 0.0)),
    }


def _drivers(found: Explanation, lang: Lang) -> list[dict[str, Any]] | None:
    if found.drivers is None:
        return None
    rows = []
    for part in driver_parts(found, lang):
        row = _row(part) | {"name": part.name if part.driver is None else part.driver.label[lang]}
        rows.append(row | {"unit": "" if part.driver is None else part.driver.unit})
    return rows


def _simpson(level: LevelSplit) -> dict[str, Any]:
    split = level.split
    assert isinstance(split, RatioSplit)  # noqa: S101 - the caller checked
    return {
        "part": level.key,
        "holds": split.is_reversed,
        "sign_conflict": split.simpson.sign_conflict,
        "all_against": split.simpson.all_against,
        "change": tidy(split.change),
        "rate_effect": tidy(split.rate_effect),
        "mix_effect": tidy(split.mix_effect),
    }


def _market(found: Explanation, lang: Lang) -> dict[str, Any] | None:
    market = found.market
    if market is None:
        return None
    if market.split is None:
        return {"reason": market.reason}
    effects = {p.id: p.contribution for p in market_parts(found, lang)}
    peers = [
        {
            "id": p.id,
            "baseline": tidy(p.average[0]),
            "current": tidy(p.average[1]),
            "count_baseline": p.count[0],
            "count_current": p.count[1],
        }
        for p in market.peers[:_MAX_SEGMENTS]
    ]
    return {"reason": None, **effects, "peers": peers}


def _segment(segment: Segment) -> dict[str, Any]:
    return {
        "id": segment.id,
        "name": segment.name,
        "days": [d.isoformat() for d in segment.days],
        "baseline": tidy(segment.amounts[0]),
        "current": tidy(segment.amounts[1]),
    }
