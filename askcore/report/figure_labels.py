"""What the figures of a call are, in a reader's words: whose, which metric, which days."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from askcore.base.errors import BadRequest
from askcore.base.reports import Source
from askcore.base.text import say
from askcore.base.values import Cell, Lang, Table, ToolResult
from askcore.checks.provenance.candidate import is_bucket, name_of
from askcore.semantic.averages import resolve
from askcore.tools.recompute import named_rows

if TYPE_CHECKING:
    from askcore.semantic.model import Model

_SAID_ROLES: Final = ("delta", "pctchg", "share", "rank")
_PREVIOUS: Final = "prev"


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureLabel:
    """A figure as a reader names it."""

    text: str
    unit: str


def labels_of(source: Source, result: ToolResult, model: Model, lang: Lang) -> Mapping[str, FigureLabel]:
    """Labels by address; cells that only a sentence can name are left out."""
    found = dict(_of_cells(source, result, model, lang))
    return found if result.table is None else {**found, **table_labels(source, result.table)}


def table_labels(source: Source, table: Table) -> Mapping[str, FigureLabel]:
    """Labels of a table's numbers by address."""
    return {f"{source.id}:{address}": label for address, label in _of_table(source, table)}


def _of_table(source: Source, table: Table) -> Iterator[tuple[str, FigureLabel]]:
    columns = {c.key: c for c in table.columns}
    names = _name_columns(table)
    for name, row in named_rows(table):
        who = [str(row[key]) for key in names if row.get(key) not in (None, "")]
        for key in table.measures:
            yield f"{name}.{key}", _label(who, columns[key].label, _days(source, key, row), columns[key].unit)
    for key in table.totals:
        column = columns.get(key)
        if column is not None:
            yield f"total.{key}", _label([], column.label, _days(source, key, {}), column.unit)


def _name_columns(table: Table) -> list[str]:
    """Columns that name a row: of an entity the display name, of a check its title and target."""
    last = {c.of: c.key for c in table.columns if c.of}
    if "check" in table.dimensions:
        return ["title", "target"]
    return [c.key for c in table.columns if c.key in table.dimensions and last.get(c.of, c.key) == c.key]


def _of_cells(
    source: Source, result: ToolResult, model: Model, lang: Lang
) -> Iterator[tuple[str, FigureLabel]]:
    titles = _titles(result.table)
    for cell in result.cells:
        name = _metric_name(cell, model, titles, lang)
        if name:
            days = cell.period if is_bucket(cell.period) else _days(source, cell.period, {})
            unit = _unit(cell, model)
            yield f"{source.section}.{name_of(cell)}", _label([cell.entity], name, days, unit)


def _metric_name(cell: Cell, model: Model, titles: Mapping[str, str], lang: Lang) -> str:
    """The metric or the check of a cell; "" when it is of neither."""
    said = f" {say(lang, f'restated.role_{cell.role}')}" if cell.role in _SAID_ROLES else ""
    try:
        return resolve(model, cell.metric).label[lang] + said
    except (BadRequest, KeyError):
        return titles.get(cell.metric.partition(".")[0], "") if cell.role == "verdict" else ""


def _titles(table: Table | None) -> dict[str, str]:
    if table is None or "check" not in table.dimensions:
        return {}
    return {str(row["check"]): str(row["title"]) for row in table.rows}


def _unit(cell: Cell, model: Model) -> str:
    """The metric's own unit for its values, the cell's for all else."""
    if cell.role in ("value", "total") and cell.metric in model.by_key:
        return model.by_key[cell.metric].unit
    return cell.unit


def _days(source: Source, key: str, row: Mapping[str, Any]) -> str:
    """The days that a value covers, as the call says; "" when a column of its row says it."""
    args = source.args
    if row.get("date") is not None:
        return ""
    is_before = key.startswith(_PREVIOUS) or key.endswith(f"__{_PREVIOUS}")
    period = args.get("baseline") if is_before else args.get("current") or args
    if not isinstance(period, Mapping) or not period.get("from"):
        return ""
    first, last = str(period["from"]), str(period.get("to") or period["from"])
    return first if first == last else f"{first} – {last}"


def _label(who: list[str], name: str, days: str, unit: str) -> FigureLabel:
    parts = [part for part in (*who, name, days) if part]
    return FigureLabel(text=" · ".join(parts), unit=unit)
