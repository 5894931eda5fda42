"""What a query gives back: rows, totals, and everything that must be said about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal, get_args

from askcore.base.values import Clamp, Column, Note, NoteCode, QuerySpec, Table

MetricFlag = Literal[
    "person_days",
    "total_person_days",
    "upper_bound",
    "total_upper_bound",
    "forbidden",
    "reserved_missing",
    "rolled_up",
]
"""person_days: Σ over days counts a person once a day. upper_bound: Σ over entities counts a person once an
entity; "total_…": only the totals, not the rows. forbidden: the model allows no value across entities, so
some values are None. reserved_missing: the source has no such column (for these rows). rolled_up: read from
rows of a finer level than the rest."""
RemarkCode = Literal[
    "rolled_up",
    "person_days",
    "upper_bound",
    "forbidden",
    "reserved_column",
    "outside_coverage",
    "partial_period",
    "missing_days",
    "empty",
]
EmptyReason = Literal["outside_coverage", "no_rows"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """A sentence about a result, with a stable code."""

    code: RemarkCode
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DaysPresent:
    """Which days of the period have rows (after filters, in the scope that was read)."""

    first: date | None
    last: date | None
    present: int
    expected: int
    """Calendar days of the period; equals `present` where the source has no row a day (weekly files)."""

    @property
    def missing(self) -> int:
        """Days without any row."""
        return max(0, self.expected - self.present)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class QueryResult:
    """Rows of one `QuerySpec`.

    A row holds, in order: time buckets as text ("2026-10-17", the ISO Monday of a week, "2026-10",
    "2026-Q4", "2026"), each level's id and name column, dimension keys, then metric keys as raw numbers
    (rates 0-1, money in yuan rounded to the cent, counts int, None = no value, never 0 for absent).
    """

    spec: QuerySpec
    """As it ran: clamped period and limit, `scope` the level that was read, filters as ids."""
    columns: tuple[Column, ...]
    rows: tuple[Mapping[str, Any], ...]
    totals: Mapping[str, Any]
    """Metric -> value over all rows before `limit`, same scope and filters; {} when no row matched."""
    row_count: int
    """Rows before `limit`."""
    scanned: int
    """Fact rows that went into the result."""
    days: DaysPresent
    sql: str
    """The statement as run, its parameters listed in trailing comments; "" when nothing had to run."""
    elapsed_ms: float
    clamped: tuple[Clamp, ...] = ()
    flags: Mapping[str, frozenset[MetricFlag]] = field(default_factory=dict)
    remarks: tuple[Remark, ...] = ()
    rolled_up_from: str | None = None
    """Level whose rows were added up because the asked level has none; None: rows of the level itself."""
    partial_buckets: tuple[str, ...] = ()
    """Labels of weeks, months, quarters or years that the period covers only in part."""
    empty_reason: EmptyReason | None = None
    """Why there is no row; None when there are rows."""

    @property
    def scope(self) -> str:
        """The level whose rows were read; "all" for a model without levels."""
        return self.spec.scope or "all"

    @property
    def notes(self) -> tuple[Note, ...]:
        """The remarks whose code the contract of answers knows."""
        known: tuple[NoteCode, ...] = get_args(NoteCode)
        by_code = {code: code for code in known}
        return tuple(Note(code=by_code[r.code], text=r.text) for r in self.remarks if r.code in by_code)

    @property
    def table(self) -> Table:
        """The rows as the table that screens and answers show."""
        return Table(columns=self.columns, rows=self.rows, totals=self.totals, row_count=self.row_count)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rows:
    """Plain rows of a statement that `LakeView.run` executed."""

    columns: tuple[str, ...]
    rows: Sequence[tuple[Any, ...]]
    truncated: bool = False
    """Whether the row cap cut the result."""

    def dicts(self) -> list[dict[str, Any]]:
        """The rows as {column: value}."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def scalar(self) -> Any:
        """The first value of the first row; None when there is no row."""
        return self.rows[0][0] if self.rows else None
