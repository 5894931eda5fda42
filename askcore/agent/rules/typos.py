"""Typing errors in words that nothing else knows; only where one near word stands out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from askcore.agent.rules.cues import grammar
from askcore.agent.rules.language import is_cjk
from askcore.agent.rules.measures import lexicon as measure_lexicon
from askcore.agent.rules.normalise import Text, Token
from askcore.agent.rules.spans import Claim
from askcore.agent.rules.times import lexicon as time_lexicon
from askcore.agent.rules.vocabulary import MetricTerm, Vocabulary

_SHORTEST_EN = 5
_TWO_ERRORS_EN = 8  # one error in 5-7 letters, two from 8
_SHORTEST_ZH = 3
_METRIC_ONLY = 4  # a word this short is only taken for a metric's word with a letter missing
_NEGATIVE = ("un", "in", "non", "dis", "ir", "im", "re", "sub", "pre")


def mend_words(text: Text, unread: Sequence[Token], vocab: Vocabulary) -> Text | None:
    """The text with English typing errors written right; None when there are none."""
    changes = []
    for token in unread:
        if token.is_word and len(token.text) == _METRIC_ONLY and token.text.isalpha():
            near = _near_word(token.stem, _metric_words(vocab), 1)
            if near is not None and len(near) > _METRIC_ONLY:
                changes.append((token.start, token.end, near))
        elif token.is_word and len(token.text) >= _SHORTEST_EN and token.text.isalpha():
            near = _near_word(token.stem, _words(vocab), 2 if len(token.stem) >= _TWO_ERRORS_EN else 1)
            if near is not None:
                changes.append((token.start, token.end, near))
    return text.replaced(changes) if changes else None


def _near_word(word: str, words: set[str], allowed: int) -> str | None:
    from rapidfuzz.distance import DamerauLevenshtein

    best: tuple[int, list[str]] = (allowed + 1, [])
    for known in words:
        if abs(len(known) - len(word)) > allowed or len(known) < _SHORTEST_EN - 1 or known[0] != word[0]:
            continue
        if any(word == p + known or known == p + word for p in _NEGATIVE):
            continue
        distance = DamerauLevenshtein.distance(word, known, score_cutoff=allowed)
        if distance < best[0]:
            best = (distance, [known])
        elif distance == best[0]:
            best[1].append(known)
    return best[1][0] if best[0] <= allowed and len(best[1]) == 1 else None


def _metric_words(vocab: Vocabulary) -> set[str]:
    return {w for term in vocab.metrics for w in term if w.isascii() and w.isalpha()}


def _words(vocab: Vocabulary) -> set[str]:
    """English words that may be meant: grammar, metrics, levels, months; entity names are asked back."""
    known = {w for w in grammar().words if w.isascii() and w.isalpha()}
    known.update(
        w for terms in (vocab.metrics, *vocab.levels.values()) for t in terms for w in t if w.isascii()
    )
    known.update(time_lexicon.MONTHS)
    known.update(_TIME_WORDS)
    return known


_TIME_WORDS = frozenset(
    w
    for words in (
        time_lexicon.TODAY,
        time_lexicon.YESTERDAY,
        time_lexicon.LAST_QUARTER,
        time_lexicon.PREVIOUS,
        time_lexicon.LAST_WEEK,
        time_lexicon.THIS_MONTH,
    )
    for phrase in words
    for w in phrase.split()
    if w.isascii() and w.isalpha()
)  # fmt: skip


def typo_claims(
    text: Text, unread: Sequence[Token], claims: Sequence[Claim], vocab: Vocabulary
) -> Iterator[Claim]:
    """Chinese metric names with one wrong character that carries no meaning of its own."""
    places = {t.start for t in unread if is_cjk(t.text)}
    fixed = {i for c in claims if c.kind != "metric" for i in range(c.start, c.end)}
    wholes = [c for c in claims if c.kind == "metric"]
    names = _long_names(vocab)
    for start in sorted({p - i for p in places for i in range(6)}):
        if start < 0:
            continue
        for length, terms in names.items():
            piece = text.norm[start : start + length]
            cells = range(start, start + length)
            if len(piece) < length or not all(is_cjk(c) for c in piece) or fixed & set(cells):
                continue
            if not places & set(cells) or any(_crosses(c, cells) for c in wholes):
                continue
            hits = {keys for name, keys in terms if _one_slip(piece, name)}
            if len(hits) == 1:
                yield Claim(start, start + length, "metric", "typo", MetricTerm(next(iter(hits)), 1))


def _crosses(claim: Claim, cells: range) -> bool:
    """Whether a claim lies partly inside."""
    inside = [i in cells for i in range(claim.start, claim.end)]
    return any(inside) and not all(inside)


def _long_names(vocab: Vocabulary) -> dict[int, list[tuple[str, tuple[str, ...]]]]:
    found: dict[int, list[tuple[str, tuple[str, ...]]]] = {}
    for stems, (rank, keys) in vocab.metrics.items():
        name = "".join(stems)
        if rank <= 1 and len(name) >= _SHORTEST_ZH and all(is_cjk(c) for c in name) and len(keys) == 1:
            found.setdefault(len(name), []).append((name, keys))
    return found


def _one_slip(typed: str, name: str) -> bool:
    """One character replaced by a meaningless one, or two neighbours swapped."""
    wrong = [i for i, (a, b) in enumerate(zip(typed, name, strict=True)) if a != b]
    if len(wrong) == 1:
        return typed[wrong[0]] not in measure_lexicon.BEARING
    if len(wrong) == 2 and wrong[1] == wrong[0] + 1:
        i = wrong[0]
        return typed[i] == name[i + 1] and typed[i + 1] == name[i]
    return False
