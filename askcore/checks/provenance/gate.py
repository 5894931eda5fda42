"""Whether a fitting value is meant at all: who and what the sentence speaks of.

Without this gate sixty shops and six metrics hold a match for nearly every rounded number.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from askcore.base.values import Cell, CellUnit
from askcore.checks.provenance.candidate import Candidate
from askcore.checks.provenance.cell_index import CellIndex
from askcore.checks.provenance.dates import Day, label_day
from askcore.checks.provenance.metric_names import MetricNames
from askcore.checks.provenance.scope import Clause, Sentence

TELLING_DIGITS: Final = 4  # so many digits identify a cell without its owner being named
LEAP_MONTH: Final = 31


@dataclass(frozen=True, kw_only=True)
class Context:
    """What surrounds one figure."""

    index: CellIndex
    names: MetricNames
    sentence: Sentence
    clause: Clause
    heading_metrics: frozenset[str]
    """Metrics that the table heading over the figure names."""
    digits: int
    unit: CellUnit

    @cached_property
    def own_entities(self) -> frozenset[str]:
        """Entities named in this very sentence."""
        return frozenset().union(*(s.names for s in self.sentence.own_entities))

    @cached_property
    def level_metrics(self) -> frozenset[str]:
        """Metrics that a plain value here may belong to; empty: not said."""
        return self.clause.metrics or self.heading_metrics or self._sentence_metrics

    @cached_property
    def _sentence_metrics(self) -> frozenset[str]:
        """Metrics of the sentence, unless none of them has the unit of the figure.

        Then the clause speaks of a metric by a name that is not known here.
        """
        named = self.sentence.metrics
        units = self.index.units_of(named)
        foreign = self.unit in ("money", "count") and units and self.unit not in units
        return frozenset() if foreign else named

    @cached_property
    def derived_metrics(self) -> frozenset[str]:
        """Metrics that a change or a derived value may rest on; empty: not said."""
        if self.clause.says_share:
            return self._sentence_metrics
        return self.level_metrics

    def names_metric_of(self, candidate: Candidate) -> bool:
        """Whether the candidate's metric is expressly named."""
        return bool(candidate.metrics & self.derived_metrics)

    def admits(self, candidate: Candidate) -> bool:
        """Whether metric, entity and time bucket are those that the sentence speaks of."""
        return self._metric_fits(candidate) and self._entity_fits(candidate) and self._buckets_fit(candidate)

    def _metric_fits(self, candidate: Candidate) -> bool:
        is_level = candidate.depth == 0 and candidate.nature == "level"
        named = self.level_metrics if is_level else self.derived_metrics
        if len(candidate.metrics) > 1:
            if candidate.unit == "pct" and not named:
                return False  # a part of what in what must be said
            named &= self.index.metrics  # "average order value" may be named without having cells
        if not named or candidate.metrics & named:
            return True
        return not candidate.metrics & self.names.keys  # a metric without a name cannot be named

    def _entity_fits(self, candidate: Candidate) -> bool:
        owners = candidate.entities
        if not owners:
            return not self._belongs_to_somebody_else(candidate)
        if owners <= self.sentence.entities:
            return True
        if not self.own_entities and self._is_implied(candidate):
            return True
        if candidate.depth == 1 or candidate.nature == "change":
            return False
        return self.digits >= TELLING_DIGITS and not self._named_owner(candidate.cells[0])

    def _is_implied(self, candidate: Candidate) -> bool:
        """Every metric used occurs for one entity only."""
        return candidate.metrics <= self.index.single_entity_metrics.keys()

    def _named_owner(self, cell: Cell) -> bool:
        """Whether an entity named here has values of its own where `cell` stands."""
        return any(self.index.owns(entity, cell.metric) for entity in self.own_entities)

    def _belongs_to_somebody_else(self, candidate: Candidate) -> bool:
        """Whether a total, or another row's extreme, is told of an entity with its own values."""
        named = self.clause.entities
        if candidate.is_extreme:
            if candidate.cells[0].entity in named:
                return False
        elif self.clause.says_total:
            return False
        return any(self.index.owns(e, metric) for e in named for metric in candidate.metrics)

    def _buckets_fit(self, candidate: Candidate) -> bool:
        return all(self._bucket_fits(bucket, candidate) for bucket in candidate.buckets)

    def _bucket_fits(self, bucket: str, candidate: Candidate) -> bool:
        """A bucket must be named, or stand out, or be told by its digits."""
        day, named = label_day(bucket), self.sentence.days
        if bucket in self.sentence.plain or (day is not None and day in named):
            return True
        if day is not None and named and not self._within_named(day):
            return False
        if candidate.depth == 1:
            return True  # only ends, extremes and named days are compared at all
        return self.digits >= TELLING_DIGITS or self._stands_out(candidate.cells[0])

    def _within_named(self, day: Day) -> bool:
        """Whether the bucket of `day` meets the stretch of days that the sentence names."""
        first, last = min(self.sentence.days), max(self.sentence.days)
        step = self.index.bucket_days
        return _ordinal(first) - (step - 1) <= _ordinal(day) <= _ordinal(last)

    def _stands_out(self, cell: Cell) -> bool:
        """First, last, lowest or highest of its series."""
        series = self.index.series(cell.metric, cell.entity)
        if not series:
            return False
        values = [c.value for c in series]
        ends = (series[0].period, series[-1].period)
        return cell.period in ends or cell.value in (min(values), max(values))


def _ordinal(day: Day) -> int:
    return day[0] * LEAP_MONTH + day[1]
