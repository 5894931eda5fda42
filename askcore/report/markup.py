"""Answers as paragraphs: the few marks that answers use, everything else as it is written.

A model's text is hostile until laid out as plain text, so there is no general Markdown here: only `**bold**`,
`code` and list items are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from askcore.base.reports import Paragraph, Run

_ITEM: Final = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])\s+")
_STRONG: Final = re.compile(r"\*\*(.+?)\*\*")
_HEADING: Final = re.compile(r"#{1,6}\s+")


def one_line(text: str, *, label: str = "", is_strong: bool = False, is_item: bool = False) -> Paragraph:
    """A paragraph of one text, none of which is a mark; `label` stands before it in bold."""
    if not label:
        return Paragraph(runs=(Run(text=text, is_strong=is_strong),), is_item=is_item)
    gap = " " if label.isascii() else ""  # a full-width colon brings its own room
    return Paragraph(runs=(Run(text=label, is_strong=True), Run(text=f"{gap}{text}")), is_item=is_item)


def paragraphs(markdown: str) -> tuple[Paragraph, ...]:
    """One paragraph a line that holds text."""
    return tuple(_paragraph(line) for line in markdown.splitlines() if line.strip())


def _paragraph(line: str) -> Paragraph:
    item, heading = _ITEM.match(line), _HEADING.match(line)
    text = line[item.end() :] if item else line[heading.end() :] if heading else line.strip()
    runs = tuple(Run(text=line, is_strong=True) for line in [text] if heading) or tuple(_runs(text))
    return Paragraph(runs=runs, is_item=item is not None)


def _runs(text: str) -> Iterator[Run]:
    at = 0
    text = text.replace("`", "")
    for strong in _STRONG.finditer(text):
        if strong.start() > at:
            yield Run(text=text[at : strong.start()])
        yield Run(text=strong.group(1), is_strong=True)
        at = strong.end()
    if at < len(text):
        yield Run(text=text[at:])
