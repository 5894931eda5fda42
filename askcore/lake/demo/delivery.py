"""The delivery as a source would hand it over: one table of rows and the log of its syncs."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime, time, timedelta

import pandas as pd
import pyarrow as pa

from askcore.lake.demo import faults
from askcore.lake.demo.facts import LEVEL_COLUMNS, fact_rows
from askcore.lake.demo.panel import MONEY, WEIGHTED
from askcore.lake.demo.placement import Placement
from askcore.lake.demo.raw import raw_fields, raw_json
from askcore.lake.demo.roster import names
from askcore.lake.demo.season import all_days, stream
from askcore.lake.demo.world import World
from askcore.semantic.model import Model

_FRACTIONS = frozenset((*MONEY, *WEIGHTED, "openMinutes"))
_SYNC_HOUR = time(6, 10)  # the platform closes a day's books around six the next morning


def deliver(world: World, model: Model) -> tuple[pa.Table, pa.Table]:
    """(rows, sync log), with the data faults of the world's placement."""
    rows = fact_rows(world)
    placement = world.placement
    if placement is not None:
        faults.plant_values(rows, placement)
    fields = raw_fields(rows, model)
    if placement is not None:
        faults.plant_raw(rows, fields, placement)
    rows["raw"] = pd.Series(raw_json(fields), dtype=object)
    if placement is not None:
        rows = faults.plant_row_faults(rows, placement)
    keys = [m.key for m in model.metrics if m.key in faults.METRICS]
    return _table(rows, keys), _sync_log(world, rows)


def _table(rows: pd.DataFrame, keys: list[str]) -> pa.Table:
    columns = {"date": pa.array(rows["date"].tolist(), pa.date32())}
    for column in ("scope", *LEVEL_COLUMNS):
        columns[column] = pa.array(rows[column].tolist(), pa.string())
    for key in keys:
        kind = pa.float64() if key in _FRACTIONS else pa.int64()
        columns[key] = pa.array(rows[key].to_numpy(), pa.float64(), from_pandas=True).cast(kind)
    columns["raw"] = pa.array(rows["raw"].tolist(), pa.string())
    return pa.table(columns)


def _sync_log(world: World, rows: pd.DataFrame) -> pa.Table:
    """One line per company and morning, for the day before; a failed morning is made up the next."""
    counts = Counter(zip(rows["companyId"], rows["date"], strict=True))
    rng = stream(world.seed, "sync")
    lines = []
    for company in world.roster.companies:
        pending = 0
        for day in all_days():
            morning = day + timedelta(days=1)
            state = _state(world.placement, company.id, morning)
            pending += counts[company.id, day]
            written = 0 if state == "failed" else pending
            pending -= written
            at = datetime.combine(morning, _SYNC_HOUR) + timedelta(seconds=int(rng.integers(0, 900)))
            lines.append((at, company.id, state, written))
    lines.sort(key=lambda line: line[0])
    texts = names()["sync_messages"]
    stored = {"ok": "success", "recovered": "success", "failed": "failed"}
    return pa.table(
        {
            "time": pa.array([line[0] for line in lines], pa.timestamp("us")),
            "entity": pa.array([line[1] for line in lines], pa.string()),
            "state": pa.array([stored[line[2]] for line in lines], pa.string()),
            "rows": pa.array([line[3] for line in lines], pa.int64()),
            "message": pa.array([texts[line[2]] for line in lines], pa.string()),
        }
    )


def _state(placement: Placement | None, company: str, morning: date) -> str:
    """F8: "failed" on the planted morning, "recovered" on the next, else "ok"."""
    if placement is None or company != placement.sync_company:
        return "ok"
    since = (morning - placement.sync_day).days
    return {0: "failed", 1: "recovered"}.get(since, "ok")
