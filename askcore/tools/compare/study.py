"""One comparison as it was computed, before it is worded: totals, aligned days, comparable shops, tests."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING

from askcore.base.values import Period, QuerySpec
from askcore.semantic.averages import resolve
from askcore.semantic.model import Level, Metric
from askcore.tools.base import ToolContext
from askcore.tools.compare.change import Change, change, number, tidy
from askcore.tools.compare.components import Components, Parts, components
from askcore.tools.compare.rows import Day, Reader
from askcore.tools.compare.same_store import Bridge, Rule, Shop, ShopKind, bridge, pooled, shop_kind
from askcore.tools.compare.series import is_additive
from askcore.tools.compare.steps import STEP_DAYS, Steps, expected_steps, is_regular
from askcore.tools.compare.target import Target
from askcore.tools.compare.verdicts import Missing
from askcore.tools.compare.windows import Windows

if TYPE_CHECKING:
    from askcore.lake import QueryResult

_ZERO_TOLERANCE = 0.005  # the model's usual warning limit between a level and the one above it


@dataclass(frozen=True, slots=True, kw_only=True)
class Aligned:
    """A metric over the dates that both periods have."""

    change: Change
    count: int
    """Dates that are left in each period."""
    periods: tuple[Period, Period]
    """First to last of them in the baseline and in the current period."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Study:
    """Everything that was computed. Pairs are (baseline, current)."""

    windows: Windows
    target: Target
    periods: tuple[Period, Period]
    metrics: tuple[Metric, ...]
    results: tuple[QueryResult, QueryResult]
    components: Components
    steps: tuple[Steps, Steps]
    days: tuple[Day, ...]
    scope: str
    leaf: Level | None
    """The level whose entities are compared one by one; None without entities or rows of it."""
    shops: tuple[tuple[Shop, ShopKind], ...] = ()
    missing: tuple[Missing, ...] = ()
    expected_rows: tuple[int, int] = (0, 0)
    data: Period
    sql: tuple[str, ...] = ()
    unpaired: tuple[tuple[date, ...], tuple[date, ...]] = field(default=((), ()))
    """Dates in the asked layer that were dropped because their partner has no rows."""

    @property
    def parts(self) -> Mapping[str, Parts]:
        """Metric key -> what it is made of; absent for metrics that cannot be added up."""
        return self.components.parts

    @property
    def present(self) -> tuple[int, int]:
        """Dates with rows in the asked layer."""
        base, current = self.results
        return base.days.present, current.days.present

    def total(self, metric: Metric) -> Change:
        """The change of the layer that was asked, as it stands."""
        base, current = (number(r.totals.get(metric.key)) for r in self.results)
        return change(metric, current, base)

    def per_step(self, metric: Metric) -> Change | None:
        """Per day (week …) where the periods hold unequal numbers of them; sums only."""
        base, current = self.present
        if base == current or not base or not current or not is_additive(metric):
            return None
        total = self.total(metric)
        if total.cur is None or total.prev is None:
            return None
        return change(metric, tidy(total.cur / current), tidy(total.prev / base))

    def aligned(self, metric: Metric) -> Aligned | None:
        """Over the dates that both periods have; None when none had to be dropped."""
        parts = self.parts.get(metric.key)
        if parts is None or not any(self.unpaired):
            return None
        kept = positions_kept(self.days, self.steps)
        if not kept:
            return None
        sums = [
            [d.sums for d in self.days if d.side == side and self.steps[side].positions.get(d.date) in kept]
            for side in (0, 1)
        ]
        base, current = (_value(parts, s) for s in sums)
        ends = [Period(start=s.by_position[min(kept)], end=s.by_position[max(kept)]) for s in self.steps]
        found = change(metric, current, base)
        return Aligned(change=found, count=len(kept), periods=(ends[0], ends[1]))

    def same_store(self, metric: Metric) -> Change | None:
        """Of the comparable shops over their paired days; None without shops or for other metrics."""
        parts = self.parts.get(metric.key)
        if parts is None or not any(kind == "comparable" for _, kind in self.shops):
            return None
        names = (parts.top, parts.bottom) if parts.bottom else (parts.top,)
        sums = {name: pooled(self.shops, name) for name in names}
        base, current = (parts.value({n: s[side] for n, s in sums.items()}) for side in (0, 1))
        return change(
            metric,
            None if current is None else tidy(current),
            None if base is None else tidy(base),
        )

    def bridge(self, metric: Metric) -> Bridge | None:
        """The exact parts of the total change; sums only, people only in the shops' own layer."""
        parts, total = self.parts.get(metric.key), self.total(metric)
        if parts is None or not self.shops or total.delta is None or not is_additive(metric):
            return None
        is_bound = metric.additivity.across_entities == "upper_bound"
        if is_bound and self.leaf is not None and self.scope != self.leaf.key:
            return None
        return bridge(total.delta, self.shops, parts.top)

    def daily(self, metric: Metric, side: int) -> list[tuple[date, float, float]]:
        """(date, numerator or sum, denominator or 1) of each date with trade."""
        parts = self.parts[metric.key]
        return [
            (d.date, d.sums[parts.top], d.sums[parts.bottom] if parts.bottom else 1.0)
            for d in self.days
            if d.side == side and d.traded
        ]


