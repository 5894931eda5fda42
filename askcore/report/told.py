"""What an answer or a report told, kept so that it can be compared with every later version."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from askcore.base.reports import Figure, Source
from askcore.base.text import say
from askcore.base.values import Lang, ToolResult, VerdictStatus
from askcore.base.views import RunSnapshot
from askcore.report.answers import sources_of, told_figures
from askcore.report.figure_labels import FigureLabel, labels_of, table_labels
from askcore.report.manifest import Manifest
from askcore.report.recall import Recalled, recall

if TYPE_CHECKING:
    from askcore.lake import LakeView
    from askcore.semantic.model import Model

SECTION: Final = "s1"
_OF_THE_LAKE: Final = ("lake_overview", "define_metric", "search_metadata", "build_report")
"""Tools that say what the lake holds at the moment; every load makes that older, none restates it."""
_OF_THE_LOAD: Final = ("freshness", "sync_log", "schema_drift")
"""Checks of the newest load and of the clock, not of rows of a period."""
_COUNTS: Final = "verdicts."


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldFigure:
    """A number as it was told."""

    address: str
    value: float
    base: float
    """What a later version is compared with: the same call's number on the version of then."""
    label: str
    unit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """The figures of one answer or report, and the calls that gave them."""

    dataset: str
    version: int
    lang: Lang
    sources: tuple[Source, ...]
    figures: tuple[ToldFigure, ...]
    why: str = ""
    """Why some of its figures are not here; "" when all are."""


def told_of_run(run: RunSnapshot, view: LakeView | None, model: Model, why: str = "") -> Told:
    """An answer as it was given.

    view: its version; None when that is gone: then only the stored table is known. why: the reason.
    """
    sources = sources_of(run, SECTION)
    recalled = {} if view is None else {s.id: recall(s, view, run.lang) for s in sources}
    known = {address: v for one in recalled.values() for address, v in one.values.items()}
    figures = tuple(told_figures(run, SECTION, known))
    said = Manifest(
        report_id="",
        dataset=run.dataset,
        version=run.version,
        lang=run.lang,
        sources=sources,
        figures=figures,
    )
    stored: dict[str, FigureLabel] = {}
    for source in sources:
        if run.table is not None and source.id == f"{SECTION}.{run.table_step}":
            stored |= table_labels(source, run.table)
    return told_of(said, recalled, model, stored, why=why)


def told_of_report(said: Manifest, view: LakeView | None, model: Model, why: str = "") -> Told:
    """A written report; view and why as for `told_of_run`."""
    recalled = {} if view is None else {s.id: recall(s, view, said.lang) for s in said.sources}
    return told_of(said, recalled, model, {}, why=why)


def told_of(
    said: Manifest,
    recalled: Mapping[str, Recalled],
    model: Model,
    stored: Mapping[str, FigureLabel],
    *,
    why: str,
) -> Told:
    """The figures that a load can restate, with their labels.

    recalled: the calls by the id of their source, on the version of then; {} when it is gone.
    stored: labels that are known without it.
    """
    kept = {s.id: s for s in said.sources if s.tool not in _OF_THE_LAKE}
    labels = dict(stored)
    for source in kept.values():
        again = recalled.get(source.id)
        if again is not None and again.result is not None:
            labels |= labels_of(source, again.result, model, said.lang)
    found = tuple(
        _told(f, labels.get(f.address), recalled.get(source_id(f.address)), said.lang)
        for f in said.figures
        if source_id(f.address) in kept and not _is_of_the_load(f.address)
    )
    used = {source_id(f.address) for f in found}
    return Told(
        dataset=said.dataset,
        version=said.version,
        lang=said.lang,
        sources=tuple(s for s in kept.values() if s.id in used),
        figures=found,
        why=why,
    )


def _told(figure: Figure, label: FigureLabel | None, again: Recalled | None, lang: Lang) -> ToldFigure:
    base = None if again is None else comparable(figure.address, again)
    return ToldFigure(
        address=figure.address,
        value=figure.value,
        base=figure.value if base is None else base,
        label=said_label(figure.address, figure.shown, label, lang),
        unit="" if label is None else label.unit,
    )


def said_label(address: str, shown: str, label: FigureLabel | None, lang: Lang) -> str:
    """What the figure is; one that only a sentence names is quoted."""
    if label is not None:
        return label.text
    return say(lang, "restated.in_text", text=shown) if shown else ""


def _is_of_the_load(address: str) -> bool:
    """Whether the figure is of a check that looks at the load and the clock."""
    name = address.partition(":")[2]
    return any(name.startswith((f"{check}.", f"{check}/")) for check in _OF_THE_LOAD)


def comparable(address: str, again: Recalled) -> float | None:
    """The number at an address; of counts of verdicts those that a load alone does not change."""
    now = again.values.get(address)
    if not isinstance(now, int | float):
        return None
    if is_count(address) and again.result is not None:
        name = address.partition(":")[2]
        return float(now) - _of_the_load(again.result, name.removeprefix(_COUNTS).partition("[")[0])
    return float(now)


def is_count(address: str) -> bool:
    """Whether the figure counts verdicts."""
    return address.partition(":")[2].startswith(_COUNTS)


def _of_the_load(result: ToolResult, status: VerdictStatus | str) -> int:
    return sum(v.check in _OF_THE_LOAD and status in (v.status, "all") for v in result.verdicts)


def source_id(address: str) -> str:
    """The source of an address."""
    return address.partition(":")[0]


@cache
def _adapter() -> Any:
    from pydantic import TypeAdapter  # 0.1 s; not needed by an import

    return TypeAdapter(Told)


def to_bytes(told: Told) -> bytes:
    """As it is kept."""
    return bytes(_adapter().dump_json(told))


def from_bytes(data: bytes) -> Told:
    """As it was kept."""
    found: Told = _adapter().validate_json(data)
    return found
