"""A model for a table that no known model fits; every choice carries its reason and can be edited."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from askcore.lake.ingest.combine import Records
from askcore.lake.ingest.days import Dated
from askcore.lake.ingest.infer_keys import Codes, Keys, can_be_key, infer_keys, is_key_like
from askcore.lake.ingest.infer_labels import (
    flag_values,
    labels,
    level_names,
    synonyms,
)
from askcore.lake.ingest.infer_measures import infer_measures, name_hint
from askcore.lake.ingest.infer_model import Draft, build_model, draft_metrics
from askcore.lake.ingest.lexicon import CALENDAR_WORDS, FLAG_WORDS, NUMBER_WORDS, PERSONAL_WORDS
from askcore.lake.ingest.message import Refusal, message
from askcore.lake.ingest.plan import ColumnPlan, Plan, refuse_trap
from askcore.lake.ingest.words import has_word, words_of
from askcore.semantic.model import (
    Dimension,
    Level,
    TimeGrain,
)

_DAMAGED = 0.1  # share of numbers from which a text column with a measure's name is a damaged measure
_STEPS: tuple[tuple[int, TimeGrain], ...] = (
    (1, "day"), (7, "week"), (31, "month"), (92, "quarter"), (366, "year"),
)  # fmt: skip


def infer_plan(found: Dated, dataset: str) -> Plan:
    """Time, levels, dimensions and measures of the table.

    Raises: Refusal when rows cannot be told apart, or nothing is measured.
    """
    records = found.records
    flags, calendars, measures, key_like, empty, personal = _sorted_columns(records, found.column)
    _refuse_traps(records, measures)
    _refuse_half_numbers(records, key_like)
    keys = infer_keys(records, found.days, key_like)
    placed = {c for level in keys.levels for c in (level.id, level.name)}
    placed |= {n for n, _ in keys.dimensions}
    measures += [n for n in key_like if n not in placed]
    measured = [n for n in records.names if n in measures]
    if not measured:
        raise Refusal("no_measure", names=", ".join(records.names[:12]))
    _refuse_traps(records, measured)
    decided = infer_measures(records, found.days, keys.entity, measured)
    grain, step = _grain(found, keys.entity)
    draft = Draft(records=records)
    draft.columns[found.column] = ColumnPlan(
        name=found.column, role="time", key="date", target="date", why=message("why_time")
    )
    levels = _levels(draft, keys)
    dimensions = _dimensions(draft, keys, flags, calendars)
    for name in (*empty, *personal):
        why = message("why_empty" if name in empty else "why_personal")
        draft.columns[name] = ColumnPlan(name=name, role="ignored", why=why)
    metrics = draft_metrics(draft, decided)
    return Plan(
        model=build_model(dataset, levels, dimensions, metrics, decided, draft, grain),
        columns=tuple(draft.columns[n] for n in records.names),
        is_inferred=True,
        decisions=(
            message("model_inferred"),
            message("grain_found", grain=grain, step=step),
            *keys.decisions,
        ),
        warnings=(*keys.warnings, *(m.warning for m in decided if m.warning is not None)),
    )


def _refuse_traps(records: Records, names: Sequence[str]) -> None:
    for name in names:
        refuse_trap(name, records.numbers(name))


def _refuse_half_numbers(records: Records, names: Sequence[str]) -> None:
    """A column that is called a measure but reads mostly as text is no dimension: it is damaged."""
    for name in names:
        reading = records.numbers(name)
        cells = reading.readable + reading.bad
        damaged = not reading.is_number and not reading.is_code and reading.readable >= _DAMAGED * cells
        if damaged and cells and name_hint(name) is not None and not is_key_like(name):
            raise Refusal("half_numbers", column=name, bad=reading.bad, example=reading.example)


def _sorted_columns(
    records: Records, time_column: str
) -> tuple[list[str], list[str], list[str], list[str], list[str], list[str]]:
    """(flags, calendar parts, measures, possible keys, empty, personal) among the columns beside the time."""
    flags: list[str] = []
    calendars: list[str] = []
    measures: list[str] = []
    keys: list[str] = []
    empty: list[str] = []
    personal: list[str] = []
    for name in records.names:
        if name == time_column:
            continue
        reading = records.numbers(name)
        if reading.readable + reading.bad + reading.trap_count == 0 and not reading.is_code:
            empty.append(name)
        elif is_personal(name):
            personal.append(name)
        elif is_flag(records, name):
            flags.append(name)
        elif reading.is_number and has_word(name, CALENDAR_WORDS) and not reading.scale:
            calendars.append(name)
        elif can_be_key(records, name) and not (reading.is_number and _is_measure_named(name)):
            keys.append(name)
        else:
            measures.append(name)
    return flags, calendars, measures, keys, empty, personal


def is_personal(name: str) -> bool:
    """Whether a column holds numbers of people to reach them by: no measure, no key, not loaded."""
    words = list(words_of(name))
    while len(words) > 1 and words[-1] in NUMBER_WORDS:
        words.pop()
    return has_word(words[-1] if words else name, PERSONAL_WORDS)


def _is_measure_named(name: str) -> bool:
    return name_hint(name) is not None and not is_key_like(name)


def is_flag(records: Records, name: str) -> bool:
    """A column of 0 and 1 that says yes or no: both occur, or the header calls it a flag."""
    head = records.columns[name].drop_null().slice(0, 1000).unique().to_pylist()
    if not set(head) <= {"0", "1"}:
        return False
    values = set(records.counts(name))
    if not values or not values <= {"0", "1"}:
        return False
    return has_word(name, FLAG_WORDS) or (len(values) == 2 and name_hint(name) is None)


def _grain(found: Dated, entity: Codes) -> tuple[TimeGrain, int]:
    """Commonest step in days between neighbouring rows of one entity."""
    if found.is_monthly:
        return "month", 31
    days = np.asarray(pc.cast(found.days, pa.int32())).astype(np.int64)
    order = np.lexsort((days, entity))
    steps = np.diff(days[order])[np.diff(entity[order]) == 0]
    steps = steps[steps > 0]
    if len(steps) == 0:
        steps = np.diff(np.unique(days))
    if len(steps) == 0:
        return "day", 0
    step = int(Counter(steps.tolist()).most_common(1)[0][0])
    return next((g for most, g in _STEPS if step <= most), "year") if _is_known(step) else "day", step


def _is_known(step: int) -> bool:
    """Steps that a calendar has: others are days with gaps."""
    return step in (1, 7) or 28 <= step <= 31 or 89 <= step <= 92 or step in (365, 366)


def _levels(draft: Draft, keys: Keys) -> tuple[Level, ...]:
    found: list[Level] = []
    for columns in keys.levels:
        key, label, words = level_names(columns.id, [level.key for level in found])
        id_column, name_column = draft.key(columns.id), draft.key(columns.name)
        draft.columns[columns.id] = ColumnPlan(
            name=columns.id, role="level", key=key, target=id_column, why=columns.why
        )
        if columns.name != columns.id:
            draft.columns[columns.name] = ColumnPlan(
                name=columns.name,
                role="level_name",
                key=key,
                target=name_column,
                why=message("why_name_of", id=columns.id),
            )
        found.append(Level(key=key, label=label, id=id_column, name=name_column, synonyms=words))
    return tuple(
        replace(level, rollup_of=None if below is None else below.key)
        for level, below in zip_longest(found, found[1:])
    )


def _dimensions(
    draft: Draft, keys: Keys, flags: Sequence[str], calendars: Sequence[str]
) -> tuple[Dimension, ...]:
    reasons = dict(keys.dimensions)
    reasons |= {n: message("why_flag") for n in flags}
    reasons |= {n: message("why_calendar") for n in calendars}
    found = []
    for name in (n for n in draft.records.names if n in reasons):
        key = draft.key(name)
        draft.columns[name] = ColumnPlan(name=name, role="dimension", key=key, target=key, why=reasons[name])
        label = labels(name)
        found.append(
            Dimension(
                key=key,
                label=label,
                column=key,
                synonyms=synonyms(name, label, ()),
                values=flag_values(name) if name in flags else {},
            )
        )
    return tuple(found)
