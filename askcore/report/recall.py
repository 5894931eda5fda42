"""Making the calls behind a report again, on one version of the lake."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from askcore.base.reports import Source
from askcore.base.values import Lang, ToolResult
from askcore.tools import TOOLS_BY_NAME
from askcore.tools.base import ToolContext, call
from askcore.tools.recompute import cell_values, table_values

if TYPE_CHECKING:
    from askcore.lake import LakeView


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Recalled:
    """The numbers of one call; none when it failed."""

    values: Mapping[str, Any]
    """By address, see `Figure.address`."""
    why: str = ""
    """Why the call gave nothing; "" when it did."""
    result: ToolResult | None = None
    """All that the call gave; None when it failed."""


def recall(source: Source, view: LakeView, lang: Lang) -> Recalled:
    """The call's table and cells now."""
    step = source.id.partition(".")[2]
    ctx = ToolContext(
        view=view, lang=lang, as_of=source.as_of, viewer="report", entity=source.entity or None, step_id=step
    )
    tool = TOOLS_BY_NAME.get(source.tool)
    if tool is None:
        return Recalled(values={}, why=source.tool)
    result = call(tool, source.args, ctx)
    if result.error is not None:
        return Recalled(values={}, why=result.error.message)
    found = {**cell_values(result.cells), **table_values(result.table, step)}
    values = {f"{source.section}.{address}": value for address, value in found.items()}
    return Recalled(values=values, result=result)
