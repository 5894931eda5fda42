"""Every number of an explanation as a cell, so that a sentence may cite it without calculating.

A segment's figures carry its name as `entity`. A driver's contribution is a cell of the driver's own key
(its label is what the sentence says) in the unit of what is explained, of no entity; the same for one shop
carries the shop. Rate and mix effects have the periods "rate" and "mix", deviations from a uniform change
"surprise", restored amounts "restored", what market and own explain "market" and "own".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from askcore.base.values import Cell, CellRole, CellUnit
from askcore.semantic.model import Metric
from askcore.stats.contributions import RatioSplit
from askcore.tools.base import ToolContext
from askcore.tools.cells import cell_unit, metric_cell
from askcore.tools.compare.change import tidy
from askcore.tools.compare.compare_cells import change_cells
from askcore.tools.explain.drivers import SegmentDrivers
from askcore.tools.explain.explanation import Explanation
from askcore.tools.explain.parts import DRIVER, MARKET, Part
from askcore.tools.explain.segments import LevelSplit

CITABLE = 200  # segments a level; a sentence names a handful


def explanation_cells(found: Explanation, parts: Sequence[Part], ctx: ToolContext) -> tuple[Cell, ...]:
    """Totals, contributions, shares, effects, drivers, market, restored amounts and counts."""
    cells = list(change_cells(found.metric, found.total, ctx.step_id, role="total"))
    for level in found.levels:
        own = [p for p in parts if p.part == level.key][:CITABLE]
        for part in own:
            cells.extend(_segment(found.metric, part, ctx.step_id))
        cells.extend(_level(found, level, ctx.step_id))
    for part in parts:
        if part.part == DRIVER:
            cells.extend(_driver(found.metric, part, ctx.step_id))
        elif part.part == MARKET:
            cells.extend(_market(found.metric, part, ctx.step_id))
    for one in found.by_segment:
        cells.extend(_segment_drivers(found, one, ctx.step_id))
    cells.extend(_counts(found, ctx.step_id))
    return tuple(cells)


def _change(metric: Metric) -> CellUnit:
    """The unit of a change of the metric."""
    return "pp" if metric.is_rate else cell_unit(metric)


def _delta(metric: Metric, value: float, step: str, *, entity: str = "", period: str = "cur") -> Cell:
    return metric_cell(
        metric, value, step=step, entity=entity, period=period, role="delta", unit=_change(metric)
    )


def _share(metric: Metric, value: float, step: str, entity: str = "") -> Cell:
    return metric_cell(metric, value, step=step, entity=entity, role="share", unit="pct")


def _segment(metric: Metric, part: Part, step: str) -> Iterator[Cell]:
    for value, period in ((part.after, "cur"), (part.before, "prev")):
        if value is not None:
            yield metric_cell(metric, value, step=step, entity=part.name, period=period)
    yield _delta(metric, part.contribution, step, entity=part.name)
    if part.share is not None:
        yield _share(metric, part.share, step, part.name)
    effects = (("surprise", part.surprise), ("rate", part.rate_effect), ("mix", part.mix_effect))
    for period, value in effects:
        if value is not None:
            yield _delta(metric, value, step, entity=part.name, period=period)


def _level(found: Explanation, level: LevelSplit, step: str) -> Iterator[Cell]:
    """The sums of the effects, the layer's own totals where they are not the scope's, restored amounts."""
    metric, split = found.metric, level.split
    if isinstance(split, RatioSplit):
        yield _delta(metric, tidy(split.rate_effect), step, period="rate")
        yield _delta(metric, tidy(split.mix_effect), step, period="mix")
    if not level.of_total:
        period = f"_{level.key}"
        for value, side, total in (
            (split.after, "cur", found.total.cur),
            (split.before, "prev", found.total.prev),
        ):
            yield metric_cell(metric, tidy(value), step=step, period=side + period, role="total")
            if total is not None:
                yield _delta(metric, tidy(value - total), step, period=f"{side}{period}_gap")
        yield _delta(metric, tidy(split.change), step, period="cur" + period)
    for segment in level.segments.values():
        if segment.kind == "restored":
            for amount in segment.amounts:
                if amount:
                    yield metric_cell(
                        metric,
                        tidy(amount),
                        step=step,
                        entity=segment.name,
                        period="restored",
                        unit=_top_unit(found),
                    )


def _top_unit(found: Explanation) -> CellUnit | None:
    """Restored amounts are the numerator's; only sums have them in the metric's own unit."""
    return None if found.asked.is_sum else "plain"


def _driver(metric: Metric, part: Part, step: str) -> Iterator[Cell]:
    if part.driver is None:
        yield _delta(metric, part.contribution, step, entity=part.name)
        return
    for value, period in ((part.after, "cur"), (part.before, "prev")):
        if value is not None:
            yield metric_cell(part.driver, value, step=step, period=period, role="total")
    yield _of_driver(metric, part.driver, part.contribution, step, role="delta", unit=_change(metric))
    if part.share is not None:
        yield _of_driver(metric, part.driver, part.share, step, role="share", unit="pct")


def _of_driver(
    metric: Metric,
    driver: Metric,
    value: float,
    step: str,
    *,
    role: CellRole,
    unit: CellUnit,
    entity: str = "",
) -> Cell:
    return metric_cell(
        driver, value, step=step, entity=entity, period=metric.key, role=role, unit=unit, additivity="sum"
    )


def _segment_drivers(found: Explanation, one: SegmentDrivers, step: str) -> Iterator[Cell]:
    """The drivers of every segment, and their sums over the segments."""
    level = next(x for x in found.levels if x.key == one.key)
    drivers = found.drivers.factors if found.drivers is not None else ()
    unit = _change(found.metric)
    for index, driver in enumerate(drivers):
        effect = tidy(one.total.effects[index])
        yield metric_cell(
            driver, effect, step=step, period=f"by_{one.key}", role="delta", unit=unit, additivity="sum"
        )
    ranked = sorted(one.by_segment, key=lambda k: -abs(one.by_segment[k].change))[:CITABLE]
    for key in ranked:
        chain = one.by_segment[key]
        if chain.kind == "both":
            name = level.segments[key].name
            for driver, effect in zip(drivers, chain.effects, strict=True):
                yield _of_driver(
                    found.metric, driver, tidy(effect), step, role="delta", unit=unit, entity=name
                )


def _market(metric: Metric, part: Part, step: str) -> Iterator[Cell]:
    yield _delta(metric, part.contribution, step, period=part.id)
    if part.share is not None:
        yield _share(metric, part.share, step)
    if part.id == MARKET:
        for value, period in ((part.after, "cur_peers"), (part.before, "prev_peers")):
            if value is not None:
                yield metric_cell(metric, value, step=step, period=period, additivity="ratio")


def _counts(found: Explanation, step: str) -> Iterator[Cell]:
    """Parts, segments, days and peers that notes and verdicts speak of."""
    numbers: list[tuple[float, CellUnit, str]] = [(p.days, "days", "days") for p in found.periods]
    numbers += [(len(x.split.parts), "count", "segments") for x in found.levels]
    checks = found.checks
    numbers += [(c.n_parts, "count", "parts") for c in checks]
    numbers.append((sum(c.n_parts for c in checks), "count", "parts"))
    numbers.append((len(checks), "count", "splits"))
    numbers.append((len(found.lacking), "count", "lacking_rows"))
    for missing in (found.missing.below, found.missing.own):
        numbers.append((sum(len(s.keys) for s in missing), "count", "missing_rows"))
    numbers += [(n, "days", "days") for r in found.results for n in (r.days.present, r.days.expected)]
    numbers += [(len(s.days), "days", "restored") for _, s in found.restored]
    for peers in found.market.peers if found.market is not None else ():
        numbers += [(round(n, 1), "count", "peers") for n in peers.count if n is not None]
    for value, unit, what in dict.fromkeys(numbers):
        yield Cell(value=value, unit=unit, metric=what, step=step, role="arg", additivity="distinct")
