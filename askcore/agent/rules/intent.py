"""What a question wants, from its parts and its grammar words."""

from __future__ import annotations

import re
from collections.abc import Callable

from askcore.agent.rules import lexicon
from askcore.agent.rules.causes import lexicon as causes
from askcore.agent.rules.contributions import contributes_to_change
from askcore.agent.rules.question import Question
from askcore.agent.rules.understanding import Intent

_COMPARE_CUES = frozenset({"compare", "change", "mom", "yoy", "significant"})
_CHECKS = "check:"
_OUR = ("the", "our", "my", "total", "overall")


def intent_of(q: Question) -> Intent:
    """The first intent whose rule holds; a plain figure when none does."""
    for intent, rule in _RULES:
        if rule(q):
            return intent
    return "lookup"


def _has(q: Question, *names: str) -> bool:
    return any(n in q.cues for n in names)


def has_checks(q: Question) -> bool:
    """Whether a data check is named."""
    return any(n.startswith(_CHECKS) for n in q.cues)


def _define(q: Question) -> bool:
    if _asks_what_is(q) or _explains_metric(q):
        return True
    if not _has(q, "define"):
        return False
    timed = bool(q.frame.refs) or q.frame.ranking is not None
    return bool(q.frame.metrics or q.frame.unclear or q.scan.unread) and not timed and not _has(q, "add_up")


def _asks_what_is(q: Question) -> bool:
    """As in "What is AOV?": a metric and nothing else; "what is the …" asks for its value."""
    frame = q.frame
    if not _has(q, "what_is") or not frame.metrics or frame.refs or frame.entities or frame.averages.asked:
        return False
    if (
        frame.splits.by
        or frame.splits.mentioned
        or frame.splits.values
        or frame.ranking
        or frame.cues & _COMPARE_CUES
    ):
        return False
    head = q.scan.says("what_is")[0]
    after = q.scan.text.norm[head.end :].split()
    return bool(after) and after[0] not in _OUR


def _explains_metric(q: Question) -> bool:
    """As in "explain exposure": a measure and no day, entity or change of it."""
    frame = q.frame
    explains = [c for c in q.scan.says("why") if q.scan.word(c).strip() in causes.EXPLAIN]
    if not explains or len(explains) < len(q.scan.says("why")) or not (frame.metrics or frame.unclear):
        return False
    changes = q.cues & {*_COMPARE_CUES, "went_down", "went_up", "gap", "anomaly"}
    narrowed = frame.refs or frame.entities or frame.ranking or frame.splits.by or frame.splits.values
    return not (changes or narrowed or frame.splits.mentioned)


def _report(q: Question) -> bool:
    return _has(q, "report")


def _why(q: Question) -> bool:
    """Whether causes are asked for; "behind" beside peers is a place, not a cause."""
    if contributes_to_change(q):
        return True
    said = q.scan.says("why")
    if not said:
        return q.follows and _has(q, "why")  # "and for the other shop?"
    words = [c for c in said if not ("behind" in c.value and _has(q, "peer"))]
    return bool(words) and not _explains_metric(q)


def _peer(q: Question) -> bool:
    return _has(q, "peer")


def _anomaly(q: Question) -> bool:
    if _has(q, "fresh", "sync"):
        return False
    return _has(q, "anomaly") or _since_when(q)


def _since_when(q: Question) -> bool:
    """As in "since when" and "when did sales start to fall": the day of a change is asked for."""
    moves = q.cues & {"began", "went_down", "went_up", "change"}
    return _has(q, "since_when") or (_has(q, "when_did") and bool(moves))


def _raw(q: Question) -> bool:
    return _has(q, "raw") and not _has(q, "add_up")


def _entities(q: Question) -> bool:
    """As in "E01 against E02" or "each company": entities of the top level, which have no common total."""
    if tells_apart(q):
        return True
    several = len(companies_of(q)) > 1 or asks_each_company(q)
    return several and not q.frame.splits.grains and not _has(q, "trend", "why", "peer", "share")


def tells_apart(q: Question) -> bool:
    """As in "how much more did A sell than B yesterday": entities of one level, and one stretch of days."""
    named = [e for use in q.frame.entities if (e := use.entity) is not None]
    periods = [r for r in q.frame.refs if r.period is not None]
    if len({e.id for e in named}) < 2 or len({e.level for e in named}) > 1 or len(periods) > 1:
        return False
    if q.model.top_level is None or len(q.model.levels) < 2 or any(r.role for r in q.frame.refs):
        return False
    if _has(q, "mom", "yoy", "trend", "why", "peer", "share") or q.frame.splits.grains:
        return False
    return _has(q, "gap") or _THAN.search(q.scan.text.norm) is not None


_SUM_OF = "sum of"
_THAN = re.compile(lexicon.MORE_THAN)


