"""A question as resolved claims: every character is either claimed or reported as unread."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from askcore.agent.rules import lexicon
from askcore.agent.rules.cues import cue_claims
from askcore.agent.rules.homonyms import Range, homonyms, raw_range
from askcore.agent.rules.language import is_cjk
from askcore.agent.rules.limits import limit_claims
from askcore.agent.rules.normalise import Text, Token, normalise, words_of
from askcore.agent.rules.numbers import numbered_claims
from askcore.agent.rules.spans import Claim, resolve, unclaimed
from askcore.agent.rules.times import lexicon as times
from askcore.agent.rules.times.refs import time_refs
from askcore.agent.rules.times.values import Clock, TimeRef
from askcore.agent.rules.typos import mend_words, typo_claims
from askcore.agent.rules.vocabulary import Vocabulary

_TIMES = ("time", "grain", "unit")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """What the recognisers agree on."""

    text: Text
    claims: tuple[Claim, ...]
    unread: tuple[Token, ...]
    doubled: tuple[Claim, ...] = ()
    """Names that are words of the grammar too, whichever way they are read here."""

    @property
    def refs(self) -> tuple[TimeRef, ...]:
        """Times in order; the same days named twice count once.

        "Last week … the previous week" names two weeks: the second is the one before the first.
        """
        found: dict[object, TimeRef] = {}
        words: dict[object, str] = {}
        for claim in self.claims:
            if claim.kind != "time":
                continue
            ref: TimeRef = claim.value
            key: object = ref.period or ref.role
            word = self.word(claim).removeprefix("the ")
            if key in found and word.startswith(times.STEPS_BACK) and words[key] != word:
                ref = TimeRef(start=ref.start, end=ref.end, unit="window", relative=True, role="previous")
                key = ref.role
            found.setdefault(key, ref)
            words.setdefault(key, word)
        return tuple(found.values())

    def of(self, kind: str) -> tuple[Claim, ...]:
        """Claims of one kind in order."""
        return tuple(c for c in self.claims if c.kind == kind)

    @property
    def cues(self) -> frozenset[str]:
        """Names of all cues in the question."""
        return frozenset(n for c in self.claims if c.kind == "cue" for n in c.value)

    def says(self, name: str) -> tuple[Claim, ...]:
        """The claims that carry a cue."""
        return tuple(c for c in self.claims if c.kind == "cue" and name in c.value)

    def word(self, claim: Claim) -> str:
        """The claimed characters, normalised."""
        return self.text.norm[claim.start : claim.end]

    def gap(self, left: Claim, right: Claim) -> str:
        """What stands between two claims."""
        return self.text.norm[left.end : right.start]


_BLANK = "\0"  # no time reaches over it, as it would over spaces


def scan(question: str, vocab: Vocabulary, clock: Clock, meant: Collection[Range] = ()) -> Scan:
    """Run all recognisers; mend typing errors in what none of them knows and look again.

    meant: places as typed where a name that is a word of the grammar too stands for what it names.
    """
    text = normalise(question)
    found = _scan(text, vocab, clock, meant, ())
    if not found.unread:
        return found
    mended = mend_words(text, found.unread, vocab)
    if mended is not None:
        text = mended
        found = _scan(text, vocab, clock, meant, ())
    extra = tuple(typo_claims(text, found.unread, found.claims, vocab)) if found.unread else ()
    return _scan(text, vocab, clock, meant, extra) if extra else found


def _scan(
    text: Text, vocab: Vocabulary, clock: Clock, meant: Collection[Range], extra: tuple[Claim, ...]
) -> Scan:
    named = tuple(vocab.claims(text))
    doubled = homonyms(text, named, vocab)
    chosen = tuple(c for c in doubled if raw_range(text, c) in meant)
    named = tuple(c for c in named if c not in doubled)
    dated = _without_names(text, named, chosen)
    claims = [Claim(r.start, r.end, "time", r.unit, r) for r in time_refs(dated, clock)]
    claims += limit_claims(text)
    claims += numbered_claims(text, vocab)
    claims += named
    claims += cue_claims(text)
    claims += extra
    claims = [c for c in claims if not any(_overlap(c, name) for name in chosen)]
    claims += chosen
    kept = resolve(c for c in claims if not (_cuts_word(c, text) or _cuts_time(c, claims, vocab, text)))
    return Scan(text=text, claims=kept, unread=unclaimed(text, kept), doubled=doubled)


def _overlap(one: Claim, other: Claim) -> bool:
    return one.start < other.end and other.start < one.end


def _without_names(text: Text, named: Sequence[Claim], chosen: Sequence[Claim]) -> str:
    """The text with names that hold digits blanked: "1958 Park Shop" says nothing about 1958.

    A name of digits alone stays: it may as well be a date.
    """
    shown = list(text.norm)
    for claim in (*named, *chosen):
        word = text.norm[claim.start : claim.end]
        dated = claim.kind == "entity" and any(map(str.isdigit, word)) and any(map(str.isalpha, word))
        if dated or claim in chosen:
            shown[claim.start : claim.end] = _BLANK * len(word)
    return "".join(shown)


def _cuts_word(claim: Claim, text: Text) -> bool:
    """A metric must not end within the word for data, whose first character also ends counts."""
    return claim.kind == "metric" and text.norm[claim.end - 1 : claim.end + 1] == lexicon.DATA[0]


def _cuts_time(claim: Claim, claims: Sequence[Claim], vocab: Vocabulary, text: Text) -> bool:
    """A metric whose first character ends a time ("last week" + "weekly sales") is named without it.

    Only where the rest of the name is a metric by itself: nothing of the question is lost then.
    """
    if claim.kind != "metric" or not is_cjk(text.norm[claim.start]):
        return False
    inside = [c.end for c in claims if c.kind in _TIMES and c.start < claim.start < c.end < claim.end]
    return any(words_of(text.norm[end : claim.end]) in vocab.metrics for end in inside)
