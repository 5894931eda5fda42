"""Files -> lake: read, choose the model, map or infer, deliver, load, report."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from threading import Event

import pyarrow as pa

from askcore.base.config import Settings
from askcore.base.errors import Cancelled
from askcore.base.values import Lang
from askcore.lake.delivery import Delivery, LoadReport
from askcore.lake.ingest.choose import Choice, choose_model
from askcore.lake.ingest.combine import Ledger, combine
from askcore.lake.ingest.cross_check import check_totals
from askcore.lake.ingest.dates import DateOrder
from askcore.lake.ingest.days import dated, find_time_column
from askcore.lake.ingest.deliver import Delivered, deliver
from askcore.lake.ingest.infer import infer_plan
from askcore.lake.ingest.mapping import map_columns, time_column_of
from askcore.lake.ingest.message import Message, Refusal, message
from askcore.lake.ingest.paths import Inputs, read_file, resolve_inputs
from askcore.lake.ingest.plan import Plan
from askcore.lake.ingest.raw_table import RawTable
from askcore.lake.ingest.report import (
    IngestReport,
    column_reports,
    file_reports,
    overflow_notes,
)
from askcore.lake.ingest.sync_rows import read_sync_log
from askcore.lake.lake import Lake

Progress = Callable[[str, float], None]
"""Told what is being done ("reading", "understanding", "loading") and how far it is (0-1)."""


def ingest(  # noqa: PLR0913 - the command's options
    lake: Lake,
    paths: Iterable[Path],
    *,
    model: str | None = None,
    dataset: str | None = None,
    dry_run: bool = False,
    date_order: DateOrder | None = None,
    lang: Lang = "zh",
    progress: Progress | None = None,
    cancel: Event | None = None,
) -> IngestReport:
    """Load files into the lake, or say why not; nothing is guessed and nothing partly committed.

    paths: files, or folders of files with an optional model.yaml and sync_log.csv.
    model: path or name of a model; None: the folder's, the stored, a shipped one that fits, else inferred.
    date_order: how days such as 01/02/2026 are read when the column does not tell.
    lang: language of decisions, reasons and errors.
    Raises: BadRequest when nothing can be loaded (the lake is untouched), Cancelled on `cancel`.
    """
    step = _Steps(progress, cancel)
    try:
        inputs = resolve_inputs(paths)
        name = dataset or inputs.dataset
        tables = _read(inputs, step)
        choice = choose_model(lake, Settings().semantic_dir, inputs, tables, asked=model, dataset=name)
        step("understanding", 0.5)
        return _load(lake, name, inputs, tables, choice, _Options(date_order, dry_run, lang), step)
    except Refusal as refusal:
        raise refusal.as_bad_request(lang) from refusal


class _Steps:
    """Progress and cancellation at the seams between steps."""

    def __init__(self, progress: Progress | None, cancel: Event | None) -> None:
        self._progress = progress
        self._cancel = cancel

    def __call__(self, stage: str, fraction: float) -> None:
        if self._cancel is not None and self._cancel.is_set():
            raise Cancelled("the ingest was stopped")
        if self._progress is not None:
            self._progress(stage, fraction)


class _Options:
    """What the caller chose."""

    def __init__(self, order: DateOrder | None, dry_run: bool, lang: Lang) -> None:
        self.order, self.dry_run, self.lang = order, dry_run, lang


def _read(inputs: Inputs, step: _Steps) -> list[RawTable]:
    tables = []
    for index, (path, name) in enumerate(inputs.files):
        step("reading", 0.5 * index / len(inputs.files))
        tables.append(read_file(path, name))
    return tables


def _load(
    lake: Lake,
    name: str,
    inputs: Inputs,
    tables: Sequence[RawTable],
    choice: Choice,
    options: _Options,
    step: _Steps,
) -> IngestReport:
    records, notes = combine(tables, may_differ=choice.model is not None)
    known = choice.model
    column = find_time_column(records) if known is None else time_column_of(known, records)
    ledger = Ledger()
    plan = None if known is None else map_columns(known, records, column)
    found = dated(records, column, options.order, ledger)
    if plan is None:
        plan = infer_plan(found, name)
    delivered = deliver(plan, found, ledger)
    step("loading", 0.7)
    sync = None if inputs.sync_file is None else read_sync_log(inputs.sync_file)
    load = _into_lake(lake, name, delivered, plan, sync, options.dry_run)
    step("done", 1.0)
    agreed, differing = check_totals(plan, found.totals, delivered.totals)
    decisions = [
        *(d for t in tables for d in t.decisions),
        *notes,
        *inputs.decisions,
        *choice.decisions,
        message("dates_read", column=column, how=found.spelling),
        *plan.decisions,
        *delivered.decisions,
        *agreed,
    ]
    warnings = [
        *(w for t in tables for w in t.warnings),
        *plan.warnings,
        *delivered.warnings,
        *differing,
        *overflow_notes(tables, ledger),
        *_load_notes(load, delivered),
    ]
    return IngestReport(
        dataset=name,
        version=load.version,
        committed=load.committed,
        files=file_reports(tables, ledger, options.lang),
        columns=column_reports(plan, delivered, options.lang),
        totals=delivered.totals,
        rows_added=load.rows_added,
        rows_changed=load.rows_changed,
        rows_unchanged=load.rows_unchanged,
        decisions=_worded(decisions, options.lang),
        warnings=_worded(warnings, options.lang),
    )


def _into_lake(
    lake: Lake,
    name: str,
    delivered: Delivered,
    plan: Plan,
    sync: pa.Table | None,
    dry_run: bool,
) -> LoadReport:
    delivery = Delivery(table=delivered.table, sync_rows=sync)
    return lake.load(name, delivery, plan.model, dry_run=dry_run)


def _load_notes(load: LoadReport, delivered: Delivered) -> list[Message]:
    """What the lake saw that the reader must know."""
    found = []
    if load.rows_doubled:
        found.append(message("lake_doubled", count=load.rows_doubled))
    if load.rows_rejected:
        found.append(message("lake_rejected", count=load.rows_rejected))
    if load.rows_removed:
        found.append(message("lake_removed", count=load.rows_removed))
    return found


def _worded(messages: Sequence[Message], lang: Lang) -> tuple[str, ...]:
    return tuple(dict.fromkeys(m.text(lang) for m in messages))
