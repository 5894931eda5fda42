"""Metrics as sums that can be added up over shops and days: numerators, denominators, weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from askcore.checks.parts import pieces
from askcore.checks.sql import Expressions, MissingInput
from askcore.semantic.averages import resolve
from askcore.semantic.catalog import Catalog
from askcore.semantic.model import Metric, Model

_COUNT_UNITS = ("order", "person")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """A metric as Σ top, or Σ top / Σ bottom; names of components."""

    top: str
    bottom: str | None = None

    def value(self, sums: Mapping[str, float]) -> float | None:
        """The metric from summed components; None without a denominator: no visits is no rate."""
        if self.bottom is None:
            return sums[self.top]
        bottom = sums[self.bottom]
        return sums[self.top] / bottom if bottom else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Components:
    """Row expressions to sum, and what each metric is made of."""

    sql: Mapping[str, str]
    """Component name -> SQL over one row of fact alias f."""
    parts: Mapping[str, Parts]
    """Metric key -> its parts; metrics that are no such sums (last, distinct) are absent."""
    core: str
    """SQL of the count that says whether an entity traded on a day."""


def components(model: Model, catalog: Catalog, metrics: Sequence[str]) -> Components:
    """The components of the metrics that can be taken apart."""
    expressions = Expressions(model=model, columns=frozenset(catalog.columns))
    names: dict[str, str] = {}
    parts: dict[str, Parts] = {}
    for key in metrics:
        try:
            sqls = pieces(resolve(model, key), expressions)
        except MissingInput:
            continue
        if sqls:
            found = [names.setdefault(sql, f"c{len(names)}") for sql in sqls]
            parts[key] = Parts(top=found[0], bottom=found[1] if len(found) > 1 else None)
    core = core_metric(model, catalog)
    return Components(
        sql={name: sql for sql, name in names.items()},
        parts=parts,
        core="1" if core is None else expressions.metric(core.key),
    )


def core_metric(model: Model, catalog: Catalog) -> Metric | None:
    """The count that tells a trading day: orders where there are any, else the first sum that is loaded."""
    held = frozenset(catalog.columns)
    sums = [m for m in model.metrics if m.additivity.kind == "sum" and m.key in held]
    ranked = (
        [m for m in sums if m.unit == "order" and m.polarity == "up"],
        [model.by_key[k] for k in model.headline_metrics() if model.by_key[k] in sums],
        [m for m in sums if m.unit in _COUNT_UNITS],
        sums,
    )
    return next((group[0] for group in ranked if group), None)
