"""A `QuerySpec` resolved against one version: names checked, values found, clamps made and said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from askcore.base.errors import BadRequest, did_you_mean
from askcore.base.text import say
from askcore.base.values import TIME_GRAINS, Clamp, Lang, Period, QuerySpec, Sort
from askcore.lake.filters import Filter, resolve_filters
from askcore.lake.layers import Layers
from askcore.lake.scopes import Reach, ScopeChoice, choose_scope, reach_of
from askcore.semantic.averages import resolve
from askcore.semantic.catalog import Catalog
from askcore.semantic.model import Metric, Model

MAX_ROWS = 1000  # what a screen and a digest can use; counts and totals still cover every row
_ALIASES = {"day": "date"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """One thing that rows are grouped by."""

    kind: Literal["time", "level", "dimension"]
    name: str
    """Time grain, level key or dimension key."""
    column: str
    """Column of `fact`."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Plan:
    """What will run."""

    asked: tuple[str, ...]
    """Metric keys in the asked order, those that the source lacks too."""
    metrics: tuple[Metric, ...]
    """The metrics that can be computed."""
    scopes: Mapping[str, str]
    """Metric key -> scope that it is read from."""
    choice: ScopeChoice
    reach: Reach
    period: Period | None
    """None: wholly outside the version's days."""
    keys: tuple[Key, ...]
    filters: tuple[Filter, ...]
    sort: Sort | None
    limit: int
    clamped: tuple[Clamp, ...]

    @property
    def scope(self) -> str:
        """Scope that the rows are read from."""
        return self.choice.scope

    @property
    def missing(self) -> tuple[str, ...]:
        """Asked metrics that the source lacks."""
        known = {m.key for m in self.metrics}
        return tuple(key for key in self.asked if key not in known)


def make_plan(spec: QuerySpec, catalog: Catalog, layers: Layers, lang: Lang) -> Plan:
    """Resolve `spec`. Raises: BadRequest with the near match, or when no asked metric exists."""
    model = layers.schema.model
    asked = tuple(dict.fromkeys(spec.metrics))
    if not asked:
        raise BadRequest("a query needs at least one metric")
    resolved = {key: resolve(model, key) for key in asked}
    keys = _keys(spec.by, model)
    filters = resolve_filters(spec, catalog, layers)
    choice = choose_scope(spec, keys_levels(keys), filters, layers, lang)
    scopes = _metric_scopes(resolved, choice.scope, filters, layers)
    if not scopes:
        names = ", ".join(_label(resolved[key], lang) for key in asked)
        raise BadRequest(
            say(lang, "lake.not_available", names=names),
            hint=say(lang, "lake.not_available_hint"),
            error_class="empty",
        )
    period, period_clamps = _clamp_period(spec.period, catalog.period, lang)
    sort, sort_clamps = _sort(spec.sort, asked, scopes, keys, layers, lang)
    limit, limit_clamps = _clamp_limit(spec.limit, lang)
    return Plan(
        asked=asked,
        metrics=tuple(resolved[key] for key in asked if key in scopes),
        scopes=scopes,
        choice=choice,
        reach=reach_of(choice.scope, keys_levels(keys), keys_columns(keys), filters, layers),
        period=period,
        keys=keys,
        filters=filters,
        sort=sort,
        limit=limit,
        clamped=(*choice.clamped, *period_clamps, *sort_clamps, *limit_clamps),
    )


def keys_levels(keys: tuple[Key, ...]) -> tuple[str, ...]:
    """Level keys among the grouping."""
    return tuple(key.name for key in keys if key.kind == "level")


def keys_columns(keys: tuple[Key, ...]) -> frozenset[str]:
    """Columns that are grouped by as they are."""
    return frozenset(key.column for key in keys if key.kind != "time" or key.name == "date")


def _label(metric: Metric, lang: Lang) -> str:
    return metric.label.get(lang) or metric.key


def _keys(by: tuple[str, ...], model: Model) -> tuple[Key, ...]:
    """Time first, then levels from the top, then dimensions, each once."""
    found: dict[str, Key] = {}
    for name in dict.fromkeys(_ALIASES.get(n, n) for n in by):
        if name in TIME_GRAINS:
            found[name] = Key(kind="time", name=name, column="date")
        elif name in model.levels_by_key:
            found[name] = Key(kind="level", name=name, column=model.levels_by_key[name].id)
        elif name in model.dimensions_by_key:
            column = model.dimensions_by_key[name].column
            found[name] = Key(kind="dimension", name=name, column=column)
        else:
            known = [*TIME_GRAINS, *model.levels_by_key, *model.dimensions_by_key]
            raise BadRequest(
                f"cannot group by {name!r}",
                hint=did_you_mean(name, known) or ", ".join(known),
                error_class="unknown_name",
            )
    order = [*TIME_GRAINS, *model.levels_by_key, *model.dimensions_by_key]
    return tuple(sorted(found.values(), key=lambda k: order.index(k.name)))


