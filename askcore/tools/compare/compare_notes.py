"""What a reader of a comparison must know; every number in these notes is a cell too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from askcore.base.text import say
from askcore.base.values import Note
from askcore.tools.base import ToolContext
from askcore.tools.compare.availability import joined
from askcore.tools.compare.remarks import result_notes
from askcore.tools.compare.reserved import reserved_gaps
from askcore.tools.compare.same_store import ShopKind
from askcore.tools.compare.study import Study
from askcore.tools.compare.verdicts import CalendarFit, day_ranges, holiday_words, missing_note

_MAX_NAMES = 4  # names in one sentence
_ABOUT_METRICS = frozenset({"duplicate", "reserved_column", "ambiguous", "clamped"})


def comparison_notes(
    found: Study, missing: Sequence[str], fit: CalendarFit | None, ctx: ToolContext
) -> tuple[Note, ...]:
    """Cut periods, unequal lengths, holidays, comparable shops, missing days, cautions about metrics."""
    notes = [*_periods(found, ctx), *_holidays(found, fit, ctx), *_shops(found, ctx)]
    about_metrics, _ = result_notes(found.results[1], missing, ctx)
    notes.extend(n for n in about_metrics if n.code in _ABOUT_METRICS)
    notes.extend(reserved_gaps(found.results[1], found.target, ctx))
    return tuple({n.text: n for n in notes}.values())


def _periods(found: Study, ctx: ToolContext) -> Iterator[Note]:
    windows, lang = found.windows, ctx.lang
    base, current = found.periods
    if current.end < windows.asked_current.end:
        text = say(
            lang,
            "compare.note_cut",
            asked=windows.asked_current.end.isoformat(),
            end=current.end.isoformat(),
            start=base.start.isoformat(),
            until=base.end.isoformat(),
        )
        yield Note(code="clamped", text=text)
    if base.start > windows.asked_baseline.start:
        day = found.data.start.isoformat()
        yield Note(code="outside_coverage", text=say(lang, "compare.note_baseline_start", day=day))
    if any(found.unpaired):
        days = day_ranges((*found.unpaired[0], *found.unpaired[1]))
        yield Note(code="partial_period", text=say(lang, "compare.note_unpaired", days=days))
    elif found.present[0] != found.present[1]:
        unit = say(lang, f"compare.unit_{ctx.view.model.time.grain}")
        text = say(
            lang, "compare.note_lengths", current=found.present[1], baseline=found.present[0], unit=unit
        )
        yield Note(code="partial_period", text=text)


def _holidays(found: Study, fit: CalendarFit | None, ctx: ToolContext) -> Iterator[Note]:
    if fit is None:
        return
    for text in holiday_words(fit, ctx.lang):
        yield Note(code="holiday", text=text)


def _shops(found: Study, ctx: ToolContext) -> Iterator[Note]:
    if len(found.shops) < 2:
        if found.missing:
            yield Note(code="partial_period", text=missing_note(found.missing, ctx.lang))
        return
    lang, leaf = ctx.lang, found.leaf
    level = leaf.label[lang] if leaf is not None else ""
    comparable = sum(kind == "comparable" for _, kind in found.shops)
    if comparable < len(found.shops):
        parts = [say(lang, "compare.note_comparable", n=comparable, total=len(found.shops), level=level)]
        kinds: tuple[ShopKind, ...] = ("opener", "closer", "partial")
        for kind in kinds:
            names = [s.name for s, k in found.shops if k == kind]
            if names:
                shown = joined(lang, names[:_MAX_NAMES])
                if len(names) > _MAX_NAMES:
                    shown += say(lang, "compare.and_more")
                parts.append(say(lang, f"compare.note_{kind}", names=shown))
        yield Note(code="like_for_like", text=say(lang, "compare.sentence_joint").join(parts))
    if found.missing:
        yield Note(code="like_for_like", text=missing_note(found.missing, lang))
