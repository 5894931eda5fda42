"""Whom and what a claim is about: metrics, entities and time, by the words around it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from askcore.checks.claims import lexicon as words
from askcore.checks.claims.page import Page, Segment
from askcore.checks.claims.periods import Span
from askcore.checks.claims.token import Token, TokenKind
from askcore.checks.provenance.mask import BLANK
from askcore.checks.provenance.wording import either

Alternatives = tuple[str, ...]
"""Metrics that one word may stand for."""

_COMPARERS: Final[frozenset[TokenKind]] = frozenset({
    "than", "versus", "versus_level", "versus_good", "next_to", "except",
})  # fmt: skip
_GLUE: Final = re.compile(
    rf"[\s,{words.CLAUSE_ENDS}{words.OF}'{BLANK}]|(?<=[{BLANK}\s'])s(?![a-z])|the(?![a-z])|both(?![a-z])"
)
_ASIDE: Final = re.compile(r"[(\uff08][^()\uff08\uff09]*[)\uff09]")
_IN_OF: Final = re.compile(r"\s+(?:in|of|for)\s+(?:the\s+|its\s+|their\s+)?(?:number\s+of\s+)?$")
_SOLD: Final = re.compile(either(words.SOLD))
CARRIED_SENTENCES: Final = 3  # a subject is remembered over so many sentences


@dataclass(frozen=True, slots=True, kw_only=True)
class Owners:
    """The entities that a statement is about."""

    names: tuple[str, ...]
    """() is the whole."""
    is_firm: bool
    """False: remembered from a sentence before, so the whole may be meant instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class When:
    """The time that a statement names."""

    spans: tuple[Span, ...] = ()
    is_since: bool = False
    is_after: bool = False
    """As in "after April": from the next bucket on."""
    is_vague: bool = False
    """"Then", "afterwards": some time after the one named before."""
    is_stepwise: bool = False
    """Against the period before, not over the whole stretch."""
    is_yearly: bool = False
    carried: tuple[Span, ...] = ()
    """Named in the sentence before, when this one names no time: may be meant or not."""


