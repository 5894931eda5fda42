"""Questions that hold more than one plan can keep: what would be lost is declined, never dropped."""

from __future__ import annotations

import re
from typing import Final

from askcore.agent.rules.declined import lexicon
from askcore.agent.rules.outcome import refuse
from askcore.agent.rules.question import Question
from askcore.agent.rules.timing import default_period
from askcore.agent.rules.understanding import Intent, Understanding
from askcore.semantic.averages import split_key

_HIGH: Final = ("highest", "best")
_LOW: Final = ("lowest", "worst")
_DIRECTIONS: Final = frozenset({"went_up", "went_down"})
_COMPARES: Final = frozenset(
    {"compare", "change", "mom", "yoy", "gap", "why", "went_up", "went_down", "funnel"}
)
_OF_ROWS: Final[tuple[Intent, ...]] = ("lookup", "ranking", "trend", "share", "compare", "why")


def too_much(q: Question, intent: Intent) -> Understanding | None:
    """The refusal of a construction that no plan keeps whole."""
    if _counts_entities(q, intent):
        return refuse(q, "unsupported", "count_entities", _counting(q))
    if intent not in _OF_ROWS:
        return None
    if word := _others(q):
        return refuse(q, "unsupported", "exclusion", word=word)
    if word := _every_such_day(q):
        return refuse(q, "unsupported", "day_type", word=word)
    if word := _adds_metrics(q):
        return refuse(q, "unsupported", "arithmetic", word=word)
    for found, key in (
        (_two_ends(q), "two_ends"),
        (_several_companies(q), "one_company"),
        (_counts_movers(q), "count_movers"),
        (_says(q, lexicon.DAY_OVER_DAY), "day_over_day"),
        (_says(q, lexicon.RECORDS), "record"),
        (_several_questions(q), "several_questions"),
        (_ranks_by_a_vague_word(q), "vague_rank"),
        (_totals_a_mean(q), "total_of_mean"),
        (_NEGATIVE_COUNT.search(q.scan.text.norm) is not None, "negative_count"),
    ):
        if found:
            return refuse(q, "unsupported", key)
    return None


def _counts_entities(q: Question, intent: Intent) -> bool:
    """As in "how many shops were there last week": the number within days, which no list of all shops is."""
    narrowed = bool(q.frame.refs or q.frame.entities)
    return (
        intent in (*_OF_ROWS, "coverage")
        and narrowed
        and not q.frame.metrics
        and not (q.cues & _DIRECTIONS)
        and _says(q, lexicon.COUNT_OF)
    )


def _counting(q: Question) -> tuple[str, ...] | None:
    """The metric that counts them, for the days asked."""
    counts = [m for m in q.model.metrics if m.additivity.kind == "distinct" and not m.hidden]
    days = next((r.period for r in q.frame.refs if r.period is not None), None) or default_period("lookup", q)
    return tuple(q.say("sample_lookup", name=q.label(m.key), days=q.days(days)) for m in counts) or None


def _says(q: Question, words: tuple[str, ...]) -> bool:
    return any(_at(q.scan.text.norm, word) for word in words)


def _at(norm: str, word: str) -> bool:
    return (
        (word in norm)
        if not word.isascii()
        else re.search(rf"(?<![a-z]){re.escape(word)}(?![a-z])", norm) is not None
    )


def _others(q: Question) -> str:
    """As in "the other chains than A": the word; "" where a yes/no dimension has already taken it."""
    splits = q.frame.splits
    dimensions = q.model.dimensions_by_key
    if any(key in dimensions for key in (*splits.by, *splits.mentioned, *splits.values)):
        return ""
    claims = [c for c in q.scan.says("others") if "not_flag" not in c.value]
    return q.scan.word(claims[0]).strip() if claims else ""


def _two_ends(q: Question) -> bool:
    """Highest and lowest, or the first two and the last two, in one question."""
    sides = {c.name for c in q.scan.of("number")}
    if {"front", "back"} <= sides:
        return True
    return any(q.scan.says(name) for name in _HIGH) and any(q.scan.says(name) for name in _LOW)


def _several_companies(q: Question) -> bool:
    """As in "both companies together": the companies have no common total."""
    top = q.model.top_level
    if top is None or len(q.model.levels) < 2 or len(q.catalog.by_level.get(top.key, ())) < 2:
        return False
    norm = q.scan.text.norm
    for claim in q.scan.of("level"):
        if claim.value.level == top.key and _SEVERAL.search(norm[: claim.start]):
            return True
    return False


