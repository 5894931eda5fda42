"""Who or when is said to be the highest, the second or the fastest, and among whom."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from askcore.checks.claims import lexicon as words
from askcore.checks.claims.bind import Owners, When
from askcore.checks.claims.case import Case
from askcore.checks.claims.page import Segment
from askcore.checks.claims.periods import Span
from askcore.checks.claims.token import Token
from askcore.checks.provenance.mask import BLANK
from askcore.checks.provenance.wording import either

_NOUN: Final = either((*words.NOUNS, *words.GRAINS))
_IS: Final = either(words.IS_WORDS)
_LINK: Final = re.compile(
    rf"(?:\s|{BLANK}|{words.OF}|[{words.MEASURE}{words.ONE_OF}]|{_NOUN}|{_IS}|(?<![a-z])(?:the|it|that|by|all|our|were|recorded|seen|[0-9]+|performer|seller|one)(?![a-z])|'s|s(?![a-z])|[\uff1a:*])*"
)
_ATTRIBUTE: Final = re.compile(rf"\s*{words.OF}?\s*(?:{_NOUN})?\s*$")
_DIRECTLY_IN: Final = re.compile(r"\s*(?:was\s|were\s|came\s|recorded\s)?(?:in|on|at|during)\s+$")
_AMONG: Final = re.compile(rf"^[^{words.HEAD_STOPS}]{{0,8}}{either(words.AMONG_WORDS)}")
_AMONG_BEFORE: Final = re.compile(r"(?:among|between|of)\s+(?:the\s+)?$")
_MOVED_AMONG: Final = re.compile(rf"[^{words.HEAD_STOPS}]{{0,10}}[{words.AMONG_CHARS}]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """What an extreme or a rank is told of."""

    names: tuple[str, ...]
    """Entities; () when time is meant."""
    spans: tuple[Span, ...]
    """Stretches of time that are told to be extreme."""
    owners: Owners
    """Whose series it is, when time is meant."""
    when: When
    is_entity: bool
    is_period: bool
    """Both when the words leave it open."""
    among: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    nouns: tuple[str, ...] = ()
    is_restricted: bool = False
    """Told of a part that the words alone do not give: "among those that fell"."""


def aim_of(case: Case, segment: Segment, token: Token) -> Aim | None:
    """None when nobody is named."""
    target = _after(case, segment, token) or _before(case, segment, token)
    if target is None:
        return _carried(case, segment, token)
    names = tuple(dict.fromkeys(min(t.names) for t in target)) if target[0].kind == "entity" else ()
    spans = () if names else tuple(case.page.spans[t.start] for t in target)
    is_entity, is_period = bool(names), bool(spans)
    if names and target[0].start < token.start:
        following = _first_after(segment, token)
        at = _DIRECTLY_IN.fullmatch(case.page.canvas[token.end : following.start]) if following else None
        if following is not None and following.kind == "period" and at:
            spans = (case.page.spans[following.start],)
            is_entity, is_period = False, True
    return _aim(case, segment, token, names, spans, is_entity=is_entity, is_period=is_period)


def _aim(
    case: Case, segment: Segment, token: Token, names: tuple[str, ...], spans: tuple[Span, ...], *,
    is_entity: bool, is_period: bool,
) -> Aim:  # fmt: skip
    among, without, restricted = _universe(case, segment, names)
    when = case.bind.when(segment, token)
    if not spans and is_entity and when.spans and segment.has("period"):
        is_period, spans = _may_mean_time(case, segment, token), tuple(when.spans)
    return Aim(
        names=names, spans=spans, owners=case.bind.owners(segment, token), when=when, is_entity=is_entity,
        is_period=is_period, among=among, without=without,
        nouns=segment.all("noun")[0].groups if segment.has("noun") else (), is_restricted=restricted,
    )  # fmt: skip


def _may_mean_time(case: Case, segment: Segment, token: Token) -> bool:
    """Whether the time, and not the entity, stands nearest before the extreme."""
    before = [t for t in segment.tokens if t.end <= token.start and t.kind in ("entity", "period")]
    return bool(before) and before[-1].kind == "period"


def _first_after(segment: Segment, token: Token) -> Token | None:
    return next((t for t in segment.tokens if t.start >= token.end and t.kind in ("entity", "period")), None)


def _after(case: Case, segment: Segment, token: Token) -> list[Token] | None:
    """As in "the highest is A", with nothing but linking words in between."""
    first = _first_after(segment, token)
    if first is None:
        return None
    gap = case.page.canvas[token.end : first.start]
    between = [t for t in segment.tokens if token.end <= t.start < first.start]
    if any(
        t.kind not in ("metric", "noun", "neutral", "adverb", "move", "change", "since", "list_joint")
        for t in between
    ):
        return None
    for other in between:
        if other.kind in ("metric", "move", "change"):
            a, b = other.start - token.end, other.end - token.end
            gap = gap[:a] + " " * (b - a) + gap[b:]
    if _LINK.fullmatch(gap) is None:
        return None
    has_before = any(t.kind == "entity" and t.end <= token.start for t in segment.tokens)
    if has_before and (first.kind == "period" or token.text.isascii() or not _is_predicated(gap)):
        return None
    return case.bind.run(segment, first.kind, start=first.start)


def _is_predicated(gap: str) -> bool:
    return bool(gap.strip(f" {BLANK}{words.OF}")) or words.OF in gap


def _before(case: Case, segment: Segment, token: Token) -> list[Token] | None:
    compared = case.bind.comparands(segment)
    found = [
        t for t in segment.tokens
        if t.kind in ("entity", "period") and t.end <= token.start and t not in compared
    ]  # fmt: skip
    entities = [t for t in found if t.kind == "entity"]
    if entities:
        return case.bind.run(segment, "entity", end=token.start, last=True, skip=compared)
    if found:
        return [found[-1]]
    after = _first_after(segment, token)
    if after is not None and token.text.isascii():
        return case.bind.run(segment, after.kind, start=after.start)
    return None


def _carried(case: Case, segment: Segment, token: Token) -> Aim | None:
    owners = case.bind.owners(segment, token)
    when = case.bind.when(segment, token)
    if owners.names and owners.is_firm:
        return _aim(case, segment, token, owners.names, (), is_entity=True, is_period=False)
    if when.spans and not when.is_vague:
        return _aim(case, segment, token, (), tuple(when.spans[-1:]), is_entity=False, is_period=True)
    return None


def _universe(
    case: Case, segment: Segment, names: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
    """(only among, not among, restricted in a way that is not read)."""
    among: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    restricted = False
    part: Segment | None = segment
    while part is not None:
        listed = case.bind.run(part, "entity")
        own = tuple(dict.fromkeys(min(t.names) for t in listed))
        if len(own) > 1:
            after = case.page.canvas[listed[-1].end : part.end]
            before = case.page.canvas[max(0, listed[0].start - 16) : listed[0].start]
            if _AMONG.match(after) or _AMONG_BEFORE.search(before):
                among = own
        if part.has("except", "rest"):
            without += tuple(n for n in own if n not in names)
            restricted = restricted or (part.has("rest") and not part.has("entity"))
        for move in part.all("move", "flat", "versus_level", "better"):
            if _MOVED_AMONG.match(case.page.canvas, move.end) or re.search(
                r"(?:among|of)\s+(?:the|those)\b.{0,20}$", case.page.canvas[part.start : move.start]
            ):
                restricted = True
        part = part.before
    return among, without, restricted
