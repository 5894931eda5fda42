"""Markdown tables: which column a figure stands in, and what its heading says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The heading row of the table that a row belongs to."""

    cells: tuple[str, ...]

    def over(self, row_before: str) -> str:
        """The heading over a figure, given the row's text before it; "" when there is none."""
        column = row_before.count("|")
        return self.cells[column] if column < len(self.cells) else ""


def headers_of(plain: str) -> Mapping[int, Header]:
    """The heading of every table row below it, by the position where the row's line starts."""
    headers: dict[int, Header] = {}
    current: Header | None = None
    start = 0
    for line in plain.split("\n"):
        if not line.lstrip().startswith("|"):
            current = None
        elif current is None:
            current = Header(cells=tuple(line.split("|")))
        else:
            headers[start] = current
        start += len(line) + 1
    return headers
