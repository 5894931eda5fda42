"""The model that inference proposes, built from what it decided about the columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from askcore.lake.ingest.combine import Records
from askcore.lake.ingest.infer_labels import (
    column_key,
    format_of,
    labels,
    polarity_of,
    synonyms,
    unit_of,
)
from askcore.lake.ingest.infer_measures import Measure
from askcore.lake.ingest.plan import ColumnPlan
from askcore.semantic.model import (
    Additivity,
    Decomposition,
    Dimension,
    Identity,
    Level,
    Metric,
    Model,
    TimeColumn,
    TimeGrain,
    Tolerance,
)

_HEADLINE = 6


@dataclass(eq=False)
class Draft:
    """The model while it grows."""

    records: Records
    columns: dict[str, ColumnPlan] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)
    """Header -> column of the lake."""

    def key(self, name: str) -> str:
        """The lake's column for a header, given once."""
        if name not in self.keys:
            self.keys[name] = column_key(name, self.keys.values())
        return self.keys[name]


def draft_metrics(draft: Draft, decided: Sequence[Measure]) -> tuple[Metric, ...]:
    """Metrics of the measures, each word for one metric only."""
    label_of = {m.name: labels(m.name) for m in decided}
    used = {text.lower() for label in label_of.values() for text in label.values()}
    words = {m.name: synonyms(m.name, label_of[m.name], ()) for m in decided}
    counted = Counter(w.lower() for s in words.values() for ws in s.values() for w in ws)
    found = []
    for measure in decided:
        name, reading = measure.name, draft.records.numbers(measure.name)
        key = draft.key(name)
        draft.columns[name] = ColumnPlan(name=name, role="metric", key=key, target=key, why=measure.why)
        unit = unit_of(
            name,
            currency=reading.currency,
            title=draft.records.title,
            is_percent=reading.is_percent,
        )
        own = {
            lang: kept
            for lang, ws in words[name].items()
            if (kept := tuple(w for w in ws if counted[w.lower()] == 1 and w.lower() not in used))
        }
        found.append(
            Metric(
                key=key,
                label=label_of[name],
                additivity=_additivity(draft, measure),
                unit=unit,
                synonyms=own,
                format=format_of(unit, reading.scale),
                polarity=polarity_of(name),
                source_columns=() if key == name else (name,),
            )
        )
    return tuple(found)


def _additivity(draft: Draft, measure: Measure) -> Additivity:
    if measure.kind != "ratio":
        return Additivity(kind=measure.kind)
    return Additivity(
        kind="ratio",
        numerator=draft.key(measure.numerator or ""),
        denominator=draft.key(measure.denominator or ""),
    )


def build_model(
    dataset: str,
    levels: tuple[Level, ...],
    dimensions: tuple[Dimension, ...],
    metrics: tuple[Metric, ...],
    decided: Sequence[Measure],
    draft: Draft,
    grain: TimeGrain,
) -> Model:
    """The whole model; quotients that were found become identities and decompositions."""
    ratios = [m for m in decided if m.kind == "ratio"]
    identities = tuple(_identity(draft, m) for m in ratios)
    taken: dict[str, Decomposition] = {}
    for m in ratios:
        numerator = draft.key(m.numerator or "")
        factors = (draft.key(m.denominator or ""), draft.key(m.name))
        taken.setdefault(numerator, Decomposition(metric=numerator, factors=factors))
    sums = [m.key for m in metrics if m.additivity.kind == "sum"]
    rest = [m.key for m in metrics if m.key not in sums]
    return Model(
        name=dataset,
        table="fact",
        time=TimeColumn(column="date", grain=grain),
        metrics=metrics,
        levels=levels,
        dimensions=dimensions,
        identities=identities,
        decompositions=tuple(taken.values()),
        headline=tuple((sums + rest)[:_HEADLINE]),
    )


def _identity(draft: Draft, measure: Measure) -> Identity:
    """Numerator / denominator = the source's own value, within its rounding."""
    key = draft.key(measure.name)
    numerator, denominator = draft.key(measure.numerator or ""), draft.key(measure.denominator or "")
    scale = draft.records.numbers(measure.name).scale
    title = f"{measure.numerator} / {measure.denominator} = {measure.name}"
    return Identity(
        id=f"quotient_{key}",
        kind="equality",
        label={"zh": title, "en": title},
        left=f"{_quoted(numerator)} / {_quoted(denominator)}",
        right=f"src.{_quoted(key)}",
        guard=f"{_quoted(denominator)} <> 0",
        row_tol=Tolerance(abs=float(f"{0.6 * 10.0**-scale:.3g}")),
        warn=0.001,
        fail=0.01,
    )


def _quoted(key: str) -> str:
    return key if key.isascii() and key.isidentifier() else f'"{key}"'
