"""Of how many a statement is said: of all, none, only one, most, two of four, the others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from askcore.checks.claims import lexicon as words
from askcore.checks.claims.bind import Binder
from askcore.checks.claims.number_words import count_of
from askcore.checks.claims.page import Page, Segment
from askcore.checks.claims.token import Token
from askcore.checks.provenance.lexicon import LATIN_NUMBERS
from askcore.checks.provenance.numerals import NUMERAL_CHARS
from askcore.checks.provenance.wording import either

QuantityKind = Literal["all", "none", "only", "most", "share", "count", "rest", "except", "first", "unclear"]

_N: Final = rf"(?:[0-9]{{1,3}}|[{NUMERAL_CHARS}]{{1,3}}|{either((*LATIN_NUMBERS, 'one'))})"
_NOUN: Final = either((*words.NOUNS, *words.GRAINS))
_COUNT_OF: Final = re.compile(
    rf"(?P<n>{_N})\s+(?:out\s+)?of\s+(?:the\s+|its\s+|our\s+)?(?:(?P<all>{_N})\s+)?(?P<noun>{_NOUN})"
    rf"|(?P<all2>{_N})\s?[{words.MEASURE}]?(?P<noun2>{_NOUN}){words.AMONG}(?P<n2>{_N})\s?[{words.MEASURE}]?(?:{_NOUN})"
    rf"|(?<![0-9.,{NUMERAL_CHARS}{words.RANK_PREFIX}])(?P<n3>{_N})\s?[{words.MEASURE}]?(?P<noun3>{_NOUN})"
)
_IN_SOME: Final = re.compile(rf"\sin\s(?P<n>{_N})(?![0-9]|[.,][0-9])(?=\s*(?:[,.;)]|$|and\s|of\sthem))")
_BEHIND: Final = 6
_AT_LEAST: Final = re.compile(rf"{either(words.OVER)}\s*$")
_AT_MOST: Final = re.compile(rf"{either(words.UNDER)}\s*$")
_ABOUT: Final = re.compile(rf"{either(words.ABOUT)}\s*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """How many, of which."""

    kind: QuantityKind
    names: tuple[str, ...] = ()
    """Of "only", "except" and "rest": the entities named."""
    count: int = 0
    total: int = 0
    """How many there are said to be; 0: not said."""
    share: float = 0.0
    hedge: Literal["", "over", "under", "about"] = ""
    nouns: tuple[str, ...] = ()
    sign: int = 1
    """Of "first": the top or the bottom N."""
    grain: str = ""
    """Set when time buckets are counted and not entities."""


def quantity_of(page: Page, bind: Binder, segment: Segment, token: Token) -> Quantity | None:
    """None: said of the entities named, or of the whole."""
    if segment.has("other_noun"):
        return Quantity(kind="unclear") if segment.has("all", "none", "only", "most", "both") else None
    nouns, grain = _noun(segment)
    counted = _counted(page, segment) or _counted_after(page, token)
    if counted and counted.grain and not (counted.total or segment.has("only")):
        counted = None  # "for two weeks" is how long it took
    named = _names(segment)
    tops = segment.all("list_top")
    if tops and not named and tops[0].end <= token.start and not segment.has("share", "together"):
        return Quantity(kind="first", count=int(tops[0].value), sign=tops[0].sign, nouns=nouns)
    if segment.has("only"):
        return _only(bind, segment, token, nouns, grain, counted)
    if segment.has("none", "except"):
        kind: QuantityKind = "none" if segment.has("none") else "except"
        return Quantity(kind=kind, names=() if kind == "none" else named, nouns=nouns, grain=grain)
    if _rest_is_subject(segment, token):
        count = counted.count if counted else 0
        return Quantity(kind="rest", names=_names_before(segment), count=count, nouns=nouns, grain=grain)
    bare = _bare_fraction(segment, token)
    if bare is not None:
        return replace(_most(page, segment, nouns or _nouns_before(segment), grain), kind="share")
    if segment.has("most") or (segment.has("fraction") and (nouns or grain) and not segment.has("share")):
        return _most(page, segment, nouns, grain)
    return None if named else _unnamed(segment, nouns, grain, counted)


def _unnamed(
    segment: Segment, nouns: tuple[str, ...], grain: str, counted: Quantity | None
) -> Quantity | None:
    """All, or a count, of those that nobody is named of."""
    if segment.has("all") and (nouns or grain or counted):
        return Quantity(kind="all", nouns=nouns, grain=grain, total=counted.count if counted else 0)
    if counted and segment.has("both"):
        return Quantity(kind="all", nouns=counted.nouns, grain=counted.grain, total=counted.count)
    return counted or (Quantity(kind="unclear") if segment.has("all") else None)


def _counted_after(page: Page, token: Token) -> Quantity | None:
    """As in "fell in two": a count without its noun."""
    match = _IN_SOME.match(page.canvas, token.end)
    if match is None:
        return None
    return Quantity(kind="count", count=1 if match["n"] == "one" else count_of(match["n"]))


def _rest_is_subject(segment: Segment, token: Token) -> bool:
    """Whether "the others" stands before the claim with nobody named in between, or right behind it."""
    if any(0 <= t.start - token.end <= _BEHIND for t in segment.all("rest")):
        return not segment.has("entity")
    rests = [t for t in segment.all("rest") if t.end <= token.start]
    return bool(rests) and not any(rests[-1].end <= t.start < token.start for t in segment.all("entity"))


def _only(
    bind: Binder, segment: Segment, token: Token, nouns: tuple[str, ...], grain: str, counted: Quantity | None
) -> Quantity:
    names = _names(segment)
    if names:
        return Quantity(kind="only", names=names, nouns=nouns)
    if counted:
        return counted
    if segment.has("period"):
        return Quantity(kind="only", grain="any")
    return Quantity(kind="unclear")


def _bare_fraction(segment: Segment, token: Token) -> Token | None:
    """As in "half lost": the fraction is the subject."""
    for fraction in segment.all("fraction"):
        if (
            fraction is not token
            and 0 <= token.start - fraction.end <= 1
            and not segment.has("entity", "share")
        ):
            return fraction
    return None


def _nouns_before(segment: Segment) -> tuple[str, ...]:
    earlier = segment.before
    while earlier is not None:
        if nouns := earlier.all("noun"):
            return nouns[0].groups
        earlier = earlier.before
    return ()


def _most(page: Page, segment: Segment, nouns: tuple[str, ...], grain: str) -> Quantity:
    fraction = next(iter(segment.all("fraction")), None)
    if fraction is None:
        return Quantity(kind="most", nouns=nouns, grain=grain)
    hedge = hedge_of(page, fraction)
    return Quantity(kind="share", share=fraction.value, hedge=hedge, nouns=nouns, grain=grain)


def hedge_of(page: Page, token: Token) -> Literal["", "over", "under", "about"]:
    """What stands before or after a fraction or a figure: over, under, about."""
    before, after = (
        page.canvas[max(0, token.start - 16) : token.start],
        page.canvas[token.end : token.end + 8],
    )
    if token.text in words.MORE_THAN_HALF or _AT_LEAST.search(before) or after.startswith(words.OVER_AFTER):
        return "over"
    if _AT_MOST.search(before) or after.startswith(words.UNDER_AFTER):
        return "under"
    if _ABOUT.search(before) or after.startswith(words.ABOUT_AFTER):
        return "about"
    return ""


def _counted(page: Page, segment: Segment) -> Quantity | None:
    """A count of entities or time buckets in the statement."""
    for match in _COUNT_OF.finditer(page.canvas, segment.start, segment.end):
        parts = match.groupdict()
        written = parts["n"] or parts["n2"] or parts["n3"]
        noun = parts["noun"] or parts["noun2"] or parts["noun3"]
        total = parts["all"] or parts["all2"]
        if written is None or noun is None:
            continue
        before = page.canvas[max(0, match.start() - 12) : match.start()]
        hedge: Literal["", "over", "under"] = (
            "over" if _AT_LEAST.search(before) else "under" if _AT_MOST.search(before) else ""
        )
        return Quantity(
            kind="count",
            count=1 if written == "one" else count_of(written),
            total=count_of(total) if total else 0,
            nouns=words.NOUNS.get(noun, ()),
            grain=words.GRAINS.get(noun, ""),
            hedge=hedge,
        )
    return None


def _noun(segment: Segment) -> tuple[tuple[str, ...], str]:
    """The group, or the grain of "no week", "every day"."""
    nouns = segment.all("noun")
    for token in segment.all("all", "none", "most"):
        for word, grain in words.GRAINS.items():
            if token.text.endswith(word):
                return (), grain
    return (nouns[0].groups if nouns else ()), ""


def _names(segment: Segment) -> tuple[str, ...]:
    return tuple(dict.fromkeys(min(t.names) for t in segment.all("entity")))


def _names_before(segment: Segment) -> tuple[str, ...]:
    """All entities that the sentence names up to here: those that "the others" are not."""
    found: list[str] = list(_names(segment))
    earlier = segment.before
    while earlier is not None:
        found += _names(earlier)
        earlier = earlier.before
    return tuple(dict.fromkeys(found))


def matches(quantity: Quantity, yes: int, all_: int) -> bool | None:
    """Whether `yes` of `all_` is what the quantity says."""
    if quantity.kind == "count":
        if quantity.total and quantity.total != all_:
            return None
        if quantity.hedge:
            return yes >= quantity.count if quantity.hedge == "over" else yes <= quantity.count
        return yes == quantity.count
    share = yes / all_
    if quantity.kind == "most":
        return share > 0.5
    if quantity.hedge == "over":
        return share > quantity.share
    if quantity.hedge == "under":
        return share < quantity.share
    return abs(share - quantity.share) <= (0.1 if quantity.hedge == "about" else 0.5 / all_)


def sizes_agree(quantity: Quantity, peers: Sequence[str]) -> bool:
    """Whether as many are there as the text says that there are."""
    return not quantity.total or quantity.total == len(peers)
