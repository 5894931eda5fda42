"""The numbers of a result by address, so that a later result can be compared with an earlier one."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from askcore.base.values import Cell, Table
from askcore.checks.provenance.candidate import name_of

_KEYED_BY: Final = {"check": ("check", "target"), "field": ("field",)}
"""First column of the tables whose other texts are remarks -> what tells their rows apart."""
_SAME: Final = 1e-9  # relative; the same SQL on the same version may add in another order


def table_values(table: Table | None, prefix: str) -> Mapping[str, Any]:
    """{"t1:S0101.grossAmt": value}: numbers by the dimensions of their row; totals as "t1:total.grossAmt"."""
    if table is None:
        return {}
    found: dict[str, Any] = {}
    for name, row in named_rows(table):
        found |= {f"{prefix}:{name}.{m}": row.get(m) for m in table.measures}
    found |= {f"{prefix}:total.{m}": v for m, v in table.totals.items()}
    return found


def named_rows(table: Table) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Each row with what it is about: "S0101", "2026-10-07/S0101"; rows that share it have all their texts.

    An entity is known by its id, a check by its target: a new name or another wording makes no other row.
    """
    keys = _key_columns(table)
    names = ["/".join(str(row.get(d)) for d in keys) for row in table.rows]
    count = Counter(names)
    for name, row in zip(names, table.rows, strict=True):
        whole = "/".join(str(row.get(d)) for d in table.dimensions)
        yield (name if count[name] == 1 else whole), row


def _key_columns(table: Table) -> tuple[str, ...]:
    """Dimensions without display names beside their ids, and without what a check or a reader says."""
    owners, dimensions = {c.key: c.of for c in table.columns}, table.dimensions
    head = dimensions[0] if dimensions else ""
    if head in _KEYED_BY and not owners[head]:
        return tuple(d for d in dimensions if d in _KEYED_BY[head])
    first = {owners[d]: d for d in reversed(dimensions) if owners[d]}
    return tuple(d for d in dimensions if not owners[d] or first[owners[d]] == d)


def cell_values(cells: Iterable[Cell]) -> Mapping[str, float]:
    """{address as sentences cite it: value}; an address that stands for two values is left out."""
    found: dict[str, float | None] = {}
    for cell in cells:
        address = name_of(cell)
        known = found.get(address, cell.value)
        found[address] = cell.value if known is not None and is_same(known, cell.value) else None
    return {address: value for address, value in found.items() if value is not None}


def is_same(was: Any, now: Any) -> bool:
    """Whether two values are one up to the order of addition."""
    if isinstance(was, int | float) and isinstance(now, int | float):
        return math.isclose(was, now, rel_tol=_SAME, abs_tol=_SAME)
    return bool(was == now)
