"""A report as JSON and back, so that a kept one can be arranged and written anew without asking again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from askcore.base.errors import LakeError
from askcore.base.reports import (
    Block,
    ChartBlock,
    ChecksBlock,
    GridBlock,
    HeadlineBlock,
    Report,
    Section,
    TableBlock,
    TextBlock,
)

_VALUES: Final[Mapping[str, Any]] = {
    value.__name__: value
    for value in (Report, Section, TextBlock, HeadlineBlock, TableBlock, GridBlock, ChartBlock, ChecksBlock)
}
_PARTS: Final = ("blocks", "evidence")


@cache
def _adapter(name: str) -> TypeAdapter[Any]:
    return TypeAdapter(_VALUES[name])


def dump(report: Report) -> bytes:
    """The whole report; days in rows become ISO text, which every writer reads as a day."""
    found = _adapter("Report").dump_python(replace(report, sections=()), mode="json")
    found["sections"] = [_section(section) for section in report.sections]
    return json.dumps(found, ensure_ascii=False, default=str).encode("utf-8", "surrogatepass")


def load(data: bytes) -> Report:
    """The inverse of `dump`. Raises: LakeError when the data is damaged or of another version."""
    try:
        found = json.loads(data.decode("utf-8", "surrogatepass"))
        sections = tuple(_read_section(one) for one in found.pop("sections"))
        report: Report = _adapter("Report").validate_python({**found, "sections": ()})
    except (ValueError, KeyError, TypeError, AttributeError, ValidationError) as e:
        raise LakeError(f"the kept report cannot be read: {e}") from e
    return replace(report, sections=sections)


def _section(section: Section) -> dict[str, Any]:
    found: dict[str, Any] = _adapter("Section").dump_python(
        replace(section, blocks=(), evidence=()), mode="json"
    )
    return found | {part: [_block(one) for one in getattr(section, part)] for part in _PARTS}


def _read_section(found: dict[str, Any]) -> Section:
    blocks, evidence = (tuple(_read_block(one) for one in found.pop(part)) for part in _PARTS)
    section: Section = _adapter("Section").validate_python({**found, "blocks": ()})
    return replace(section, blocks=blocks, evidence=evidence)


def _block(block: Block) -> dict[str, Any]:
    return {"is": type(block).__name__, "has": _adapter(type(block).__name__).dump_python(block, mode="json")}


def _read_block(found: dict[str, Any]) -> Block:
    block: Block = _adapter(found["is"]).validate_python(found["has"])
    return block
