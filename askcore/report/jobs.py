"""Making reports beside the pages: a bounded pool, progress that anyone may read, cancel at once."""

from __future__ import annotations

import logging
import threading
import uuid
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Any, Final

from askcore.base.errors import AskError, BadRequest, Cancelled
from askcore.base.reports import MadeReport, ReportJob
from askcore.base.text import say
from askcore.base.values import Lang, StepError
from askcore.report.progress import Progress

_LOG = logging.getLogger(__name__)
_WORKERS: Final = 2
_KEPT: Final = 50
"""Ended jobs that can still be read."""


class Stop:
    """Whether a job is to end; what is under way registers how it is ended."""

    def __init__(self) -> None:
        self._asked = threading.Event()
        self._lock = threading.Lock()
        self._endings: list[Callable[[], None]] = []

    @property
    def is_asked(self) -> bool:
        """Whether somebody asked to end."""
        return self._asked.is_set()

    def on_stop(self, end: Callable[[], None]) -> None:
        """Register an ending; called at once when the job is to end already."""
        with self._lock:
            self._endings.append(end)
        if self.is_asked:
            end()

    def stop(self) -> None:
        """End what is under way."""
        self._asked.set()
        with self._lock:
            endings = list(self._endings)
        for end in endings:
            end()


Maker = Callable[[Progress, Stop], MadeReport]


class ReportJobs:
    """One a process."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._pool = ThreadPoolExecutor(_WORKERS, thread_name_prefix="report")
        self._lock = threading.Lock()
        self._jobs: dict[str, ReportJob] = {}
        self._stops: dict[str, Stop] = {}

    def close(self) -> None:
        """Stop everything that is being made."""
        for stop in list(self._stops.values()):
            stop.stop()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def start(self, title: str, make: Maker, *, viewer: str, lang: Lang) -> str:
        """Queue a job; its id."""
        job = ReportJob(
            job_id=f"j{uuid.uuid4().hex[:12]}", viewer=viewer, title=title, started_at=self._clock()
        )
        stop = Stop()
        with self._lock:
            self._jobs[job.job_id] = job
            self._stops[job.job_id] = stop
            self._forget_old()
        made = self._pool.submit(make, self._progress(job.job_id, stop), stop)
        made.add_done_callback(lambda future: self._ended(job.job_id, future, lang))
        return job.job_id

    def get(self, job_id: str, viewer: str) -> ReportJob:
        """The newest state. Raises: BadRequest when the viewer has no such job."""
        with self._lock:
            job = self._jobs.get(job_id)
        if job is None or job.viewer != viewer:
            raise BadRequest(f"no report job {job_id[:40]!r}", error_class="unknown_name")
        return job

    def list(self, viewer: str) -> tuple[ReportJob, ...]:
        """The viewer's jobs, newest first."""
        with self._lock:
            own = [job for job in self._jobs.values() if job.viewer == viewer]
        return tuple(sorted(own, key=lambda job: job.started_at, reverse=True))

    def cancel(self, job_id: str, viewer: str) -> None:
        """End a job. Raises: BadRequest when the viewer has no such job."""
        self.get(job_id, viewer)
        self._stops[job_id].stop()

    def dismiss(self, job_id: str, viewer: str) -> None:
        """Forget an ended job. Raises: BadRequest when the viewer has no such job."""
        if self.get(job_id, viewer).state != "running":
            with self._lock:
                self._drop(job_id)

    def _progress(self, job_id: str, stop: Stop) -> Progress:
        def told(chapter: str, share: float) -> bool:
            self._update(job_id, chapter=chapter, share=share)
            return not stop.is_asked

        return told

    def _ended(self, job_id: str, future: Future[MadeReport], lang: Lang) -> None:
        if future.cancelled() or isinstance(future.exception(), Cancelled):
            self._update(job_id, state="cancelled")
        elif (failure := future.exception()) is None:
            self._update(job_id, state="done", share=1.0, report_id=future.result().report_id)
        elif isinstance(failure, AskError):
            error = StepError(error_class=failure.error_class, message=failure.message, hint=failure.hint)
            self._update(job_id, state="failed", error=error)
        else:
            _LOG.error("report job %s failed", job_id, exc_info=failure)
            error = StepError(error_class="internal", message=say(lang, "report.job_failed", job=job_id))
            self._update(job_id, state="failed", error=error)

    def _update(self, job_id: str, **changes: Any) -> None:
        with self._lock:
            if job_id in self._jobs:
                self._jobs[job_id] = replace(self._jobs[job_id], **changes)

    def _forget_old(self) -> None:
        ended = [i for i, job in self._jobs.items() if job.state != "running"]
        for job_id in ended[: max(0, len(ended) - _KEPT)]:
            self._drop(job_id)

    def _drop(self, job_id: str) -> None:
        self._jobs.pop(job_id, None)
        self._stops.pop(job_id, None)
