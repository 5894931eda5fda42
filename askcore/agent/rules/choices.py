"""The sentences about a doubtful word: the question back with both readings, the note on the one taken."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, product

from askcore.agent.rules import lexicon
from askcore.agent.rules.cues import CUES
from askcore.agent.rules.homonyms import is_quoted
from askcore.agent.rules.signs import IDLE, Doubtful
from askcore.agent.rules.spans import Claim
from askcore.base.text import say
from askcore.base.values import Note

_WORDINGS = 24  # other wordings that are tried for an option


def _say(d: Doubtful, sentence: str, /, **values: object) -> str:
    return say(d.q.lang, f"doubts.{sentence}", **values)


def kind_of(d: Doubtful) -> str:
    """What the name stands for: the level, the dimension, or a metric."""
    if d.claim.kind == "entity":
        level = d.q.model.levels_by_key[d.claim.value.entities[0].level]
        name = level.label.get(d.q.lang, level.key).split("/")[0]
    elif d.claim.kind == "dimension":
        dimension = d.q.model.dimensions_by_key[d.claim.value.dimension]
        name = dimension.label.get(d.q.lang, dimension.key)
    else:
        return _say(d, "metric")
    return name.lower() if d.q.lang == "en" else name


def note_of(d: Doubtful) -> Note:
    """Which reading was taken, and how to ask for the other one."""
    return Note(code="ambiguous", text=_say(d, "read_as_word", word=d.word, kind=kind_of(d)))


def as_name(d: Doubtful) -> tuple[str, str]:
    """(label, question) of the name: in quotation marks; where it has some, with the level's word too."""
    (first, last), text = d.range, d.q.scan.text.raw
    label = _say(d, "as_name", kind=kind_of(d), word=d.word)
    said = _say(d, "quoted", word=d.word)
    if is_quoted(d.q.scan.text, d.claim):
        first, last = (
            len(text[:first].rstrip()) - 1,
            len(text) - len(text[last:].lstrip()) + 1,
        )
        said = label
    return label, f"{text[:first]}{said}{text[last:]}"


def as_word(d: Doubtful) -> Iterator[tuple[str, str]]:
    """(label, question) of the ordinary word said with other words; the caller sees which ones keep it."""
    choices = [tuple(islice(_other_words(d, w), _WORDINGS)) for w in _words_in_place(d)]
    for pieces in islice(product(*choices), _WORDINGS):
        words = ("" if d.q.lang == "zh" else " ").join(p for p in pieces if p)
        label = _say(d, "as_word", meaning=words or d.word)
        yield label, d.q.rewritten(d.claim.start, d.claim.end, words)


def question_of(d: Doubtful) -> str:
    """The sentence that asks which reading is meant."""
    return _say(d, "which_meaning", word=d.word, kind=kind_of(d))


def _words_in_place(d: Doubtful) -> tuple[Claim, ...]:
    """The grammar's claims as they stand in the question: a time has its own days there."""
    inside = [c for c in d.q.scan.claims if d.claim.start <= c.start and c.end <= d.claim.end]
    return tuple(inside) or d.words


def _other_words(d: Doubtful, claim: Claim) -> Iterator[str]:
    if claim.kind == "metric":
        metric = d.q.model.metric(claim.value.keys[0])
        yield from _own_script(d, (d.q.label(metric.key), *metric.words(), metric.key))
    elif claim.kind == "time" and claim.value.period is not None:
        yield d.q.days(claim.value.period)
    elif claim.kind == "number":
        yield _say(d, "back" if claim.name == "back" else "front", n=claim.value)
    elif claim.kind == "level":
        levels = d.q.vocab.levels[claim.value.level]
        yield from _own_script(d, (" ".join(s) if s[0].isascii() else "".join(s) for s in levels))
    elif claim.kind in IDLE:
        yield from _synonyms(d, claim)


def _own_script(d: Doubtful, words: Iterable[str]) -> list[str]:
    """Words of the script that the doubtful one is in come first."""
    ascii_word = d.q.scan.word(d.claim).isascii()
    return sorted(words, key=lambda w: w.isascii() != ascii_word)


def _synonyms(d: Doubtful, claim: Claim) -> Iterator[str]:
    """Other words of the grammar that do the same, of the same script; at last none."""
    tables = {"grain": lexicon.GRAINS, "unit": lexicon.UNITS}.get(claim.kind, CUES)
    names = (claim.name,) if claim.kind != "cue" else sorted(claim.value)
    word = d.q.scan.word(d.claim)
    for name in names:
        yield from (w for w in tables.get(name, ()) if w.isascii() == word.isascii() and w != word)
    yield ""
