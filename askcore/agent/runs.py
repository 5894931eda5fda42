"""The process's runs: a bounded pool executes them, readers take snapshots, anyone may stop one.

Work never runs in a page script: switching pages, reloading or closing a tab does not touch it.
"""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from askcore.agent.answer import answer_fields
from askcore.agent.cancel import CancelToken
from askcore.agent.entity import resolve_entity
from askcore.agent.guard import Limits
from askcore.agent.live import LiveRun, from_json, to_json
from askcore.agent.loop import Loop, Outcome
from askcore.agent.state import Planner, Request, State
from askcore.base.config import Settings
from askcore.base.errors import AskError, BadRequest, Cancelled
from askcore.base.store import RunRow, Store
from askcore.base.text import say
from askcore.base.values import StepError
from askcore.base.views import RunSnapshot
from askcore.lake import Lake
from askcore.tools.base import ReportMaker, Tool

PlannerFactory = Callable[[Request], Planner]


class Runs:
    """All runs of this process and, read-only, those of the store."""

    def __init__(
        self,
        settings: Settings,
        lake: Lake,
        store: Store,
        *,
        tools: Mapping[str, Tool[Any]],
        planner_for: PlannerFactory,
        reports: ReportMaker | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._settings = settings
        self._lake = lake
        self._store = store
        self._tools = tools
        self._planner_for = planner_for
        self._reports = reports
        self._clock = clock
        self._lock = threading.Lock()
        self._live: dict[str, LiveRun] = {}
        self._tokens: dict[str, CancelToken] = {}
        self._pool = ThreadPoolExecutor(settings.workers, thread_name_prefix="run")
        store.mark_interrupted(clock())

    def close(self) -> None:
        """Stop everything that runs."""
        for token in list(self._tokens.values()):
            token.cancel()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def submit(self, request: Request, key: str | None = None) -> str:
        """Queue a run; its id, or the earlier run's id when `key` was seen before."""
        run_id, live = self._register(request, key)
        if live is not None:
            self._pool.submit(self._execute, request, live)
        return run_id

    def execute(self, request: Request) -> RunSnapshot:
        """Run in the calling thread and wait for the end."""
        _, live = self._register(request, None)
        if live is None:
            raise BadRequest(f"run {request.run_id} exists already")
        self._execute(request, live)
        return live.snapshot

    def snapshot(self, run_id: str) -> RunSnapshot | None:
        """The newest snapshot of a run, live or stored; None when there is no such run."""
        with self._lock:
            live = self._live.get(run_id)
        if live is not None:
            return live.snapshot
        row = self._store.run(run_id)
        return None if row is None else stored_snapshot(row)

    def cancel(self, run_id: str) -> None:
        """Stop a run of this process; nothing happens when it has ended."""
        with self._lock:
            token = self._tokens.get(run_id)
        if token is not None:
            token.cancel()

    def _register(self, request: Request, key: str | None) -> tuple[str, LiveRun | None]:
        """The run's id and its live holder; no holder when `key` named an earlier run."""
        snapshot = RunSnapshot(
            run_id=request.run_id,
            session_id=request.session_id,
            question=request.question,
            status="queued",
            rev=0,
            lang=request.lang,
            mode=request.mode,
            mode_auto=request.mode == "auto",
            planner=request.planner,
            dataset=request.dataset,
            version=0,
            started_at=self._clock(),
            elapsed_ms=0.0,
            activity=say(request.lang, "loop.queued"),
        )
        row = RunRow(
            run_id=request.run_id,
            session_id=request.session_id,
            viewer=request.viewer,
            question=request.question,
            dataset=request.dataset,
            version=0,
            status="queued",
            owner=self._store.owner,
            started_at=snapshot.started_at,
            ended_at=None,
            has_fail=False,
            view=to_json(snapshot),
        )
        stored = self._store.create_run(row, key)
        if stored != request.run_id:
            return stored, None
        with self._lock:
            live = LiveRun(snapshot, self._store, self._clock)
            self._live[request.run_id] = live
            deadline = time.monotonic() + self._settings.run_timeout_s
            self._tokens[request.run_id] = CancelToken(deadline=deadline)
        self._store.touch_session(request.session_id, snapshot.started_at)
        return request.run_id, live

    def _execute(self, request: Request, live: LiveRun) -> None:
        token = self._tokens[request.run_id]
        token.deadline = time.monotonic() + self._settings.run_timeout_s
        try:
            token.check()
            self._run(request, live, token)
        except Cancelled:
            live.update(status="cancelled", activity="")
        except AskError as e:
            error = StepError(error_class=e.error_class, message=e.message, hint=e.hint)
            self._fail(live, error)
        except Exception:  # noqa: BLE001 - the second of the two folding points (STYLE 7)
            live.event("agent.error", {"traceback": traceback.format_exc()})
            message = say(request.lang, "loop.internal", run_id=request.run_id)
            self._fail(live, StepError(error_class="internal", message=message))
        finally:
            live.event("ended", {"status": live.snapshot.status})
            live.save()
            with self._lock:
                self._tokens.pop(request.run_id, None)
                self._forget_old()

    def _run(self, request: Request, live: LiveRun, token: CancelToken) -> None:
        live.event("started", {"question": request.question, "dataset": request.dataset})
        live.update(save=True, status="running", activity=say(request.lang, "loop.opening"))

        def progress(_phase: str, fraction: float) -> None:
            token.check()
            live.activity(say(request.lang, "loop.building", percent=round(fraction * 100)))

        with self._lake.open(request.dataset, progress=progress) as view:
            planner = self._planner_for(request)
            entity, notes = resolve_entity(view.model, view.catalog, request.entity, request.lang)
            request = replace(request, entity=entity)
            state = State(request=request, view=view, notes=notes)
            deep = request.mode == "deep" or (request.mode == "auto" and planner.is_deep(state))
            live.update(mode="deep" if deep else "quick", planner=planner.name, version=view.version)
            loop = Loop(
                planner=planner,
                tools=self._tools,
                journal=live,
                limits=Limits.of(self._settings, quick=not deep),
                cancel=token,
                reports=self._reports,
            )
            outcome = loop.run(state)
            self._end(live, planner, outcome)

    def _end(self, live: LiveRun, planner: Planner, outcome: Outcome) -> None:
        live.activity(say(live.snapshot.lang, "loop.checking"))
        fields = answer_fields(outcome, planner.reading(outcome.state), planner.skill(outcome.state))
        usage = getattr(planner, "usage", None) or {"llm_calls": 0, "tokens_in": 0, "tokens_out": 0}
        live.event("final", {"answer": fields.get("answer", ""), "status": outcome.status})
        live.update(**fields, usage=dict(usage), planner=planner.name)

    def _fail(self, live: LiveRun, error: StepError) -> None:
        live.event("agent.error", error.as_json())
        live.update(status="failed", error=error, activity="")

    def _forget_old(self) -> None:
        """Ended runs live on in the store; only the newest stay in memory."""
        ended = [i for i, live in self._live.items() if not live.snapshot.is_active]
        for run_id in ended[: max(0, len(ended) - _KEPT_IN_MEMORY)]:
            del self._live[run_id]


_KEPT_IN_MEMORY = 50  # a session's turns are read on every rerun; 50 cover what is on screens


def stored_snapshot(row: RunRow) -> RunSnapshot:
    """The snapshot of a run that is not live here; an interrupted one says so."""
    snapshot = from_json(row.view)
    if snapshot.status != row.status:
        snapshot = replace(snapshot, status=row.status, activity="")
    return snapshot
