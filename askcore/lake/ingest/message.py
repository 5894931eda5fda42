"""What ingest has to say, as keys and values; worded once, at the edge, in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from askcore.base.errors import BadRequest
from askcore.base.text import catalogue, say
from askcore.base.values import Lang

_AREA = "ingest"


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One sentence of the catalogue with its values."""

    key: str
    values: Mapping[str, Any] = field(default_factory=dict)

    def text(self, lang: Lang) -> str:
        """The sentence in one language; values that are messages are worded too."""
        said = {
            name: value.text(lang) if isinstance(value, Message) else value
            for name, value in self.values.items()
        }
        return say(lang, f"{_AREA}.{self.key}", **said)


def message(key: str, **values: Any) -> Message:
    """Shorthand for a `Message`."""
    return Message(key=key, values=values)


class Refusal(Exception):
    """The input cannot be loaded, and why; `ingest` turns it into a BadRequest.

    The sentence "<key>_hint" of the catalogue, where there is one, says how to mend it.
    """

    def __init__(self, key: str, **values: Any) -> None:
        super().__init__(key)
        self.message = message(key, **values)

    def as_bad_request(self, lang: Lang) -> BadRequest:
        """The same in words."""
        key = f"{self.message.key}_hint"
        hint = ""
        if key in catalogue(_AREA):
            hint = Message(key=key, values=self.message.values).text(lang)
        return BadRequest(self.message.text(lang), hint=hint)
