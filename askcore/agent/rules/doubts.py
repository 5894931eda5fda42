"""Which reading holds where a name of the data is a word of the grammar too.

The word keeps its own meaning; the name is read where the question makes plain that it is meant. Where both
readings give a plan and something in the question speaks for the name, both are offered.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice, product

from askcore.agent.rules import lexicon
from askcore.agent.rules.cues import CUES
from askcore.agent.rules.homonyms import QUOTES, Range, is_quoted, meanings, raw_range
from askcore.agent.rules.outcome import clarify
from askcore.agent.rules.question import Question
from askcore.agent.rules.spans import Claim
from askcore.agent.rules.understanding import Understanding
from askcore.base.text import say
from askcore.base.values import Note

_MOST = 4  # doubtful words in one question that are looked at
_WORDINGS = 24  # other wordings that are tried for an option
_PLAIN = 2  # signs that make the name plain; a single one makes it a question
_POLICY = ("readonly", "pii", "forecast", "out_of_scope")
_BINDING = frozenset({"each", "which_one", "which_many", "highest", "lowest", "best", "worst", "ranking"})
_IDLE = ("cue", "grain", "unit", "stop")  # words that may do nothing for a plan
_TOTALS = frozenset({"whole", "all"})  # say what holds anyway
_BETWEEN = " :#-" + QUOTES
_OF_EN = ("of", "for", "in", "at", "from", "'s", "s")


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A question and what was made of it."""

    question: Question
    found: Understanding

    @property
    def is_plan(self) -> bool:
        """Whether something is computed, rather than asked back or declined."""
        return bool(self.found.calls) and not self.found.clarification and not self.found.refusal

    @property
    def plan(self) -> str:
        """The plan in comparable form."""
        return json.dumps(
            [self.found.intent, [(c.tool, dict(c.args)) for c in self.found.calls]], sort_keys=True
        )


Reader = Callable[[str, Collection[Range]], Read]


def settle(text: str, read: Reader) -> Read:
    """The reading that stands: the grammar's, the name's, or a question back with both."""
    plain = read(text, ())
    if not plain.question.scan.doubled:
        return plain
    base = _with_quoted(text, plain, read)
    if base.found.clarification is not None and base is not plain:
        return base
    meant = [c for c in base.question.scan.claims if c in base.question.scan.doubled]
    open_words = [
        c for c in base.question.scan.doubled if c not in meant and not is_quoted(base.question.scan.text, c)
    ]
    doubts = [_Doubt(text=text, claim=c, plain=base, read=read) for c in open_words[:_MOST]]
    outcomes = [d.outcome for d in doubts if d.outcome is not None]
    if outcomes:
        return next((o for o in outcomes if o.is_plan), outcomes[0])
    notes = [n for d in doubts for n in d.notes]
    if not notes:
        return base
    return replace(base, found=replace(base.found, notes=(*base.found.notes, *notes)))


def _with_quoted(text: str, plain: Read, read: Reader) -> Read:
    """With quoted names as names; asked back where the question would lose its only metric."""
    scan = plain.question.scan
    quoted = [c for c in scan.doubled if is_quoted(scan.text, c)]
    if not quoted:
        return plain
    named = read(text, frozenset(raw_range(scan.text, c) for c in quoted))
    doubts = [_Doubt(text=text, claim=c, plain=plain, read=read) for c in quoted]
    if not _loses_metric(plain, named) or any(d.is_beside_level() for d in doubts):
        return named
    return doubts[0].asked() or plain


def _loses_metric(plain: Read, named: Read) -> bool:
    had = plain.question.frame.metrics or plain.question.frame.unclear
    has = named.question.frame.metrics or named.question.frame.unclear
    return bool(had) and not has


