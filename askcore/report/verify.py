"""Are a report's figures still what the lake says? Each is made again on the newest version."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from askcore.base.errors import BadRequest
from askcore.base.reports import Source
from askcore.report.html import DATA_ID
from askcore.report.manifest import Manifest, query_hash, read_manifest
from askcore.report.recall import Recalled, recall
from askcore.tools.recompute import is_same

if TYPE_CHECKING:
    from askcore.lake import LakeView

_DATA: Final = re.compile(rf'<script type="application/json" id="{DATA_ID}">(.*?)</script>', re.DOTALL)


def manifest_of_html(data: bytes) -> Manifest:
    """What a written report carries.

    Raises: BadRequest when the file is no report, or its data is damaged.
    """
    found = _DATA.search(data.decode("utf-8", errors="replace"))
    if found is None:
        raise BadRequest("the file is no AskLake report", hint="askcore report … --format html")
    try:
        return read_manifest(json.loads(found.group(1)))
    except json.JSONDecodeError as e:
        raise BadRequest(f"the report's data is damaged: {e}") from e


def verify(told: Manifest, view: LakeView) -> dict[str, Any]:
    """{report_id, dataset, was_version, version, same, drifted, unreachable, figures[…]}.

    figures: those that are not the same: {address, shown, status, was, now, why}.
    """
    recalled = _recalled(told, view)
    counts = {"same": 0, "drifted": 0, "unreachable": 0}
    moved: list[dict[str, Any]] = []
    for figure in told.figures:
        status, now, why = _status(figure.address, figure.value, recalled)
        counts[status] += 1
        if status != "same":
            moved.append(
                {
                    "address": figure.address,
                    "shown": figure.shown,
                    "status": status,
                    "was": figure.value,
                    "now": now,
                    "why": why,
                }
            )
    return {
        "report_id": told.report_id,
        "dataset": told.dataset,
        "was_version": told.version,
        "version": view.version,
        **counts,
        "figures": moved,
    }


def _recalled(told: Manifest, view: LakeView) -> Mapping[str, Recalled]:
    """Source id -> its numbers; calls that are the same are made once."""
    made: dict[str, tuple[Source, Recalled]] = {}
    found: dict[str, Recalled] = {}
    for source in told.sources:
        name = query_hash(source)
        if name not in made:
            made[name] = source, recall(source, view, told.lang)
        first, numbers = made[name]
        found[source.id] = numbers.under(first, source)
    return found


def _status(address: str, was: float, recalled: Mapping[str, Recalled]) -> tuple[str, float | None, str]:
    source = recalled.get(address.partition(":")[0])
    if source is None:
        return "unreachable", None, "no such query"
    now = source.values.get(address)
    if now is None:
        return "unreachable", None, source.why or "no such row"
    return ("same" if is_same(was, now) else "drifted"), now, ""
