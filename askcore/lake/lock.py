"""Locks and leases between processes; the system frees them when a process dies."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from askcore.base.errors import LakeError


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Hold `path` alone, across threads and processes; waits for the holder before."""
    with disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("a")
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(file, fcntl.LOCK_UN)


@contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """Translate what the system says about a place that cannot be used."""
    try:
        yield
    except OSError as e:
        raise LakeError(
            f"{path.parent} cannot be used: {e.strerror or e}",
            hint="ASKCORE_HOME must be a folder that can be written, with free space",
        ) from e


class Lease:
    """Says that this process uses the file that `path` stands for, until it is closed or forgotten."""

    def __init__(self, path: Path) -> None:
        self._fd: int | None = None  # closing must work when opening fails
        self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        fcntl.flock(self._fd, fcntl.LOCK_SH)

    def close(self) -> None:
        """Give it back; closing twice is fine."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    def __del__(self) -> None:
        self.close()


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
