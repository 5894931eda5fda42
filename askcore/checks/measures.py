"""One pass over the rows for all checks that only count: nulls, zeros, ranges, identities.

Each such check says which aggregates it needs; they run together, grouped by level and by the group above
the finest level (the "source": a chain delivers its shops' rows in one file).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from askcore.checks.finding import Outcome
from askcore.checks.frame import DUP, SCOPE, Frame
from askcore.checks.sql import Binder, fill, listed, quote
from askcore.semantic.model import Level, Model

Aggregates = Mapping[str, str]
ROWS = "rows"
_FACT = "SELECT @{groups}, @{columns} FROM fact f WHERE @{where} GROUP BY ALL"
_RAW = (
    "SELECT @{groups}, @{columns} FROM fact f JOIN raw r ON @{join} AND r.@{dup} = 1"
    " WHERE @{where} GROUP BY ALL"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Rows of one level that come from one source."""

    scope: str
    source: str | None
    """Id of the entity above the finest level; None for rows above it."""
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What the passes counted."""

    facts: Sequence[Group] = ()
    raws: Sequence[Group] = ()

    def total(self, name: str, *, raw: bool = False) -> float:
        """Sum of an aggregate over all groups; 0 when nothing was counted."""
        groups = self.raws if raw else self.facts
        return float(sum(g.values.get(name) or 0 for g in groups))

    def count(self, name: str, *, raw: bool = False) -> int:
        """`total` as a whole number."""
        return int(self.total(name, raw=raw))


def _nothing(frame: Frame) -> Aggregates:
    return {}


def _own_id(model: Model, name: str) -> tuple[str, ...]:
    return (name,)


@dataclass(frozen=True, kw_only=True)
class Check:
    """One entry of the catalogue."""

    name: str
    run: Callable[[Frame, Measured], Sequence[Outcome]]
    facts: Callable[[Frame], Aggregates] = _nothing
    """Aggregates over `fact f` that it reads from the pass."""
    raws: Callable[[Frame], Aggregates] = _nothing
    """Aggregates over `fact f JOIN raw r`."""
    ids_of: Callable[[Model, str], tuple[str, ...]] = field(default=_own_id)
    """Catalogue ids for a model: its own name, or one a rule of the model; () = no meaning here."""

    def ids(self, model: Model) -> tuple[str, ...]:
        """Catalogue ids that this check gives for a model."""
        return self.ids_of(model, self.name)


def source_level(frame: Frame) -> Level | None:
    """The level above the finest one; None when there is only one."""
    return frame.levels[-2] if len(frame.levels) > 1 else None


def measure(frame: Frame, checks: Sequence[Check]) -> Measured:
    """Run the aggregates of all checks in at most two statements."""
    facts: dict[str, str] = {ROWS: "count(*)"}
    raws: dict[str, str] = {}
    for check in checks:
        facts |= check.facts(frame)
        raws |= check.raws(frame)
    return Measured(
        facts=_pass(frame, facts, raw=False),
        raws=_pass(frame, {ROWS: "count(*)"} | raws, raw=True) if raws else (),
    )


def _pass(frame: Frame, aggregates: Aggregates, *, raw: bool) -> Sequence[Group]:
    bind = Binder()
    level = source_level(frame)
    source = "NULL" if level is None else f"CAST(f.{quote(level.id)} AS VARCHAR)"
    sql = fill(
        _RAW if raw else _FACT,
        groups=f"CAST(f.{SCOPE} AS VARCHAR), {source}",
        columns=listed(aggregates.values()),
        join=frame.same_row("f", "r"),
        dup=DUP,
        where=frame.where(bind),
    )
    return [
        Group(
            scope=str(row[0]),
            source=row[1] or None,
            values=dict(zip(aggregates, row[2:], strict=True)),
        )
        for row in frame.rows(sql, bind)
    ]


def count_where(condition: str) -> str:
    """The aggregate that counts rows meeting a condition."""
    return f"count(*) FILTER (WHERE {condition})"