def _value(parts: Parts, days: Sequence[Mapping[str, float]]) -> float | None:
    names = (parts.top, parts.bottom) if parts.bottom else (parts.top,)
    found = parts.value({name: sum(d[name] for d in days) for name in names})
    return None if found is None else tidy(found)


def positions_kept(days: Sequence[Day], steps: tuple[Steps, Steps]) -> frozenset[int]:
    """Positions that have trade in both periods."""
    base, current = (
        {steps[side].positions.get(d.date) for d in days if d.side == side and d.traded} for side in (0, 1)
    )
    return frozenset(p for p in base & current if p is not None)


def study(windows: Windows, target: Target, metrics: tuple[str, ...], ctx: ToolContext) -> Study:
    """Run the queries of a comparison. Both periods of `windows` must have data."""
    view, model, catalog = ctx.view, ctx.view.model, ctx.view.catalog
    assert windows.current is not None and windows.baseline is not None  # noqa: S101 - the caller checked
    periods = (windows.baseline, windows.current)
    base, current = (
        view.query(
            QuerySpec(
                metrics=metrics,
                period=period,
                entity=target.entity,
                scope=target.scope,
                by=target.by,
                filters=target.filters,
            ),
            lang=ctx.lang,
        )
        for period in periods
    )
    comps = components(model, catalog, metrics)
    reader = Reader(view=view, target=target, periods=periods, components=comps)
    scope = current.scope if current.sql else base.scope
    days, daily_sql = reader.daily(scope)
    data = catalog.scope_periods.get(scope) or catalog.period or periods[1]
    steps = _steps(reader, scope, days, data, windows)
    leaf = _leaf(ctx)
    found = Study(
        windows=windows,
        target=target,
        periods=periods,
        metrics=tuple(resolve(model, key) for key in metrics),
        results=(base, current),
        components=comps,
        steps=steps,
        days=tuple(days),
        scope=scope,
        leaf=leaf,
        data=data,
        sql=tuple(s for s in (current.sql, base.sql, daily_sql) if s),
        unpaired=_unpaired(days, steps, windows),
    )
    return _with_shops(found, reader) if leaf is not None else _with_days(found)


def _leaf(ctx: ToolContext) -> Level | None:
    leaf = ctx.view.model.leaf_level
    return leaf if leaf is not None and leaf.key in ctx.view.catalog.scopes else None


def _steps(
    reader: Reader, scope: str, days: Sequence[Day], data: Period, windows: Windows
) -> tuple[Steps, Steps]:
    grain = reader.model.time.grain
    present = [[d.date for d in days if d.side == side] for side in (0, 1)]
    regular = _is_regular(reader, scope, present, data)
    asked = (windows.asked_baseline, windows.asked_current)
    base, current = (
        expected_steps(
            reader.periods[side],
            grain,
            present[side],
            asked=asked[side],
            anchor=data.start,
            is_regular=regular,
        )
        for side in (0, 1)
    )
    return base, current


