"""The restatement ledger: after a load, which answers and reports told numbers that have moved since.

Everything that was told is made again on the newest version, newest first, and written down one by one: a
catch-up that is stopped goes on where it was.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from datetime import date
from typing import TYPE_CHECKING, Final, Protocol

from askcore.base.errors import AskError, LakeError
from askcore.base.reports import Source
from askcore.base.restated import RestatedState, Restatement, Subject
from askcore.base.views import RunSnapshot
from askcore.report.answers import sources_of
from askcore.report.compared import Compared, compare, is_touched
from askcore.report.manifest import Manifest, query_hash
from askcore.report.recall import Recalled, recall
from askcore.report.told import SECTION, Told, from_bytes, to_bytes, told_of_report, told_of_run

if TYPE_CHECKING:
    from askcore.base.restated_store import RestatedStore
    from askcore.lake import Lake, LakeView, VersionInfo

_LOG = logging.getLogger(__name__)
MOST_SUBJECTS: Final = 1000  # a dataset, newest first: older answers than that nobody acts on any more
_REMEMBERED: Final = 200  # calls of one catch-up; many answers make the same ones

Progress = Callable[[int, int], bool]
"""Told how many are done of how many; False ends it."""


class Past(Protocol):
    """What was told, of every viewer."""

    def subjects(self, dataset: str, limit: int) -> Sequence[Subject]:
        """Answers and kept reports, newest first."""
        ...

    def run(self, run_id: str) -> RunSnapshot | None:
        """An answer; None when it was deleted."""
        ...

    def report(self, report_id: str, viewer: str) -> Manifest:
        """The calls and figures of a kept report. Raises: AskError when it is gone."""
        ...


def _go_on(done: int, total: int) -> bool:
    return True


class Ledger:
    """One a process; several may catch up at once, what they write is the same."""

    def __init__(self, lake: Lake, store: RestatedStore, past: Past, *, clock: Callable[[], float]) -> None:
        self._lake = lake
        self._store = store
        self._past = past
        self._clock = clock
        self._busy = threading.Lock()

    def pending(self, dataset: str) -> tuple[Subject, ...]:
        """What was told on earlier versions and not compared with the newest one, newest first."""
        newest = self._newest(dataset)
        done = self._store.done(dataset, newest.version, newest.loaded_at)
        told = self._past.subjects(dataset, MOST_SUBJECTS)
        return tuple(s for s in told if s.version != newest.version and (s.kind, s.id) not in done)

    def note_load(self, dataset: str, progress: Progress = _go_on) -> None:
        """Catch up; a load is not undone by a comparison that fails."""
        try:
            self.catch_up(dataset, progress)
        except AskError as e:
            _LOG.warning("the answers over %s were not compared with the load: %s", dataset, e.message)

    def catch_up(self, dataset: str, progress: Progress = _go_on) -> int:
        """Compare everything that is pending; how many were.

        Raises: LakeError when the lake or the state database cannot be read.
        """
        with self._busy:
            todo = self.pending(dataset)
            if not todo:
                return 0
            with self._lake.open(dataset) as view:
                work = _CatchUp(self._lake, self._store, self._past, view, self._clock)
                for number, subject in enumerate(todo):
                    if not progress(number, len(todo)):
                        return number
                    work.note(subject)
            self._store.prune(dataset)
            progress(len(todo), len(todo))
            return len(todo)

    def counts(self, dataset: str) -> dict[str, int]:
        """{"runs", "reports"}: how many of each kind have moved, by the newest version."""
        newest = self._newest(dataset)
        return self._store.moved(dataset, newest.version, newest.loaded_at)

    def _newest(self, dataset: str) -> VersionInfo:
        return self._lake.newest(dataset)


class _CatchUp:
    """One pass over one version."""

    def __init__(
        self, lake: Lake, store: RestatedStore, past: Past, view: LakeView, clock: Callable[[], float]
    ) -> None:
        self._lake = lake
        self._store = store
        self._past = past
        self._view = view
        self._clock = clock
        self._info = lake.version(view.dataset, view.version)
        self._days: dict[int, frozenset[date] | None] = {}
        self._calls: dict[tuple[str, str, str], Recalled] = {}

    def note(self, subject: Subject) -> None:
        """Compare one and write it down; nothing when it was deleted meanwhile."""
        if self._is_untouched(subject):
            self._write(subject, None, "same")
            return
        try:
            told = self._told(subject)
        except AskError as e:
            self._record(subject, None, e.message)
            return
        if told is not None:
            self._record(subject, told)

    def _is_untouched(self, subject: Subject) -> bool:
        """Whether an answer read no day that changed: then nothing has to be made again to know it."""
        days = self._changed(subject.version)
        if subject.kind != "run" or days is None:
            return False
        run = self._past.run(subject.id)
        if run is None or run.report is not None:
            return False
        return not any(is_touched(source, days) for source in sources_of(run, SECTION))

    def _record(self, subject: Subject, told: Told | None, why: str = "") -> None:
        if told is None:
            self._write(subject, None, "unreachable", why=why)
            return
        found = compare(told, self._changed(told.version), self._again(told), self._view.model)
        self._write(subject, found, found.state, figures=len(told.figures), why=found.why)

    def _write(
        self,
        subject: Subject,
        found: Compared | None,
        state: RestatedState,
        *,
        figures: int = 0,
        why: str = "",
    ) -> None:
        """found: what was compared; None when nothing was."""
        self._store.record(
            Restatement(
                subject=subject.kind,
                subject_id=subject.id,
                viewer=subject.viewer,
                dataset=self._view.dataset,
                was_version=subject.version,
                version=self._view.version,
                state=state,
                figures=figures,
                moved=() if found is None else found.moved,
                n_moved=0 if found is None else found.n_moved,
                checked_at=self._clock(),
                why=why,
            ),
            self._info.loaded_at,
        )

    def _again(self, told: Told) -> Callable[[Source], Recalled]:
        """Calls are known by what they ask and by their id, which their addresses hold."""

        def again(source: Source) -> Recalled:
            key = (query_hash(source), source.id, told.lang)
            if key not in self._calls:
                if len(self._calls) >= _REMEMBERED:
                    self._calls.clear()
                self._calls[key] = recall(source, self._view, told.lang)
            return self._calls[key]

        return again

    def _changed(self, was: int) -> frozenset[date] | None:
        if was not in self._days:
            self._days[was] = self._lake.changed_days(self._view.dataset, was, self._view.version)
        return self._days[was]

    # what was told ------------------------------------------------------------------------------

    def _told(self, subject: Subject) -> Told | None:
        """As kept, else worked out on its own version and kept."""
        kept = self._store.told(subject.kind, subject.id)
        if kept is not None:
            return from_bytes(kept)
        if subject.kind == "report":
            found = self._told_report(subject.id, subject.viewer)
        else:
            run = self._past.run(subject.id)
            if run is None:
                return None
            found = self._told_run(run, subject.viewer)
        self._store.keep_told(subject.kind, subject.id, to_bytes(found))
        return found

    def _told_run(self, run: RunSnapshot, viewer: str) -> Told:
        """An answer that wrote a report told that report's figures."""
        if run.report is not None:
            return self._told_report(str(run.report["id"]), viewer)
        try:
            with self._lake.open(run.dataset, run.version) as view:
                return told_of_run(run, view, view.model)
        except LakeError as e:
            return told_of_run(run, None, self._view.model, e.message)

    def _told_report(self, report_id: str, viewer: str) -> Told:
        said = self._past.report(report_id, viewer)
        try:
            with self._lake.open(said.dataset, said.version) as view:
                return told_of_report(said, view, view.model)
        except LakeError as e:
            return told_of_report(said, None, self._view.model, e.message)
