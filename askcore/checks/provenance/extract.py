"""Reads every figure of a masked text: digits, Chinese numerals, number words, ranks."""

from __future__ import annotations

import re
import sys
from dataclasses import replace

from askcore.base.values import CellUnit
from askcore.checks.provenance import lexicon as words
from askcore.checks.provenance.mask import BLANK
from askcore.checks.provenance.mention import Mention
from askcore.checks.provenance.number_patterns import (
    HEADING_UNIT,
    LINK,
    MULTIPLIER_SCALES,
    NUMBER,
    NUMERAL_CLAIM,
    NUMERAL_PART,
    RANK,
    UNIT_SCALES,
    WORD_NUMBER,
)
from askcore.checks.provenance.numerals import numeral_quantum, read_numeral

LARGEST = sys.float_info.max
SMALLEST_STEP = 1e-12  # finer decimals than a cell can hold would make a tolerance of nothing


def extract(text: str) -> tuple[Mention, ...]:
    """All figures of the masked, folded `text` in text order."""
    ranks = [_rank(m) for m in RANK.finditer(text)]
    rest = RANK.sub(lambda m: BLANK * len(m.group()), text)
    others = [
        *(_number(m, rest) for m in NUMBER.finditer(rest)),
        *(_part(m) for m in NUMERAL_PART.finditer(rest)),
        *(_word(m) for m in WORD_NUMBER.finditer(rest)),
        *(mention for m in NUMERAL_CLAIM.finditer(rest) if (mention := _numeral(m))),
    ]
    return _borrow_units(_without_overlaps([*ranks, *others]), text)


def _without_overlaps(mentions: list[Mention]) -> list[Mention]:
    """In text order; of two that overlap the earlier and longer one stays."""
    kept: list[Mention] = []
    for mention in sorted(mentions, key=lambda m: (m.start, -m.end)):
        if not kept or mention.start >= kept[-1].end:
            kept.append(mention)
    return kept


def _rank(match: re.Match[str]) -> Mention:
    written = next(group for group in match.groups() if group)
    value = float(written) if written.isdigit() else read_numeral(written)
    return Mention(start=match.start(), end=match.end(), value=value, quantum=1.0, unit="rank")


def _number(match: re.Match[str], text: str) -> Mention:
    """A figure in Arabic digits with its multiplier, unit, currency and sign."""
    written = match["number"].replace(",", "")
    multiplier, unit_word = match["multiplier"], match["unit"]
    unit, unit_scale = UNIT_SCALES[_key(unit_word)] if unit_word else ("plain", 1.0)
    if unit == "plain" and (match["currency"] or match["currency_inside"]):
        unit = "money"
    scale = (MULTIPLIER_SCALES[multiplier] if multiplier else 1.0) * unit_scale
    decimals = len(written.partition(".")[2])
    sign, glued = _sign(match, text)
    return Mention(
        start=_first_character(match, keep_sign=sign != 0),
        end=match.end(),
        value=_finite(float(written[:320]) * scale),
        quantum=max(10.0 ** -min(decimals, 300) * scale, SMALLEST_STEP),
        unit=unit,
        scale=scale,
        bare=unit == "plain" and not multiplier,
        explicit_sign=sign,
        glued_sign=glued,
        hedge="about" if unit_word == words.TENTHS else "",
        is_points=unit_word in ("point", "points"),
    )


def _key(unit_word: str) -> str:
    return re.sub(r"\s+", " ", unit_word)


def _first_character(match: re.Match[str], *, keep_sign: bool) -> int:
    """Where the figure starts: a dash of a range does not belong to it."""
    if match["sign"] and not keep_sign:
        return match.end("sign")
    return match.start()


def _sign(match: re.Match[str], text: str) -> tuple[int, bool]:
    """The written sign and whether it touches a word; a sign after a digit is a range dash."""
    written = match["sign"]
    if not written:
        return 0, False
    before = text[: match.start()][-1:]
    if before and (before.isdigit() or before in words.MULTIPLIERS or before in UNIT_SCALES):
        return 0, False
    return (1 if written == "+" else -1), before.isalpha()


def _part(match: re.Match[str]) -> Mention:
    """A percentage in Chinese numerals, or tenths."""
    start, end = match.span()
    if match["tenths"]:
        half = 0.05 if match["half"] else 0.0
        return Mention(
            start=start, end=end, value=read_numeral(match["tenths"]) / 10 + half,
            quantum=0.05 if half else 0.1, unit="pct", scale=0.1, hedge="about",
        )  # fmt: skip
    written = match["percent"] or match["permille"]
    scale = 0.01 if match["percent"] else 0.001
    return Mention(
        start=start, end=end, value=read_numeral(written) * scale,
        quantum=numeral_quantum(written) * scale, unit="pct", scale=scale,
    )  # fmt: skip


def _word(match: re.Match[str]) -> Mention:
    value, quantum, direction = words.WORD_NUMBERS[match.group()]
    return Mention(
        start=match.start(), end=match.end(), value=value, quantum=quantum, unit="pct",
        word_sign=direction, hedge="about",
    )  # fmt: skip


def _numeral(match: re.Match[str]) -> Mention | None:
    """A Chinese numeral with a unit or of at least ten thousand; None for mere words."""
    written, unit_word = match["numeral"], match["unit"]
    big = any(c in words.MYRIADS for c in written)
    if written == words.ONE or not (big or unit_word):
        return None
    unit, scale = UNIT_SCALES[unit_word] if unit_word else ("plain", 1.0)
    value = _finite(read_numeral(written) * scale)
    return Mention(
        start=match.start(), end=match.end(), value=value,
        quantum=numeral_quantum(written) * scale, unit=unit, scale=scale,
    )  # fmt: skip


def _finite(value: float) -> float:
    return min(value, LARGEST)


def with_heading_unit(mention: Mention, heading: str) -> Mention:
    """A bare figure takes the unit that its column heading has in parentheses."""
    match = HEADING_UNIT.search(heading) if mention.bare else None
    if match is None or not any(match.groups()):
        return mention
    unit, scale = UNIT_SCALES[_key(match["unit"])] if match["unit"] else ("plain", 1.0)
    scale *= MULTIPLIER_SCALES.get(match["multiplier"] or "", 1.0)
    return _scaled(mention, scale, unit, bare=unit == "plain" and scale == 1)


def _scaled(mention: Mention, scale: float, unit: CellUnit, *, bare: bool) -> Mention:
    return replace(
        mention,
        value=_finite(mention.value * scale),
        quantum=mention.quantum * scale,
        unit=unit,
        scale=scale,
        bare=bare,
    )


def _borrow_units(mentions: list[Mention], text: str) -> tuple[Mention, ...]:
    """Give the left end of a range the unit and multiplier of its right end."""
    for at in range(len(mentions) - 2, -1, -1):
        left, right = mentions[at], mentions[at + 1]
        if left.bare and LINK.fullmatch(text, left.end, right.start):
            mentions[at] = _scaled(left, right.scale, right.unit, bare=right.bare)
    return tuple(mentions)
