"""Contexts over the small lake for the tools that report checks."""

from __future__ import annotations

import pandas as pd

from askcore.tools.base import ToolContext
from tests.unit.checks.memory_view import MemoryView
from tests.unit.checks.small_lake import AS_OF, facts, shapes, small_model, sync_log, with_raw


def context(rows: pd.DataFrame | None = None, *, lang: str = "en", entity: str | None = None) -> ToolContext:
    given = with_raw(facts(1)) if rows is None else rows
    view = MemoryView(small_model(), given, sync=sync_log(), shapes=shapes())
    return ToolContext(view=view, lang=lang, as_of=AS_OF, viewer="u", entity=entity)  # type: ignore[arg-type]
