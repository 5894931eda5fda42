"""Recompute a stored run from its pinned version and name every cell that differs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from askcore.base.errors import AskError
from askcore.base.views import RunSnapshot, StepView
from askcore.tools import TOOLS_BY_NAME
from askcore.tools.base import ToolContext, call
from askcore.tools.recompute import is_same, table_values

if TYPE_CHECKING:
    from askcore.lake import Lake, LakeView


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
    was, now = table_values(step.table, step.id), table_values(result.table, step.id)
    for name in dict.fromkeys((*was, *now)):
        if not is_same(was.get(name), now.get(name)):
            yield {"cell": name, "was": was.get(name), "now": now.get(name)}
