"""Recompute a stored run from its pinned version and name every cell that differs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from askcore.base.errors import AskError
from askcore.base.values import Table
from askcore.base.views import RunSnapshot, StepView
from askcore.tools import TOOLS_BY_NAME
from askcore.tools.base import ToolContext, call

if TYPE_CHECKING:
    from askcore.lake import Lake, LakeView

_SAME = 1e-9  # relative; the same SQL on the same version may add in another order


def replay(lake: Lake, run: RunSnapshot) -> dict[str, Any]:
    """{run_id, verdict same|different|expired, differences[{cell, was, now}]}."""
    differences: list[dict[str, Any]] = []
    try:
        with lake.open(run.dataset, run.version or None) as view:
            for step in run.steps:
                if step.state == "done" and step.table is not None:
                    differences.extend(_step_differences(view, run, step))
    except AskError as e:
        if e.error_class == "empty":
            return {"run_id": run.run_id, "verdict": "expired", "differences": [], "message": e.message}
        raise
    verdict = "different" if differences else "same"
    return {"run_id": run.run_id, "verdict": verdict, "differences": differences, "message": ""}


def _step_differences(view: LakeView, run: RunSnapshot, step: StepView) -> Iterator[dict[str, Any]]:
    entity = None if run.reading is None else run.reading.entity
    as_of = None if run.reading is None else run.reading.as_of
    ctx = ToolContext(
        view=view,
        lang=run.lang,
        as_of=as_of or view.catalog.period.end,  # type: ignore[union-attr]  # a table has a period
        viewer="replay",
        entity=entity,
        step_id=step.id,
    )
    result = call(TOOLS_BY_NAME[step.tool], step.args, ctx)
    if result.error is not None or result.table is None:
        message = "" if result.error is None else result.error.message
        yield {"cell": step.id, "was": "table", "now": message}
        return
    was, now = _cells(step.table, step.id), _cells(result.table, step.id)
    for name in dict.fromkeys((*was, *now)):
        if not _is_same(was.get(name), now.get(name)):
            yield {"cell": name, "was": was.get(name), "now": now.get(name)}


def _cells(table: Table | None, step: str) -> Mapping[str, Any]:
    """{"t1:S0101.grossAmt": value}: numbers by the dimensions of their row."""
    if table is None:
        return {}
    found: dict[str, Any] = {}
    for row in table.rows:
        name = "/".join(str(row.get(d)) for d in table.dimensions)
        found |= {f"{step}:{name}.{m}": row.get(m) for m in table.measures}
    found |= {f"{step}:total.{m}": v for m, v in table.totals.items()}
    return found


def _is_same(was: Any, now: Any) -> bool:
    if isinstance(was, int | float) and isinstance(now, int | float):
        return math.isclose(was, now, rel_tol=_SAME, abs_tol=_SAME)
    return bool(was == now)
