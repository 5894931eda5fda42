"""The grammar's own words as one trie: cues, grains, units and filler."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

from askcore.agent.rules import lexicon
from askcore.agent.rules.causes import lexicon as causes
from askcore.agent.rules.declined import lexicon as declined_lexicon
from askcore.agent.rules.filler import lexicon as filler_lexicon
from askcore.agent.rules.normalise import Text
from askcore.agent.rules.spans import Claim, Trie
from askcore.agent.rules.times import lexicon as time_lexicon

_AVERAGED = tuple(
    w
    for w in (*lexicon.AVERAGE_DAY, *lexicon.AVERAGE_ODD)
    if any(mark in w for mark in lexicon.AVERAGE_MARKS)
)
CUES: Mapping[str, lexicon.Words] = {
    "each": lexicon.EACH,
    "separately": lexicon.SEPARATELY,
    "all": lexicon.ALL_OF,
    "whole": lexicon.WHOLE,
    "which_one": lexicon.WHICH_ONE,
    "which_many": lexicon.WHICH_MANY,
    "and": lexicon.AND,
    "highest": lexicon.HIGHEST,
    "lowest": lexicon.LOWEST,
    "best": lexicon.BEST,
    "worst": lexicon.WORST,
    "slowest": lexicon.SLOWEST,
    "fastest": lexicon.FASTEST,
    "pricey": lexicon.PRICEY,
    "cheap": lexicon.CHEAP,
    "high_word": lexicon.HIGH_ADJECTIVES,
    "low_word": lexicon.LOW_ADJECTIVES,
    "ascending": lexicon.ASCENDING,
    "descending": lexicon.DESCENDING,
    "ranking": lexicon.RANKING,
    "rank_of": lexicon.RANK_OF,
    "share": lexicon.SHARE,
    "trend": lexicon.TREND,
    "draw": lexicon.DRAW,
    "compare": (*lexicon.COMPARE, *lexicon.DIRECTED),
    "directed": lexicon.DIRECTED,
    "change": (*lexicon.CHANGE, *lexicon.WENT_DOWN, *lexicon.WENT_UP),
    "gap": lexicon.GAP,
    "went_down": lexicon.WENT_DOWN,
    "went_up": lexicon.WENT_UP,
    "mom": lexicon.MOM,
    "yoy": lexicon.YOY,
    "significant": lexicon.SIGNIFICANT,
    "average": (*lexicon.AVERAGE, *_AVERAGED),
    "average_day": lexicon.AVERAGE_DAY,
    "average_shop": lexicon.AVERAGE_SHOP,
    "average_odd": lexicon.AVERAGE_ODD,
    "weighted": lexicon.WEIGHTED,
    "other_spread": lexicon.OTHER_SPREADS,
    "funnel": lexicon.FUNNEL,
    "overview": lexicon.OVERVIEW,
    "coverage": lexicon.COVERAGE,
    "fresh": lexicon.FRESH,
    "sync": lexicon.SYNC,
    "quality": lexicon.QUALITY,
    "add_up": lexicon.ADD_UP,
    "plus": lexicon.PLUS,
    "define": lexicon.DEFINE,
    "what_is": lexicon.WHAT_IS,
    "why": causes.WHY,
    "pulls_down": causes.PULLS_DOWN,
    "pulls_up": causes.PULLS_UP,
    "contributes": causes.CONTRIBUTES,
    "why_word": causes.WHY_WORDS,
    "traffic": causes.TRAFFIC,
    "conversion": causes.CONVERSION,
    "price": causes.PRICE,
    "factor_word": causes.FACTOR_WORDS,
    "sharply": causes.SHARPLY,
    "peer": causes.PEER,
    "peer_word": causes.PEER_WORDS,
    "behind": causes.BEHIND,
    "ahead": causes.AHEAD,
    "lower": causes.LOWER,
    "higher": causes.HIGHER,
    "gained": causes.GAINED,
    "lost": causes.LOST,
    "anomaly": causes.ANOMALY,
    "since_when": causes.SINCE_WHEN,
    "when_did": causes.WHEN_DID,
    "began": causes.BEGAN,
    "raw": causes.RAW,
    "report": lexicon.REPORT,
    "report_weekly": lexicon.REPORT_WEEKLY,
    "report_monthly": lexicon.REPORT_MONTHLY,
    "report_other": lexicon.REPORT_OTHER,
    "report_any": lexicon.REPORT_ANY,
    "report_health": lexicon.REPORT_HEALTH,
    "report_peers": lexicon.REPORT_PEERS,
    "write": declined_lexicon.WRITES,
    "write_verb": declined_lexicon.WRITE_VERBS,
    "write_object": declined_lexicon.WRITE_OBJECTS,
    "personal": declined_lexicon.PERSONAL,
    "forecast": declined_lexicon.FORECAST,
    "next_time": time_lexicon.NEXT_TIMES,
    "chat": declined_lexicon.CHAT,
    "injection": declined_lexicon.INJECTION,
    "excluding": declined_lexicon.EXCLUDING,
    "condition": declined_lexicon.CONDITIONS,
    "negation": declined_lexicon.NEGATIONS,
    "switch": lexicon.SWITCH,
    "only": lexicon.ONLY,
    "before": lexicon.SAME_AS_BEFORE,
    "day_type": time_lexicon.DAY_TYPES,
    "clock_time": time_lexicon.CLOCK_TIMES,
    "vague": time_lexicon.VAGUE_TIMES,
    "same_year": time_lexicon.SAME_YEAR,
    "others": lexicon.OTHERS,
    "not_flag": lexicon.NOT_FLAG,
    **{f"check:{check}": words for check, words in lexicon.CHECKS.items()},
}
_SYMBOLS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"[<>≥≤]=?"), "condition"),
    (re.compile(r"[+=÷×]"), "plus"),
    (re.compile(r"[&\u3001]"), "and"),
)


@cache
def grammar() -> Trie:
    """All grammar words; payloads are (kind, name)."""
    trie = Trie()
    for name, words in CUES.items():
        for word in words:
            trie.add(word, ("cue", name))
    for kind, table in (("grain", lexicon.GRAINS), ("unit", lexicon.UNITS)):
        for name, words in table.items():
            for word in words:
                trie.add(word, (kind, name))
    for word in filler_lexicon.STOPS:
        trie.add(word, ("stop", ""))
    return trie


def cue_claims(text: Text) -> Iterator[Claim]:
    """Every grammar word in the text; a word of several cues is one claim with all names."""
    tokens = text.tokens
    for first, end, payloads in grammar().find(tokens):
        start, stop = tokens[first].start, tokens[end - 1].end
        for kind in ("grain", "cue", "unit", "stop"):
            names = frozenset(name for k, name in payloads if k == kind)
            if names:
                others = frozenset(name for k, name in payloads if k == "cue")
                yield Claim(start, stop, kind, min(names), names | others)
                break
    for pattern, name in _SYMBOLS:
        for match in pattern.finditer(text.norm):
            yield Claim(match.start(), match.end(), "cue", name, frozenset((name,)))
