"""What is no figure although it holds digits: reason and regular expression, in order of use.

All are applied to normalised, ASCII-lowered text and are free of nested repetition.
"""

from __future__ import annotations

import re
from typing import Final

from askcore.checks.provenance import lexicon as words
from askcore.checks.provenance.numerals import NUMERAL_CHARS
from askcore.checks.provenance.wording import chars, either

DASH: Final = rf"(?:[-\u2013\u2014{words.WAVES}]|{either(words.RANGE_WORDS)})"
YEAR: Final = r"(?:19|20)[0-9]{2}"
MONTH: Final = r"(?:1[0-2]|0?[1-9])"
DAY: Final = r"(?:3[01]|[12][0-9]|0?[1-9])"
NUMERAL: Final = f"[{NUMERAL_CHARS}]{{1,3}}"
CJK_DAY: Final = rf"\s?{DAY}(?![0-9])\s?{chars(words.DAYS)}?"
MONTH_NAME: Final = r"(?<![a-z])(?:" + "|".join(words.LATIN_MONTHS) + r")[a-z]{0,6}\.?"
COUNT_UNITS: Final = either(
    w
    for w, (unit, _) in {**words.UNITS, **words.LATIN_UNITS}.items()
    if unit in ("count", "days", "pp", "money")
)
WINDOW_UNIT: Final = either(words.WINDOW_UNITS)
LATIN_NUMBER: Final = either(words.LATIN_NUMBERS)
WINDOW_COUNT: Final = rf"(?P<count>[0-9]{{1,4}}|{NUMERAL}|{LATIN_NUMBER})"
TOP_UNIT: Final = either(words.TOP_UNITS)
TOP_COUNT: Final = r"[0-9]{1,4}(?![0-9]|[.,][0-9]|\s?%)"