def _is_regular(reader: Reader, scope: str, present: Sequence[Sequence[date]], data: Period) -> bool:
    """Whether gaps are gaps; the whole data is only looked at when a period has one."""
    grain = reader.model.time.grain
    length = STEP_DAYS.get(grain)
    if length is None:
        return False
    if all(len(d) >= p.days // length for d, p in zip(present, reader.periods, strict=True)):
        return True
    return is_regular(grain, data, reader.date_count(scope))


def _unpaired(
    days: Sequence[Day], steps: tuple[Steps, Steps], windows: Windows
) -> tuple[tuple[date, ...], tuple[date, ...]]:
    """Dates with trade whose partner has none; days that a longer asked period has over are no gaps."""
    kept = positions_kept(days, steps)
    differ = windows.asked_current.days != windows.asked_baseline.days and not windows.is_cut
    reach = min(s.count for s in steps) if differ else max(s.count + s.first_position for s in steps)
    base, current = (
        tuple(
            d.date
            for d in days
            if d.side == side
            and d.traded
            and (p := steps[side].positions.get(d.date)) is not None
            and p < reach
            and p not in kept
        )
        for side in (0, 1)
    )
    return tuple(sorted(base)), tuple(sorted(current))


def _with_days(found: Study) -> Study:
    """Coverage by dates alone, for data without entities."""
    traded = {(d.side, d.date) for d in found.days if d.traded}
    missing = tuple(
        Missing(day=day) for side in (0, 1) for day in found.steps[side].dates if (side, day) not in traded
    )
    counts = (found.steps[0].count, found.steps[1].count)
    return replace(found, missing=missing, expected_rows=counts)


def _with_shops(found: Study, reader: Reader) -> Study:
    leaf = found.leaf
    assert leaf is not None  # noqa: S101 - the caller checked
    shops, sql = reader.shops(leaf, found.steps)
    data = reader.view.catalog.scope_periods.get(leaf.key) or found.data
    rule = Rule(
        baseline=found.periods[0],
        current=found.periods[1],
        expected=(found.steps[0].count, found.steps[1].count),
        data=data,
        is_year_apart=found.windows.is_year_apart,
        step_days=STEP_DAYS.get(reader.model.time.grain, 31),
    )
    kinds = tuple((shop, shop_kind(shop, rule)) for shop in shops)
    missing, expected = missing_rows(kinds, found.steps, frozenset())
    if missing:
        missing, expected = missing_rows(kinds, found.steps, _zero_keys(reader, leaf))
    return replace(found, shops=kinds, missing=missing, expected_rows=expected, sql=(*found.sql, sql))


def _zero_keys(reader: Reader, leaf: Level) -> frozenset[tuple[str, date]]:
    """Rows without trade that the parent contradicts; only looked for when some row lacks trade."""
    levels = [x for x in reader.model.levels if x.key in reader.view.catalog.scopes]
    position = levels.index(leaf)
    if position == 0:
        return frozenset()
    rows = reader.zero_rows(leaf, levels[position - 1], _ZERO_TOLERANCE)
    return frozenset((entity, day) for entity, _, day in rows)


def missing_keys(found: Study, ctx: ToolContext) -> list[dict[str, str]]:
    """{date, scope, id of every level} of the missing rows; "" for levels that a row does not carry."""
    model, catalog = ctx.view.model, ctx.view.catalog
    scope = found.leaf.key if found.leaf else found.scope
    keys = []
    for row in found.missing:
        key = {"date": row.day.isoformat(), "scope": scope} | {level.id: "" for level in model.levels}
        if found.leaf is not None:
            entity = catalog.entity(found.leaf.key, row.id)
            parents = {} if entity is None else entity.parents
            key |= {model.levels_by_key[name].id: parent for name, parent in parents.items()}
            key[found.leaf.id] = row.id
        keys.append(key)
    return keys


def missing_rows(
    shops: Sequence[tuple[Shop, ShopKind]],
    steps: tuple[Steps, Steps],
    zeros: frozenset[tuple[str, date]],
) -> tuple[tuple[Missing, ...], tuple[int, int]]:
    """Expected shop dates without trade, between its first and last, and how many were expected."""
    found: list[Missing] = []
    expected = [0, 0]
    for shop, kind in shops:
        if shop.first is None:
            continue
        for side, side_steps in enumerate(steps):
            low = bisect_left(side_steps.dates, shop.first)
            end = shop.last if kind == "closer" and shop.last is not None else date.max
            due = side_steps.dates[low : max(low, bisect_right(side_steps.dates, end))]
            expected[side] += len(due)
            if len(shop.present[side]) < side_steps.count:
                found.extend(
                    Missing(day=d, id=shop.id, name=shop.name, is_zero=(shop.id, d) in zeros)
                    for d in due
                    if side_steps.positions[d] not in shop.present[side]
                )
    return tuple(found), (expected[0], expected[1])
