"""Which reading holds where a name of the data is a word of the grammar too.

The word keeps its own meaning; the name is read where the question makes plain that it is meant. Where both
readings give a plan and something in the question speaks for the name, both are offered.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from askcore.agent.rules.choices import as_name, as_word, note_of, question_of
from askcore.agent.rules.homonyms import Range, is_quoted, raw_range
from askcore.agent.rules.outcome import clarify
from askcore.agent.rules.question import Question
from askcore.agent.rules.signs import PLAIN, Doubtful, is_beside_level, signs_for_name
from askcore.agent.rules.understanding import Understanding

_MOST = 4  # doubtful words in one question that are looked at
_POLICY = ("readonly", "pii", "forecast", "out_of_scope")


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

    @property
    def names(self) -> frozenset[Range]:
        """Places where a doubtful word is read as the name."""
        scan = self.question.scan
        return frozenset(raw_range(scan.text, c) for c in scan.claims if c in scan.doubled)


Reader = Callable[[str, Collection[Range]], Read]


def settle(text: str, read: Reader) -> Read:
    """The reading that stands: the grammar's, the name's, or a question back with both."""
    plain = read(text, ())
    if not plain.question.scan.doubled:
        return plain
    base = _with_quoted(text, plain, read)
    if base.found.clarification is not None and base is not plain:
        return base
    open_words = [d for d in _doubtful(base) if d.range not in base.names and not _is_quoted(d)]
    asked: list[Read] = []
    notes = list(base.found.notes)
    for doubtful in open_words[:_MOST]:
        chosen, is_open = _choice(text, doubtful, base, read)
        if chosen is not None and chosen.is_plan:
            return chosen
        if chosen is not None:
            asked.append(chosen)
        elif is_open:
            notes.append(note_of(doubtful))
    return asked[0] if asked else replace(base, found=replace(base.found, notes=tuple(notes)))


def _doubtful(base: Read) -> list[Doubtful]:
    return [Doubtful(q=base.question, claim=c) for c in base.question.scan.doubled]


def _is_quoted(doubtful: Doubtful) -> bool:
    return is_quoted(doubtful.q.scan.text, doubtful.claim)


def _with_quoted(text: str, plain: Read, read: Reader) -> Read:
    """With quoted names as names; asked back where the question would lose its only metric."""
    quoted = [d for d in _doubtful(plain) if _is_quoted(d)]
    if not quoted:
        return plain
    named = read(text, frozenset(d.range for d in quoted))
    if not _loses_metric(plain, named) or any(map(is_beside_level, quoted)):
        return named
    return _both(quoted[0], plain, read) or plain


def _loses_metric(plain: Read, named: Read) -> bool:
    had = plain.question.frame.metrics or plain.question.frame.unclear
    has = named.question.frame.metrics or named.question.frame.unclear
    return bool(had) and not has


def _choice(text: str, doubtful: Doubtful, base: Read, read: Reader) -> tuple[Read | None, bool]:
    """(the name's reading, or a question back, else None; whether the name was possible at all)."""
    refusal = base.found.refusal
    if refusal is not None and refusal.kind in _POLICY:
        return None, False
    named = read(text, base.names | {doubtful.range})
    if not named.is_plan or named.plan == base.plan or _loses_metric(base, named):
        return None, False
    first, last = doubtful.range
    without = read(text[:first] + " " * (last - first) + text[last:], base.names)
    signs = signs_for_name(doubtful, is_plan=base.is_plan, does_nothing=without.plan == base.plan)
    if signs >= PLAIN:
        return named, True
    loses_time = bool(base.question.frame.refs) and not named.question.frame.refs
    asked = _both(doubtful, base, read) if signs and not loses_time else None
    return asked, base.is_plan


def _both(doubtful: Doubtful, base: Read, read: Reader) -> Read | None:
    """Both readings as choices; None when the ordinary word cannot be said in other words."""
    options = [as_name(doubtful)]
    if base.is_plan:
        before = len(base.question.scan.doubled)
        for label, question in as_word(doubtful):
            again = read(question, ())
            if again.plan == base.plan and len(again.question.scan.doubled) < before:
                options.append((label, question))
                break
        else:
            return None
    elif base.found.clarification is not None:
        options += base.found.clarification.options
    return Read(question=base.question, found=clarify(base.question, question_of(doubtful), options))
