"""Files into the lake: CSV, XLSX and Parquet, mapped to a known model or to one inferred from the table."""

from __future__ import annotations

from askcore.lake.ingest.pipeline import ingest
from askcore.lake.ingest.report import ColumnReport, FileReport, IngestReport

__all__ = ["ColumnReport", "FileReport", "IngestReport", "ingest"]
