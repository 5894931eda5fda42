"""What the planner of a query must know about the rows of a version."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from askcore.base.values import Period
from askcore.lake.schema import DATE, FactSchema


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Layers:
    """Which scopes have rows for whom, on which days, in which columns."""

    schema: FactSchema
    key_dimensions: bool
    """Whether dimension columns are part of the row key."""
    days: Mapping[tuple[str, str], tuple[date, ...]]
    """(scope, id of the top entity or "" for all) -> days with rows, ascending."""
    types: Mapping[str, str]
    """Column of `fact` -> DuckDB type."""
    filled: Mapping[tuple[str, str], tuple[int, int]]
    """(scope, column) -> (values, rows)."""
    unique_levels: frozenset[str]
    """Levels whose id alone names an entity, whatever is above it."""
    numeric_columns: frozenset[str]
    """Text columns whose values are all numbers: they sort as numbers."""
    names: Mapping[str, Mapping[str, str]]
    """Level -> id -> newest name."""
    own: Mapping[str, frozenset[str]]
    """Scope -> ids of the top entities that have rows of it."""
    own_entities: Mapping[str, frozenset[str]]
    """Level -> ids with rows of their own layer."""
    raw_fields: tuple[str, ...] = ()
    tops: frozenset[str] = field(init=False, default=frozenset())
    """Ids of all top entities with rows of any scope."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "tops", frozenset[str]().union(*self.own.values()))

    def has_rows(self, scope: str, top: str = "") -> bool:
        """Whether the scope has rows, for one top entity or at all."""
        if top:
            return top in self.own.get(scope, frozenset())
        return (scope, "") in self.days

    def days_in(self, scope: str, top: str, period: Period) -> tuple[date, ...] | None:
        """Days with rows in a period; None when they are not kept for this top entity."""
        days = self.days.get((scope, top))
        if days is None:
            return None if self.has_rows(scope, top) else ()
        return days[bisect_left(days, period.start) : bisect_right(days, period.end)]

    def has_values(self, column: str, scope: str | None = None) -> bool:
        """Whether a column holds any value, in one scope or in any."""
        if column == DATE:
            return True
        if scope is not None:
            return self.filled.get((scope, column), (0, 0))[0] > 0
        return any(n > 0 for (_, name), (n, _) in self.filled.items() if name == column)

    def never_null(self, column: str, scope: str) -> bool:
        """Whether every row of the scope has a value in the column."""
        values, rows = self.filled.get((scope, column), (0, 1))
        return values == rows
