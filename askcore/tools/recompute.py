"""The numbers of a result by address, so that a later result can be compared with an earlier one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, Final

from askcore.base.values import Cell, Table
from askcore.checks.provenance.candidate import name_of

_SAME: Final = 1e-9  # relative; the same SQL on the same version may add in another order


def table_values(table: Table | None, prefix: str) -> Mapping[str, Any]:
    """{"t1:S0101.grossAmt": value}: numbers by the dimensions of their row; totals as "t1:total.grossAmt"."""
    if table is None:
        return {}
    found: dict[str, Any] = {}
    for row in table.rows:
        name = "/".join(str(row.get(d)) for d in table.dimensions)
        found |= {f"{prefix}:{name}.{m}": row.get(m) for m in table.measures}
    found |= {f"{prefix}:total.{m}": v for m, v in table.totals.items()}
    return found


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
