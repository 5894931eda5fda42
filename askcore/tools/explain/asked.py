"""Arguments of `explain_change` -> what is explained: one metric, two periods, a total, its splits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from askcore.base.errors import BadRequest
from askcore.base.text import say
from askcore.base.values import TIME_GRAINS, Clamp, Lang, Period
from askcore.semantic.averages import resolve, split_key
from askcore.semantic.catalog import Catalog, Entity
from askcore.semantic.model import Level, Metric, Model
from askcore.tools.base import ToolContext
from askcore.tools.compare.availability import available_metrics, missing_columns
from askcore.tools.compare.target import Target, resolve_target, split_name
from askcore.tools.compare.window_notes import window_clamps
from askcore.tools.compare.windows import Windows, resolve_windows

_SUMS = ("sum", "derived_sum")
_MEANS = ("ratio", "weighted_mean", "mean_per_row")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is explained, after every name was checked."""

    metric: Metric
    target: Target
    windows: Windows
    by: tuple[str, ...] | None
    """Levels and dimensions asked for; None: the levels below the total."""
    drivers: tuple[str, ...]
    """Factors whose product is the metric; () = none."""
    clamped: tuple[Clamp, ...]

    @property
    def periods(self) -> tuple[Period, Period]:
        """(baseline, current), both with data."""
        base, current = self.windows.baseline, self.windows.current
        assert base is not None and current is not None  # noqa: S101 - the tool returns before that
        return base, current

    @property
    def is_sum(self) -> bool:
        """Whether segments add up; otherwise the metric is a quotient of sums."""
        return is_sum(self.metric)


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """The arguments as they came."""

    metric: str
    current: Period
    baseline: Period | None
    scope: str | None
    by: Sequence[str]
    drivers: Sequence[str] | None
    named: Mapping[str, Sequence[str]]
    filters: Mapping[str, Sequence[str]]


def is_sum(metric: Metric) -> bool:
    """Whether the metric is Σ of a row value."""
    return metric.additivity.kind in _SUMS


def resolve_asked(names: Names, ctx: ToolContext) -> Asked:
    """Check metric, periods and names. Raises: BadRequest with near names or the reason."""
    model, catalog, lang = ctx.view.model, ctx.view.catalog, ctx.lang
    metric = explainable(model, names.metric, lang)
    available_metrics(model, catalog, [metric.key], lang)
    target = resolve_target(
        model,
        catalog,
        scope=names.scope,
        by=(),
        named=names.named,
        filters=names.filters,
        entity=ctx.entity,
        lang=lang,
    )
    held = catalog.scope_periods.get(target.scope or "") or catalog.period
    windows = resolve_windows(
        names.current,
        baseline=names.baseline,
        mode=None,
        held=held,
        last_settled=ctx.last_settled,
        grain=model.time.grain,
    )
    _refuse_overlap(windows, lang)
    by = tuple(dict.fromkeys(_split(model, name, lang) for name in names.by))
    return Asked(
        metric=metric,
        target=target,
        windows=windows,
        by=by or None,
        drivers=_drivers(names.drivers, metric, model, catalog, lang),
        clamped=(*target.clamped, *window_clamps(windows, held, ctx)),
    )


def explainable(model: Model, key: str, lang: Lang) -> Metric:
    """The metric, when its change can be taken apart. Raises: BadRequest with the reason."""
    metric, (base, over) = resolve(model, key), split_key(key)
    label, kind = model.metric(base).label[lang], metric.additivity.kind
    if metric.additivity.across_entities == "forbid":
        raise BadRequest(say(lang, "explain.forbidden", label=label))
    if kind in _SUMS or (kind in _MEANS and (kind != "ratio" or metric.additivity.denominator)):
        return metric
    if over is not None:
        raise BadRequest(say(lang, "explain.average", label=label), hint=base)
    reason = "last" if kind == "last" else "distinct"
    raise BadRequest(say(lang, f"explain.{reason}", label=label))


def _split(model: Model, name: str, lang: Lang) -> str:
    found = split_name(model, name, lang)
    if found in TIME_GRAINS:
        raise BadRequest(say(lang, "compare.no_time_split"), hint=", ".join(model.levels_by_key))
    return found


