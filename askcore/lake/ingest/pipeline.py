"""Files -> lake: read, choose the model, map or infer, deliver, load, report."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from askcore.base.config import Settings
from askcore.base.errors import Cancelled
from askcore.base.values import Lang
from askcore.lake.delivery import Delivery, LoadReport
from askcore.lake.ingest.choose import choose_model
from askcore.lake.ingest.combine import Ledger, combine
from askcore.lake.ingest.cross_check import check_totals
from askcore.lake.ingest.dates import DateOrder
from askcore.lake.ingest.days import Dated, dated, find_time_column
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
from askcore.semantic.model import Model

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
        understood = _understand(name, tables, choice.model, date_order)
        sync = None if inputs.sync_file is None else read_sync_log(inputs.sync_file)
        step("loading", 0.7)
        delivery = Delivery(table=understood.delivered.table, sync_rows=sync)
        report = lake.load(name, delivery, understood.plan.model, dry_run=dry_run)
        chosen = (*inputs.decisions, *choice.decisions)
        return _reported(report, tables, understood, chosen, lang)
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


def _read(inputs: Inputs, step: _Steps) -> list[RawTable]:
    tables = []
    for index, (path, name) in enumerate(inputs.files):
        step("reading", 0.5 * index / len(inputs.files))
        tables.append(read_file(path, name))
    return tables


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Understood:
    """The delivery before it is loaded."""

    plan: Plan
    found: Dated
    delivered: Delivered
    ledger: Ledger
    notes: tuple[Message, ...]


def _understand(
    name: str, tables: Sequence[RawTable], known: Model | None, order: DateOrder | None
) -> _Understood:
    records, notes = combine(tables, may_differ=known is not None)
    column = find_time_column(records) if known is None else time_column_of(known, records)
    ledger = Ledger()
    plan = None if known is None else map_columns(known, records, column)
    found = dated(records, column, order, ledger)
    if plan is None:
        plan = infer_plan(found, name)
    delivered = deliver(plan, found, ledger)
    how = message("dates_read", column=column, how=found.spelling)
    return _Understood(plan=plan, found=found, delivered=delivered, ledger=ledger, notes=(*notes, how))


def _reported(
    load: LoadReport,
    tables: Sequence[RawTable],
    understood: _Understood,
    chosen: Sequence[Message],
    lang: Lang,
) -> IngestReport:
    plan, delivered = understood.plan, understood.delivered
    agreed, differing = check_totals(plan, understood.found.totals, delivered.totals)
    read = [d for t in tables for d in t.decisions]
    decisions = [*read, *chosen, *understood.notes, *plan.decisions, *delivered.decisions, *agreed]
    warnings = [
        *(w for t in tables for w in t.warnings),
        *plan.warnings,
        *delivered.warnings,
        *differing,
        *overflow_notes(tables, understood.ledger),
        *_load_notes(load),
    ]
    return IngestReport(
        dataset=load.dataset,
        version=load.version,
        committed=load.committed,
        files=file_reports(tables, understood.ledger, lang),
        columns=column_reports(plan, delivered, lang),
        totals=delivered.totals,
        rows_added=load.rows_added,
        rows_changed=load.rows_changed,
        rows_unchanged=load.rows_unchanged,
        decisions=_worded(decisions, lang),
        warnings=_worded(warnings, lang),
    )


def _load_notes(load: LoadReport) -> list[Message]:
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
