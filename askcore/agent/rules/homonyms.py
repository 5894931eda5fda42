"""Names of the data that are words of the grammar too: a shop called "Top5", a column called "yesterday".

Such a word keeps the meaning that it has by itself; `doubts.py` decides where the name is meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING

from askcore.agent.rules.cues import cue_claims
from askcore.agent.rules.language import is_cjk
from askcore.agent.rules.limits import limit_claims
from askcore.agent.rules.normalise import Text, normalise
from askcore.agent.rules.spans import Claim, resolve, unclaimed
from askcore.agent.rules.times.refs import time_refs
from askcore.agent.rules.times.values import Clock

if TYPE_CHECKING:
    from askcore.agent.rules.vocabulary import Vocabulary

Range = tuple[int, int]
"""First and last position of the question as typed; the last one is excluded."""
_ANY_DAY = date(2024, 6, 15)  # which words are times does not depend on the day
_CLOCK = Clock(as_of=_ANY_DAY, last=_ANY_DAY, data=None)
_OPEN = "\"'`\u201c\u2018\u300c\u300e\u300a\uff02\u00ab"
_CLOSE = "\"'`\u201d\u2019\u300d\u300f\u300b\uff02\u00bb"
QUOTES = _OPEN + _CLOSE
_ASKING = ("time", "number")  # what a metric's name hides, beside cues; filler and units never stood for it
_DRIVERS = frozenset({"why_word", "traffic", "conversion", "price", "factor_word"})
"""Traffic, price …: everyday words for metrics in a why question."""


@lru_cache(maxsize=4096)  # names of a large lake that a session asks about
def grammar_reading(word: str) -> tuple[Claim, ...]:
    """The grammar's claims on a word by itself; () unless they cover it."""
    return _covering(normalise(word), ())


def is_plain_word(word: str) -> bool:
    """Whether a short form of a name would only hide one word of the grammar."""
    claims = grammar_reading(word)
    return len(claims) == 1 and not (claims[0].kind == "stop" and is_cjk(word[0]))


def homonyms(text: Text, named: Sequence[Claim], vocab: Vocabulary) -> tuple[Claim, ...]:
    """Those of the dataset's claims whose words have a meaning without them."""
    return tuple(c for c in named if _is_name(c) and meanings(c, text, vocab))


def meanings(claim: Claim, text: Text, vocab: Vocabulary) -> tuple[Claim, ...]:
    """What the claimed word means when it is no name; () when it means nothing else."""
    word = text.norm[claim.start : claim.end]
    if claim.kind == "metric":
        found = grammar_reading(word)
        return found if len(found) == 1 and _is_asking(found[0]) else ()
    alone = normalise(word)
    return _covering(alone, [c for c in vocab.claims(alone) if not _is_value(c) and c.kind != "entity"])


def _is_asking(claim: Claim) -> bool:
    if claim.kind == "cue":
        return not claim.value <= _DRIVERS
    return claim.kind in _ASKING


def _covering(alone: Text, more: Iterable[Claim]) -> tuple[Claim, ...]:
    claims = [Claim(r.start, r.end, "time", r.unit, r) for r in time_refs(alone.norm, _CLOCK)]
    kept = resolve((*claims, *limit_claims(alone), *cue_claims(alone), *more))
    if not kept or unclaimed(alone, kept):
        return ()
    return () if _is_pieced(kept, alone) else kept


def _is_pieced(claims: Sequence[Claim], alone: Text) -> bool:
    """As in "Store A": filler beside other words makes a name, filler alone ("everyone") does not."""
    filler = [c.kind == "stop" for c in claims]
    return len(claims) > 1 and any(filler) and not (all(filler) and is_cjk(alone.norm[0]))


def _is_name(claim: Claim) -> bool:
    if claim.kind == "metric":
        return bool(claim.value.rank <= 1)
    return claim.kind == "entity" or _is_value(claim)


def _is_value(claim: Claim) -> bool:
    return claim.kind == "dimension" and claim.value.value is not None


def raw_range(text: Text, claim: Claim) -> Range:
    """Where a claim stands in the question as typed; it stays when typing errors are mended."""
    return text.raw_range(claim.start, claim.end)


def is_quoted(text: Text, claim: Claim) -> bool:
    """Whether nothing but the claimed word stands between quotation marks."""
    first, last = raw_range(text, claim)
    before, after = text.raw[:first].rstrip(), text.raw[last:].lstrip()
    return bool(before and after) and before[-1] in _OPEN and after[0] == _CLOSE[_OPEN.index(before[-1])]