_SEVERAL: Final = re.compile(
    rf"(?:{'|'.join(map(re.escape, lexicon.SEVERAL_OF))})\s*(?:the\s+)?[^\W\d_]?\s*$"
)


def _counts_movers(q: Question) -> bool:
    """As in "how many shops fell": rows are listed and never counted by a condition."""
    is_count = any(q.model.metric(split_key(m)[0]).additivity.kind == "distinct" for m in q.frame.metrics)
    return bool(q.cues & _DIRECTIONS) and _says(q, lexicon.HOW_MANY) and not is_count


def _ranks_by_a_vague_word(q: Question) -> bool:
    """As in "the worst performers and their price": performance is no metric, and the price does not rank."""
    ranking = q.frame.ranking
    if ranking is None or not q.frame.metrics:
        return False
    return any(c.end == ranking.at for c in q.scan.says("overview"))


def _totals_a_mean(q: Question) -> bool:
    """As in "total stock" where stock is no sum: a mean under the name of a total is a wrong number."""
    norm = q.scan.text.norm
    for claim in q.scan.of("metric"):
        kinds = {q.model.metric(split_key(k)[0]).additivity.kind for k in claim.value.keys}
        is_asked = _TOTAL_BEFORE.search(norm[: claim.start]) or _TOTAL_BEHIND.match(norm, claim.end)
        if is_asked and kinds <= _NO_SUMS:
            return True
    return False


_NO_SUMS: Final = frozenset({"mean_per_row", "last", "weighted_mean"})
_TOTAL_BEFORE: Final = re.compile(rf"(?:{'|'.join(map(re.escape, lexicon.TOTAL_OF))})\s*(?:the\s+)?$")
_TOTAL_BEHIND: Final = re.compile(rf"\s*(?:{'|'.join(map(re.escape, lexicon.IN_TOTAL))})")


def _every_such_day(q: Question) -> str:
    """As in "are Fridays usually better": all such days are meant; "" when the newest one is."""
    named = [r for r in q.frame.refs if r.weekday is not None and r.is_week_open]
    if not named or not _says(q, lexicon.USUALLY):
        return ""
    return q.scan.text.norm[named[0].start : named[0].end].strip()


def _adds_metrics(q: Question) -> str:
    """As in "valid and invalid orders together": one figure is asked for; "" when it is not."""
    claims = [c for c in q.scan.of("metric") if len(c.value.keys) == 1]
    keys = {c.value.keys[0] for c in claims}
    units = {q.model.metric(split_key(k)[0]).unit for k in keys}
    if len(keys) < 2 or len(units) > 1:
        return ""
    norm = q.scan.text.norm
    behind = _TOGETHER_BEHIND.match(norm, max(c.end for c in claims))
    before = _SUM_BEFORE.search(norm[: min(c.start for c in claims)])
    found = behind or before
    return found[0].strip() if found else ""


_TOGETHER_BEHIND: Final = re.compile(rf"\s*(?:{'|'.join(map(re.escape, lexicon.TOGETHER))})(?![a-z])")
_SUM_BEFORE: Final = re.compile(r"(?<![a-z])(?:sum|total)\s+of\s*(?:the\s+)?$")
_NEGATIVE_COUNT: Final = re.compile(
    rf"(?:{'|'.join(map(re.escape, lexicon.COUNTED_HEADS))})\s*[-\u2212\u2013]\s*\d(?!\d*\s*[-/.])"
)


def _several_questions(q: Question) -> bool:
    """As in "A's sales last week and B's the week before": each subject has its own days."""
    if q.cues & _COMPARES:
        return False
    times = [r.start for r in q.frame.refs if r.period is not None]
    if len(times) < 2:
        return False
    subjects = [u.start for u in q.frame.entities] if len(q.frame.entities) > 1 else []
    if not subjects:
        subjects = [c.start for c in q.scan.of("metric")] if len(q.frame.metrics) > 1 else []
    marks = sorted([*((at, "time") for at in times), *((at, "subject") for at in subjects)])
    kinds = [kind for (_, kind), (_, before) in zip(marks, [(0, ""), *marks], strict=False) if kind != before]
    return len(kinds) >= 4
