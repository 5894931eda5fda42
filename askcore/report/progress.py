"""How far a long work is, told to whoever waits for it."""

from __future__ import annotations

from collections.abc import Callable

from askcore.base.errors import Cancelled

Progress = Callable[[str, float], bool]
"""Told what is being done and how far the whole is (0-1); False ends it."""


def quiet(stage: str, share: float) -> bool:
    """Nobody waits."""
    return True


def go_on(progress: Progress, stage: str, share: float) -> None:
    """Tell how far it is. Raises: Cancelled when nobody waits for it any more."""
    if not progress(stage, share):
        raise Cancelled("report")
