"""What happens to words that no rule understood: they are asked about or declined, never dropped."""

from __future__ import annotations

from collections.abc import Sequence

from askcore.agent.rules.measures import lexicon as measure_lexicon
from askcore.agent.rules.normalise import Token
from askcore.agent.rules.outcome import clarify, near_entities, near_metrics, refuse
from askcore.agent.rules.question import Question
from askcore.agent.rules.understanding import Understanding

_NAME_LENGTH = 12  # characters; longer unknown text is no name
_PLACE_WORDS = ("for", "in", "at", "of", "from", "the", "our")


def unread_runs(q: Question) -> tuple[tuple[int, int, str], ...]:
    """Neighbouring unread tokens as one run: (start, end, text)."""
    runs: list[list[Token]] = []
    for token in q.scan.unread:
        if runs and not q.scan.text.norm[runs[-1][-1].end : token.start].strip(" -_'"):
            runs[-1].append(token)
        else:
            runs.append([token])
    return tuple((r[0].start, r[-1].end, q.scan.text.norm[r[0].start : r[-1].end].strip()) for r in runs)


def ask_unread(q: Question) -> Understanding | None:
    """A question back or a refusal when something was not understood."""
    runs = unread_runs(q)
    unknown = next((u for u in q.frame.entities if not u.entities), None)
    if unknown is not None:
        return _unknown_entity(q, unknown.start, unknown.end, unknown.word)
    if not runs:
        return None
    start, end, word = runs[0]
    words = [w for _, _, w in runs]
    if _is_entity_like(q, start, end):
        return _unknown_entity(q, start, end, word, words)
    if not q.frame.metrics and not q.frame.unclear:
        return _unknown_metric(q, word, words)
    first, last = _with_metric(q, start, end)
    if (first, last) != (start, end):
        return _unknown_metric(q, q.scan.text.norm[first:last], words)
    return _unknown_word(q, start, end, word, words)


def ask_word(q: Question, start: int, end: int) -> Understanding:
    """A question back about a word that is known but has no place in this question."""
    word = _raw(q, start, end)
    return _unknown_word(q, start, end, word, (word,))


def is_short_name(q: Question) -> bool:
    """Nothing but a few unknown words: rather a metric that is not there than talk."""
    runs = unread_runs(q)
    return bool(runs) and "chat" not in q.cues and sum(e - s for s, e, _ in runs) <= _NAME_LENGTH


def _is_entity_like(q: Question, start: int, end: int) -> bool:
    """Beside a level or entity, or after "for" and the like."""
    before = [c for c in q.scan.claims if c.end <= start and c.kind != "stop"]
    after = [c for c in q.scan.claims if c.start >= end]
    norm = q.scan.text.norm
    if after and after[0].kind in ("level", "entity") and not norm[end : after[0].start].strip(" '-s"):
        return True
    if before and before[-1].kind in ("level", "entity") and not norm[before[-1].end : start].strip(" '-:"):
        return True
    heads = norm[:start].split()
    return bool(heads) and heads[-1] in _PLACE_WORDS[:3] and bool(q.frame.metrics or q.frame.unclear)


def _unknown_entity(q: Question, start: int, end: int, word: str, words: Sequence[str] = ()) -> Understanding:
    near = near_entities(q, word)
    first, last = _with_neighbours(q, start, end)
    shown = _raw(q, first, last)
    options = [(name, q.rewritten(first, last, name)) for name, _ in near]
    question = q.say("unknown_entity" if options else "unknown_entity_bare", word=shown)
    return clarify(q, question, options, search=word, unread=tuple(words) or (word,))


def _raw(q: Question, start: int, end: int) -> str:
    first, last = q.scan.text.raw_range(start, end)
    return q.scan.text.raw[first:last].strip()


def _with_metric(q: Question, start: int, end: int) -> tuple[int, int]:
    """A word that touches a metric names another one: "gross profit", or a Chinese ending."""
    norm = q.scan.text.norm
    if not norm[start:end].isascii():
        before = next((c for c in q.scan.of("metric") if c.end == start), None)
        return (before.start, end) if before and norm[start] in measure_lexicon.BEARING else (start, end)
    for claim in q.scan.of("metric"):
        if claim.start >= end and not norm[end : claim.start].strip(" -"):
            return start, claim.end
        if claim.end <= start and not norm[claim.end : start].strip(" -"):
            return claim.start, end
    return start, end


def _with_neighbours(q: Question, start: int, end: int) -> tuple[int, int]:
    """The unread word together with the level or entity word that touches it: "downtown shop"."""
    norm = q.scan.text.norm
    for claim in q.scan.claims:
        if claim.kind not in ("level", "entity"):
            continue
        if claim.start >= end and not norm[end : claim.start].strip():
            end = claim.end
        elif claim.end <= start and not norm[claim.end : start].strip():
            start = claim.start
    return start, end


def _unknown_metric(q: Question, word: str, words: Sequence[str]) -> Understanding:
    near = near_metrics(q, word)
    found = refuse(
        q,
        "unsupported",
        "unknown_metric",
        tuple(q.say("sample_lookup", name=q.label(k), days=_days(q)) for k in near),
        word=_typed(q, word),
        names=q.labels(near),
    )
    return _with_unread(found, words)


def _days(q: Question) -> str:
    from askcore.agent.rules.timing import default_period

    ref = next((r for r in q.frame.refs if r.period is not None), None)
    return q.days(default_period("lookup", q) if ref is None or ref.period is None else ref.period)


def _typed(q: Question, word: str) -> str:
    return next((typed for typed, read in q.scan.text.fixes if read == word), word)


def _unknown_word(q: Question, start: int, end: int, word: str, words: Sequence[str]) -> Understanding:
    near = near_entities(q, word)[:2]
    options = [(q.say("without_word", word=word), q.rewritten(start, end, ""))]
    options += [(name, q.rewritten(start, end, name)) for name, _ in near]
    return clarify(q, q.say("unknown_word", word=word), options, search=word, unread=words)


def _with_unread(found: Understanding, words: Sequence[str]) -> Understanding:
    from dataclasses import replace

    return replace(found, unread=tuple(words))
