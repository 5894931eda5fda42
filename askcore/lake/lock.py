"""Locks and leases between processes; the system frees them when a process dies."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Hold `path` alone, across threads and processes; waits for the holder before."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(file, fcntl.LOCK_UN)


def take_lease(path: Path) -> IO[str]:
    """Say that this process uses the file that `path` stands for, until the returned file is closed."""
    file = path.open("a")
    fcntl.flock(file, fcntl.LOCK_SH)
    return file


def is_leased(path: Path) -> bool:
    """Whether any process holds a lease on `path`."""
    if not path.exists():
        return False
    with path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        return False
