"""Claims on parts of a question and who wins where they overlap."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from askcore.agent.rules.normalise import Text, Token, words_of

# Among claims of equal length the more telling one wins.
_PRIORITY = (
    "time", "entity", "metric", "dimension", "level", "number", "grain", "cue", "unit", "stop",
)  # fmt: skip
_RANK = {kind: i for i, kind in enumerate(_PRIORITY)}


@dataclass(frozen=True, slots=True)
class Claim:
    """A range of the normalised text and what a recogniser takes it for."""

    start: int
    end: int
    kind: str
    name: str = ""
    """Cue name, level key, grain … by kind."""
    value: Any = None

    @property
    def length(self) -> int:
        """Number of characters."""
        return self.end - self.start


@dataclass(slots=True)
class _Node:
    next: dict[str, _Node] = field(default_factory=dict)
    payloads: list[Any] = field(default_factory=list)


class Trie:
    """Phrases by their tokens; every phrase that starts at a token is found, not only the longest."""

    def __init__(self) -> None:
        self._root = _Node()
        self.words: set[str] = set()

    def add(self, phrase: str | Sequence[str], payload: Any) -> None:
        """Store a phrase; one without tokens (only punctuation) is left out."""
        stems = words_of(phrase) if isinstance(phrase, str) else tuple(phrase)
        if not stems:
            return
        node = self._root
        for stem in stems:
            node = node.next.setdefault(stem, _Node())
            self.words.add(stem)
        if payload not in node.payloads:
            node.payloads.append(payload)

    def find(self, tokens: Sequence[Token]) -> Iterator[tuple[int, int, list[Any]]]:
        """(first token, token after the last, payloads) of each stored phrase in the text."""
        for first in range(len(tokens)):
            node: _Node | None = self._root
            for at in range(first, len(tokens)):
                node = node.next.get(tokens[at].stem) if node is not None else None
                if node is None:
                    break
                if node.payloads:
                    yield first, at + 1, node.payloads

    def get(self, phrase: str) -> list[Any]:
        """Payloads of exactly this phrase."""
        node: _Node | None = self._root
        for stem in words_of(phrase):
            node = node.next.get(stem) if node is not None else None
        return [] if node is None else node.payloads


def resolve(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """The claims that stand, in order of the text: longest first, then by kind."""
    ordered = sorted(claims, key=lambda c: (-c.length, _RANK.get(c.kind, 99), c.start))
    taken: set[int] = set()
    kept: list[Claim] = []
    for claim in ordered:
        cells = range(claim.start, claim.end)
        if any(i in taken for i in cells):
            continue
        taken.update(cells)
        kept.append(claim)
    return tuple(sorted(kept, key=lambda c: c.start))


def unclaimed(text: Text, claims: Sequence[Claim]) -> tuple[Token, ...]:
    """Tokens that no claim covers."""
    taken = {i for c in claims for i in range(c.start, c.end)}
    return tuple(t for t in text.tokens if t.start not in taken)
