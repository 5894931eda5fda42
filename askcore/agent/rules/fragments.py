"""Metrics that a question names by half: "slowest cooking", "sales per order"."""

from __future__ import annotations

from dataclasses import replace

from askcore.agent.rules import lexicon
from askcore.agent.rules.measures import lexicon as measure_lexicon
from askcore.agent.rules.metric_words import deeds_of
from askcore.agent.rules.normalise import Token, words_of
from askcore.agent.rules.question import Question
from askcore.agent.rules.ranking import metrics_by_start, unit_of_superlative
from askcore.agent.rules.scan import Scan
from askcore.agent.rules.spans import Claim
from askcore.agent.rules.vocabulary import MetricTerm

_COMPARED = frozenset({"compare", "change", "mom", "yoy", "significant", "why", "trend"})


def complete(q: Question) -> Question:
    """The question with half-named metrics filled in, where only one fits."""
    return _part_ratio(_per_ratio(_share_by_level(_superlative(_deed(_funnel_ends(q))))))


def _funnel_ends(q: Question) -> Question:
    """Steps of a funnel said by the deed alone, as in "from exposure to ordering"."""
    if "funnel" not in q.cues or not q.scan.unread:
        return q
    norm, unread, named = q.scan.text.norm, q.scan.unread, list(q.frame.metrics)
    for metric in q.model.metrics:
        for deed in deeds_of(metric) if not metric.hidden else ():
            at = norm.find(deed)
            left = tuple(t for t in unread if not at <= t.start < at + len(deed))
            if at >= 0 and len(left) < len(unread):
                unread = left
                named.append(metric.key)
    if len(unread) == len(q.scan.unread):
        return q
    frame = replace(q.frame, metrics=tuple(dict.fromkeys(named)))
    return replace(q, frame=frame, scan=replace(q.scan, unread=unread))


def _deed(q: Question) -> Question:
    """As in "which ward admitted most", said without the word for people: the count of that deed."""
    if len(q.frame.metrics) > 1 or q.frame.unclear or not q.scan.unread:
        return q
    found: list[tuple[int, int, str, str]] = []
    for metric in q.model.metrics:
        for deed in deeds_of(metric) if not metric.hidden else ():
            at = _deed_at(q.scan.text.norm, deed)
            if at is not None:
                found.append((-len(deed), at, deed, metric.key))
    best = [f for f in found if f[0] == min(found)[0]]
    if len({key for *_, key in best}) != 1 or q.frame.metrics not in ((), best[0][3:]):
        return q
    _, at, deed, key = best[0]
    unread = tuple(t for t in q.scan.unread if not at <= t.start < at + len(deed))
    if len(unread) == len(q.scan.unread):
        return q
    frame = replace(q.frame, metrics=(key,), assumed=((deed, key),))
    return replace(q, frame=frame, scan=replace(q.scan, unread=unread))


def _deed_at(norm: str, deed: str) -> int | None:
    """Where a deed stands right before "most", "least" or "how many"."""
    for link in measure_lexicon.DEED_LINKS:
        for mark in measure_lexicon.DEED_MARKS:
            at = norm.find(deed + link + mark)
            if at >= 0:
                return at
    return None


def _share_by_level(q: Question) -> Question:
    """A rate's everyday word that also says "share of income", split by chain: what each chain has of it.

    Beside words of comparison both readings stay open, and the gates ask.
    """
    if not q.frame.splits.levels or q.cues & _COMPARED or len(q.frame.metrics) != 1:
        return q
    for claim in q.scan.of("metric"):
        base = share_base(q, claim)
        if base is not None:
            cues = q.frame.cues | {"share"}
            word = q.scan.word(claim)
            frame = replace(q.frame, metrics=(base,), cues=cues, assumed=((word, claim.value.keys[0]),))
            return replace(q, frame=frame)
    return q


def share_base(q: Question, claim: Claim) -> str | None:
    """The metric of which a word may say the share, where the word is another metric's synonym."""
    word = q.scan.word(claim)
    tail = next((w for w in lexicon.SHARE if word.endswith(w) and len(w) > 1), "")
    base = q.vocab.metrics.get(words_of(word.removesuffix(tail))) if tail else None
    if base is None or claim.value.rank == 0 or claim.value.keys == base[1] or len(base[1]) != 1:
        return None
    return base[1][0]


