"""Making the calls behind a report, for the first time or again, on one version of the lake."""

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

    def under(self, source: Source, other: Source) -> Recalled:
        """The same numbers as those of another source that makes the very same call."""
        found = {f"{other.id}{address[len(source.id) :]}": value for address, value in self.values.items()}
        return Recalled(values=found, why=self.why, result=self.result)


def recall(source: Source, view: LakeView, lang: Lang) -> Recalled:
    """The call's table and cells now."""
    if source.tool not in TOOLS_BY_NAME:
        return Recalled(values={}, why=source.tool)
    result = make_call(source, view, lang)
    if result.error is not None:
        return Recalled(values={}, why=result.error.message)
    return Recalled(values=numbers_of(result, source), result=result)


def make_call(source: Source, view: LakeView, lang: Lang) -> ToolResult:
    """What the source's tool gives; a failure is in the result."""
    ctx = ToolContext(
        view=view,
        lang=lang,
        as_of=source.as_of,
        viewer="report",
        entity=source.entity or None,
        step_id=_step(source),
    )
    return call(TOOLS_BY_NAME[source.tool], source.args, ctx)


def numbers_of(result: ToolResult, source: Source) -> Mapping[str, Any]:
    """All numbers of a call's result by address."""
    found = {**cell_values(result.cells), **table_values(result.table, _step(source))}
    return {f"{source.section}.{address}": value for address, value in found.items()}


def _step(source: Source) -> str:
    return source.id.partition(".")[2]
