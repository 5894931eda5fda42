"""The tools: one file each, listed here in the order the documentation shows them."""

from __future__ import annotations

from typing import Any

from askcore.tools import (
    clarify,
    compare_periods,
    cross_check,
    data_quality,
    define_metric,
    lake_overview,
    query_report,
    search_metadata,
)
from askcore.tools.base import Tool

TOOLS: tuple[Tool[Any], ...] = (
    lake_overview.TOOL,
    query_report.TOOL,
    compare_periods.TOOL,
    cross_check.TOOL,
    data_quality.TOOL,
    define_metric.TOOL,
    search_metadata.TOOL,
    clarify.TOOL,
)
TOOLS_BY_NAME = {tool.name: tool for tool in TOOLS}
