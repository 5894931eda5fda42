"""Model YAML -> `Model`, every name checked, every error with its line and near match."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Any, cast, get_args
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from askcore.base.errors import BadRequest, did_you_mean
from askcore.semantic.model import (
    Across,
    Additivity,
    AdditivityKind,
    CrossLayer,
    Decomposition,
    Dimension,
    Identity,
    Level,
    Metric,
    Model,
    Polarity,
    RawSuffixes,
    SourceDelta,
    Synonyms,
    Texts,
    TimeColumn,
    TimeGrain,
    Tolerance,
)
from askcore.semantic.yaml_tree import Branch, read_tree

_TOP = (
    "version", "model", "description", "dataset", "metrics", "identities", "cross_layer",
    "source_delta", "decompositions", "headline", "synthetic",
)  # fmt: skip
_DATASET = (
    "table", "grain", "row_key", "time", "levels", "dimensions", "raw_suffixes",
    "raw_suffix_sources", "default_entity",
)  # fmt: skip
_METRIC = (
    "key", "label", "synonyms", "unit", "additivity", "format", "polarity", "description",
    "source_columns", "reserved", "hidden",
)  # fmt: skip
_ADDITIVITY = (
    "kind", "numerator", "denominator", "weight", "across_entities", "person_days", "column",
    "where", "expr", "sign",
)  # fmt: skip
_IDENTITY = (
    "id", "kind", "zh", "en", "left", "right", "expr", "guard", "row_tol", "warn", "fail",
    "severity", "unit_probe", "skip_null",
)  # fmt: skip
_NEEDS: Mapping[str, tuple[str, ...]] = {
    "ratio": ("numerator", "denominator"),
    "weighted_mean": ("weight",),
    "distinct": ("column",),
    "derived_sum": ("expr",),
}
_FIRST_YEAR, _LAST_YEAR = 1900, 2999  # of a fixed clock: "last year" must exist
_LONGEST_LAG = 366


def load_model(path: Path) -> Model:
    """Read and check one model file.

    Raises: BadRequest naming file, line and near match.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as e:
        raise BadRequest(f"cannot read the model file {path.name}: {e}") from e
    try:
        return parse_model(text)
    except BadRequest as e:
        raise BadRequest(f"{path.name}: {e.message}", hint=e.hint) from e


def parse_model(text: str) -> Model:
    """The model written in `text`. Raises: BadRequest naming line and near match."""
    tree = read_tree(text)
    tree.only(_TOP)
    dataset = tree.mapping("dataset")
    dataset.only(_DATASET)
    levels = tuple(_level(b) for b in dataset.items("levels"))
    metrics = tuple(_metric(b) for b in tree.items("metrics"))
    if not metrics:
        raise tree.error("a model needs at least one metric")
    model = Model(
        name=tree.text("model"),
        table=dataset.text("table", "fact"),
        time=_time(dataset.mapping("time")),
        metrics=metrics,
        levels=levels,
        dimensions=tuple(_dimension(b) for b in dataset.items("dimensions")),
        identities=tuple(_identity(b) for b in tree.items("identities")),
        cross_layer=tuple(_cross_layer(b) for b in tree.items("cross_layer")),
        decompositions=tuple(
            Decomposition(metric=b.text("metric"), factors=b.texts("factors"))
            for b in tree.items("decompositions")
        ),
        source_delta=_source_delta(tree),
        raw=RawSuffixes(
            columns=_text_map(dataset, "raw_suffixes"),
            sources=_text_map(dataset, "raw_suffix_sources"),
        ),
        default_entity=dataset.data.get("default_entity"),
        headline=tree.texts("headline"),
        synthetic=tree.flag("synthetic"),
        description=_texts(tree, "description"),
    )
    _check_names(tree, model)
    return model


def _texts(branch: Branch, key: str) -> Texts:
    value = branch.data.get(key)
    if value is None:
        return {}
    if isinstance(value, str):
        return {"zh": value, "en": value}
    if isinstance(value, dict) and set(value) <= {"zh", "en"}:
        return cast("Texts", {k: str(v) for k, v in value.items()})
    raise branch.error(f"{key} must be text or {{zh, en}}", key=key)


def _text_map(branch: Branch, key: str) -> Mapping[str, str]:
    value = branch.data.get(key) or {}
    if not isinstance(value, dict):
        raise branch.error(f"{key} must be a mapping", key=key)
    return {str(k): str(v) for k, v in value.items()}


