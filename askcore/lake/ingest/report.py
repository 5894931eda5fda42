"""What an ingest did, as the command line prints it (DESIGN §6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from askcore.base.values import Lang
from askcore.lake.ingest.combine import Ledger
from askcore.lake.ingest.deliver import Delivered
from askcore.lake.ingest.message import Message, message
from askcore.lake.ingest.plan import ColumnPlan, Plan
from askcore.lake.ingest.raw_table import RawTable


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReport:
    """One file: rows_read = rows_loaded + rows_rejected; each rejected row is in `skipped`."""

    path: str
    encoding: str | None
    sheet: str | None
    header_row: int
    rows_read: int
    rows_loaded: int
    rows_rejected: int
    """Rows that were not loaded: unreadable ones and total rows."""
    skipped: tuple[tuple[int, str], ...]
    """(row number as a spreadsheet counts, why), at most 200."""

    def as_json(self) -> dict[str, Any]:
        """The contract's `files` item."""
        return {
            "path": self.path,
            "encoding": self.encoding,
            "sheet": self.sheet,
            "header_row": self.header_row,
            "rows_read": self.rows_read,
            "rows_loaded": self.rows_loaded,
            "rows_rejected": self.rows_rejected,
            "skipped": [{"row": row, "why": why} for row, why in self.skipped],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnReport:
    """One source column and what became of it."""

    name: str
    key: str | None
    role: str
    type: str
    additivity: str | None
    unit: str | None
    why: str
    unreadable: int

    def as_json(self) -> dict[str, Any]:
        """The contract's `columns` item."""
        return {
            "name": self.name,
            "key": self.key,
            "role": self.role,
            "type": self.type,
            "additivity": self.additivity,
            "unit": self.unit,
            "why": self.why,
            "unreadable": self.unreadable,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestReport:
    """What one ingest did, or would do when `committed` is False."""

    dataset: str
    version: int | None
    committed: bool
    files: tuple[FileReport, ...]
    columns: tuple[ColumnReport, ...]
    totals: Mapping[str, int | float | None] = field(default_factory=dict)
    """Measure that adds up, by header -> sum of what was loaded; None: no value at all."""
    rows_added: int = 0
    rows_changed: int = 0
    rows_unchanged: int = 0
    decisions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The contract's object; no key is left out."""
        return {
            "dataset": self.dataset,
            "version": self.version,
            "committed": self.committed,
            "files": [f.as_json() for f in self.files],
            "columns": [c.as_json() for c in self.columns],
            "totals": dict(self.totals),
            "rows_added": self.rows_added,
            "rows_changed": self.rows_changed,
            "rows_unchanged": self.rows_unchanged,
            "decisions": list(self.decisions),
            "warnings": list(self.warnings),
        }


def file_reports(tables: Sequence[RawTable], ledger: Ledger, lang: Lang) -> tuple[FileReport, ...]:
    """One report a file."""
    found = []
    for index, table in enumerate(tables):
        listed = sorted((*table.skipped, *ledger.skipped.get(index, ())), key=lambda skipped: skipped.row)
        read = table.row_count + len(table.skipped)
        rejected = ledger.left_out(index) + len(table.skipped)
        found.append(
            FileReport(
                path=table.path,
                encoding=table.encoding,
                sheet=table.sheet,
                header_row=table.header_row,
                rows_read=read,
                rows_loaded=read - rejected,
                rows_rejected=rejected,
                skipped=tuple((s.row, s.why.text(lang)) for s in listed),
            )
        )
    return tuple(found)


def column_reports(plan: Plan, delivered: Delivered, lang: Lang) -> tuple[ColumnReport, ...]:
    """One report a source column."""
    return tuple(
        ColumnReport(
            name=column.name,
            key=column.key,
            role=column.role,
            type=_type(column, delivered),
            additivity=_additivity(plan, column),
            unit=_unit(plan, column),
            why=column.why.text(lang),
            unreadable=delivered.unreadable.get(column.name, 0),
        )
        for column in plan.columns
    )


def _type(column: ColumnPlan, delivered: Delivered) -> str:
    if column.role == "time":
        return "date"
    if column.role == "metric":
        whole = delivered.records.numbers(column.name).scale == 0
        return "integer" if whole else "number"
    return "json" if column.target == "raw" else "text"


def _additivity(plan: Plan, column: ColumnPlan) -> str | None:
    if column.role != "metric":
        return None
    return plan.model.by_key[column.key or ""].additivity.kind


def _unit(plan: Plan, column: ColumnPlan) -> str | None:
    return plan.model.by_key[column.key or ""].unit if column.role == "metric" else None


def overflow_notes(tables: Sequence[RawTable], ledger: Ledger) -> list[Message]:
    """Says how many skipped rows the list leaves out."""
    found = []
    for index, table in enumerate(tables):
        hidden = ledger.left_out(index) - len(ledger.skipped.get(index, ()))
        if hidden > 0:
            found.append(message("more_skipped", path=table.path, count=hidden))
    return found
