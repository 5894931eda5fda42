"""The semantic model of one dataset as frozen values.

A model says how each metric may be added up, which levels its rows live on, what must hold between
columns and how metrics are called in Chinese and English. It is written as YAML (`parse.py` reads it).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Literal

from askcore.base.errors import BadRequest, did_you_mean
from askcore.base.values import Lang

AdditivityKind = Literal["sum", "ratio", "weighted_mean", "last", "mean_per_row", "distinct", "derived_sum"]
Across = Literal["sum", "upper_bound", "weighted_mean", "forbid"]
Polarity = Literal["up", "down", "neutral"]
TimeGrain = Literal["day", "week", "month", "quarter", "year"]
Texts = Mapping[Lang, str]
Synonyms = Mapping[Lang, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Additivity:
    """How a metric is aggregated over days and entities; see `kind`.

    sum: Σ. ratio: Σ numerator / Σ denominator. weighted_mean: Σ w·x / Σ w. last: newest value of each
    entity, then `across_entities`. mean_per_row: plain mean of the rows. distinct: number of distinct
    `column` among rows matching `where`. derived_sum: Σ of the row expression `expr`.
    """

    kind: AdditivityKind
    numerator: str | None = None
    denominator: str | None = None
    weight: str | None = None
    across_entities: Across = "sum"
    """upper_bound: Σ over entities counts a person more than once. forbid: no value across entities."""
    person_days: bool = False
    """Daily distinct people: Σ over days is person-days."""
    column: str | None = None
    where: str | None = None
    expr: str | None = None
    sign: Literal["as_is", "positive_abs"] = "as_is"


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One measure; `key` is also its column in the serving table unless `column` says otherwise."""

    key: str
    label: Texts
    additivity: Additivity
    unit: str = ""
    """CNY, order, person, ratio, minute, score, shop, x, "" …"""
    synonyms: Synonyms = field(default_factory=dict)
    format: str = "#,##0.##"
    polarity: Polarity = "neutral"
    description: Texts = field(default_factory=dict)
    source_columns: tuple[str, ...] = ()
    reserved: bool = False
    """The source may lack the column: absent means "not available", never 0."""
    hidden: bool = False

    @property
    def is_rate(self) -> bool:
        """Whether values are 0-1 fractions shown as %, whose changes are in pp."""
        return self.unit == "ratio"

    @property
    def is_additive(self) -> bool:
        """Whether the metric is Σ of a row value, so that rows may be added up and shares exist."""
        return self.additivity.kind in ("sum", "derived_sum")

    def words(self, lang: Lang | None = None) -> tuple[str, ...]:
        """Label, then synonyms, in one language or in both."""
        langs: tuple[Lang, ...] = ("zh", "en") if lang is None else (lang,)
        found: list[str] = []
        for one in langs:
            if one in self.label:
                found.append(self.label[one])
            found.extend(self.synonyms.get(one, ()))
        return tuple(dict.fromkeys(found))


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """A layer of entities that rows belong to, e.g. shop."""

    key: str
    label: Texts
    id: str
    """Column with the stable id."""
    name: str
    """Column with the display name; equals `id` when there are no names."""
    rollup_of: str | None = None
    """The level below, whose rows add up to this one."""
    synonyms: Synonyms = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dimension:
    """An attribute of rows that is no level and no time, e.g. a holiday flag."""

    key: str
    label: Texts
    column: str
    synonyms: Synonyms = field(default_factory=dict)
    values: Mapping[str, Texts] = field(default_factory=dict)
    """Stored value (as text) -> what people call it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeColumn:
    """When a row is; every lake table stores it as DATE."""

    column: str
    grain: TimeGrain = "day"
    """Step between rows of one entity: a weekly file has grain "week"."""
    timezone: str = "Asia/Shanghai"
    settlement_lag_days: int = 0
    fixed_as_of: date | None = None
    """Clock of a synthetic dataset."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tolerance:
    """|left - right| <= max(abs, rel · |right|) passes."""

    abs: float = 0.0
    rel: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Something that must hold in every row.

    equality: left = right within `row_tol`. inequality: `expr` is true. Expressions are SQL over metric
    keys; `src.<metric>` is the source's own value of a metric from the raw fields.
    """

    id: str
    kind: Literal["equality", "inequality"]
    label: Texts = field(default_factory=dict)
    left: str = ""
    right: str = ""
    expr: str = ""
    guard: str = ""
    row_tol: Tolerance = Tolerance()
    warn: float = 0.0
    """Weighted relative gap from which the whole is a warning."""
    fail: float = 0.0
    severity: Literal["warn", "fail"] = "fail"
    unit_probe: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossLayer:
    """A rule between a level and the one above it."""

    id: str
    rule: Literal["sum", "uv_bound", "ratio_recomputed", "all_zero_child"]
    lower: str | None = None
    upper: str | None = None
    """None: every adjacent pair of levels."""
    warn: float = 0.0
    fail: float = 0.0
    abs_floor: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceDelta:
    """The source's own "change against last period" must equal ours."""

    abs_tol: Mapping[str, float]
    rel_tol: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RawSuffixes:
    """How fields beside the source columns are called."""

    columns: Mapping[str, str] = field(default_factory=dict)
    """peer_avg -> "{key}__peer_avg": the column in the raw table."""
    sources: Mapping[str, str] = field(default_factory=dict)
    """peer_avg -> "{col}_mall_avg": the field in the source's raw object."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decomposition:
    """metric = product of factors, exactly, at every aggregate."""

    metric: str
    factors: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Model:
    """Everything known about one dataset."""

    name: str
    table: str
    time: TimeColumn
    metrics: tuple[Metric, ...]
    levels: tuple[Level, ...] = ()
    """Top first; () = no entities, one series."""
    dimensions: tuple[Dimension, ...] = ()
    identities: tuple[Identity, ...] = ()
    cross_layer: tuple[CrossLayer, ...] = ()
    decompositions: tuple[Decomposition, ...] = ()
    source_delta: SourceDelta | None = None
    raw: RawSuffixes = RawSuffixes()
    default_entity: str | None = None
    headline: tuple[str, ...] = ()
    """Metrics of an overview, most important first; () = derived by `headline_metrics`."""
    synthetic: bool = False
    description: Texts = field(default_factory=dict)

    @cached_property
    def by_key(self) -> Mapping[str, Metric]:
        """Metric key -> metric."""
        return {m.key: m for m in self.metrics}

    @cached_property
    def levels_by_key(self) -> Mapping[str, Level]:
        """Level key -> level."""
        return {level.key: level for level in self.levels}

    @cached_property
    def dimensions_by_key(self) -> Mapping[str, Dimension]:
        """Dimension key -> dimension."""
        return {d.key: d for d in self.dimensions}

    @property
    def is_synthetic(self) -> bool:
        """Whether the data is made up: it says so, or its clock stands still."""
        return self.synthetic or self.time.fixed_as_of is not None

    @property
    def top_level(self) -> Level | None:
        """The level whose rows are totals, e.g. company."""
        return self.levels[0] if self.levels else None

    @property
    def leaf_level(self) -> Level | None:
        """The finest level, e.g. shop."""
        return self.levels[-1] if self.levels else None

    def metric(self, key: str) -> Metric:
        """The stored metric `key`; averages such as "grossAmt@day" go through `averages.resolve`.

        Raises: BadRequest with the near match.
        """
        try:
            return self.by_key[key]
        except KeyError as e:
            raise BadRequest(
                f"unknown metric {key!r}",
                hint=did_you_mean(key, self.by_key),
                error_class="unknown_name",
            ) from e

    def headline_metrics(self) -> tuple[str, ...]:
        """Metrics of an overview: `headline`, else what the decompositions name, else the first ones."""
        if self.headline:
            return self.headline
        named = [d.metric for d in self.decompositions]
        rates = [
            f for d in self.decompositions for f in d.factors if self.by_key[f].additivity.kind == "ratio"
        ]
        found = list(dict.fromkeys(named + rates))
        if not found:
            found = [m.key for m in self.metrics if not m.hidden and not m.reserved]
        return tuple(found[:6])