def _synonyms(branch: Branch) -> Synonyms:
    if "synonyms" not in branch.data:
        return {}
    child = branch.mapping("synonyms")
    child.only(("zh", "en"))
    return cast("Synonyms", {lang: child.texts(lang) for lang in child.data})


def _time(branch: Branch) -> TimeColumn:
    branch.only(("column", "type", "timezone", "settlement_lag_days", "grain", "fixed_as_of"))
    fixed = branch.data.get("fixed_as_of")
    if fixed is not None and not isinstance(fixed, date):
        raise branch.error(f"fixed_as_of must be a day, not {fixed!r}", key="fixed_as_of")
    if fixed is not None and not _FIRST_YEAR <= fixed.year <= _LAST_YEAR:
        raise branch.error(f"fixed_as_of is out of bounds: {fixed}", key="fixed_as_of")
    lag = branch.number("settlement_lag_days")
    if not 0 <= lag <= _LONGEST_LAG or lag != int(lag):
        raise branch.error(
            f"settlement_lag_days must be 0 to {_LONGEST_LAG} whole days", key="settlement_lag_days"
        )
    return TimeColumn(
        column=branch.text("column"),
        grain=cast("TimeGrain", branch.choice("grain", get_args(TimeGrain), "day")),
        timezone=_timezone(branch),
        settlement_lag_days=int(lag),
        fixed_as_of=fixed,
    )


def _timezone(branch: Branch) -> str:
    name = branch.text("timezone", "Asia/Shanghai")
    try:
        return ZoneInfo(name).key
    except (ZoneInfoNotFoundError, ValueError, OSError) as e:
        hint = did_you_mean(name, available_timezones()) or "Asia/Shanghai, UTC"
        raise branch.error(f"there is no time zone {name!r}", hint=hint, key="timezone") from e


def _level(branch: Branch) -> Level:
    branch.only(("key", "zh", "en", "id", "name", "rollup_of", "synonyms"))
    key = branch.text("key")
    return Level(
        key=key,
        label={"zh": branch.text("zh", key), "en": branch.text("en", key)},
        id=branch.text("id"),
        name=branch.text("name", branch.text("id")),
        rollup_of=branch.data.get("rollup_of"),
        synonyms=_synonyms(branch),
    )


def _dimension(branch: Branch) -> Dimension:
    branch.only(("key", "label", "column", "synonyms", "values"))
    key = branch.text("key")
    values = branch.mapping("values") if "values" in branch.data else None
    return Dimension(
        key=key,
        label=_texts(branch, "label") or {"zh": key, "en": key},
        column=branch.text("column", key),
        synonyms=_synonyms(branch),
        values={} if values is None else {str(k): _texts(values, k) for k in values.data},
    )


def _metric(branch: Branch) -> Metric:
    branch.only(_METRIC)
    key = branch.text("key")
    return Metric(
        key=key,
        label=_texts(branch, "label") or {"zh": key, "en": key},
        additivity=_additivity(branch.mapping("additivity")),
        unit=branch.text("unit", ""),
        synonyms=_synonyms(branch),
        format=branch.text("format", "#,##0.##"),
        polarity=cast("Polarity", branch.choice("polarity", get_args(Polarity), "neutral")),
        description=_texts(branch, "description"),
        source_columns=branch.texts("source_columns"),
        reserved=branch.flag("reserved"),
        hidden=branch.flag("hidden"),
    )


def _additivity(branch: Branch) -> Additivity:
    branch.only(_ADDITIVITY)
    kind = branch.choice("kind", get_args(AdditivityKind))
    for needed in _NEEDS.get(kind, ()):
        if not branch.data.get(needed):
            raise branch.error(f"additivity {kind!r} needs {needed!r}")
    across = branch.choice("across_entities", get_args(Across), "sum")
    if across == "weighted_mean" and not branch.data.get("weight"):
        raise branch.error("across_entities 'weighted_mean' needs 'weight'")
    return Additivity(
        kind=cast("AdditivityKind", kind),
        numerator=branch.data.get("numerator"),
        denominator=branch.data.get("denominator"),
        weight=branch.data.get("weight"),
        across_entities=cast("Across", across),
        person_days=branch.flag("person_days"),
        column=branch.data.get("column"),
        where=branch.data.get("where"),
        expr=branch.data.get("expr"),
        sign=cast("Any", branch.choice("sign", ("as_is", "positive_abs"), "as_is")),
    )


