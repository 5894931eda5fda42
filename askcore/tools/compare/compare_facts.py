"""What the composer and the screen need of a comparison beside the table; everything is JSON-able."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from askcore.semantic.calendar import day_type, days_of
from askcore.semantic.model import Metric
from askcore.tools.base import ToolContext
from askcore.tools.compare.change import is_good
from askcore.tools.compare.same_store import MIN_PRESENT, ShopKind
from askcore.tools.compare.study import Study
from askcore.tools.compare.testing import Tested
from askcore.tools.compare.verdicts import CalendarFit

_MAX_NAMES = 50  # shops listed a kind


def comparison_facts(
    found: Study, fit: CalendarFit | None, tests: Mapping[str, Tested], ctx: ToolContext
) -> dict[str, Any]:
    """Periods, steps, changes a metric, comparable shops, holidays, tests."""
    base, current = found.periods
    return {
        "current": current.as_json(),
        "baseline": base.as_json(),
        "asked": {
            "current": found.windows.asked_current.as_json(),
            "baseline": found.windows.asked_baseline.as_json(),
        },
        "step": ctx.view.model.time.grain,
        "steps": {
            "current": {"present": found.present[1], "expected": found.steps[1].count},
            "baseline": {"present": found.present[0], "expected": found.steps[0].count},
        },
        "changes": {m.key: _change(found, m) for m in found.metrics},
        "like_for_like": _shops(found),
        "unpaired": {
            "baseline": [d.isoformat() for d in found.unpaired[0]],
            "current": [d.isoformat() for d in found.unpaired[1]],
        },
        "holidays": None if fit is None else _holidays(found, fit),
        "significance": {key: _test(test) for key, test in tests.items()},
    }


def _change(found: Study, metric: Metric) -> dict[str, Any]:
    total, per_step = found.total(metric), found.per_step(metric)
    aligned, same, bridge = found.aligned(metric), found.same_store(metric), found.bridge(metric)
    return {
        **total.as_json(),
        "good": is_good(metric, total.delta),
        "per_step": None if per_step is None else per_step.as_json(),
        "aligned": None
        if aligned is None
        else {
            **aligned.change.as_json(),
            "steps": aligned.count,
            "baseline_period": aligned.periods[0].as_json(),
            "current_period": aligned.periods[1].as_json(),
        },
        "same_store": None if same is None else same.as_json(),
        "bridge": None if bridge is None else bridge.as_json(),
    }


def _shops(found: Study) -> dict[str, Any] | None:
    """None where the data has no entities to compare one by one."""
    if found.leaf is None:
        return None
    kinds: tuple[ShopKind, ...] = ("opener", "closer", "partial")
    return {
        "level": found.leaf.key,
        "shops": len(found.shops),
        "comparable": sum(kind == "comparable" for _, kind in found.shops),
        **{
            f"{kind}s": [{"id": s.id, "name": s.name} for s, k in found.shops if k == kind][:_MAX_NAMES]
            for kind in kinds
        },
        "missing_rows": len(found.missing),
        "expected_rows": sum(found.expected_rows),
        "min_present": MIN_PRESENT,
        "open_since": None if found.rule is None else found.rule.newest_start.isoformat(),
    }


def _holidays(found: Study, fit: CalendarFit) -> dict[str, Any]:
    days = [sum(day_type(d).kind == "holiday" for d in days_of(p)) for p in found.periods]
    return {
        "baseline": list(fit.holidays[0]),
        "current": list(fit.holidays[1]),
        "baseline_days": days[0],
        "current_days": days[1],
        "one_sided": list(fit.one_sided),
        "is_known": fit.is_known,
    }


def _test(test: Tested) -> dict[str, Any] | None:
    result = test.result
    if result is None:
        return None
    return {
        "delta": result.delta,
        "low": result.low,
        "high": result.high,
        "p": result.p,
        "z": result.z,
        "significant": result.is_significant,
        "days": list(result.days),
    }
