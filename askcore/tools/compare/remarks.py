"""What must be said beside the rows of a query, in the reader's language, with its numbers as cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from askcore.base.text import say
from askcore.base.values import Cell, Clamp, Note, NoteCode
from askcore.semantic.averages import resolve
from askcore.tools.base import ToolContext
from askcore.tools.compare.availability import joined

if TYPE_CHECKING:
    from askcore.lake import MetricFlag, QueryResult

# "duplicate": the closest code for people who are counted more than once.
_CODES: Mapping[MetricFlag, NoteCode] = {
    "person_days": "duplicate",
    "upper_bound": "duplicate",
    "forbidden": "ambiguous",
    "reserved_missing": "reserved_column",
}


def result_notes(
    result: QueryResult, missing: Sequence[str], ctx: ToolContext
) -> tuple[tuple[Note, ...], tuple[Cell, ...]]:
    """Notes about metrics, levels and days, and the cells of the numbers in them.

    missing: metrics that were asked for and left out because the source has no such column.
    """
    notes: list[Note] = []
    cells: list[Cell] = []
    if missing:
        labels = _labels(missing, ctx)
        notes.append(Note(code="reserved_column", text=say(ctx.lang, "compare.not_in_source", labels=labels)))
    notes.extend(_flag_notes(result, ctx))
    if result.rolled_up_from is not None:
        level = ctx.view.model.levels_by_key[result.rolled_up_from].label[ctx.lang]
        notes.append(Note(code="clamped", text=say(ctx.lang, "compare.rolled_up", level=level)))
    if result.rows and result.days.missing:
        present, expected = result.days.present, result.days.expected
        text = say(ctx.lang, "compare.missing_days", present=present, expected=expected)
        notes.append(Note(code="partial_period", text=text))
        cells += [
            Cell(value=v, unit="days", metric="days", step=ctx.step_id, role="arg")
            for v in (present, expected, result.days.missing)
        ]
    if result.rows and result.partial_buckets:
        text = say(ctx.lang, "compare.partial_buckets", buckets=joined(ctx.lang, result.partial_buckets))
        notes.append(Note(code="partial_period", text=text))
    return tuple(notes), tuple(cells)


def clamp_notes(clamped: Iterable[Clamp]) -> tuple[Note, ...]:
    """One note for each end of the period that was moved."""
    return tuple(Note(code="clamped", text=c.why) for c in clamped if c.arg in ("from", "to"))


def _flag_notes(result: QueryResult, ctx: ToolContext) -> Iterable[Note]:
    """One note a kind of caution, naming the metrics that it is about."""
    for flag, code in _CODES.items():
        keys = _flagged(result, flag)
        if keys and result.rows:
            text = say(ctx.lang, f"compare.flag_{flag}", labels=_labels(keys, ctx))
            yield Note(code=code, text=text)


def _flagged(result: QueryResult, flag: MetricFlag) -> list[str]:
    return [key for key in result.spec.metrics if flag in result.flags.get(key, frozenset())]


def _labels(keys: Iterable[str], ctx: ToolContext) -> str:
    return joined(ctx.lang, [resolve(ctx.view.model, k).label[ctx.lang] for k in keys])
