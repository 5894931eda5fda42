"""Which average a question asks for: per day, per entity, per row, or weighted by a metric."""

from __future__ import annotations

from dataclasses import dataclass

from askcore.agent.rules.scan import Scan
from askcore.agent.rules.spans import Claim
from askcore.agent.rules.vocabulary import LevelTerm, MetricTerm, Vocabulary
from askcore.semantic.averages import DAY, ROW, average_key, weighted_key
from askcore.semantic.model import Model

_ENGLISH_PER = ("per",)
_SUMS = ("sum", "derived_sum")
_ROW_GRAINS = {"day": "date"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Averages:
    """What is averaged over what; nothing set: no average is asked for."""

    asked: bool = False
    over_time: tuple[str, ...] = ()
    """Grains: date, week, month, quarter, year."""
    over_level: str | None = None
    weight: str | None = None
    weighted: bool = False
    used: tuple[Claim, ...] = ()
    """Claims that the average explains: they are no split and no metric of their own."""


def read_averages(scan: Scan, vocab: Vocabulary) -> Averages:
    """The average that the question's words describe."""
    claims = [c for c in scan.claims if c.kind != "stop"]
    asked = bool(scan.says("average"))
    grains: list[str] = []
    used: list[Claim] = []
    level: str | None = None
    for at, claim in enumerate(claims):
        before = claims[at - 1] if at else None
        if claim.kind == "cue" and claim.value & {"average_day", "average_odd"}:
            over = _grain_in(scan, claim)
            if "average_odd" in claim.value or asked or not scan.says("trend"):
                grains.append(over)
                used.append(claim)
        elif claim.kind == "cue" and "average_shop" in claim.value:
            asked, level = True, _leaf(vocab)
            used.append(claim)
        elif claim.kind in ("grain", "unit") and asked and _beside_average(claims, at, scan):
            grains.append(claim.name)
            used.append(claim)
        elif claim.kind == "level" and asked and before is not None and _is_per(claims, at, scan):
            term: LevelTerm = claim.value
            level = term.level
            used += [claim, before]
    weight, weighted = _weight(claims, scan)
    if weight is not None:
        used.append(weight)
    return Averages(
        asked=asked or level is not None or any("average_day" in c.value for c in used if c.kind == "cue"),
        over_time=tuple(dict.fromkeys(grains)),
        over_level=level,
        weight=None if weight is None else weight.value.keys[0],
        weighted=weighted,
        used=tuple(used),
    )


def _leaf(vocab: Vocabulary) -> str | None:
    leaf = vocab.model.leaf_level
    return None if leaf is None else leaf.key


def _grain_in(scan: Scan, claim: Claim) -> str:
    from askcore.agent.rules import lexicon

    word = scan.word(claim)
    for grain, words in lexicon.UNITS.items():
        if grain != "date" and any(w in word for w in words):
            return grain
    return "year" if lexicon.UNITS["year"][0][0] in word else "date"


def _beside_average(claims: list[Claim], at: int, scan: Scan) -> bool:
    """As in "average daily", "daily average": the unit belongs to the average."""
    before = claims[at - 1] if at else None
    after = claims[at + 1] if at + 1 < len(claims) else None
    if before is not None and before.kind == "cue" and "average" in before.value:
        return not scan.gap(before, claims[at]).strip()
    if after is not None and after.kind == "cue" and "average" in after.value:
        return not scan.gap(claims[at], after).strip()
    return _is_per(claims, at, scan)


def _is_per(claims: list[Claim], at: int, scan: Scan) -> bool:
    """As in "per store" anywhere; a Chinese "each" only right after the word for average."""
    before = claims[at - 1] if at else None
    if before is None or before.kind != "cue" or "each" not in before.value:
        return before is not None and before.kind == "cue" and "average" in before.value
    if scan.word(before) in _ENGLISH_PER:
        return True
    outer = claims[at - 2] if at > 1 else None
    return outer is not None and outer.kind == "cue" and "average" in outer.value


def _weight(claims: list[Claim], scan: Scan) -> tuple[Claim | None, bool]:
    for at, claim in enumerate(claims):
        if claim.kind != "cue" or "weighted" not in claim.value:
            continue
        after = claims[at + 1] if at + 1 < len(claims) else None
        before = claims[at - 1] if at else None
        if after is not None and scan.word(claim).endswith("by"):
            return (after if _is_metric(after) else None), True
        if before is not None and _is_metric(before):
            return before, True
        return None, True
    return None, False


def _is_metric(claim: Claim) -> bool:
    return claim.kind == "metric" and isinstance(claim.value, MetricTerm) and len(claim.value.keys) == 1


def averaged(
    key: str, averages: Averages, model: Model, by: tuple[str, ...]
) -> tuple[tuple[str, ...], str | None]:
    """(keys to query, reason when the average cannot be given).

    Two keys when the words allow two readings of different value. Reasons are sentence names.
    """
    metric = model.metric(key)
    if averages.weighted:
        return _weighted(key, averages, model)
    if not averages.asked and not averages.over_time:
        return (key,), None
    if metric.additivity.kind not in _SUMS:
        return (key,), None
    row_grain = _ROW_GRAINS.get(model.time.grain, model.time.grain)
    over_leaf = model.leaf_level is not None and averages.over_level == model.leaf_level.key
    if averages.over_level is not None:
        if not averages.over_time and row_grain != "date" and over_leaf:
            return (average_key(key, ROW),), None
        if not averages.over_time:
            return (average_key(key, averages.over_level),), None
        if averages.over_time == (row_grain,) and over_leaf:
            return (average_key(key, ROW),), None
        return (key,), "average_unsupported"
    return _over_time(key, averages, row_grain, model)


def _over_time(
    key: str, averages: Averages, row_grain: str, model: Model
) -> tuple[tuple[str, ...], str | None]:
    if averages.over_time == ("date",) and row_grain == "date":
        return (average_key(key, DAY),), None
    if averages.over_time in ((row_grain,), ()) and row_grain != "date":
        both = (average_key(key, ROW), average_key(key, DAY))
        return (both if model.levels else both[1:]), None
    return (key,), "average_unsupported" if averages.over_time else "average_over_what"


def _weighted(key: str, averages: Averages, model: Model) -> tuple[tuple[str, ...], str | None]:
    metric = model.metric(key)
    own = metric.additivity.weight or metric.additivity.denominator
    if averages.weight is None or averages.weight == own:
        return ((key,), None) if own is not None else ((key,), "weight_missing")
    return (weighted_key(key, averages.weight),), None
