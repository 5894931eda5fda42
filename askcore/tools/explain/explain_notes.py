"""What a reader of an explanation must know; every number in these notes is a cell too."""

from __future__ import annotations

from collections.abc import Iterator

from askcore.base.text import say
from askcore.base.values import Note
from askcore.semantic.format import format_value
from askcore.semantic.model import Metric, Model
from askcore.tools.base import ToolContext
from askcore.tools.compare.availability import stored_columns
from askcore.tools.compare.empty import empty_notes
from askcore.tools.compare.remarks import result_notes
from askcore.tools.compare.reserved import reserved_gaps
from askcore.tools.explain.explanation import Explanation
from askcore.tools.explain.segments import LevelSplit, level_word

_ABOUT_METRICS = frozenset({"duplicate", "reserved_column", "ambiguous", "clamped"})


def explanation_notes(found: Explanation, ctx: ToolContext) -> tuple[Note, ...]:
    """No change to explain, unequal lengths, layers with other totals, cautions about the metric."""
    notes = [*_empty(found, ctx), *_days(found, ctx), *_layers(found, ctx)]
    result = found.results[1]
    about_metrics, _ = result_notes(result, (), ctx)
    notes.extend(n for n in about_metrics if n.code in _ABOUT_METRICS)
    notes.extend(reserved_gaps(result, found.asked.target, ctx))
    return tuple({n.text: n for n in notes}.values())


def _empty(found: Explanation, ctx: ToolContext) -> Iterator[Note]:
    """Why a period has no rows, or a ratio no denominator."""
    lacking = [(r, p) for r, p in zip(found.results, found.periods, strict=True) if not r.days.present]
    for result, period in lacking:
        yield from empty_notes(result, period, ctx)
    if not lacking and (found.total.cur is None or found.total.prev is None):
        text = say(ctx.lang, "explain.no_rows", label=found.metric.label[ctx.lang])
        yield Note(code="empty", text=text)


def _days(found: Explanation, ctx: ToolContext) -> Iterator[Note]:
    """Unequal lengths, and days without rows."""
    base, current = found.periods
    if base.days != current.days:
        text = say(ctx.lang, "explain.note_lengths", current=current.days, baseline=base.days)
        yield Note(code="partial_period", text=text)
    for which, result in zip(("baseline", "current"), found.results, strict=True):
        days = result.days
        if days.present and days.missing:
            text = say(ctx.lang, f"explain.note_days_{which}", present=days.present, expected=days.expected)
            yield Note(code="partial_period", text=text)


def _layers(found: Explanation, ctx: ToolContext) -> Iterator[Note]:
    """One note a layer whose whole differs from the total."""
    seen = set[str]()
    for level in found.levels:
        if level.of_total or level.layer in seen or not _differs(found, level):
            continue
        seen.add(level.layer)
        lang, model = ctx.lang, ctx.view.model
        people = _counts_people(model, found.metric)
        text = say(
            lang,
            "explain.note_people" if people else "explain.note_layers",
            label=found.metric.label[lang],
            level=level_word(model.levels_by_key[level.layer], lang),
            scope=level_word(model.levels_by_key[found.scope], lang),
            prev=format_value(found.metric, level.split.before, lang),
            cur=format_value(found.metric, level.split.after, lang),
            sprev=format_value(found.metric, found.total.prev, lang),
            scur=format_value(found.metric, found.total.cur, lang),
        )
        yield Note(code="duplicate" if people else "like_for_like", text=text)


def _differs(found: Explanation, level: LevelSplit) -> bool:
    pairs = ((level.split.before, found.total.prev), (level.split.after, found.total.cur))
    return any(b is not None and abs(a - b) > 1e-9 * max(abs(a), abs(b)) for a, b in pairs)


def _counts_people(model: Model, metric: Metric) -> bool:
    """Whether the metric rests on people, who count once at the level above."""
    columns = [model.by_key.get(c) for c in stored_columns(model, metric.key)]
    return any(c is not None and c.additivity.across_entities == "upper_bound" for c in columns)
