"""`sync_log.csv` (time, entity, state, rows, message) -> rows of the sync log."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from askcore.lake.ingest.csv_reader import read_csv
from askcore.lake.ingest.message import Refusal
from askcore.lake.ingest.numbers import one_array
from askcore.lake.ingest.words import normal

_COLUMNS = ("time", "entity", "state", "rows", "message")
_NEEDED = ("time", "state")
_TIMES = r"^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?(Z|[+-]\d{2}:?\d{2})?$"


def read_sync_log(path: Path) -> pa.Table:
    """The log as a table for `Delivery.sync_rows`.

    Raises: Refusal when time or state is missing, or a time is no ISO time.
    """
    table = read_csv(path, str(path))
    known = {normal(n): n for n in table.names}
    missing = [c for c in _NEEDED if c not in known]
    if missing:
        raise Refusal("sync_columns", path=str(path), columns=", ".join(missing))
    columns = {
        c: one_array(table.column(known[c])) if c in known else pa.nulls(table.row_count, pa.string())
        for c in _COLUMNS
    }
    good = pc.fill_null(pc.match_substring_regex(columns["time"], _TIMES), False)
    bad = pc.filter(columns["time"], pc.invert(good)).slice(0, 1).to_pylist()
    if bad:
        raise Refusal("sync_time", path=str(path), example=bad[0] or "-")
    return pa.table(columns)
