"""The window whose peers are asked for, and the one before it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta

from askcore.base.errors import BadRequest
from askcore.base.text import say
from askcore.base.values import Clamp, Lang, Period
from askcore.semantic.model import TimeGrain
from askcore.tools.base import ToolContext
from askcore.tools.compare.windows import Windows, resolve_windows

_DEFAULT_DAYS: Mapping[TimeGrain, int] = {"day": 7, "week": 28, "month": 31, "quarter": 92, "year": 366}


def peer_windows(
    start: date | None,
    end: date | None,
    current: Period | None,
    baseline: Period | None,
    *,
    held: Period | None,
    ctx: ToolContext,
) -> tuple[Windows, tuple[Clamp, ...]]:
    """Both windows cut to settled days, with what was cut; default: the seven days to the last settled one.

    Raises: BadRequest when `from`, `to` and `current` are mixed or out of order.
    """
    if current is not None and (start or end):
        raise BadRequest(say(ctx.lang, "peers.one_period"), hint="current or from/to")
    asked = current or _period(start, end, held, ctx)
    windows = resolve_windows(
        asked,
        baseline=baseline,
        mode=None,
        held=held,
        last_settled=ctx.last_settled,
        grain=ctx.view.model.time.grain,
    )
    named = ("", "current.")[current is not None]
    return windows, (
        *_clamps(named, asked, windows.current, held, ctx),
        *(_clamps("baseline.", baseline, windows.baseline, held, ctx) if baseline else ()),
    )


def _period(start: date | None, end: date | None, held: Period | None, ctx: ToolContext) -> Period:
    last = end or min(held.end if held else ctx.last_settled, ctx.last_settled)
    first = start or last - timedelta(days=_DEFAULT_DAYS[ctx.view.model.time.grain] - 1)
    if last < first:
        raise BadRequest(say(ctx.lang, "compare.period_order", start=first, end=last))
    return Period(start=first, end=last)


def _clamps(
    prefix: str, asked: Period, kept: Period | None, held: Period | None, ctx: ToolContext
) -> tuple[Clamp, ...]:
    """Ends that were moved, with the reason."""
    if kept is None or held is None:
        return ()
    pairs = (("from", asked.start, kept.start), ("to", asked.end, kept.end))
    return tuple(
        Clamp(
            arg=f"{prefix}{name}",
            before=before.isoformat(),
            after=after.isoformat(),
            why=_why(name, after, held, ctx.last_settled, ctx.lang),
        )
        for name, before, after in pairs
        if before != after
    )


def _why(name: str, day: date, held: Period, settled: date, lang: Lang) -> str:
    if name == "from":
        return say(lang, "compare.clamp_starts", day=held.start.isoformat())
    key = "compare.clamp_settled" if day == settled else "compare.clamp_ends"
    return say(lang, key, day=day.isoformat())
