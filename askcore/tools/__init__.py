"""The tools: one file each, listed here in the order the documentation shows them."""

from __future__ import annotations

from typing import Any

from askcore.tools.base import Tool
from askcore.tools.build_report import TOOL as BUILD_REPORT
from askcore.tools.clarify import TOOL as CLARIFY
from askcore.tools.compare_periods import TOOL as COMPARE_PERIODS
from askcore.tools.cross_check import TOOL as CROSS_CHECK
from askcore.tools.cross_entity import TOOL as CROSS_ENTITY
from askcore.tools.data_quality import TOOL as DATA_QUALITY
from askcore.tools.define_metric import TOOL as DEFINE_METRIC
from askcore.tools.detect_changes import TOOL as DETECT_CHANGES
from askcore.tools.explain_change import TOOL as EXPLAIN_CHANGE
from askcore.tools.lake_overview import TOOL as LAKE_OVERVIEW
from askcore.tools.peer_benchmark import TOOL as PEER_BENCHMARK
from askcore.tools.query_report import TOOL as QUERY_REPORT
from askcore.tools.raw_inspect import TOOL as RAW_INSPECT
from askcore.tools.search_metadata import TOOL as SEARCH_METADATA

TOOLS: tuple[Tool[Any], ...] = (
    LAKE_OVERVIEW,
    QUERY_REPORT,
    COMPARE_PERIODS,
    EXPLAIN_CHANGE,
    PEER_BENCHMARK,
    CROSS_ENTITY,
    RAW_INSPECT,
    CROSS_CHECK,
    DATA_QUALITY,
    DETECT_CHANGES,
    DEFINE_METRIC,
    SEARCH_METADATA,
    BUILD_REPORT,
    CLARIFY,
)
TOOLS_BY_NAME = {tool.name: tool for tool in TOOLS}
