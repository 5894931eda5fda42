"""What a question splits by: time grains, levels, dimensions; and dimension values that it keeps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from askcore.agent.rules import lexicon
from askcore.agent.rules.averages import Averages
from askcore.agent.rules.entity_words import flag_values
from askcore.agent.rules.scan import Scan
from askcore.agent.rules.spans import Claim
from askcore.agent.rules.vocabulary import DimensionTerm, LevelTerm, Vocabulary


@dataclass(frozen=True, slots=True, kw_only=True)
class Splits:
    """Grains, levels and dimensions in the order of the question."""

    by: tuple[str, ...] = ()
    grains: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()
    """Levels that are split by ("each shop", "by chain")."""
    mentioned: tuple[str, ...] = ()
    """Levels that are named without a word that says what for."""
    asked_grain: str | None = None
    """Grain that is ranked: "which day"."""
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(slots=True)
class _Walk:
    each: bool = False
    by: list[str] = field(default_factory=list)
    grains: list[str] = field(default_factory=list)
    levels: list[str] = field(default_factory=list)
    mentioned: list[str] = field(default_factory=list)
    asked_grain: str | None = None
    values: dict[str, list[str]] = field(default_factory=dict)
    contrasted: set[str] = field(default_factory=set)
    """Yes/no dimensions whose two sides are both asked for."""

    def add(self, key: str, group: list[str]) -> None:
        if key not in self.by:
            self.by.append(key)
        if key not in group:
            group.append(key)


def read_splits(scan: Scan, vocab: Vocabulary, averages: Averages) -> Splits:
    """Walk over the claims; a word for "each" holds for the list of names after it."""
    walk = _Walk()
    claims = [c for c in scan.claims if c.kind != "stop"]
    for at, claim in enumerate(claims):
        if claim in averages.used:
            continue
        _step(walk, claims, at, scan, vocab)
    if "separately" in scan.cues:
        for level in walk.mentioned:
            walk.add(level, walk.levels)
    return Splits(
        by=tuple(walk.by),
        grains=tuple(walk.grains),
        levels=tuple(walk.levels),
        mentioned=tuple(dict.fromkeys(walk.mentioned)),
        asked_grain=walk.asked_grain,
        values={k: tuple(v) for k, v in walk.values.items() if k not in walk.contrasted},
    )


def _step(walk: _Walk, claims: list[Claim], at: int, scan: Scan, vocab: Vocabulary) -> None:
    claim = claims[at]
    if claim.kind == "cue":
        if "each" in claim.value:
            walk.each = True
        elif not claim.value & {"and", "all", "whole", "before"}:
            walk.each = False
    elif claim.kind == "grain":
        walk.add(claim.name, walk.grains)
        after = claims[at + 1] if at + 1 < len(claims) else None
        walk.each = after is not None and after.kind == "cue" and "and" in after.value
    elif claim.kind == "unit":
        _unit(walk, claims, at, scan)
    elif claim.kind == "level":
        _level(walk, claims, at, scan)
    elif claim.kind == "dimension":
        _dimension(walk, claims, at, scan, vocab)
    else:
        walk.each = False


def _unit(walk: _Walk, claims: list[Claim], at: int, scan: Scan) -> None:
    claim, before = claims[at], claims[at - 1] if at else None
    word = scan.word(claim)
    ranked = scan.cues & {"highest", "lowest", "best", "worst"} and not scan.of("level")
    is_asked = (
        bool(ranked)
        or (before is not None and before.kind == "number")
        or word[0] == lexicon.WHICH_ONE[0][0]
        or (before is not None and before.kind == "cue" and "which_one" in before.value)
    )
    if walk.each:
        walk.add(claim.name, walk.grains)
    elif is_asked:
        walk.asked_grain = claim.name
    elif _is_bare_plural(claims, at, scan):
        walk.add(claim.name, walk.grains)


def _is_bare_plural(claims: list[Claim], at: int, scan: Scan) -> bool:
    """As in "2011 quarters": the unit is a split; "holiday weeks" is not."""
    before, word = claims[at - 1] if at else None, scan.word(claims[at])
    plural = word.isascii() and word.endswith("s")
    if before is not None and before.kind == "time":
        return plural or (len(word) > 1 and not word.isascii())
    return False


def _level(walk: _Walk, claims: list[Claim], at: int, scan: Scan) -> None:
    claim = claims[at]
    term: LevelTerm = claim.value
    if _belongs_to_entity(claims, at, scan, term.level):
        return
    if walk.each:
        walk.add(term.level, walk.levels)
    elif term.level not in walk.mentioned:
        walk.mentioned.append(term.level)


def _belongs_to_entity(claims: list[Claim], at: int, scan: Scan, level: str) -> bool:
    """As in "store S0101": the level word is part of the name."""
    for near in (at - 1, at + 1):
        if not 0 <= near < len(claims) or claims[near].kind != "entity":
            continue
        left, right = claims[min(near, at)], claims[max(near, at)]
        gap = scan.gap(left, right)
        fits = any(e.level == level for e in claims[near].value.entities)
        if fits and (not gap.strip(" :#'\"") or near > at):
            return True
    return False


def _dimension(walk: _Walk, claims: list[Claim], at: int, scan: Scan, vocab: Vocabulary) -> None:
    term: DimensionTerm = claims[at].value
    if term.value is not None:
        walk.values.setdefault(term.dimension, []).append(term.value)
        return
    dimension = vocab.model.dimensions_by_key[term.dimension]
    flags = flag_values(dimension, vocab.catalog)
    if walk.each or flags is None or _is_contrasted(claims, at, scan, term.dimension):
        if walk.each or flags is not None:
            walk.add(term.dimension, walk.by)
            if flags is not None:
                walk.contrasted.add(term.dimension)
        else:
            walk.mentioned.append(term.dimension)
        return
    before = claims[at - 1] if at else None
    negated = before is not None and before.kind == "cue" and "not_flag" in before.value
    walk.values.setdefault(term.dimension, []).append(flags[1] if negated else flags[0])


def _is_contrasted(claims: list[Claim], at: int, scan: Scan, dimension: str) -> bool:
    """Holiday weeks against the others: both values are wanted."""
    if scan.says("others"):
        others = [c for c in scan.says("others") if "not_flag" not in c.value]
        if others:
            return True
    same = [c for c in claims if c.kind == "dimension" and c.value.dimension == dimension]
    return len(same) > 1
