"""What a check may look at: one pinned view, a period, and the rows that are meant.

The frame knows which columns, levels and raw fields exist, writes the conditions that select rows, and
runs statements. It holds no state besides what it has read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Any

from askcore.base.values import Lang, Period
from askcore.checks.finding import Key
from askcore.checks.limits import Limits
from askcore.checks.sql import Binder, Expressions, all_of, inputs_of, listed, quote
from askcore.semantic.model import Level, Metric, Model

if TYPE_CHECKING:
    from askcore.checks.spans import Span
    from askcore.lake import LakeView

DAY = "date"
SCOPE = "scope"
DUP = "_dup_n"
_STEP_DAYS = {"day": 1, "week": 7, "month": 31, "quarter": 92, "year": 366}


@dataclass(frozen=True, kw_only=True)
class Frame:
    """The rows that a set of checks is about."""

    view: LakeView
    period: Period
    as_of: date
    lang: Lang
    limits: Limits
    entity: str | None = None
    """Id of the top-level entity; None: all of them."""
    scope: str | None = None
    """Level whose rows are meant; None: every level."""
    filters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Level or dimension key -> ids or values that are kept."""
    metrics: tuple[str, ...] | None = None
    """Metrics that matter; None: all."""
    only: frozenset[str] | None = None
    """Catalogue ids that are asked for; None: all."""

    def asks(self, check: str) -> bool:
        """Whether the check with this id is asked for."""
        return self.only is None or check in self.only

    @property
    def model(self) -> Model:
        return self.view.model

    @property
    def levels(self) -> tuple[Level, ...]:
        return self.model.levels

    @cached_property
    def columns(self) -> frozenset[str]:
        """Fact columns that hold at least one value."""
        return frozenset(self.view.catalog.columns)

    @property
    def raw_fields(self) -> frozenset[str]:
        """Fields of the raw table; empty when the source gave none."""
        return frozenset(self.view.raw_fields)

    @cached_property
    def extra_keys(self) -> tuple[str, ...]:
        """Dimension columns that are part of the row key: an entity has several rows a day."""
        known = {DAY, SCOPE, DUP, "fields", *(level.id for level in self.levels)}
        found = self.view.run(
            "SELECT column_name FROM duckdb_columns() WHERE table_name = 'raw' ORDER BY column_index"
        ).rows
        return tuple(row[0] for row in found if row[0] not in known)

    @cached_property
    def scopes(self) -> tuple[Level, ...]:
        """Levels that have rows of their own, top first."""
        present = set(self.view.catalog.scopes)
        return tuple(level for level in self.levels if level.key in present)

    @property
    def leaf(self) -> Level | None:
        """The finest level that has rows."""
        return self.scopes[-1] if self.scopes else None

    @cached_property
    def pairs(self) -> tuple[tuple[Level, Level], ...]:
        """Neighbouring levels that both have rows: (lower, upper)."""
        return tuple(zip(self.scopes[1:], self.scopes[:-1], strict=True))

    @property
    def step_days(self) -> int:
        """Calendar days from one row of an entity to its next."""
        return _STEP_DAYS[self.model.time.grain]

    @cached_property
    def spans(self) -> dict[str, Sequence[Span]]:
        """Level -> spans of its entities, as far as they were asked for."""
        return {}

    # metrics ---------------------------------------------------------------------------------

    @cached_property
    def inputs(self) -> frozenset[str] | None:
        """Stored columns behind `metrics`; None: every column."""
        if self.metrics is None:
            return None
        parts = [inputs_of(self.model, key) | self._weights(key) for key in self.metrics]
        return frozenset().union(*parts)

    def _weights(self, key: str) -> frozenset[str]:
        metric = self.model.by_key.get(key)
        weight = None if metric is None else metric.additivity.weight
        return frozenset({weight}) if weight else frozenset()

    def wants(self, columns: frozenset[str]) -> bool:
        """Whether any of these columns matters here."""
        return self.inputs is None or bool(self.inputs & columns)

    def names(self, key: str) -> bool:
        """Whether this very metric matters here."""
        return self.metrics is None or key in self.metrics

    @cached_property
    def stored(self) -> tuple[Metric, ...]:
        """Metrics that have a column with values, all of them."""
        return tuple(m for m in self.model.metrics if m.key in self.columns)

    @cached_property
    def sums(self) -> tuple[Metric, ...]:
        """Stored metrics that add up over days, people included, reserved ones not."""
        return tuple(m for m in self.stored if m.additivity.kind == "sum" and not m.reserved)

    @cached_property
    def additive(self) -> tuple[Metric, ...]:
        """Stored metrics whose children add up to the level above: money and orders, not people."""
        return tuple(
            m
            for m in self.stored
            if m.additivity.kind == "sum"
            and not m.additivity.person_days
            and m.additivity.across_entities == "sum"
        )

    @cached_property
    def people(self) -> tuple[Metric, ...]:
        """Stored metrics that count people: the children's sum is an upper bound only."""
        return tuple(
            m
            for m in self.stored
            if m.additivity.kind == "sum"
            and (m.additivity.person_days or m.additivity.across_entities == "upper_bound")
        )

    @cached_property
    def expressions(self) -> Expressions:
        """Metric keys -> SQL over `f` (fact) and `r` (raw)."""
        return Expressions(model=self.model, columns=self.columns, raw_fields=self.raw_fields)

    # conditions ------------------------------------------------------------------------------

    def where(
        self,
        bind: Binder,
        *,
        alias: str = "f",
        scope: str | None = None,
        doubles: bool = False,
        wide: bool = False,
    ) -> str:
        """The condition that selects the rows meant.

        scope: level of the rows; None: the frame's, else every level. doubles: with the rows whose key came
        earlier in the same delivery. wide: every level and entity below the top entity, whatever is filtered.
        """
        days = self.period
        parts = [f"{alias}.{DAY} BETWEEN {bind(days.start)} AND {bind(days.end)}"]
        if wide:
            parts += self.top_conditions(bind, alias=alias)
        else:
            parts += self.entity_conditions(bind, alias=alias, scope=scope)
        if not doubles:
            parts.append(f"{alias}.{DUP} = 1")
        return all_of(parts)

    def entity_conditions(self, bind: Binder, *, alias: str = "f", scope: str | None = None) -> list[str]:
        """Scope, top entity and filters, without days."""
        parts = []
        level = scope or self.scope
        if level is not None and self.levels:
            parts.append(f"{alias}.{SCOPE} = {bind(level)}")
        parts += self.top_conditions(bind, alias=alias)
        for name, kept in self.filters.items():
            column = self._filter_column(name, level)
            if column is not None:
                parts.append(f"CAST({alias}.{quote(column)} AS VARCHAR) IN ({bind.all(kept)})")
        return parts

    def top_conditions(self, bind: Binder, *, alias: str = "f") -> list[str]:
        """The top entity only."""
        top = self.model.top_level
        if self.entity is None or top is None:
            return []
        return [f"{alias}.{quote(top.id)} = {bind(self.entity)}"]

    def _filter_column(self, name: str, scope: str | None) -> str | None:
        """Column of a filter; None when rows of `scope` lie above the level it names."""
        if name in self.model.dimensions_by_key:
            return self.model.dimensions_by_key[name].column
        level = self.model.levels_by_key[name]
        if scope is not None and self.levels.index(level) > self.depth(scope):
            return None
        return level.id

    def depth(self, scope: str) -> int:
        """Position of a level, 0 = top; -1 for a scope that is no level."""
        level = self.model.levels_by_key.get(scope)
        return -1 if level is None else self.levels.index(level)

    def ids_of(self, level: Level | None) -> tuple[str, ...]:
        """Id columns that rows of a level carry, top first."""
        if level is None:
            return ()
        return tuple(one.id for one in self.levels[: self.levels.index(level) + 1])

    # keys ------------------------------------------------------------------------------------

    def key_columns(self, alias: str = "f") -> str:
        """Select list of a row's key; its first columns are what `key` reads."""
        ids = (f"CAST({alias}.{quote(level.id)} AS VARCHAR)" for level in self.levels)
        return listed((f"{alias}.{DAY}", f"CAST({alias}.{SCOPE} AS VARCHAR)", *ids))

    @property
    def key_width(self) -> int:
        """Columns of `key_columns`."""
        return 2 + len(self.levels)

    def key(self, row: Sequence[Any]) -> Key:
        """The key of a row selected by `key_columns`; "" for levels below the row's own."""
        found = {"date": row[0].isoformat(), "scope": str(row[1])}
        for level, value in zip(self.levels, row[2:], strict=False):
            found[level.id] = "" if value is None else str(value)
        return found

    def key_of(self, day: date, scope: str, ids: Mapping[str, str]) -> Key:
        """A key from its parts; "" for levels that `ids` does not name."""
        empty = {level.id: "" for level in self.levels}
        return {"date": day.isoformat(), "scope": scope, **empty, **ids}

    def same_row(self, left: str, right: str) -> str:
        """Join condition of two tables on the whole row key."""
        columns = (DAY, SCOPE, *(level.id for level in self.levels))
        same = [f"{left}.{quote(c)} = {right}.{quote(c)}" for c in columns]
        return all_of([*same, *self._same_extra(left, right)])

    def same_series(self, left: str, right: str) -> str:
        """Join condition on everything in the row key but the day."""
        columns = (SCOPE, *(level.id for level in self.levels))
        same = [f"{left}.{quote(c)} = {right}.{quote(c)}" for c in columns]
        return all_of([*same, *self._same_extra(left, right)])

    def _same_extra(self, left: str, right: str) -> list[str]:
        return [f"{left}.{quote(c)} IS NOT DISTINCT FROM {right}.{quote(c)}" for c in self.extra_keys]

    def same_entity(self, left: str, right: str, level: Level | None) -> str:
        """Join condition on the ids that rows of `level` carry."""
        return all_of(f"{left}.{quote(column)} = {right}.{quote(column)}" for column in self.ids_of(level))

    # running ---------------------------------------------------------------------------------

    def rows(self, sql: str, bind: Binder, *, needed: bool = True) -> Sequence[tuple[Any, ...]]:
        """All rows of a statement, at most as many as a verdict may hold keys.

        needed: False when a count has shown that there are none; the statement is then only shown.
        """
        if not needed:
            return ()
        return self.view.run(sql, bind.values, limit=self.limits.max_keys).rows
