"""Finds which metrics a text names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from askcore.checks.provenance.wording import fold

PLURAL = "(?:s|es)?"


@dataclass(frozen=True, slots=True, kw_only=True)
class NameSpan:
    """A name found in the text and what it may stand for."""

    start: int
    end: int
    names: frozenset[str]


class MetricNames:
    """The labels and synonyms of the metrics, by metric key."""

    def __init__(self, words: Mapping[str, Sequence[str]]) -> None:
        self._keys_of: dict[str, set[str]] = {}
        for key, labels in words.items():
            for label in (key, *labels):
                if word := fold(label.strip()):
                    self._keys_of.setdefault(word, set()).add(key)
        self._meanings: dict[str, frozenset[str]] = {}
        self._pattern = self._compose()
        self.keys = frozenset(words)

    def find(self, text: str) -> tuple[NameSpan, ...]:
        """Where the folded `text` names metrics; the longest name wins."""
        if self._pattern is None:
            return ()
        return tuple(
            NameSpan(start=m.start(), end=m.end(), names=self._meaning(m.group()))
            for m in self._pattern.finditer(text)
        )

    def _compose(self) -> re.Pattern[str] | None:
        ordered = [re.escape(w) for w in sorted(self._keys_of, key=len, reverse=True)]
        latin = "|".join(w for w in ordered if w.isascii())
        other = "|".join(w for w in ordered if not w.isascii())
        whole_word = rf"(?<![a-z0-9])(?:{latin})(?={PLURAL}(?![a-z0-9]))" if latin else ""
        branches = [branch for branch in (other, whole_word) if branch]
        return re.compile("|".join(branches)) if branches else None

    def _meaning(self, word: str) -> frozenset[str]:
        """The metrics having a name that contains `word`: a short form may mean any of them."""
        if word not in self._meanings:
            keys: set[str] = set()
            for known, owners in self._keys_of.items():
                if word in known:
                    keys |= owners
            self._meanings[word] = frozenset(keys)
        return self._meanings[word]
