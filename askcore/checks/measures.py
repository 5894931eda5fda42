"""One pass over the rows for all checks that only count: nulls, zeros, ranges, identities.

Each such check says which aggregates it needs; they run together, one group a level. What is found is looked
up in a statement of its own, so that a clean lake is read once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from askcore.checks.finding import Outcome
from askcore.checks.frame import DUP, Frame
from askcore.checks.sql import Binder, fill, listed
from askcore.semantic.model import Model

Aggregates = Mapping[str, str]
ROWS = "rows"
_FACT = "SELECT f.scope, @{columns} FROM fact f WHERE @{where} GROUP BY f.scope"
_RAW = (
    "SELECT f.scope, @{columns} FROM fact f JOIN raw r ON @{join} AND r.@{dup} = 1"
    " WHERE @{where} GROUP BY f.scope"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Rows of one level."""

    scope: str
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
    """One statement; an aggregate that several names stand for is computed once."""
    bind = Binder()
    places = {sql: n for n, sql in enumerate(dict.fromkeys(aggregates.values()), start=1)}
    sql = fill(
        _RAW if raw else _FACT,
        columns=listed(places),
        join=frame.same_row("f", "r"),
        dup=DUP,
        where=frame.where(bind),
    )
    return [
        Group(
            scope=str(row[0]),
            values={name: row[places[text]] for name, text in aggregates.items()},
        )
        for row in frame.rows(sql, bind)
    ]


def count_where(condition: str) -> str:
    """The aggregate that counts rows meeting a condition; four times as fast as FILTER."""
    return f"count_if({condition})"
