"""Reads the `--cells` file of `check-provenance`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any, Final, NoReturn, TypeVar, get_args

from askcore.base.errors import BadRequest, did_you_mean
from askcore.base.values import Cell, CellRole, CellUnit

UNITS: Final[Mapping[str, CellUnit]] = {u: u for u in get_args(CellUnit)}
ROLES: Final[Mapping[str, CellRole]] = {r: r for r in get_args(CellRole)}
KEYS: Final = ("v", "unit", "metric", "row", "rid", "role", "add", "period")
BASE_SUFFIX: Final = "_prev"
_Known = TypeVar("_Known")


def cells_from_json(obj: object) -> tuple[tuple[Cell, ...], tuple[str, ...]]:
    """The cells and the entity names of {"cells": […], "entities": […]} or of a bare list.

    Raises: BadRequest naming the entry and the field.
    """
    if isinstance(obj, list):
        obj = {"cells": obj}
    if not isinstance(obj, dict):
        _refuse("cells", f"must be an object or a list, not {_kind(obj)}")
    entries, entities = _entries(obj), _entities(obj.get("entities", []))
    return tuple(_cell(e, at, entities) for at, e in enumerate(entries)), entities


def _entries(obj: Mapping[str, Any]) -> list[Any]:
    if "cells" not in obj:
        _refuse("cells", "is missing", hint=did_you_mean("cells", map(str, obj)))
    entries = obj["cells"]
    if not isinstance(entries, list):
        _refuse("cells", f"must be a list, not {_kind(entries)}")
    return entries


def _entities(names: object) -> tuple[str, ...]:
    if not isinstance(names, list):
        _refuse("entities", f"must be a list, not {_kind(names)}")
    for at, name in enumerate(names):
        if not isinstance(name, str):
            _refuse(f"entities[{at}]", f"must be text, not {_kind(name)}")
    return tuple(names)


def _cell(entry: object, at: int, entities: tuple[str, ...]) -> Cell:
    place = f"cells[{at}]"
    if not isinstance(entry, dict):
        _refuse(place, f"must be an object, not {_kind(entry)}")
    _refuse_misspelt(entry, place)
    entity, period = _row(_text(entry, place, "row", default=""), entities)
    return Cell(
        value=_number(entry, place),
        unit=_known(_text(entry, place, "unit"), UNITS, f"{place}.unit"),
        metric=_text(entry, place, "metric"),
        entity=entity,
        period=_text(entry, place, "period", default=period),
        step=_text(entry, place, "rid", default="t1"),
        role=_known(_text(entry, place, "role", default="value"), ROLES, f"{place}.role"),
        additivity=_text(entry, place, "add", default="sum"),
    )


def _refuse_misspelt(entry: Mapping[str, Any], place: str) -> None:
    """An unknown key near a known one is a slip that would silently change the meaning."""
    for key in entry:
        near = "" if key in KEYS else did_you_mean(str(key), KEYS)
        if near:
            _refuse(f"{place}.{key}", "is not a known field", hint=near)


def _row(row: str, entities: tuple[str, ...]) -> tuple[str, str]:
    """Entity and period: "", "cur", "prev", NAME or NAME_prev."""
    if row in ("", "cur"):
        return "", "cur"
    if row == "prev":
        return "", "prev"
    if row.endswith(BASE_SUFFIX) and row not in entities:
        return row.removesuffix(BASE_SUFFIX), "prev"
    return row, "cur"


def _number(entry: Mapping[str, Any], place: str) -> float:
    if "v" not in entry:
        _refuse(f"{place}.v", "is missing")
    value = entry["v"]
    if isinstance(value, bool) or not isinstance(value, int | float):
        _refuse(f"{place}.v", f"must be a number, not {_kind(value)}")
    try:
        number = float(value)
    except OverflowError:
        number = float("inf")
    if not isfinite(number):
        _refuse(f"{place}.v", "must be a finite number")
    return number


def _text(entry: Mapping[str, Any], place: str, key: str, *, default: str | None = None) -> str:
    value = entry.get(key, default)
    if value is None:
        _refuse(f"{place}.{key}", "is missing")
    if not isinstance(value, str):
        _refuse(f"{place}.{key}", f"must be text, not {_kind(value)}")
    return value


def _known(word: str, known: Mapping[str, _Known], place: str) -> _Known:
    if word not in known:
        hint = did_you_mean(word, known) or f"one of {', '.join(known)}"
        _refuse(place, f"{word!r} is unknown", hint=hint)
    return known[word]


def _kind(value: object) -> str:
    kinds: tuple[tuple[Callable[[object], bool], str], ...] = (
        (lambda v: v is None, "null"),
        (lambda v: isinstance(v, bool), "a truth value"),
        (lambda v: isinstance(v, int | float), "a number"),
        (lambda v: isinstance(v, str), "text"),
        (lambda v: isinstance(v, list), "a list"),
    )
    return next((name for matches, name in kinds if matches(value)), "an object")


def _refuse(place: str, what: str, *, hint: str = "") -> NoReturn:
    raise BadRequest(f"{place} {what}", hint=hint)