def _identity(branch: Branch) -> Identity:
    branch.only(_IDENTITY)
    kind = branch.choice("kind", ("equality", "inequality"), "equality")
    for needed in ("expr",) if kind == "inequality" else ("left", "right"):
        branch.text(needed)
    tolerance = branch.mapping("row_tol") if "row_tol" in branch.data else None
    key = branch.text("id")
    return Identity(
        id=key,
        kind=cast("Any", kind),
        label={"zh": branch.text("zh", key), "en": branch.text("en", key)},
        left=branch.text("left", ""),
        right=branch.text("right", ""),
        expr=branch.text("expr", ""),
        guard=branch.text("guard", ""),
        row_tol=Tolerance()
        if tolerance is None
        else Tolerance(abs=tolerance.number("abs"), rel=tolerance.number("rel")),
        warn=branch.number("warn"),
        fail=branch.number("fail"),
        severity=cast("Any", branch.choice("severity", ("warn", "fail"), "fail")),
        unit_probe=tuple(float(v) for v in branch.texts("unit_probe")),
    )


def _cross_layer(branch: Branch) -> CrossLayer:
    """`warn`/`fail` may be written as prose for bounds; only numbers are thresholds."""
    key = branch.text("id")
    rule = key if key in ("uv_bound", "ratio_recomputed", "all_zero_child") else "sum"
    limits = {
        k: float(v) if isinstance(v := branch.data.get(k), int | float) else 0.0
        for k in ("warn", "fail", "abs_floor")
    }
    return CrossLayer(
        id=key,
        rule=cast("Any", rule),
        lower=branch.data.get("lower"),
        upper=branch.data.get("upper"),
        **limits,
    )


def _source_delta(tree: Branch) -> SourceDelta | None:
    if "source_delta" not in tree.data:
        return None
    branch = tree.mapping("source_delta")
    limits = branch.mapping("abs_tol")
    return SourceDelta(abs_tol={k: limits.number(k) for k in limits.data}, rel_tol=branch.number("rel_tol"))


def _check_names(tree: Branch, model: Model) -> None:
    """Every reference points at something that exists, and no key is given twice."""
    _check_unique(tree, "metrics", "key")
    _check_unique(tree, "identities", "id")
    for branch in tree.items("metrics"):
        additivity = branch.mapping("additivity")
        _check_references(additivity, ("numerator", "denominator", "weight"), model.by_key)
        _check_columns(additivity, ("expr", "where"), model.by_key)
    for branch in tree.items("identities"):
        _check_columns(branch, ("left", "right", "expr", "guard"), model.by_key)
    for branch in tree.items("decompositions"):
        for name in (branch.text("metric"), *branch.texts("factors")):
            _known(branch, "factors", name, model.by_key)
    for branch in tree.items("cross_layer"):
        _check_references(branch, ("lower", "upper"), model.levels_by_key)
    for name in model.headline:
        _known(tree, "headline", name, model.by_key)
    for branch in tree.mapping("dataset").items("levels"):
        _check_references(branch, ("rollup_of",), model.levels_by_key)


def _check_unique(tree: Branch, section: str, field: str) -> None:
    seen: set[str] = set()
    for branch in tree.items(section):
        name = branch.text(field)
        if name in seen:
            raise branch.error(f"{field} {name!r} is given twice", key=field)
        seen.add(name)


def _check_references(branch: Branch, roles: tuple[str, ...], known: Iterable[str]) -> None:
    for role in roles:
        if branch.data.get(role) is not None:
            _known(branch, role, branch.data[role], known)


def _known(branch: Branch, role: str, name: str, known: Iterable[str]) -> None:
    if name not in set(known):
        raise branch.error(f"{role} names unknown {name!r}", hint=did_you_mean(name, known), key=role)


def _check_columns(branch: Branch, roles: tuple[str, ...], metrics: Iterable[str]) -> None:
    for role in roles:
        if branch.data.get(role):
            _check_expression(branch, role, metrics)


def _check_expression(branch: Branch, role: str, metrics: Iterable[str]) -> None:
    import sqlglot  # costs 0.3 s; models without expressions do not need it
    from sqlglot import exp

    text = branch.text(role)
    try:
        tree = sqlglot.parse_one(text, dialect="duckdb")
        reads = tree.find(exp.Query, exp.Table, exp.Command, exp.DDL, exp.DML)
    except (sqlglot.errors.SqlglotError, RecursionError) as e:
        raise branch.error(f"{role} is not a valid expression: {text[:80]!r}", key=role) from e
    if reads is not None:
        raise branch.error(f"{role} may calculate with the columns of a row, nothing else", key=role)
    for column in tree.find_all(exp.Column):
        _known(branch, role, column.name, metrics)