def _metric_scopes(
    resolved: Mapping[str, Metric], scope: str, filters: tuple[Filter, ...], layers: Layers
) -> dict[str, str]:
    """Metric -> scope it is read from; a metric that the source lacks is left out."""
    found = {}
    for key, metric in resolved.items():
        if not all(layers.has_values(c) for c in needed_columns(metric, layers)):
            continue
        counted = _counted_level(metric, layers)
        own_scope = scope if counted is None else _finer(scope, counted, filters, layers)
        if own_scope is not None:
            found[key] = own_scope
    return found


def needed_columns(metric: Metric, layers: Layers) -> frozenset[str]:
    """Columns of `fact` without which the metric has no value."""
    from askcore.lake.expressions import columns_of

    return columns_of(metric, layers.schema)


def _counted_level(metric: Metric, layers: Layers) -> str | None:
    """Level whose entities the metric counts; None when it counts none."""
    column = metric.additivity.column
    if metric.additivity.kind not in ("distinct", "ratio") or column is None:
        return None
    return next((lv.key for lv in layers.schema.model.levels if lv.id == column), None)


def _finer(scope: str, counted: str, filters: tuple[Filter, ...], layers: Layers) -> str | None:
    """Entities are counted on their own rows, or on the next finer ones: coarser rows do not name them."""
    levels = [level.key for level in layers.schema.model.levels]
    top = next((f.values[0] for f in filters if f.is_single_top), "")
    start = max(levels.index(scope), levels.index(counted))
    return next((level for level in levels[start:] if layers.has_rows(level, top)), None)


def _clamp_period(
    asked: Period, covered: Period | None, lang: Lang
) -> tuple[Period | None, tuple[Clamp, ...]]:
    if covered is None or asked.start > covered.end or asked.end < covered.start:
        return None, ()
    start, end = max(asked.start, covered.start), min(asked.end, covered.end)
    changes = [("from", asked.start, start), ("to", asked.end, end)]
    clamps = tuple(
        Clamp(
            arg=arg,
            before=before.isoformat(),
            after=after.isoformat(),
            why=say(
                lang,
                f"lake.clamped_{arg}",
                first=covered.start.isoformat(),
                last=covered.end.isoformat(),
            ),
        )
        for arg, before, after in changes
        if before != after
    )
    return Period(start=start, end=end), clamps


def _clamp_limit(asked: int | None, lang: Lang) -> tuple[int, tuple[Clamp, ...]]:
    if asked is None:
        return MAX_ROWS, ()
    limit = min(max(asked, 1), MAX_ROWS)
    if limit == asked:
        return limit, ()
    why = say(lang, "lake.clamped_limit", most=MAX_ROWS)
    return limit, (Clamp(arg="limit", before=str(asked), after=str(limit), why=why),)


def _sort(
    sort: Sort | None,
    asked: tuple[str, ...],
    available: Mapping[str, str],
    keys: tuple[Key, ...],
    layers: Layers,
    lang: Lang,
) -> tuple[Sort | None, tuple[Clamp, ...]]:
    """The sort with level columns as level keys; dropped when the source lacks the metric.

    Raises: BadRequest when it names no column of the result.
    """
    if sort is None:
        return None, ()
    names = {name: name for name in asked} | {key.name: key.name for key in keys}
    for key in keys:
        if key.kind == "level":
            level = layers.schema.model.levels_by_key[key.name]
            names |= {level.id: key.name, level.name: key.name}
    wanted = _ALIASES.get(sort.key, sort.key)
    if wanted not in names:
        raise BadRequest(
            f"cannot sort by {sort.key!r}: it is no column of the result",
            hint=did_you_mean(sort.key, names) or ", ".join(names),
            error_class="unknown_name",
        )
    if wanted in asked and wanted not in available:
        why = say(lang, "lake.clamped_sort")
        return None, (Clamp(arg="sort", before=sort.as_arg(), after="", why=why),)
    return Sort(key=names[wanted], descending=sort.descending), ()
