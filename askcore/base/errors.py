"""The one error tree.

    AskError
    ├── BadRequest    the analyst or the model can mend it; carries near matches
    ├── Refused       policy: writes, personal data, forecasts, out of scope
    ├── SourceDown    a server or file is unreachable; retry may help
    ├── LakeError     the stored data cannot be read or is damaged
    └── Cancelled     the analyst stopped the run

A foreign exception is translated once, in the module that owns the driver.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Literal

ErrorClass = Literal[
    "unknown_name",
    "bad_args",
    "sql_error",
    "timeout",
    "source_down",
    "empty",
    "refused",
    "llm_format",
    "llm_down",
    "cancelled",
    "internal",
]


class AskError(Exception):
    """Base of everything the product raises on purpose.

    message: one sentence an analyst understands.
    hint: what to do or the near match; "" when there is nothing useful to say.
    """

    error_class: ErrorClass = "internal"

    def __init__(self, message: str, *, hint: str = "", error_class: ErrorClass | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        if error_class is not None:
            self.error_class = error_class


class BadRequest(AskError):
    """The request names something that does not exist or does not fit."""

    error_class: ErrorClass = "bad_args"


class Refused(AskError):
    """Policy forbids it; no rewording of the same request will help."""

    error_class: ErrorClass = "refused"


class SourceDown(AskError):
    """A server, model or file cannot be reached at the moment."""

    error_class: ErrorClass = "source_down"


class LakeError(AskError):
    """The lake or a serving file cannot be read."""

    error_class: ErrorClass = "sql_error"


class Cancelled(AskError):
    """The run was stopped on request."""

    error_class: ErrorClass = "cancelled"


def did_you_mean(name: str, known: Iterable[str], *, limit: int = 3) -> str:
    """Near matches of `name` among `known`, joined by ", "; "" when none is near."""
    lowered = {k.lower(): k for k in known}
    close = get_close_matches(name.lower(), lowered, n=limit, cutoff=0.6)
    return ", ".join(lowered[c] for c in close)
