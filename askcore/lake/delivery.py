"""What comes into the lake and what a load reports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

SYNC_COLUMNS = ("time", "entity", "state", "rows", "message")
ALL_SCOPE = "all"  # scope of every row when the model has no levels


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Delivery:
    """Rows that replace the keys they hold.

    table columns: `date`; `scope` (level key; may be absent for one layer); the model's level ids and names;
    dimension columns; metric keys; `raw` (JSON text, optional). Other columns are kept out and reported.
    sync_rows columns: time, entity, state, rows, message; added to the sync log of the version.
    """

    table: pa.Table
    sync_rows: pa.Table | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadReport:
    """What one load did, or would do when `committed` is False."""

    dataset: str
    version: int | None
    """The version that holds the delivery: a new one, or the current one when nothing changed."""
    committed: bool
    """Whether a new version was made; False for a dry run or an unchanged delivery."""
    rows_added: int
    rows_changed: int
    rows_unchanged: int
    rows_removed: int = 0
    """Rows of a delivered key that the delivery does not repeat (doubles that are gone)."""
    rows_rejected: int = 0
    """Delivered rows without a valid day or with an unknown scope."""
    rows_doubled: int = 0
    """Delivered rows whose key came earlier in the same delivery (`_dup_n` > 1)."""
    row_count: int = 0
    """Rows of the dataset after the load."""
    months: tuple[str, ...] = ()
    ignored_columns: tuple[str, ...] = ()
    missing_metrics: tuple[str, ...] = ()
    """Stored metrics of the model that the delivery has no column for."""
    warnings: tuple[str, ...] = ()
