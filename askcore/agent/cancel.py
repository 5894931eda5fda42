"""Stopping a run: on request or at its deadline, also in the middle of a query."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from askcore.base.errors import Cancelled


@dataclass(slots=True)
class CancelToken:
    """Shared by the run's thread and whoever stops it."""

    deadline: float
    """`time.monotonic()` after which the run must finish from what it knows."""
    _stopped: threading.Event = field(default_factory=threading.Event)
    _interrupts: list[Callable[[], None]] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def on_interrupt(self, interrupt: Callable[[], None]) -> None:
        """Register what ends the work under way, e.g. `LakeView.interrupt`."""
        with self._lock:
            self._interrupts.append(interrupt)
        if self._stopped.is_set():
            interrupt()

    def cancel(self) -> None:
        """Stop now."""
        self._stopped.set()
        self.interrupt()

    def interrupt(self) -> None:
        """End the work under way without marking the run as stopped."""
        with self._lock:
            interrupts = list(self._interrupts)
        for interrupt in interrupts:
            interrupt()

    @property
    def is_cancelled(self) -> bool:
        """Whether someone asked to stop."""
        return self._stopped.is_set()

    @property
    def is_expired(self) -> bool:
        """Whether the time budget is used up."""
        return time.monotonic() >= self.deadline

    def check(self) -> None:
        """Raises: Cancelled when someone asked to stop."""
        if self.is_cancelled:
            raise Cancelled("the run was stopped")