def asks_each_company(q: Question) -> bool:
    """As in "by company" or "which company": all of the top level, where there are several."""
    top, splits = q.model.top_level, q.frame.splits
    if top is None or len(q.model.levels) < 2 or len(q.catalog.by_level.get(top.key, ())) < 2:
        return False
    asked = top.key in splits.mentioned and _has(q, "which_one", "which_many", "all")
    return (top.key in splits.by or asked) and not q.frame.entities


def companies_of(q: Question) -> tuple[str, ...]:
    """Ids of the top-level entities named, or behind the ones named."""
    top = q.model.top_level
    if top is None or len(q.model.levels) < 2:
        return ()
    named = {
        e.id if e.level == top.key else e.parents.get(top.key)
        for use in q.frame.entities
        if (e := use.entity) is not None
    }
    return tuple(sorted(i for i in named if i is not None))


def _reconcile(q: Question) -> bool:
    said = [c for c in q.scan.says("add_up") if q.scan.word(c).strip() != _SUM_OF]
    if not said and len(q.frame.metrics) < 2:  # "the sum of sales" is a total
        return False
    if not _has(q, "add_up"):
        return False
    return len(q.frame.metrics) > 1 or bool(_levels(q)) or not (q.frame.metrics or q.frame.entities)


def _levels(q: Question) -> tuple[str, ...]:
    return (*q.frame.splits.levels, *q.frame.splits.mentioned)


def _freshness(q: Question) -> bool:
    return _has(q, "fresh", "sync") and not q.frame.metrics


def _quality(q: Question) -> bool:
    return (_has(q, "quality") or has_checks(q)) and not q.frame.metrics


def _coverage(q: Question) -> bool:
    if q.frame.metrics or q.frame.unclear or _has(q, "overview"):
        return False
    return _has(q, "coverage") or _asks_which_there_are(q)


def _asks_which_there_are(q: Question) -> bool:
    """As in "how many stores are there": a level, a word for asking, and nothing that calls for figures."""
    frame = q.frame
    figures = frame.refs or frame.ranking or frame.entities or frame.filters or frame.splits.by
    asks = any(word in q.scan.text.norm for word in lexicon.COUNT_ASKS)
    levels = [m for m in frame.splits.mentioned if m in q.model.levels_by_key]
    return bool(levels) and asks and not figures and not frame.cues & _COMPARE_CUES


def _funnel(q: Question) -> bool:
    return _has(q, "funnel")


def _share(q: Question) -> bool:
    return _has(q, "share")


def _compare(q: Question) -> bool:
    if len(_periods(q)) == 2 and _has(q, "condition"):
        return True
    if any(r.role for r in q.frame.refs) or _has(q, "mom", "yoy", "significant"):
        return True
    if not _has(q, *_COMPARE_CUES):
        return False
    if _has(q, "gap") and _sides(q) > 1 and len(_periods(q)) < 2:
        return False
    if _sides(q) > 1 and len(_periods(q)) < 2 and not _has(q, "change"):
        return False
    if q.frame.splits.by and len(_periods(q)) < 2 and not _has(q, "change"):
        return False
    return not (_has(q, "trend") and len(_periods(q)) < 2)


def _sides(q: Question) -> int:
    """How many entities, or values of one dimension, are set side by side."""
    return max(len(q.frame.entities), *(len(v) for v in q.frame.filters.values()), 0)


def _periods(q: Question) -> list[object]:
    return [r for r in q.frame.refs if r.period is not None]


def _ranking(q: Question) -> bool:
    ranking = q.frame.ranking
    if ranking is None:
        return False
    # "which of the two rates is higher" sets metrics side by side
    levels = _levels(q) or q.frame.splits.asked_grain or q.frame.entities
    superlative = _has(q, "highest", "lowest", "best", "worst", "ranking", "rank_of", "slowest", "fastest")
    return bool(levels or superlative or ranking.limit is not None or len(q.frame.metrics) < 2)


def _trend(q: Question) -> bool:
    if q.frame.splits.grains or _has(q, "trend"):
        return True
    return _has(q, "draw") and not q.frame.splits.by and len(q.frame.metrics) > 0


def _overview(q: Question) -> bool:
    if q.frame.metrics or q.frame.unclear or q.frame.splits.by or q.frame.splits.values:
        return False
    return _has(q, "overview") or (not q.frame.splits.mentioned and bool(q.frame.entities))


_RULES: tuple[tuple[Intent, Callable[[Question], bool]], ...] = (
    ("report", _report),
    ("why", _why),
    ("peer", _peer),
    ("definition", _define),
    ("raw", _raw),
    ("reconcile", _reconcile),
    ("anomaly", _anomaly),
    ("freshness", _freshness),
    ("quality", _quality),
    ("funnel", _funnel),
    ("entities", _entities),
    ("share", _share),
    ("compare", _compare),
    ("ranking", _ranking),
    ("trend", _trend),
    ("coverage", _coverage),
    ("overview", _overview),
)