RECENT_WINDOW: Final = re.compile(
    rf"{either((*words.RECENT_WORDS, *words.LATIN_RECENT))}\s*{WINDOW_COUNT}[\s-]*"
    rf"(?P<unit>{WINDOW_UNIT})"
)
TOP_N: Final = re.compile(
    rf"(?<![a-z])(?:top|bottom)[\s-]*(?P<latin>[0-9]{{1,4}}|{LATIN_NUMBER})(?![0-9]|[.,][0-9]|\s?%)"
    rf"|(?<!{chars(words.NOT_BEFORE_TOP)}){words.TOP_PREFIX}\s*"
    rf"(?:(?P<top>{TOP_COUNT})(?:\s*{TOP_UNIT})?|(?P<top_word>{NUMERAL})\s*{TOP_UNIT})"
    rf"|(?<!{chars(words.NOT_BEFORE_BOTTOM)}){words.BOTTOM_PREFIX}\s*"
    rf"(?:(?P<low>{TOP_COUNT})\s*{TOP_UNIT}|(?P<low_word>{NUMERAL})\s*{TOP_UNIT})"
)
DATES: Final = (
    rf"(?<![0-9]){YEAR}\s?[-/.]\s?{MONTH}\s?[-/.]\s?{DAY}(?![0-9])",
    rf"(?<![0-9]){YEAR}\s?{words.YEAR}\s?{MONTH}\s?{words.MONTH}{words.MONTH_TAIL}?"
    rf"(?:{CJK_DAY})?(?:\s?{DASH}\s?(?:{MONTH}\s?{words.MONTH})?\s?{DAY}\s?{chars(words.DAYS)})?",
    rf"(?<![0-9]){YEAR}[-/](?:0[1-9]|1[0-2])(?![0-9])",
    rf"(?<![0-9]){YEAR}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])(?![0-9])",
    rf"(?<![0-9.]){MONTH}\s?{words.MONTH}{CJK_DAY}"
    rf"(?:\s?{DASH}\s?(?:{MONTH}\s?{words.MONTH})?{CJK_DAY})?",
    rf"(?<![0-9.,]){YEAR}\s?{words.YEAR}{words.YEAR_TAIL}?",
    rf"(?<![0-9.]){MONTH}\s?{words.MONTH}{words.MONTH_TAIL}?(?![0-9])",
    rf"[{NUMERAL_CHARS}]{{2,4}}{words.YEAR}(?=[{NUMERAL_CHARS}])",
    rf"{NUMERAL}{words.MONTH}(?:{NUMERAL}{chars(words.DAYS)})?",
    r"(?<![0-9.,/])(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])\.\.(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])"
    r"(?![0-9%])",
    rf"(?<![0-9.,/])(?:0[1-9]|1[0-2])[-/](?:0[1-9]|[12][0-9]|3[01])(?![0-9%.])(?!\s?{COUNT_UNITS})"
    rf"(?:\s?(?:{DASH}|to)\s?(?:0[1-9]|1[0-2])[-/](?:0[1-9]|[12][0-9]|3[01])(?![0-9%.]))?",
    rf"(?<![0-9.,+-]){DAY}\s?{chars(words.DAYS)}(?!{chars(words.NOT_AFTER_DAY)})",
    rf"{MONTH_NAME}\s+[0-9]{{1,2}}(?![0-9]|[.,][0-9]{{1,2}}(?![0-9]))(?:st|nd|rd|th)?"
    rf"(?:\s?(?:-|\u2013|to)\s?(?:{MONTH_NAME}\s+)?[0-9]{{1,2}})?(?:,?\s*{YEAR})?",
    rf"(?<![0-9.])[0-9]{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{MONTH_NAME}(?![a-z])(?:\s+{YEAR})?",
    rf"{MONTH_NAME}\s+{YEAR}",
    rf"(?<![a-z])(?:in|of|since|year|fy)\s?{YEAR}(?![0-9]|[.,][0-9])",
    rf"(?<![a-z0-9])(?:{YEAR}\s?-?)?(?:q[1-4]|h[12]|w[0-9]{{1,2}})(?![a-z0-9])(?:\s*{YEAR})?",
    rf"{words.RANK_PREFIX}\s*(?:[0-9]{{1,2}}|{NUMERAL})\s*{words.WEEK}|(?<![a-z])week\s[0-9]{{1,2}}",
)
TIMES: Final = (
    r"(?<![0-9])t?(?:[01]?[0-9]|2[0-3])[:\uff1a][0-5][0-9](?:[:\uff1a][0-5][0-9](?:\.[0-9]{1,6})?)?z?"
    r"(?:\s?[ap]m(?![a-z]))?(?![0-9])",
    rf"(?<![0-9.])[0-9]{{1,2}}\s?{DASH}\s?[0-9]{{1,2}}\s?{chars(words.HOUR_WORDS)}",
    rf"(?<![0-9.])[0-9]{{1,2}}\s?{words.HOUR_WORDS[0]}"
    rf"(?:[0-5]?[0-9]{words.MINUTE}|{either(words.HOUR_TAILS)})",
    r"(?<![0-9.])[0-9]{1,2}\s?[ap]m(?![a-z])",
)
SPAN_WORDS: Final = either((*words.SPAN_WORDS, *words.LATIN_SPAN))
WINDOWS: Final = (
    RECENT_WINDOW.pattern,
    rf"{SPAN_WORDS}\s*{WINDOW_COUNT}\s*(?:{WINDOW_UNIT})",
    r"(?<![0-9.])[0-9]{1,3}-(?:day|week|month)(?![a-z])|(?<![a-z0-9])t[-+][0-9]{1,2}(?![0-9])",
)
OPENING: Final = r"(?m)^[ >]{0,6}(?:[-*+] +)?(?:\*\*)?"
LISTS: Final = (
    rf"{OPENING}(?:[0-9]{{1,2}}[.){words.LIST_COMMA}]"
    rf"|[({words.OPEN_PAREN}][0-9]{{1,2}}[){words.CLOSE_PAREN}])\s*(?=[^0-9])",
    rf"[{words.CIRCLED}]",
    rf"(?m)(?:^|(?<=[{words.CLAUSE_ENDS}]))\s*{words.RANK_PREFIX}\s?(?:[0-9]{{1,2}}|{NUMERAL})"
    rf"(?=[,{words.CLAUSE_ENDS}{words.LIST_COMMA}{words.COLON}])",
    rf"{words.RANK_PREFIX}\s?(?:[0-9]{{1,2}}|{NUMERAL})\s?{either(words.STEP_WORDS)}",
    rf"(?<![0-9.,])(?:[0-9]{{1,2}}|{NUMERAL})\s?{either(words.MEASURE_WORDS)}?\s?"
    rf"{either(words.DISCOURSE_NOUNS)}",
)
SCALE_MAXIMUM: Final = r"(?:5|10|100)(?:\.0)?(?![0-9.%])"
SCALES: Final = (
    rf"(?<=[0-9]\.[0-9])\s?/\s?{SCALE_MAXIMUM}(?!\s?{COUNT_UNITS})",
    rf"(?<=[0-9]\.[0-9][0-9])\s?/\s?{SCALE_MAXIMUM}(?!\s?{COUNT_UNITS})",
    rf"{words.SCORE_SCALE[0]}\s?[0-9]{{1,3}}\s?{words.MINUTE}?|(?<![0-9.])[0-9]{{1,3}}\s?"
    rf"{words.SCORE_SCALE[1]}",
    rf"(?<=[0-9]\s){words.SCORE_SCALE[2]}\s{SCALE_MAXIMUM}(?!\s?{COUNT_UNITS})",
)
IDENTIFIERS: Final = (
    r"(?<![a-z0-9])[a-z]{1,40}[-_][0-9]+(?:\.[0-9]+)*[a-z0-9_-]*(?!\.?[0-9]|\s?%)",
    r"(?<![a-z0-9])(?!(?:rmb|cny|usd|k)[0-9])[a-z]{1,40}[0-9][a-z0-9_-]*(?![.,]?[0-9]|\s?%)",
)

_SOURCES: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("code", (r"(?s)```.*?```", r"`[^`\n]*`")),
    ("url", (r"https?://[^\s)]+|\]\([^)\n]{0,300}\)",)),
    ("version", (r"(?<![a-z0-9.])v?[0-9]+(?:\.[0-9]+){2,}(?![0-9%])|(?<![a-z0-9])v[0-9]+\.[0-9]+",)),
    (
        "reference",
        (
            r"\[?(?<![a-z0-9])[vtr][0-9]{1,3}(?:\s?[-\u2013,"
            + words.LIST_COMMA
            + r"]\s?[vtr][0-9]{1,3})*(?![a-z0-9]|\.[0-9]|%)\]?",
        ),
    ),
    (
        "heading",
        (
            r"(?m)^(?:#{1,6}\s+|#{2,6})(?:[0-9]+(?:\.[0-9]+)*(?:[.)"
            + words.LIST_COMMA
            + r"](?![0-9])|(?=\s)))?",
        ),
    ),
    ("list", LISTS[:2]),
    ("window", WINDOWS),
    ("date", DATES),
    ("time", TIMES),
    ("top_n", (TOP_N.pattern,)),
    ("list", LISTS[2:]),
    ("scale", SCALES),
    ("identifier", IDENTIFIERS),
)

MASKS: Final[tuple[tuple[str, re.Pattern[str]], ...]] = tuple(
    (reason, re.compile(source)) for reason, sources in _SOURCES for source in sources
)
