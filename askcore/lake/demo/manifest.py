"""The manifest: which faults are planted, which check must find them where, and what analyses must give.

It is written next to the lake and read by tests and benchmarks; nothing that answers questions reads it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

Key = Mapping[str, str]
"""{date, scope, companyId, chainId, shopId}; "" for levels below the row's scope."""
FaultStatus = Literal["info", "warn", "fail"]
FILE_NAME = "manifest.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenBy:
    """Another check that rightly sees the same fault: one issue, not a second one."""

    check: str
    keys: tuple[Key, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One planted fact."""

    id: str
    """F1 to F12."""
    kind: str
    """What was planted, in one word: the same for every seed."""
    check: str
    """Catalogue id of the check that owns it."""
    status: FaultStatus
    """Mildest status that is right; "info" = something true of the business, no fault of the data."""
    keys: tuple[Key, ...]
    """Exactly these keys, in order of date."""
    grouped_under: tuple[SeenBy, ...] = ()
    """Checks whose findings on these keys belong to this fault."""
    columns: tuple[str, ...] = ()
    """Metric keys or raw fields concerned; () = whole rows."""
    detail: Mapping[str, Any] | None = None
    """What is special, e.g. the size of a gap; numbers in yuan, fractions, ISO days."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityLine:
    """One entity with the days it trades (ISO)."""

    level: str
    id: str
    name: str
    companyId: str
    chainId: str = ""
    first_day: str
    last_day: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """Everything that is known about one demo lake."""

    seed: int
    clean: bool
    as_of: str
    period: Mapping[str, str]
    default_entity: str
    row_count: int
    """Rows delivered, twins included."""
    entities: tuple[EntityLine, ...]
    faults: tuple[Fault, ...]
    expected: Mapping[str, Any]
    """Analyses with their exact results: see `expected.py`."""
    synthetic: bool = True

    def fault(self, fault_id: str) -> Fault:
        """The planted fact "F1" … "F12". Raises: KeyError on a clean lake."""
        for fault in self.faults:
            if fault.id == fault_id:
                return fault
        raise KeyError(fault_id)

    def as_json(self) -> dict[str, Any]:
        """Plain JSON-able object."""
        return asdict(self)

    def text(self) -> str:
        """The file's content: the same bytes for the same lake."""
        return json.dumps(self.as_json(), ensure_ascii=False, indent=1) + "\n"
