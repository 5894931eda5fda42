"""What the words around a figure say about it: direction, hedge, level or change."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from askcore.checks.provenance import lexicon as words
from askcore.checks.provenance.mention import Hedge, Mention
from askcore.checks.provenance.wording import either, found

Role = Literal["change", "level", "share", "any"]

REACH: Final = 28  # 14 CJK characters, each as wide as two Latin letters
_BREAK: Final = re.compile(
    rf"[{words.CLAUSE_ENDS};!?\n|]|,(?![0-9]{{3}})|(?<![0-9])\.(?![0-9])|(?<=[0-9])\.(?=\s)"
)
_SIGN_OF: Final = {
    **dict.fromkeys(words.DOWN, -1),
    **dict.fromkeys(words.UP, 1),
    **dict.fromkeys(words.NEUTRAL, 0),
}
_STEMS: Final = tuple((w.rstrip("*"), s) for w, s in _SIGN_OF.items() if w.endswith("*"))
_DIRECTION: Final = re.compile(either(_SIGN_OF))
_CURRENCY: Final = rf"[\s*_]*[{words.YEN}$]?[\s*_]*$"  # emphasis may stand before the figure
_TO: Final = re.compile(rf"{either(words.TO_WORDS)}\s*{either(words.ABOUT)}?{_CURRENCY}")
_BE: Final = re.compile(rf"{either(words.BE_WORDS)}\s*{either(words.ABOUT)}?{_CURRENCY}")
_CHANGE_NOUN: Final = re.compile(either(words.CHANGE_NOUNS))
_CONTRIBUTION: Final = re.compile(either(words.CONTRIBUTION))
_COMPARED: Final = re.compile(rf"{either(words.COMPARED_TO)}{_CURRENCY}")
_AFTER: Final = tuple(
    (sign, re.compile(rf"\s*(?:{either(after)}|{words.OF_WORD}\s*{either(after_of)})"))
    for sign, after, after_of in (
        (-1, words.AFTER_DOWN, words.AFTER_OF_DOWN),
        (1, words.AFTER_UP, words.AFTER_OF_UP),
    )
)
_JOINING: Final = re.compile(
    rf"\s*(?:[-\u2013/&+{words.WAVES}{words.LIST_COMMA}]|{either(words.RANGE_WORDS)}"
    rf"|{either(words.VERSUS_BEFORE[3:4])}|to|and)?\s*"
)
_HEDGE_WORDS: Final[tuple[tuple[Hedge, str, tuple[str, ...]], ...]] = (
    ("under", either(words.UNDER), words.UNDER_AFTER),
    ("over", either(words.OVER), words.OVER_AFTER),
    ("about", rf"{either(words.ABOUT)}|[{words.ABOUT_SIGNS}]", words.ABOUT_AFTER),
)
_HEDGES: Final = tuple(
    (
        hedge,
        re.compile(rf"(?:{before}){words.HEDGE_TAIL}?{_CURRENCY}"),
        re.compile(rf"\s*{either(after)}"),
    )
    for hedge, before, after in _HEDGE_WORDS
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """How a figure is meant."""

    sign: int
    """+1 up, -1 down, 0 not said."""
    role: Role
    hedge: Hedge


def read_wording(mention: Mention, text: str, previous: Mention | None) -> Wording:
    """The wording of `mention`; `previous` is the figure before it, whose words are not ours."""
    before = _clause_before(mention, text, previous)
    after = _clause_after(mention.end, text)
    hedge, before = _hedge(before, after)
    sign, at = _direction(before, after)
    if mention.explicit_sign:
        return Wording(sign=mention.explicit_sign, role="any", hedge=hedge or mention.hedge)
    if mention.word_sign:
        return Wording(sign=mention.word_sign, role="change", hedge=hedge or mention.hedge)
    sign, role = _role(before, after, sign, at)
    if _compares_level(mention, before):
        sign, role = 0, "any"
    return Wording(sign=sign, role=role, hedge=hedge or mention.hedge)


def _compares_level(mention: Mention, before: str) -> bool:
    """A threshold: a rate above 12 % did not rise by 12 %."""
    return mention.unit == "pct" and found(_COMPARED, before)


def _clause_before(mention: Mention, text: str, previous: Mention | None) -> str:
    start = max(0, mention.start - REACH)
    if (
        previous is not None
        and previous.end > start
        and not _JOINING.fullmatch(text, previous.end, mention.start)
    ):
        start = previous.end
    clause = _BREAK.split(text[start : mention.start])[-1]
    return _narrowed(clause)


def _narrowed(clause: str) -> str:
    """The last `REACH` columns of the clause."""
    width = 0
    for at in range(len(clause) - 1, -1, -1):
        width += 1 if clause[at].isascii() else 2
        if width > REACH:
            return clause[at + 1 :]
    return clause


def _clause_after(end: int, text: str) -> str:
    return _BREAK.split(text[end : end + REACH // 2], maxsplit=1)[0]


def _hedge(before: str, after: str) -> tuple[Hedge, str]:
    """The hedge, and the clause without it so that its letters name no direction."""
    for hedge, ahead, behind in _HEDGES:
        if match := ahead.search(before):
            return hedge, before[: match.start()]
        if behind.match(after):
            return hedge, before
    return "", before


def _direction(before: str, after: str) -> tuple[int, int]:
    """The nearest direction and where it stands in `before`; -1 when it follows the figure."""
    for sign, pattern in _AFTER:
        if pattern.match(after):
            return sign, -1
    sign, at = 0, -1
    for match in _DIRECTION.finditer(before):
        if found_sign := _sign_of(match.group()):
            sign, at = found_sign, match.start()
    return sign, at


def _sign_of(word: str) -> int:
    if word in _SIGN_OF:
        return _SIGN_OF[word]
    return next((sign for stem, sign in _STEMS if word.startswith(stem)), 0)


def _role(before: str, after: str, sign: int, at: int) -> tuple[int, Role]:
    """Whether the figure is a change, a level or a share, and the direction that remains."""
    if _names_share(before, after, at):
        return 0, "share"
    nouns = list(_CHANGE_NOUN.finditer(before))
    to, be = found(_TO, before), found(_BE, before)
    if nouns and (to or be):
        sign = words.CHANGE_NOUNS[nouns[-1].group()]
        return sign, "change" if sign else "any"
    if to:
        return 0, "level"
    if be:
        return 0, "any"
    return sign, "change" if sign else "any"


def _names_share(before: str, after: str, direction_at: int) -> bool:
    """Whether a share is meant: its word follows the last direction word."""
    if found(_CONTRIBUTION, after[:12]) and direction_at < 0:
        return True
    shares = [m.start() for m in _CONTRIBUTION.finditer(before)]
    return bool(shares) and shares[-1] > direction_at
