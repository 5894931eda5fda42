"""A run under way: its snapshot, its trace, its checkpoints."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from askcore.agent.state import Call
from askcore.base.store import Store
from askcore.base.text import say
from askcore.base.values import Event, EventKind, ToolResult
from askcore.base.views import RunSnapshot, StepView


class LiveRun:
    """Thread-safe holder of one run's snapshot; every change bumps `rev` and is written through."""

    def __init__(self, snapshot: RunSnapshot, store: Store, clock: Callable[[], float]) -> None:
        self._snapshot = snapshot
        self._store = store
        self._clock = clock
        self._lock = threading.Lock()
        self._seq = 0
        self._started = time.perf_counter()

    @property
    def snapshot(self) -> RunSnapshot:
        """A consistent copy."""
        with self._lock:
            return self._snapshot

    def update(self, *, save: bool = False, **changes: Any) -> RunSnapshot:
        """Replace fields of the snapshot; `save` also writes it to the store."""
        elapsed = (time.perf_counter() - self._started) * 1000
        with self._lock:
            self._snapshot = replace(
                self._snapshot, rev=self._snapshot.rev + 1, elapsed_ms=elapsed, **changes
            )
            snapshot = self._snapshot
        if save:
            self.save()
        return snapshot

    def save(self) -> None:
        """Write the newest snapshot to the store."""
        snapshot = self.snapshot
        self._store.save_view(
            snapshot.run_id,
            status=snapshot.status,
            view=to_json(snapshot),
            version=snapshot.version,
            has_fail=any(v.status == "fail" for v in snapshot.verdicts),
            ended_at=None if snapshot.is_active else self._clock(),
        )

    # Journal ------------------------------------------------------------------------------------

    def event(self, kind: EventKind, payload: Mapping[str, Any]) -> None:
        """Append to the trace."""
        with self._lock:
            self._seq += 1
            seq = self._seq
        run_id = self.snapshot.run_id
        self._store.append_event(Event(run_id=run_id, seq=seq, ts=self._clock(), kind=kind, payload=payload))

    def activity(self, text: str) -> None:
        """What is happening right now."""
        self.update(activity=text)

    def step_started(self, step_id: str, call: Call) -> None:
        """Show a running step."""
        step = StepView(id=step_id, tool=call.tool, thought=call.thought, state="running", args=call.args)
        text = say(self.snapshot.lang, "loop.using", tool=call.tool)
        self.update(steps=(*self.snapshot.steps, step), activity=text)

    def step_ended(self, result: ToolResult, call: Call) -> None:
        """Show the step's outcome, write the checkpoint and the trace."""
        steps = [s for s in self.snapshot.steps if s.id != result.id]
        self.update(
            save=True,
            steps=(*steps, step_view(result, call.thought)),
            verdicts=(*self.snapshot.verdicts, *result.verdicts),
        )
        self.event("tool.completed", {"thought": call.thought, **result.as_step_json()})
        for verdict in result.verdicts:
            self.event("verdict", verdict.as_json())


def step_view(result: ToolResult, thought: str) -> StepView:
    """One line of the timeline."""
    return StepView(
        id=result.id,
        tool=result.tool,
        thought=thought,
        state="done" if result.ok else "failed",
        args=result.args,
        clamped=result.clamped,
        table=result.table,
        sql=result.sql,
        row_count=result.row_count,
        scanned=result.scanned,
        elapsed_ms=result.elapsed_ms,
        bytes=result.bytes,
        error=result.error,
    )


@cache
def _adapter() -> Any:
    from pydantic import TypeAdapter  # 0.1 s; not needed by an import of the facade

    return TypeAdapter(RunSnapshot)


def to_json(snapshot: RunSnapshot) -> str:
    """The snapshot as JSON text for the store."""
    return str(_adapter().dump_json(snapshot).decode())


def from_json(text: str) -> RunSnapshot:
    """A stored snapshot."""
    found: RunSnapshot = _adapter().validate_json(text)
    return found
