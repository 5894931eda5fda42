"""Which column of a delivery becomes what: the outcome of mapping to a model, or of inferring one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from askcore.lake.ingest.message import Message, Refusal, message
from askcore.lake.ingest.numbers import NumberReading
from askcore.semantic.model import Model

Role = Literal["time", "scope", "level", "level_name", "dimension", "metric", "raw", "ignored"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnPlan:
    """One source column."""

    name: str
    role: Role
    why: Message
    key: str | None = None
    """Metric, level or dimension key; None where it has none."""
    target: str | None = None
    """Column of the delivery, or field of the raw object; None: not stored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The whole delivery."""

    model: Model
    columns: tuple[ColumnPlan, ...]
    """In the order of the source."""
    is_inferred: bool = False
    constants: Mapping[str, str] = field(default_factory=dict)
    """Delivery column -> value of every row, where the source has no such column."""
    copies: Mapping[str, str] = field(default_factory=dict)
    """Delivery column -> source column that fills it too (an id without a column of its own)."""
    decisions: tuple[Message, ...] = ()
    warnings: tuple[Message, ...] = ()

    def of(self, *roles: Role) -> tuple[ColumnPlan, ...]:
        """The columns of some roles."""
        return tuple(c for c in self.columns if c.role in roles)


def refuse_trap(name: str, reading: NumberReading) -> None:
    """Refuse a number column that holds a spelling with two readings."""
    if reading.trap is not None:
        raise Refusal(
            f"trap_{reading.trap}", column=name, example=reading.trap_example, count=reading.trap_count
        )


def number_notes(name: str, reading: NumberReading) -> tuple[tuple[Message, ...], tuple[Message, ...]]:
    """(decisions, warnings) about how a number column was read."""
    decisions = []
    if reading.is_percent:
        decisions.append(message("percent_read", column=name))
    if reading.grouped_count:
        decisions.append(message("grouped_read", column=name, count=reading.grouped_count))
    warnings = []
    if reading.dash_count:
        warnings.append(message("dashes_null", column=name, count=reading.dash_count))
    return tuple(decisions), tuple(warnings)
