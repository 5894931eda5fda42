"""What counts as said already."""

from __future__ import annotations

import pytest

from askcore.base.values import Note
from pages.ui.said import is_said, unsaid


@pytest.mark.parametrize(
    ("text", "shown", "expected"),
    [
        ("two rows are zero.", "Note: **two rows** are zero; 3 of 9 [v1]", True),
        ("可比门店 11/13 家。", "可比门店 11/13 家；新开：1912街区店", True),
        ("two rows are zero", "one row is zero", False),
        ("", "anything", False),
        (" . ", "anything.", False),
    ],
)
def test_text_is_said_when_it_stands_whole_in_another(text: str, shown: str, expected: bool) -> None:
    assert is_said(text, [shown]) is expected


def test_notes_are_kept_in_order_and_once() -> None:
    notes = [Note(code="holiday", text=text) for text in ("one", "in the answer", "one.", "two")]
    assert [note.text for note in unsaid(notes, "This is in the answer.")] == ["one", "two"]
