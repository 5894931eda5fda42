"""What the words on screen already say: a warning is read once, whoever brings it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from askcore.base.values import Note

_MARKS = re.compile(r"[\s*_`\u2060\u200a]+")
_ENDS = re.compile(r"[.;!\u3002\uff1b\uff01]+$")


def is_said(text: str, shown: Iterable[str]) -> bool:
    """Whether a shown text holds `text` whole, but for emphasis, spaces and the last stop."""
    wanted = _plain(text)
    return bool(wanted) and any(wanted in _plain(one) for one in shown)


def unsaid(notes: Iterable[Note], answer: str) -> list[Note]:
    """Notes that neither the answer nor an earlier note says."""
    kept: list[Note] = []
    for note in notes:
        if not is_said(note.text, [answer, *(one.text for one in kept)]):
            kept.append(note)
    return kept


def _plain(text: str) -> str:
    return _ENDS.sub("", _MARKS.sub("", text))
