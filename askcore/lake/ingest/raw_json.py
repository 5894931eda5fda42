"""The `raw` column: source-side fields as one JSON object per row."""

from __future__ import annotations

import json
from collections.abc import Mapping

import numpy as np
import pyarrow as pa

from askcore.lake.ingest.combine import Mask
from askcore.lake.ingest.numbers import one_array


def raw_problems(cells: pa.ChunkedArray) -> Mask:
    """Rows whose cell is neither empty nor a JSON object."""
    return np.array([not _is_object(c) for c in one_array(cells).to_pylist()], dtype=bool)


def _is_object(cell: str | None) -> bool:
    if cell is None:
        return True
    try:
        return isinstance(json.loads(cell), dict)
    except ValueError:
        return False


def merge_raw(raw: pa.Array | None, extra: Mapping[str, pa.Array]) -> pa.Array:
    """The given objects with the extra fields added; a field without a value is left out.

    What the source's own object says of a field wins.
    """
    if not extra and raw is not None:
        return raw
    names = tuple(extra)
    rows = zip(*(column.to_pylist() for column in extra.values()), strict=True)
    given = None if raw is None else raw.to_pylist()
    found: list[str] = []
    for index, row in enumerate(rows):
        fields = {n: v for n, v in zip(names, row, strict=True) if v is not None}
        if given is not None and given[index] is not None:
            fields |= json.loads(given[index])
        found.append(json.dumps(fields, ensure_ascii=False, separators=(",", ":")))
    return pa.array(found, pa.string())
