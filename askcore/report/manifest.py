"""What a written report carries so that its figures can be made again: calls, figures, version."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from askcore.base.errors import BadRequest
from askcore.base.reports import Figure, Report, Source
from askcore.base.values import Lang

FORMAT: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The calls and figures of a written report."""

    report_id: str
    dataset: str
    version: int
    lang: Lang
    sources: tuple[Source, ...]
    figures: tuple[Figure, ...]


def query_hash(source: Source) -> str:
    """Twelve hex digits that name a call: tool, arguments, entity and clock."""
    said = {"tool": source.tool, "args": source.args, "entity": source.entity, "as_of": str(source.as_of)}
    text = json.dumps(said, ensure_ascii=False, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def manifest(report: Report) -> Mapping[str, Any]:
    """The JSON object of a report."""
    return {
        "format": FORMAT,
        "report_id": report.report_id,
        "dataset": report.dataset,
        "version": report.version,
        "lang": report.lang,
        "sources": [
            {
                "id": s.id,
                "hash": query_hash(s),
                "tool": s.tool,
                "args": json.loads(json.dumps(s.args, ensure_ascii=False, default=str)),
                "entity": s.entity,
                "as_of": s.as_of.isoformat(),
            }
            for s in report.sources
        ],
        "figures": [{"address": f.address, "value": f.value, "shown": f.shown} for f in report.figures],
    }


def read_manifest(found: object) -> Manifest:
    """The inverse of `manifest`.

    Raises: BadRequest when it is no such object, of a later format, or was changed so that a hash is wrong.
    """
    if not isinstance(found, Mapping) or found.get("format") != FORMAT:
        raise BadRequest("the file holds no report of this program, or one of a later version")
    try:
        read = Manifest(
            report_id=str(found["report_id"]),
            dataset=str(found["dataset"]),
            version=int(found["version"]),
            lang="en" if found["lang"] == "en" else "zh",
            sources=tuple(_source(s) for s in found["sources"]),
            figures=tuple(
                Figure(address=str(f["address"]), value=float(f["value"]), shown=str(f["shown"]))
                for f in found["figures"]
            ),
        )
    except (KeyError, TypeError, ValueError) as e:
        raise BadRequest(f"the report's data is damaged: {e}") from e
    for source, said in zip(read.sources, found["sources"], strict=True):
        if said.get("hash") != query_hash(source):
            raise BadRequest(f"the report's query {source.id} was changed after it was written")
    return read


def _source(found: Mapping[str, Any]) -> Source:
    return Source(
        id=str(found["id"]),
        tool=str(found["tool"]),
        args=dict(found["args"]),
        entity=str(found["entity"]),
        as_of=date.fromisoformat(found["as_of"]),
        sql=(),
    )
