"""Which columns the fact table of a model has, and their types in the lake and in the serving file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from askcore.base.errors import BadRequest
from askcore.lake.sql import MONEY
from askcore.semantic.model import Metric, Model

STORED_KINDS = ("sum", "weighted_mean", "last", "mean_per_row")
SCOPE = "scope"
DATE = "date"
DUP = "_dup_n"
RAW = "raw"
MONTH = "month"
_OWN = (DATE, SCOPE, MONTH, DUP, RAW)
_MONEY_UNITS = frozenset({"CNY", "USD", "EUR", "GBP", "JPY", "HKD", "TWD", "KRW", "SGD"})


@lru_cache(maxsize=64)
def model_from_text(text: str) -> Model:
    """The model written in `text`, parsed once a process."""
    from askcore.semantic.parse import parse_model  # PyYAML costs 20 ms

    return parse_model(text)


def is_money(metric: Metric) -> bool:
    """Whether values are amounts of money, kept exact and shown to the cent."""
    return metric.unit in _MONEY_UNITS


@dataclass(frozen=True)
class FactSchema:
    """Columns of one model's facts."""

    model: Model

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """Id columns, top level first."""
        return tuple(level.id for level in self.model.levels)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Name columns that differ from the id columns."""
        return tuple(level.name for level in self.model.levels if level.name != level.id)

    @cached_property
    def dimensions(self) -> tuple[str, ...]:
        """Dimension columns, and columns whose distinct values a metric counts."""
        known = {*self.ids, *self.names, DATE, *(m.key for m in self.stored)}
        counted = [
            m.additivity.column
            for m in self.model.metrics
            if m.additivity.kind == "distinct" and m.additivity.column
        ]
        columns = [d.column for d in self.model.dimensions] + [c for c in counted if c not in known]
        return tuple(dict.fromkeys(c for c in columns if c not in known))

    @cached_property
    def stored(self) -> tuple[Metric, ...]:
        """Metrics with a column of their own."""
        return tuple(m for m in self.model.metrics if m.additivity.kind in STORED_KINDS)

    @cached_property
    def text_columns(self) -> tuple[str, ...]:
        """Ids, names and dimensions; all stored as text."""
        return (*self.ids, *self.names, *self.dimensions)

    @cached_property
    def lake_types(self) -> Mapping[str, str]:
        """Column -> DuckDB type in the Delta table, in column order.

        Numbers are DOUBLE there, so that a later load with fractions fits; money is exact.
        """
        types = {DATE: "DATE", SCOPE: "VARCHAR"}
        types |= dict.fromkeys(self.text_columns, "VARCHAR")
        types |= {m.key: MONEY if is_money(m) else "DOUBLE" for m in self.stored}
        return types | {RAW: "VARCHAR", DUP: "INTEGER"}

    def key(self, *, with_dimensions: bool) -> tuple[str, ...]:
        """Columns of the row key."""
        return (DATE, SCOPE, *self.ids, *(self.dimensions if with_dimensions else ()))

    def check(self) -> None:
        """Raises: BadRequest when two columns would have the same name (SQL ignores case)."""
        columns = [*_OWN, *self.text_columns, *(m.key for m in self.stored)]
        seen: set[str] = set()
        for column in columns:
            if column.lower() in seen:
                raise BadRequest(f"the model uses the column name {column!r} twice", hint=f"rename {column}")
            seen.add(column.lower())
