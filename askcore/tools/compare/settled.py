"""T-1: days that the source has not settled yet are cut off, and that is said."""

from __future__ import annotations

from askcore.base.text import say
from askcore.base.values import Clamp, Period
from askcore.tools.base import ToolContext


def settled_end(period: Period, ctx: ToolContext, *, arg: str) -> tuple[Period, tuple[Clamp, ...]]:
    """The period cut at the last settled day; unchanged when it lies wholly after it."""
    last = ctx.last_settled
    if period.end <= last or period.start > last:
        return period, ()
    why = say(ctx.lang, "compare.clamp_settled", day=last.isoformat())
    clamp = Clamp(arg=arg, before=period.end.isoformat(), after=last.isoformat(), why=why)
    return Period(start=period.start, end=last), (clamp,)
