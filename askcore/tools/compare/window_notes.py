"""What was cut from two periods, as clamps, and the note when one of them has no settled day."""

from __future__ import annotations

from datetime import date

from askcore.base.text import say
from askcore.base.values import Clamp, Note, Period
from askcore.tools.base import ToolContext
from askcore.tools.compare.windows import Windows


def window_clamps(windows: Windows, held: Period | None, ctx: ToolContext) -> tuple[Clamp, ...]:
    """Ends and starts that were cut, with the reason. held: first to last day of the data."""
    found: list[Clamp] = []
    pairs = (
        ("current", windows.asked_current, windows.current),
        ("baseline", windows.asked_baseline, windows.baseline),
    )
    for name, asked, kept in pairs:
        if kept is None or held is None:
            continue
        for end, before, after in (("from", asked.start, kept.start), ("to", asked.end, kept.end)):
            if before != after:
                why = _why(end, name, after, held, ctx)
                arg = f"{name}.{end}"
                found.append(Clamp(arg=arg, before=before.isoformat(), after=after.isoformat(), why=why))
    return tuple(found)


def outside_note(windows: Windows, ctx: ToolContext) -> tuple[Period, Note]:
    """The period without a settled day, and why it has none."""
    held = ctx.view.catalog.period
    period = windows.asked_current if windows.current is None else windows.asked_baseline
    if held is None:
        return period, Note(code="empty", text=say(ctx.lang, "compare.empty_not_loaded"))
    text = say(
        ctx.lang,
        "compare.outside_coverage",
        start=period.start.isoformat(),
        end=period.end.isoformat(),
        first=held.start.isoformat(),
        last=min(held.end, ctx.last_settled).isoformat(),
    )
    return period, Note(code="outside_coverage", text=text)


def _why(end: str, name: str, after: date, held: Period, ctx: ToolContext) -> str:
    if end == "from":
        return say(ctx.lang, "compare.clamp_starts", day=held.start.isoformat())
    if name == "baseline" and after not in (held.end, ctx.last_settled):
        return say(ctx.lang, "compare.clamp_equal_length")
    if after == ctx.last_settled:
        return say(ctx.lang, "compare.clamp_settled", day=after.isoformat())
    return say(ctx.lang, "compare.clamp_ends", day=held.end.isoformat())
