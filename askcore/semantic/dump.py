"""`Model` -> YAML that a person can edit and `parse.py` reads back to the same value."""

from __future__ import annotations

from typing import Any

import yaml

from askcore.semantic.model import Additivity, CrossLayer, Identity, Level, Metric, Model


def dump_model(model: Model) -> str:
    """The model as YAML text."""
    document: dict[str, Any] = {"version": 1, "model": model.name}
    if model.description:
        document["description"] = dict(model.description)
    if model.synthetic:
        document["synthetic"] = True
    document["dataset"] = _dataset(model)
    if model.headline:
        document["headline"] = list(model.headline)
    document["metrics"] = [_metric(m) for m in model.metrics]
    if model.identities:
        document["identities"] = [_identity(i) for i in model.identities]
    if model.cross_layer:
        document["cross_layer"] = [_cross_layer(c) for c in model.cross_layer]
    if model.source_delta is not None:
        document["source_delta"] = {
            "abs_tol": dict(model.source_delta.abs_tol),
            "rel_tol": model.source_delta.rel_tol,
        }
    if model.decompositions:
        document["decompositions"] = [
            {"metric": d.metric, "factors": list(d.factors)} for d in model.decompositions
        ]
    return yaml.safe_dump(document, allow_unicode=True, sort_keys=False, width=110)


def _dataset(model: Model) -> dict[str, Any]:
    time: dict[str, Any] = {
        "column": model.time.column,
        "grain": model.time.grain,
        "timezone": model.time.timezone,
        "settlement_lag_days": model.time.settlement_lag_days,
    }
    if model.time.fixed_as_of is not None:
        time["fixed_as_of"] = model.time.fixed_as_of
    found: dict[str, Any] = {"table": model.table, "time": time}
    if model.default_entity is not None:
        found["default_entity"] = model.default_entity
    if model.levels:
        found["levels"] = [_level(level) for level in model.levels]
    if model.dimensions:
        found["dimensions"] = [
            _present(
                key=d.key,
                label=dict(d.label),
                column=d.column,
                synonyms=_lists(d.synonyms),
                values={k: dict(v) for k, v in d.values.items()},
            )
            for d in model.dimensions
        ]
    if model.raw.columns:
        found["raw_suffixes"] = dict(model.raw.columns)
        found["raw_suffix_sources"] = dict(model.raw.sources)
    return found


def _lists(synonyms: Any) -> dict[str, list[str]]:
    return {lang: list(words) for lang, words in synonyms.items() if words}


def _present(**fields: Any) -> dict[str, Any]:
    """Only the fields that say something."""
    return {k: v for k, v in fields.items() if v not in (None, "", {}, [], (), False, 0.0)}


def _level(level: Level) -> dict[str, Any]:
    return _present(
        key=level.key,
        zh=level.label["zh"],
        en=level.label["en"],
        id=level.id,
        name=level.name,
        rollup_of=level.rollup_of,
        synonyms=_lists(level.synonyms),
    )


def _metric(metric: Metric) -> dict[str, Any]:
    return _present(
        key=metric.key,
        label=dict(metric.label),
        synonyms=_lists(metric.synonyms),
        unit=metric.unit,
        additivity=_additivity(metric.additivity),
        format=metric.format,
        polarity=metric.polarity,
        description=dict(metric.description),
        source_columns=list(metric.source_columns),
        reserved=metric.reserved,
        hidden=metric.hidden,
    )


def _additivity(a: Additivity) -> dict[str, Any]:
    return _present(
        kind=a.kind,
        numerator=a.numerator,
        denominator=a.denominator,
        weight=a.weight,
        across_entities=None if a.across_entities == "sum" else a.across_entities,
        person_days=a.person_days,
        column=a.column,
        where=a.where,
        expr=a.expr,
        sign=None if a.sign == "as_is" else a.sign,
    )


def _identity(i: Identity) -> dict[str, Any]:
    return _present(
        id=i.id,
        kind=i.kind,
        zh=i.label.get("zh"),
        en=i.label.get("en"),
        left=i.left,
        right=i.right,
        expr=i.expr,
        guard=i.guard,
        row_tol=_present(abs=i.row_tol.abs, rel=i.row_tol.rel),
        warn=i.warn,
        fail=i.fail,
        severity=i.severity,
        unit_probe=list(i.unit_probe),
    )


def _cross_layer(c: CrossLayer) -> dict[str, Any]:
    return _present(id=c.id, lower=c.lower, upper=c.upper, warn=c.warn, fail=c.fail, abs_floor=c.abs_floor)