def _superlative(q: Question) -> Question:
    unit = unit_of_superlative(q.cues)
    if unit is None or q.frame.metrics:
        return q
    start, tokens = _fragment(q.scan)
    keys = metrics_by_start(q.model, start, unit, timed=unit == "minute")
    if len(keys) > 1:
        labelled = [
            k for k in keys if any(t.lower().startswith(start) for t in q.model.metric(k).label.values())
        ]
        keys = tuple(labelled) if len(labelled) == 1 else keys
    if len(keys) != 1:
        return _unsettled(q, keys)
    frame = replace(q.frame, metrics=keys, assumed=((start or "", keys[0]),) if start else ())
    scan = replace(q.scan, unread=tuple(t for t in q.scan.unread if t not in tokens))
    return replace(q, frame=frame, scan=scan)


def _unsettled(q: Question, keys: tuple[str, ...]) -> Question:
    """Several metrics fit the superlative, or none: asked back, never replaced by the usual metric."""
    mark = _marks(q.scan)[0]
    if keys:
        claim = Claim(mark.start, mark.end, "metric", "", MetricTerm(keys, 1))
        return replace(q, frame=replace(q.frame, unclear=(claim,)))
    tokens = tuple(t for t in q.scan.text.tokens if mark.start <= t.start < mark.end)
    unread = tuple(sorted((*q.scan.unread, *tokens), key=lambda t: t.start))
    return replace(q, scan=replace(q.scan, unread=unread))


def _marks(scan: Scan) -> list[Claim]:
    names = {"slowest", "fastest", "pricey", "cheap"}
    return [c for c in scan.claims if c.kind == "cue" and c.value & names]


def _fragment(scan: Scan) -> tuple[str, tuple[Token, ...]]:
    """The unread run beside the superlative: "cooking" of "slowest cooking"."""
    marks = _marks(scan)
    if not marks or not scan.unread:
        return "", ()
    mark = marks[0]
    before: list[Token] = []
    for token in reversed([t for t in scan.unread if t.end <= mark.start]):
        edge = before[-1].start if before else mark.start
        if scan.text.norm[token.end : edge].strip():
            break
        before.append(token)
    if before:
        run = before[::-1]
        return scan.text.norm[run[0].start : run[-1].end], tuple(run)
    after = [t for t in scan.unread if t.start >= mark.end and not scan.text.norm[mark.end : t.start].strip()]
    return (after[0].text, (after[0],)) if after else ("", ())


def _part_ratio(q: Question) -> Question:
    """As in "income as a share of gross sales": the model's ratio of the two, no split by entity."""
    if "share" not in q.cues or len(q.frame.metrics) != 2:
        return q
    ratio = _ratio_of(q, *q.frame.metrics)
    if ratio is None:
        return q
    frame = replace(q.frame, metrics=(ratio,), cues=q.frame.cues - {"share"}, assumed=())
    return replace(q, frame=frame)


def _ratio_of(q: Question, above: str, below: str) -> str | None:
    return next(
        (
            m.key
            for m in q.model.metrics
            if m.additivity.kind == "ratio"
            and (m.additivity.numerator, m.additivity.denominator) == (above, below)
        ),
        None,
    )


def _per_ratio(q: Question) -> Question:
    """As in "gross sales per valid order" is the ratio of the two, where the model has it."""
    claims = [c for c in q.scan.claims if c.kind != "stop"]
    for left, mid, right in zip(claims, claims[1:], claims[2:], strict=False):
        if not _is_per(q, left, mid, right):
            continue
        above, below = left.value.keys[0], right.value.keys[0]
        ratio = _ratio_of(q, above, below)
        if ratio is None:
            return q
        metrics = tuple(dict.fromkeys(ratio if k == above else k for k in q.frame.metrics if k != below))
        scan = replace(q.scan, claims=tuple(c for c in q.scan.claims if c is not mid))
        return replace(q, frame=replace(q.frame, metrics=metrics, assumed=()), scan=scan)
    return q


def _is_per(q: Question, left: Claim, mid: Claim, right: Claim) -> bool:
    if mid.kind != "cue" or "each" not in mid.value or q.scan.word(mid) not in ("per", "for each"):
        return False
    return all(c.kind == "metric" and len(c.value.keys) == 1 for c in (left, right))
