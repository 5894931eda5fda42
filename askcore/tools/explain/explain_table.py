"""The table of an explanation: one row a contribution."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from askcore.base.text import say
from askcore.base.values import Column, Table
from askcore.tools.base import ToolContext
from askcore.tools.explain.explanation import Explanation
from askcore.tools.explain.parts import DRIVER, MARKET, Part

_MAX_ROWS = 500  # a level; what a screen can use, the checks still add up all
_TEXTS = ("part", "part_name", "id", "name", "kind")
_OF = {"part": "part", "part_name": "part", "id": "segment", "name": "segment"}


def explanation_table(found: Explanation, parts: Sequence[Part], ctx: ToolContext) -> Table:
    """Columns part, part_name, id, name, kind, baseline, current, contribution, share, surprise or effects.

    `baseline` and `current` have no unit where drivers are among the rows: each has its own there.
    """
    lang, metric = ctx.lang, found.metric
    unit = "pp" if metric.is_rate else metric.unit
    is_mixed = any(p.part in (DRIVER, MARKET) for p in parts)
    own = "" if is_mixed else metric.unit
    units = {"baseline": own, "current": own, "contribution": unit, "share": "ratio"}
    if any(p.surprise is not None for p in parts):
        units["surprise"] = unit
    if not found.asked.is_sum:
        units |= {"rate_effect": unit, "mix_effect": unit}
    keys = (*_TEXTS, *units)
    shown = _first_of_each(parts)
    rows = [{k: v for k, v in p.as_row().items() if k in keys} for p in shown]
    for row, part in zip(rows, shown, strict=True):
        row["name"] = part.name if part.driver is None else part.driver.label[lang]
        row["part_name"] = _part_name(part, ctx)
    totals = {"baseline": found.total.prev, "current": found.total.cur, "contribution": found.total.delta}
    return Table(
        columns=tuple(
            Column(key=k, label=say(lang, f"explain.col_{k}"), unit=units.get(k, ""), of=_OF.get(k, ""))
            for k in keys
        ),
        rows=tuple(rows),
        totals=totals,
        row_count=len(parts),
    )


def _part_name(part: Part, ctx: ToolContext) -> str:
    """What the part splits by: a level or dimension by its label, factors, the market."""
    if part.part in (DRIVER, MARKET):
        return say(ctx.lang, f"explain.part_{part.part}")
    model = ctx.view.model
    owner = model.levels_by_key.get(part.part) or model.dimensions_by_key.get(part.part)
    return part.part if owner is None else owner.label[ctx.lang].split("/")[0]


def _first_of_each(parts: Sequence[Part]) -> list[Part]:
    """The largest contributions of every split, in order."""
    counts: Counter[str] = Counter()
    found = []
    for part in parts:
        counts[part.part] += 1
        if counts[part.part] <= _MAX_ROWS:
            found.append(part)
    return found
