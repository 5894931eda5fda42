"""Plan + records -> the table that the lake loads, with every row that is left out named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from askcore.lake.ingest.combine import Ledger, Mask, Records
from askcore.lake.ingest.days import Dated
from askcore.lake.ingest.message import Message, Refusal, message
from askcore.lake.ingest.numbers import NumberReading, exact_sum, one_array, typed
from askcore.lake.ingest.plan import ColumnPlan, Plan, number_notes, refuse_trap
from askcore.lake.ingest.raw_json import merge_raw, raw_problems

_MAX_REJECTED = 0.5


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Delivered:
    """The table and what is to be said about it."""

    table: pa.Table
    records: Records
    """The loaded records, as text."""
    totals: Mapping[str, int | float | None]
    """Columns that add up, by header -> sum of what is loaded."""
    unreadable: Mapping[str, int]
    """Header -> cells that could not be read."""
    decisions: tuple[Message, ...]
    warnings: tuple[Message, ...]


def deliver(plan: Plan, found: Dated, ledger: Ledger) -> Delivered:
    """Type the columns, reject unreadable rows, add up what is left.

    Raises: Refusal when a column has a spelling with two readings or more than half of the rows fail.
    """
    before = len(found.records)
    numeric = _numeric(plan, found.records)
    bad, why, unreadable = _bad_rows(plan, found.records, numeric)
    if bad.sum() > _MAX_REJECTED * before or bad.all():
        first = int(np.flatnonzero(bad)[0])
        raise Refusal("mostly_unreadable", bad=int(bad.sum()), count=before, why=why[first])
    records = ledger.drop(found.records, bad, lambda i: why[i])
    keep = pa.array(~bad)
    plains = {name: reading.plain.filter(keep) for name, reading in numeric.items()}
    plains, sign_notes = _signed(plan, plains)
    notes = [number_notes(c.name, numeric[c.name]) for c in plan.columns if c.name in numeric]
    scales = {name: reading.scale for name, reading in numeric.items()}
    return Delivered(
        table=_table(plan, records, found.days.filter(keep), plains, scales),
        records=records,
        totals=_totals(plan, plains, scales),
        unreadable=unreadable,
        decisions=(*sign_notes, *(d for n in notes for d in n[0])),
        warnings=(*_rate_warnings(plan, plains, numeric), *(w for n in notes for w in n[1])),
    )


def _totals(
    plan: Plan, plains: Mapping[str, pa.Array], scales: Mapping[str, int]
) -> dict[str, int | float | None]:
    """Sums of the columns that may be added up: a sum of prices or rates says nothing."""
    additive = [c.name for c in plan.of("metric") if plan.model.by_key[c.key or ""].is_additive]
    return {name: exact_sum(plains[name], scales[name]) for name in additive}


def _numeric(plan: Plan, records: Records) -> dict[str, NumberReading]:
    """Readings of the columns that must be numbers."""
    found: dict[str, NumberReading] = {}
    for column in plan.of("metric"):
        reading = records.numbers(column.name)
        refuse_trap(column.name, reading)
        found[column.name] = reading
    return found


def _bad_rows(
    plan: Plan, records: Records, numeric: Mapping[str, NumberReading]
) -> tuple[Mask, dict[int, Message], dict[str, int]]:
    """Rows that cannot be loaded, the reason of each, and unreadable cells per column."""
    bad = np.zeros(len(records), dtype=bool)
    why: dict[int, Message] = {}
    counts: dict[str, int] = {}

    def mark(mask: Mask, reason: Any) -> None:
        for index in np.flatnonzero(mask & ~bad):
            why[int(index)] = reason(int(index))
        np.logical_or(bad, mask, out=bad)

    for name, reading in numeric.items():
        mask = np.asarray(reading.unreadable)
        counts[name] = int(mask.sum())
        cells = records.columns[name]
        mark(mask, lambda i, n=name, c=cells: message("no_number", column=n, cell=c[i].as_py()))
    for mask, reason, name in _key_problems(plan, records):
        counts[name] = counts.get(name, 0) + int(mask.sum())
        mark(mask, lambda _, r=reason: r)
    for column in plan.columns:
        if column.role == "raw" and column.target == "raw":
            mask = raw_problems(records.columns[column.name])
            counts[column.name] = int(mask.sum())
            mark(mask, lambda _, n=column.name: message("bad_json", column=n))
    return bad, why, counts


def _key_problems(plan: Plan, records: Records) -> list[tuple[Mask, Message, str]]:
    """Rows with an unknown scope, or without the id of a level that their scope needs."""
    found: list[tuple[Mask, Message, str]] = []
    levels = [level.key for level in plan.model.levels]
    scope = next((c.name for c in plan.of("scope")), None)
    scopes = None if scope is None else records.columns[scope]
    if scope is not None and scopes is not None:
        known = one_array(pc.is_in(scopes, value_set=pa.array(levels)))
        reason = message("unknown_scope", column=scope, known=", ".join(levels))
        found.append((~np.asarray(known), reason, scope))
    for column in plan.of("level"):
        empty = np.asarray(one_array(records.columns[column.name]).is_null())
        if scopes is not None and column.key in levels:
            deep = pa.array(levels[levels.index(column.key) :])
            empty &= np.asarray(one_array(pc.is_in(scopes, value_set=deep)))
        found.append((empty, message("no_key", column=column.name), column.name))
    return found


def _signed(plan: Plan, plains: dict[str, pa.Array]) -> tuple[dict[str, pa.Array], list[Message]]:
    """Amounts that a source writes as negative, made positive where the model says so."""
    notes: list[Message] = []
    result = dict(plains)
    for column in plan.of("metric"):
        metric = plan.model.by_key.get(column.key or "")
        if metric is None or metric.additivity.sign != "positive_abs":
            continue
        plain = plains[column.name]
        negative = pc.sum(pc.cast(pc.starts_with(plain, "-"), pa.int64())).as_py() or 0
        if negative:
            result[column.name] = pc.replace_substring_regex(plain, "^-", "")
            notes.append(message("sign_abs", column=column.name, count=negative))
    return result, notes


def _table(
    plan: Plan,
    records: Records,
    days: pa.Array,
    plains: Mapping[str, pa.Array],
    scales: Mapping[str, int],
) -> pa.Table:
    columns: dict[str, pa.Array] = {"date": days}
    for name, value in plan.constants.items():
        columns[name] = pa.repeat(pa.scalar(value), len(records))
    for name, source in plan.copies.items():
        columns[name] = one_array(records.columns[source])
    stored = {m.key for m in plan.model.metrics}
    extra: dict[str, pa.Array] = {}
    for column in plan.columns:
        if column.role == "metric":
            values = typed(plains[column.name], scales[column.name])
            into = columns if _is_stored(plan, column) else extra
            into[column.target or column.name] = values
        elif column.role in ("scope", "level", "level_name", "dimension") and column.target:
            columns[column.target] = one_array(records.columns[column.name])
        elif column.role == "raw" and column.target not in ("raw", None, *stored):
            extra[column.target or column.name] = _raw_values(records, column.name)
    given = next((c.name for c in plan.of("raw") if c.target == "raw"), None)
    raw = None if given is None else one_array(records.columns[given])
    if extra or raw is not None:
        columns["raw"] = merge_raw(raw, extra)
    return pa.table(columns)


def _is_stored(plan: Plan, column: ColumnPlan) -> bool:
    """Whether the lake keeps the column as a fact; a computed metric's own value goes to the raw object."""
    metric = plan.model.by_key[column.key or ""]
    return metric.additivity.kind in ("sum", "weighted_mean", "last", "mean_per_row")


def _raw_values(records: Records, name: str) -> pa.Array:
    reading = records.numbers(name)
    if reading.is_number and reading.bad == 0 and reading.trap is None:
        return typed(reading.plain, reading.scale)
    return one_array(records.columns[name])


def _rate_warnings(
    plan: Plan, plains: Mapping[str, pa.Array], numeric: Mapping[str, NumberReading]
) -> list[Message]:
    """Rates above 1 without a percent sign: kept as they are, since nothing says that they are percents."""
    found = []
    for column in plan.of("metric"):
        metric = plan.model.by_key.get(column.key or "")
        if metric is None or not metric.is_rate or numeric[column.name].is_percent:
            continue
        highest = pc.max(pc.cast(plains[column.name], pa.float64())).as_py()
        if highest is not None and highest > 1:
            found.append(message("rate_above_one", column=column.name, value=highest))
    return found
