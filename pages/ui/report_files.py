"""The files of a report: what each is called, and its media type."""

from __future__ import annotations

REPORT_FILES = {
    "html": ("HTML", "text/html"),
    "pdf": ("PDF", "application/pdf"),
    "xlsx": ("XLSX", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    "md": ("Markdown", "text/markdown"),
}
