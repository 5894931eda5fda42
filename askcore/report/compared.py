"""What was told against a later version: which figures moved, and which could not be made again."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Final

from askcore.base.reports import Source
from askcore.base.restated import MovedFigure, RestatedState
from askcore.checks.provenance.candidate import name_of
from askcore.report.figure_labels import labels_of
from askcore.report.recall import Recalled
from askcore.report.told import Told, ToldFigure, comparable, is_count, said_label, source_id
from askcore.tools.recompute import is_same

if TYPE_CHECKING:
    from askcore.semantic.model import Model

_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_ONLY_ITS_PERIOD: Final = ("query_report",)
"""Tools that read no row before the days of their arguments; others look back for what is usual."""
MOST_FIGURES: Final = 50  # kept of an answer: more than anybody reads; all are counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """An answer or a report on a later version."""

    state: RestatedState
    moved: tuple[MovedFigure, ...]
    n_moved: int
    why: str = ""


def compare(
    told: Told, days: frozenset[date] | None, again: Callable[[Source], Recalled], model: Model
) -> Compared:
    """Every figure that was told against what the same call gives now.

    days: those whose rows changed since; None = not known. again: makes a call on the later version.
    A call over rows that did not change is not made: its numbers may follow newer days, such as what is
    usual since, but nothing that it was told from was restated.
    """
    recalled = {s.id: again(s) for s in told.sources if is_touched(s, days)}
    moved: dict[tuple[str, float, float | None], MovedFigure] = {}
    lost = [told.why] if told.why and not told.figures else []
    for figure in told.figures:
        source = recalled.get(source_id(figure.address))
        if source is None:
            continue
        if source.why:
            lost.append(source.why)
        elif (found := _moved(figure, source, told, model)) is not None:
            moved.setdefault((found.label, found.was, found.now), found)
    state: RestatedState = "moved" if moved else "unreachable" if lost else "same"
    shown = tuple(moved.values())[:MOST_FIGURES]
    return Compared(state=state, moved=shown, n_moved=len(moved), why=lost[0] if lost else "")


def is_touched(source: Source, days: frozenset[date] | None) -> bool:
    """Whether the call reads rows of these days, as far as its arguments tell."""
    found = [date.fromisoformat(d) for d in _DAY.findall(json.dumps(source.args, default=str))]
    if days is None or not found:
        return days is None or bool(days)
    first = min(found) if source.tool in _ONLY_ITS_PERIOD else date.min
    return any(first <= day <= max(found) for day in days)


def _moved(figure: ToldFigure, again: Recalled, told: Told, model: Model) -> MovedFigure | None:
    now = comparable(figure.address, again)
    if now is None:
        now = _one_of(figure, again)
    if now is not None and is_same(figure.base, now):
        return None
    if now is not None and figure.base != figure.value and is_count(figure.address):
        now = figure.value + (now - figure.base)
    label, unit = _labelled(figure, again, told, model)
    return MovedFigure(address=figure.address, label=label, was=figure.value, now=now, unit=unit)


def _one_of(figure: ToldFigure, again: Recalled) -> float | None:
    """Of an address that two cells share now, the one that is as told, else the first; None without any."""
    section = figure.address.partition(".")[0]
    cells = () if again.result is None else again.result.cells
    shared = [c.value for c in cells if f"{section}.{name_of(c)}" == figure.address]
    return next((value for value in shared if is_same(figure.base, value)), shared[0] if shared else None)


def _labelled(figure: ToldFigure, again: Recalled, told: Told, model: Model) -> tuple[str, str]:
    """The label that was kept, else that of now, else the metric."""
    if figure.label:
        return figure.label, figure.unit
    source = next(s for s in told.sources if s.id == source_id(figure.address))
    if again.result is not None:
        labels = labels_of(source, again.result, model, told.lang)
        if (label := labels.get(figure.address)) is not None:
            return label.text, label.unit
    return said_label(figure.address, figure.address.rpartition(".")[2], None, told.lang), ""
