"""The queries behind a comparison, and what they say about days and shops that are missing."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from askcore.base.values import Period, QuerySpec
from askcore.semantic.averages import resolve
from askcore.semantic.model import Level
from askcore.tools.base import ToolContext
from askcore.tools.compare.components import components
from askcore.tools.compare.keys import row_key
from askcore.tools.compare.rows import Day, Reader
from askcore.tools.compare.same_store import Rule, Shop, shop_kind
from askcore.tools.compare.steps import STEP_DAYS, Steps, expected_steps, is_regular
from askcore.tools.compare.study import Study, positions_kept
from askcore.tools.compare.target import Target
from askcore.tools.compare.verdicts import Missing
from askcore.tools.compare.windows import Windows

_ZERO_TOLERANCE = 0.005  # the model's usual warning limit between a level and the one above it


def study(windows: Windows, target: Target, metrics: tuple[str, ...], ctx: ToolContext) -> Study:
    """Run the queries of a comparison. Both periods of `windows` must have data."""
    view, model, catalog = ctx.view, ctx.view.model, ctx.view.catalog
    assert windows.current is not None and windows.baseline is not None  # noqa: S101 - the caller checked
    periods = (windows.baseline, windows.current)
    base, current = (view.query(_spec(target, metrics, p), lang=ctx.lang) for p in periods)
    comps = components(model, catalog, metrics)
    reader = Reader(view=view, target=target, periods=periods, components=comps)
    scope = current.scope if current.sql else base.scope
    days, daily_sql = reader.daily(scope)
    data = _settled(catalog.scope_periods.get(scope) or catalog.period or periods[1], ctx)
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
    return _with_shops(found, reader, ctx) if leaf is not None else _with_days(found)


def _spec(target: Target, metrics: tuple[str, ...], period: Period) -> QuerySpec:
    return QuerySpec(
        metrics=metrics,
        period=period,
        entity=target.entity,
        scope=target.scope,
        by=target.by,
        filters=target.filters,
    )


def _settled(held: Period, ctx: ToolContext) -> Period:
    """The data as it stood on the day of the question."""
    return Period(start=held.start, end=max(held.start, min(held.end, ctx.last_settled)))


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


def _with_shops(found: Study, reader: Reader, ctx: ToolContext) -> Study:
    leaf = found.leaf
    assert leaf is not None  # noqa: S101 - the caller checked
    data = _settled(reader.view.catalog.scope_periods.get(leaf.key) or found.data, ctx)
    shops, sql = reader.shops(leaf, found.steps, data)
    rule = Rule(
        baseline=found.periods[0],
        current=found.periods[1],
        expected=(found.steps[0].count, found.steps[1].count),
        data=data,
        is_year_apart=found.windows.is_year_apart,
        step_days=STEP_DAYS.get(reader.model.time.grain, 31),
    )
    kinds = tuple((shop, shop_kind(shop, rule)) for shop in shops)
    missing, expected = missing_rows(shops, found.steps, rule, frozenset())
    if missing:
        zeros = _zero_keys(reader, leaf)
        missing, expected = missing_rows(shops, found.steps, rule, zeros)
    return replace(
        found, shops=kinds, rule=rule, missing=missing, expected_rows=expected, sql=(*found.sql, sql)
    )


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
    return [row_key(model, catalog, day=row.day, scope=scope, entity=row.id) for row in found.missing]


def missing_rows(
    shops: Sequence[Shop],
    steps: tuple[Steps, Steps],
    rule: Rule,
    zeros: frozenset[tuple[str, date]],
) -> tuple[tuple[Missing, ...], tuple[int, int]]:
    """Expected shop dates without trade, between its first and last, and how many were expected."""
    found: list[Missing] = []
    expected = [0, 0]
    for shop in shops:
        if shop.first is None:
            continue
        for side, side_steps in enumerate(steps):
            low = bisect_left(side_steps.dates, shop.first)
            end = shop.last if shop.last is not None and rule.is_closed(shop) else date.max
            due = side_steps.dates[low : max(low, bisect_right(side_steps.dates, end))]
            expected[side] += len(due)
            if len(shop.present[side]) < side_steps.count:
                found.extend(
                    Missing(day=d, id=shop.id, name=shop.name, is_zero=(shop.id, d) in zeros)
                    for d in due
                    if side_steps.positions[d] not in shop.present[side]
                )
    return tuple(found), (expected[0], expected[1])