def _refuse_overlap(windows: Windows, lang: Lang) -> None:
    base, current = windows.asked_baseline, windows.asked_current
    if base.start <= current.end and current.start <= base.end:
        raise BadRequest(
            say(
                lang,
                "explain.overlap",
                current=f"{current.start}..{current.end}",
                baseline=f"{base.start}..{base.end}",
            )
        )


def _drivers(
    asked: Sequence[str] | None, metric: Metric, model: Model, catalog: Catalog, lang: Lang
) -> tuple[str, ...]:
    """The factors asked for, else the model's where the data has all of them."""
    if asked is not None:
        keys = tuple(dict.fromkeys(asked))
        if keys:
            _, missing = available_metrics(model, catalog, keys, lang)
            if missing:
                labels = say(lang, "compare.list_joint").join(resolve(model, k).label[lang] for k in missing)
                raise BadRequest(say(lang, "compare.not_in_source", labels=labels), error_class="empty")
        for key in keys:
            explainable(model, key, lang)
        return keys
    known = next((d.factors for d in model.decompositions if d.metric == metric.key), ())
    return () if any(missing_columns(model, catalog, k) for k in known) else known


@dataclass(frozen=True, slots=True, kw_only=True)
class Layers:
    """Which rows the total and each split are read from."""

    model: Model
    catalog: Catalog
    scope: str
    """Level whose rows make the total; "all" without levels."""

    @property
    def held(self) -> tuple[Level, ...]:
        """Levels that have rows of their own, top first."""
        return tuple(x for x in self.model.levels if x.key in self.catalog.scopes)

    def layer(self, level: str) -> str | None:
        """The level whose rows are grouped by `level`; None where no rows are fine enough."""
        order = list(self.model.levels_by_key)
        if level not in order:
            return self.scope
        at = max(order.index(level), order.index(self.scope))
        return next((x.key for x in self.held if order.index(x.key) >= at), None)

    def steps(self, layer: str) -> tuple[tuple[Level, Level], ...]:
        """(upper, lower) pairs of held levels from the total's layer down to `layer`."""
        if layer == self.scope:
            return ()
        keys = [x.key for x in self.held]
        path = self.held[keys.index(self.scope) : keys.index(layer) + 1]
        return tuple(pairwise(path))


def splits_of(asked: Asked, layers: Layers, lang: Lang) -> tuple[str, ...]:
    """The levels and dimensions to split by, top first. Raises: BadRequest when one has no rows."""
    model, order = layers.model, list(layers.model.levels_by_key)
    if asked.by is not None:
        for name in asked.by:
            if layers.layer(name) is None:
                label = model.levels_by_key[name].label[lang]
                raise BadRequest(say(lang, "lake.no_rows_of_level", level=label), error_class="empty")
        return tuple(sorted(asked.by, key=lambda x: order.index(x) if x in order else len(order)))
    top = asked.target.scope or (model.top_level.key if model.top_level else None)
    if top is None:
        return ()
    below = order[order.index(top) + 1 :]
    own = [top] if len(members(asked.target, layers.model, layers.catalog, top)) != 1 else []
    return tuple(x for x in (*own, *below) if layers.layer(x) is not None)


def members(target: Target, model: Model, catalog: Catalog, level: str) -> tuple[Entity, ...]:
    """Entities of a level that the target covers, as far as its filters name levels."""
    wanted = {k: frozenset(v) for k, v in target.filters.items() if k in model.levels_by_key}
    if target.entity is not None and model.top_level is not None:
        wanted[model.top_level.key] = frozenset({target.entity})
    return tuple(
        e
        for e in catalog.by_level.get(level, ())
        if all((e.id if k == level else e.parents.get(k, "")) in ids for k, ids in wanted.items())
    )


def shown_args(asked: Asked, scope: str | None, by: Sequence[str]) -> Mapping[str, Any]:
    """Arguments as they ran, in the contract's spelling."""
    windows = asked.windows
    return {
        "metric": asked.metric.key,
        "current": (windows.current or windows.asked_current).as_json(),
        "baseline": (windows.baseline or windows.asked_baseline).as_json(),
        "scope": scope,
        "by": list(by),
        "drivers": list(asked.drivers),
        **asked.target.args,
    }