class _Doubt:
    """One doubtful word: its signs, its two readings, and what follows from them."""

    def __init__(self, *, text: str, claim: Claim, plain: Read, read: Reader) -> None:
        self.text = text
        self.claim = claim
        self.plain = plain
        self.read = read
        self.q = plain.question
        self.range = raw_range(self.q.scan.text, claim)
        self.words = meanings(claim, self.q.scan.text, self.q.vocab)
        self.notes: list[Note] = []
        self.outcome = self._settled()

    def _settled(self) -> Read | None:
        refusal = self.plain.found.refusal
        if refusal is not None and refusal.kind in _POLICY:
            return None
        already = {raw_range(self.q.scan.text, c) for c in self.q.scan.claims if c in self.q.scan.doubled}
        named = self.read(self.text, frozenset((*already, self.range)))
        if not named.is_plan or named.plan == self.plain.plan or _loses_metric(self.plain, named):
            return None
        signs = self._signs()
        if signs >= _PLAIN:
            return named
        loses_time = bool(self.q.frame.refs) and not named.question.frame.refs
        asked = self.asked() if signs and not loses_time else None
        if asked is None and self.plain.is_plan:
            self.notes.append(self._note())
        return asked

    # --- what speaks for the name ----------------------------------------------------------------
    def _signs(self) -> int:
        """How many things in the question speak for the name."""
        signs = (
            self.is_beside_level(),
            self._is_part_of_metric(),
            self._is_listed(),
            self._stands_after_of(),
            self._is_repeated(),
            len(self.words) > 1,
            self._ranks_nothing(),
            self._does_nothing(),
            not self.plain.is_plan,
        )
        return sum(signs) + self._fills_gap()

    def _fills_gap(self) -> int:
        """A metric where none is named; a value of a dimension where the grammar leads nowhere."""
        if self.claim.kind == "metric":
            return 0 if self.q.frame.metrics or self.q.frame.unclear else _PLAIN
        return 1 if self.claim.kind == "dimension" and not self.plain.is_plan else 0

    def _neighbours(self) -> Iterator[tuple[Claim, str, bool]]:
        """(claim beside the word, what stands between, whether the claim comes first)."""
        norm = self.q.scan.text.norm
        claims = [c for c in self.q.scan.claims if c.kind != "stop"]
        before = [c for c in claims if c.end <= self.claim.start]
        after = [c for c in claims if c.start >= self.claim.end]
        if before:
            yield before[-1], norm[before[-1].end : self.claim.start].strip(_BETWEEN), True
        if after:
            yield after[0], norm[self.claim.end : after[0].start].strip(_BETWEEN), False

    def is_beside_level(self) -> bool:
        """As in "shop total"; not where the word works on the level itself, as in "top 5 shops"."""
        if any(w.kind == "number" or (w.kind == "cue" and w.value & _BINDING) for w in self.words):
            return False
        return any(not gap and self._names_kind(c) for c, gap, _ in self._neighbours())

    def _names_kind(self, claim: Claim) -> bool:
        if self.claim.kind == "entity" and claim.kind == "level":
            return any(e.level == claim.value.level for e in self.claim.value.entities)
        own = self.claim.kind == "dimension" and claim.kind == "dimension" and claim.value.value is None
        return own and claim.value.dimension == self.claim.value.dimension

    def _is_part_of_metric(self) -> bool:
        """A metric of a metric is none: "the orders of sales" speaks about something called sales."""
        if self.claim.kind != "entity" or not any(w.kind == "metric" for w in self.words):
            return False
        of = (*lexicon.OF, *_OF_EN)
        return any(c.kind == "metric" and gap in of for c, gap, _ in self._neighbours())

    def _is_listed(self) -> bool:
        """Joined with another one of its kind by "and" or "vs"."""
        claims = [c for c in self.q.scan.claims if c.kind != "stop"]
        at = [c for c in claims if c.start < self.claim.end and self.claim.start < c.end]
        if not at:
            return False
        first, last = claims.index(at[0]), claims.index(at[-1])
        for link, other in ((first - 1, first - 2), (last + 1, last + 2)):
            if min(link, other) < 0 or max(link, other) >= len(claims):
                continue
            joins = claims[link].kind == "cue" and claims[link].value & {"and", "compare"}
            if joins and claims[other].kind == self.claim.kind:
                return True
        return False

    def _stands_after_of(self) -> bool:
        """As in "sales of total last week": a word of the grammar, where a name belongs."""
        norm = self.q.scan.text.norm
        if any(w.kind not in ("cue", "grain", "unit") for w in self.words):
            return False
        after = next((c for c in self.q.scan.claims if c.start >= self.claim.end and c.kind != "stop"), None)
        heads = norm[: self.claim.start].split()
        return bool(heads) and heads[-1] in _OF_EN and (after is None or after.kind == "time")

    def _is_repeated(self) -> bool:
        """The grammar has the same word twice: once would do."""
        here = [c for c in self.q.scan.claims if c.start == self.claim.start and c.end == self.claim.end]
        return any(
            c.kind == h.kind and h.kind in ("metric", "level", "time") and _same(c, h)
            for h in here
            for c in self.q.scan.claims
            if c is not h
        )

    def _ranks_nothing(self) -> bool:
        """A number of rows, and no word for what is ranked."""
        asked = self.q.scan.of("level") or self.q.scan.of("unit") or self.q.scan.of("grain")
        return any(w.kind == "number" for w in self.words) and not asked

    def _does_nothing(self) -> bool:
        """The plan is the same without the word, although it is no mere filler."""
        word = self.q.scan.word(self.claim)
        if any(w.kind not in _IDLE or (w.kind == "stop" and word.isascii()) for w in self.words):
            return False
        if any(w.kind == "cue" and w.value & (_TOTALS | _BINDING) for w in self.words):
            return False
        first, last = self.range
        blank = self.text[:first] + " " * (last - first) + self.text[last:]
        return self.read(blank, ()).plan == self.plain.plan

    # --- what is said ------------------------------------------------------------------------------
    def _say(self, sentence: str, /, **values: object) -> str:
        return say(self.q.lang, f"doubts.{sentence}", **values)

    def _word(self) -> str:
        first, last = self.range
        return self.q.scan.text.raw[first:last]

    def _kind(self) -> str:
        if self.claim.kind == "entity":
            level = self.q.model.levels_by_key[self.claim.value.entities[0].level]
            name = level.label.get(self.q.lang, level.key).split("/")[0]
        elif self.claim.kind == "dimension":
            dimension = self.q.model.dimensions_by_key[self.claim.value.dimension]
            name = dimension.label.get(self.q.lang, dimension.key)
        else:
            return self._say("metric")
        return name.lower() if self.q.lang == "en" else name

    def _note(self) -> Note:
        return Note(code="ambiguous", text=self._say("read_as_word", word=self._word(), kind=self._kind()))

    def asked(self) -> Read | None:
        """Both readings as choices; None when one of them cannot be said in other words."""
        word, kind = self._word(), self._kind()
        options = [(self._say("as_name", kind=kind, word=word), self._quoted(kind, word))]
        if self.plain.is_plan:
            other = self._reworded()
            if other is None:
                return None
            options.append((self._say("as_word", meaning=other[0]), other[1]))
        elif self.plain.found.clarification is not None:
            options += self.plain.found.clarification.options
        question = self._say("which_meaning", word=word, kind=kind)
        return Read(question=self.q, found=clarify(self.q, question, options))

    def _quoted(self, kind: str, word: str) -> str:
        """The question with the word in quotation marks; where it has some, with the level's word too."""
        first, last = self.range
        said = self._say("quoted", word=word)
        if is_quoted(self.q.scan.text, self.claim):
            first, last = (
                len(self.text[:first].rstrip()) - 1,
                len(self.text) - len(self.text[last:].lstrip()) + 1,
            )
            said = self._say("as_name", kind=kind, word=word)
        return f"{self.text[:first]}{said}{self.text[last:]}"

    def _reworded(self) -> tuple[str, str] | None:
        """(other words, the question with them) that leave only the grammar's reading."""
        choices = [tuple(islice(self._other_words(w), _WORDINGS)) for w in self._words_in_place()]
        for pieces in islice(product(*choices), _WORDINGS):
            words = ("" if self.q.lang == "zh" else " ").join(p for p in pieces if p)
            question = self.q.rewritten(self.claim.start, self.claim.end, words)
            again = self.read(question, ())
            if again.plan == self.plain.plan and len(again.question.scan.doubled) < len(self.q.scan.doubled):
                return words or self._word(), question
        return None

    def _words_in_place(self) -> tuple[Claim, ...]:
        """The grammar's claims as they stand in the question: a time has its own days there."""
        inside = [c for c in self.q.scan.claims if self.claim.start <= c.start and c.end <= self.claim.end]
        return tuple(inside) or self.words

    def _other_words(self, claim: Claim) -> Iterator[str]:
        if claim.kind == "metric":
            metric = self.q.model.metric(claim.value.keys[0])
            yield from self._own_script((self.q.label(metric.key), *metric.words(), metric.key))
        elif claim.kind == "time" and claim.value.period is not None:
            yield self.q.days(claim.value.period)
        elif claim.kind == "number":
            yield self._say("back" if claim.name == "back" else "front", n=claim.value)
        elif claim.kind == "level":
            levels = self.q.vocab.levels[claim.value.level]
            yield from self._own_script(" ".join(s) if s[0].isascii() else "".join(s) for s in levels)
        elif claim.kind in _IDLE:
            yield from self._synonyms(claim)

    def _own_script(self, words: Iterable[str]) -> list[str]:
        """Words of the script that the doubtful one is in come first."""
        ascii_word = self.q.scan.word(self.claim).isascii()
        return sorted(words, key=lambda w: w.isascii() != ascii_word)

    def _synonyms(self, claim: Claim) -> Iterator[str]:
        """Other words of the grammar that do the same, of the same script; at last none."""
        tables = {"grain": lexicon.GRAINS, "unit": lexicon.UNITS}.get(claim.kind, CUES)
        names = (claim.name,) if claim.kind != "cue" else sorted(claim.value)
        word = self.q.scan.word(self.claim)
        for name in names:
            yield from (w for w in tables.get(name, ()) if w.isascii() == word.isascii() and w != word)
        yield ""


def _same(one: Claim, other: Claim) -> bool:
    if one.kind == "metric":
        return bool(one.value.keys == other.value.keys)
    if one.kind == "level":
        return bool(one.value.level == other.value.level)
    return bool(one.value.period is not None and one.value.period == other.value.period)