class Binder:
    """Looks words up around a token."""

    _sales: Final = frozenset(words.SUM_METRICS)

    def __init__(self, page: Page, known: frozenset[str], labels: Mapping[str, Sequence[str]]) -> None:
        self._page = page
        self._known = known
        self._labels = labels
        self._by_sentence: dict[int, list[Segment]] = {}
        for segment in page.segments:
            self._by_sentence.setdefault(segment.sentence, []).append(segment)

    # Metrics

    def metrics(self, segment: Segment, token: Token) -> tuple[Alternatives, ...]:
        """The metrics that the claim speaks of, each with its alternatives; () when none is named."""
        after = self._named_after(segment, token)
        if after:
            return after
        own = self.run(segment, "metric", end=token.start, last=True) or self.run(
            segment, "metric", start=token.end
        )
        if own:
            return self._keys(own)
        for earlier in self._back(segment):
            limit = token.start if segment.is_aside and earlier is segment.before else None
            found = self.run(earlier, "metric", end=limit, last=True)
            if found:
                return self._keys(found)
        return self._from_sentences_before(segment) or self._sold(segment)

    def metrics_before(self, segment: Segment, token: Token) -> tuple[Alternatives, ...]:
        """The metrics named before the token, in the statement or before it."""
        own = self.run(segment, "metric", end=token.start, last=True)
        if own:
            return self._keys(own)
        for earlier in self._back(segment):
            if found := self.run(earlier, "metric", last=True):
                return self._keys(found)
        return self._from_sentences_before(segment)

    def _sold(self, segment: Segment) -> tuple[Alternatives, ...]:
        """The metric of the verb: what is sold are sales."""
        own = self._by_sentence[segment.sentence]
        if not any(_SOLD.search(self._page.canvas, s.start, s.end) for s in own):
            return ()
        found = tuple(sorted(k for k in self._known if self._sales & {*self._labels.get(k, ())}))
        return (found,) if found else ()

    def _named_after(self, segment: Segment, token: Token) -> tuple[Alternatives, ...]:
        """The metric of "a drop in sales", "fewer orders"."""
        following = [t for t in segment.tokens if t.start >= token.end]
        if not following or following[0].kind != "metric":
            return ()
        gap = self._page.canvas[token.end : following[0].start]
        links = bool(_IN_OF.fullmatch(gap if gap.endswith(" ") else f"{gap} "))
        if links if gap.strip() else token.text.isascii():
            return self._keys(self.run(segment, "metric", start=token.end))
        return ()

    def _from_sentences_before(self, segment: Segment) -> tuple[Alternatives, ...]:
        """The last metrics named before, as alternatives of one another."""
        for number in range(segment.sentence - 1, segment.sentence - 1 - CARRIED_SENTENCES, -1):
            tokens = [t for s in self._by_sentence.get(number, ()) for t in s.all("metric")]
            if tokens:
                return (tuple(dict.fromkeys(k for t in tokens for k in self._alternatives(t))),)
        if len(self._known) == 1:
            return (tuple(self._known),)
        return ()

    def _keys(self, tokens: Sequence[Token]) -> tuple[Alternatives, ...]:
        return tuple(self._alternatives(t) for t in tokens)

    def _alternatives(self, token: Token) -> Alternatives:
        known = token.names & self._known
        return tuple(sorted(known or token.names))

    # Entities

    def owners(self, segment: Segment, token: Token) -> Owners:
        """The entities that the claim is about."""
        own = self.own_entities(segment, token)
        if own:
            return Owners(names=own, is_firm=True)
        if segment.has("whole"):
            return Owners(names=(), is_firm=True)
        for earlier in self._back(segment):
            if segment.is_aside and earlier is segment.before:
                found = self._subjects(earlier, end=segment.start)
                found = found[-1:] if found else self._subjects(earlier)[:1]
            else:
                found = self._subjects(earlier)
            if found:
                return Owners(names=_names(found), is_firm=True)
            if earlier.has("whole"):
                return Owners(names=(), is_firm=True)
        for number in range(segment.sentence - 1, segment.sentence - 1 - CARRIED_SENTENCES, -1):
            tokens = [t for s in self._by_sentence.get(number, ()) for t in s.all("entity")]
            if tokens:
                return Owners(names=_names(tokens), is_firm=False)
        return Owners(names=(), is_firm=True)

    def named_before(self, segment: Segment) -> Owners:
        """The entities of the part before, whatever this one says of the whole."""
        for earlier in self._back(segment):
            if found := self._subjects(earlier):
                return Owners(names=_names(found), is_firm=True)
        return Owners(names=(), is_firm=True)

    def own_entities(self, segment: Segment, token: Token) -> tuple[str, ...]:
        """Entities named in the statement itself."""
        before = self._subjects(segment, end=token.start, last_run=True)
        if before:
            return _names(before)
        after = self._subjects(segment, start=token.end)
        if after:
            return _names(self.run(segment, "entity", start=after[0].start))
        return ()

    def comparands(self, segment: Segment) -> list[Token]:
        """Entities that somebody is compared with."""
        found: list[Token] = []
        previous: Token | None = None
        for token in segment.tokens:
            if token.kind == "entity":
                starts = previous is not None and (
                    previous.kind in _COMPARERS
                    or (previous.kind == "not" and token.start - previous.end <= 1)
                )
                goes_on = bool(found) and previous in found
                joined = (
                    bool(found) and previous is not None and previous.kind == "list_joint"
                    and found[-1] is self._before(segment, previous)
                )  # fmt: skip
                if starts or goes_on or joined:
                    found.append(token)
            if token.kind not in ("adverb", "neutral", "metric"):
                previous = token
        return found

    def _before(self, segment: Segment, token: Token) -> Token | None:
        index = segment.tokens.index(token)
        return segment.tokens[index - 1] if index else None

    def _subjects(
        self, segment: Segment, *, start: int = 0, end: int | None = None, last_run: bool = False
    ) -> list[Token]:
        compared = self.comparands(segment)
        limit = segment.end if end is None else end
        inside = [
            t for t in segment.tokens
            if t.kind == "entity" and t not in compared and start <= t.start < limit
        ]  # fmt: skip
        if not last_run or not inside:
            return inside
        return list(self.run(segment, "entity", end=limit, last=True, skip=compared))

    # Time

    def when(self, segment: Segment, token: Token) -> When:
        """The time that the claim is about."""
        spans = self._spans(segment) or self._in_aside(segment)
        is_vague = segment.has("after") and not spans
        if not spans:
            for earlier in self._back(segment):
                is_host = segment.is_aside and earlier is segment.before
                spans = self._spans(earlier)
                if is_host:
                    spans = [s for s in spans if s.end <= segment.start] or spans[:1]
                if spans:
                    spans = spans[-1:]
                    break
        base = segment.all("base")
        return When(
            spans=tuple(spans),
            is_since=self._is_since(segment, spans),
            is_after=self._is_after(segment, spans),
            is_vague=is_vague,
            is_stepwise=bool(base),
            is_yearly=any(t.text in words.YEAR_WORDS for t in base),
            carried=() if spans else tuple(self._spans_before(segment)),
        )

    def _in_aside(self, segment: Segment) -> list[Span]:
        """Time in parentheses behind the statement: "four weeks in a row (W37-W40)"."""
        for aside in self._by_sentence[segment.sentence]:
            is_time = aside.is_aside and aside.before is segment
            if is_time and not aside.has("figure", "entity", "metric") and (spans := self._spans(aside)):
                return spans
        return []

    def _spans_before(self, segment: Segment) -> list[Span]:
        for earlier in reversed(self._by_sentence.get(segment.sentence - 1, ())):
            if spans := self._spans(earlier):
                return spans
        return []

    def own_spans(self, segment: Segment) -> list[Span]:
        """Stretches of time named in the statement itself."""
        return self._spans(segment)

    def _spans(self, segment: Segment) -> list[Span]:
        return [self._page.spans[t.start] for t in segment.all("period")]

    def _is_after(self, segment: Segment, spans: Sequence[Span]) -> bool:
        if len(spans) != 1 or spans[0].is_range:
            return False
        near = segment.all("after")
        return any(
            0 <= (spans[0].start - t.end if t.text.isascii() else t.start - spans[0].end) <= 1 for t in near
        )

    def _is_since(self, segment: Segment, spans: Sequence[Span]) -> bool:
        if len(spans) != 1 or spans[0].is_range:
            return False
        at = spans[0]
        for token in segment.all("since"):
            if -2 <= at.start - token.end <= 1 or 0 <= token.start - at.end <= 1:
                return True
        return False

    # Lists

    def run(
        self,
        segment: Segment,
        kind: TokenKind,
        *,
        start: int = 0,
        end: int | None = None,
        last: bool = False,
        skip: Sequence[Token] = (),
    ) -> list[Token]:
        """The first (or last) unbroken list of tokens of a kind: "A, B and C"."""
        limit = segment.end if end is None else end
        inside = [t for t in segment.all(kind) if start <= t.start < limit and t not in skip]
        runs: list[list[Token]] = []
        for token in inside:
            if runs and self._listed(segment, runs[-1][-1], token):
                runs[-1].append(token)
            else:
                runs.append([token])
        if not runs:
            return []
        return runs[-1] if last else runs[0]

    def _listed(self, segment: Segment, left: Token, right: Token) -> bool:
        between = [t for t in segment.tokens if left.end <= t.start < right.start]
        if any(t.kind not in ("list_joint", "both") for t in between):
            return False
        gap = self._page.canvas[left.end : right.start]
        for token in reversed(between):
            gap = gap[: token.start - left.end] + gap[token.end - left.end :]
        rest = _GLUE.sub("", _ASIDE.sub("", gap).replace("\u3001", ""))
        return not rest.strip()

    def _back(self, segment: Segment) -> Iterator[Segment]:
        earlier = segment.before
        while earlier is not None:
            yield earlier
            earlier = earlier.before


def _names(tokens: Sequence[Token]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(min(t.names) for t in tokens))
