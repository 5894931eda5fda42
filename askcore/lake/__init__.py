"""Delta tables by month, one immutable DuckDB serving file per version, and the semantic query builder.

duckdb, deltalake, pyarrow and sqlglot are imported at first use: importing this package stays light.
"""

from __future__ import annotations

from askcore.lake.delivery import Delivery, LoadReport
from askcore.lake.lake import Lake
from askcore.lake.result import MetricFlag, QueryResult, Remark, Rows
from askcore.lake.serving import Progress
from askcore.lake.versions import VersionInfo
from askcore.lake.view import LakeView

__all__ = [
    "Delivery",
    "Lake",
    "LakeView",
    "LoadReport",
    "MetricFlag",
    "Progress",
    "QueryResult",
    "Remark",
    "Rows",
    "VersionInfo",
]
