"""What must hold before a question may become a plan: nothing unread, unsupported or ambiguous."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from askcore.agent.rules import lexicon
from askcore.agent.rules.fragments import share_base
from askcore.agent.rules.intent import asks_each_company, companies_of
from askcore.agent.rules.outcome import clarify, refuse
from askcore.agent.rules.question import Question
from askcore.agent.rules.spans import Claim
from askcore.agent.rules.too_much import too_much
from askcore.agent.rules.understanding import Intent, Understanding
from askcore.agent.rules.unread import ask_unread, ask_word
from askcore.agent.rules.why_limits import why_declined
from askcore.semantic.averages import split_key

Gate = Callable[[Question, Intent], Understanding | None]
_ABOUT_DATA: tuple[Intent, ...] = ("quality", "freshness", "reconcile", "coverage", "definition")
_SEARCHES: tuple[Intent, ...] = ("peer", "anomaly", "raw")
_NO_QUERY: tuple[Intent, ...] = (*_ABOUT_DATA, *_SEARCHES, "report")


def blocked(q: Question, intent: Intent) -> Understanding | None:
    """The first reason why the question is not planned as asked, or None."""
    for gate in _GATES:
        found = gate(q, intent)
        if found is not None:
            return found
    return None


def _unsupported(q: Question, intent: Intent) -> Understanding | None:
    if intent in _NO_QUERY and intent not in _SEARCHES:
        return None
    for cue, name in _DECLINED:
        if intent in _SEARCHES and name not in _NARROWS:
            continue
        claims = [c for c in q.scan.says(cue) if not _is_explained(q, c, cue, intent)]
        if claims:
            return refuse(q, "unsupported", name, word=q.scan.word(claims[0]).strip())
    return None


_DECLINED = (
    ("other_spread", "other_spread"),
    ("excluding", "exclusion"),
    ("condition", "condition"),
    ("day_type", "day_type"),
    ("clock_time", "clock_time"),
    ("negation", "negation"),
    ("plus", "arithmetic"),
    ("high_word", "condition"),
    ("low_word", "condition"),
)
_NARROWS = ("other_spread", "exclusion", "day_type", "clock_time", "negation", "arithmetic")
"""What the searches cannot leave out either; their own words for high, low and over have a place there."""


def _is_explained(q: Question, claim: Claim, cue: str, intent: Intent) -> bool:
    """A word that another reading already used."""
    if cue == "negation":
        after = next((c for c in q.scan.claims if c.start >= claim.end and c.kind != "stop"), None)
        flag = after is not None and after.kind == "dimension" and "not_flag" in claim.value
        return flag or intent == "why"
    if cue == "condition":
        times = [r for r in q.frame.refs if r.period is not None or r.role]
        after = next((c for c in q.scan.claims if c.start >= claim.end and c.kind != "stop"), None)
        return len(times) > 1 and after is not None and after.kind == "time"
    if cue in ("high_word", "low_word"):
        asked = q.cues & {"which_one", "which_many", "compare", "change", "mom", "yoy", "why", "overview"}
        end = q.scan.text.norm[claim.end :].strip("?\uff1f!\u3002. ")
        return bool(asked) or len(end) <= 1 or len(claim.value) > 1
    if cue == "day_type":
        return False
    return cue == "plus" and intent == "why"


def _unexplained(q: Question, intent: Intent) -> Understanding | None:
    """Causes that a change between periods does not tell; said before single words are declined."""
    return why_declined(q) if intent == "why" else None


def _which_days(q: Question, intent: Intent) -> Understanding | None:
    """Days that do not exist, and words that may mean several."""
    for ref in q.frame.refs:
        word = q.scan.text.norm[ref.start : ref.end].strip()
        if ref.role == "no_such_day":
            return clarify(q, q.say("no_such_day", word=word), [])
        if ref.either is not None:
            days = [q.days(period) for period in ref.either]
            options = [(day, q.rewritten(ref.start, ref.end, day)) for day in days]
            return clarify(q, q.say("which_day", word=word), options)
    return None


def _unread(q: Question, intent: Intent) -> Understanding | None:
    return ask_unread(q)


_ANALYSES: tuple[Intent, ...] = ("why", "peer", "anomaly")
_PLACES: Mapping[str, tuple[Intent, ...]] = {
    **dict.fromkeys(("traffic", "conversion", "price", "factor_word"), ("why",)),
    "sharply": (*_ANALYSES, "compare"),
    **dict.fromkeys(("peer_word", "behind", "ahead", "lower", "higher", "gained", "lost"), ("peer", "why")),
    **dict.fromkeys(("since_when", "when_did", "began"), ("anomaly", "why", "freshness")),
    "raw": ("raw",),
}


def _out_of_place(q: Question, intent: Intent) -> Understanding | None:
    """Words of analyses would be lost in any other question: they are asked about."""
    for claim in q.scan.claims:
        if claim.kind != "cue" or any(intent in _PLACES.get(name, (intent,)) for name in claim.value):
            continue
        return ask_word(q, claim.start, claim.end)
    return None


def _ambiguous_metric(q: Question, intent: Intent) -> Understanding | None:
    if not q.frame.unclear or intent == "definition":
        return None
    claim = q.frame.unclear[0]
    options = [(q.label(k), q.rewritten(claim.start, claim.end, q.label(k))) for k in claim.value.keys]
    return clarify(q, q.say("which_metric", word=q.scan.word(claim)), options)


def _ambiguous_entity(q: Question, intent: Intent) -> Understanding | None:
    for use in q.frame.entities:
        if len(use.entities) > 1:
            options = [
                (q.name(e), q.rewritten(use.start, use.end, _spelled(q, q.name(e)))) for e in use.entities
            ]
            return clarify(q, q.say("which_entity", word=use.word), options)
    return None


def _spelled(q: Question, name: str) -> str:
    return name


def _share_or_rate(q: Question, intent: Intent) -> Understanding | None:
    """A synonym that also reads as "share of a metric", split by entities: both readings are offered."""
    if not q.frame.splits.levels or intent in _NO_QUERY:
        return None
    for claim in q.scan.of("metric"):
        base = share_base(q, claim)
        if base is None or base in q.frame.metrics:
            continue
        rate, name = q.label(claim.value.keys[0]), q.label(base)
        share = q.say("share_of", name=name)
        options = [(w, q.rewritten(claim.start, claim.end, w)) for w in (rate, share)]
        return clarify(q, q.say("which_metric", word=q.scan.word(claim)), options)
    return None


def _two_relations(q: Question, intent: Intent) -> Understanding | None:
    """Year over year and period over period in one question: two baselines, one at a time."""
    if not {"mom", "yoy"} <= q.cues or intent != "compare":
        return None
    claims = {n: q.scan.says(n) for n in ("mom", "yoy")}
    if not claims["mom"] or not claims["yoy"]:
        return None
    first, last = sorted((claims["mom"][0], claims["yoy"][0]), key=lambda c: c.start)
    options = [(w, q.rewritten(first.start, last.end, w)) for w in (q.scan.word(first), q.scan.word(last))]
    return clarify(q, q.say("two_relations"), options)


def _dangling(q: Question, intent: Intent) -> Understanding | None:
    """As in "per order" where no ratio of the model says that: the word would be lost."""
    if intent in _NO_QUERY:
        return None
    claims = q.scan.claims
    for at, claim in enumerate(claims):
        if claim.kind != "cue" or "each" not in claim.value or claim in q.frame.averages.used:
            continue
        if not q.scan.word(claim).startswith(lexicon.EACH_DANGLING):
            continue
        after = next((c for c in claims[at + 1 :] if c.kind != "stop"), None)
        if after is None or after.kind not in ("level", "unit", "grain", "dimension", "entity", "time"):
            return refuse(q, "unsupported", "per_what", word=q.scan.word(claim))
    return None


def _companies(q: Question, intent: Intent) -> Understanding | None:
    """Two companies are set side by side; any other analysis of both at once has no common total."""
    if intent == "entities" or intent in _ABOUT_DATA:
        return None
    if len(companies_of(q)) < 2 and not asks_each_company(q):
        return None
    return refuse(q, "unsupported", "one_company")


def _absent(q: Question, intent: Intent) -> Understanding | None:
    """A reserved metric whose column the source lacks: not available, never 0."""
    if not q.catalog.columns or intent in _NO_QUERY:
        return None
    for key in q.frame.metrics:
        if not is_available(q, key):
            found = refuse(q, "unsupported", "not_in_source", name=q.label(key))
            note = q.note("reserved_column", "not_in_source", name=q.label(key))
            return _noted(found, note)
    return None


def is_available(q: Question, key: str) -> bool:
    """Whether a metric's columns hold values."""
    metric = q.model.metric(split_key(key)[0])
    if not metric.reserved:
        return True
    parts = [metric.additivity.numerator, metric.additivity.denominator]
    needed = [p for p in parts if p is not None] or [metric.key]
    return all(p in q.catalog.columns for p in needed)


def _noted(found: Understanding, note: object) -> Understanding:
    from dataclasses import replace
    from typing import cast

    from askcore.base.values import Note

    return replace(found, notes=(cast("Note", note),))


_GATES: tuple[Gate, ...] = (
    _unexplained,
    too_much,
    _unsupported,
    _which_days,
    _unread,
    _out_of_place,
    _ambiguous_entity,
    _companies,
    _ambiguous_metric,
    _share_or_rate,
    _two_relations,
    _dangling,
    _absent,
)
