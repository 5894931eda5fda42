"""Whether a question ranks, in which direction, and how many rows it wants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from askcore.agent.rules import lexicon
from askcore.agent.rules.scan import Scan
from askcore.agent.rules.spans import Claim
from askcore.agent.rules.vocabulary import Vocabulary
from askcore.semantic.model import Metric, Model

Direction = Literal["high", "low", "best", "worst"]
_DIRECTIONS: tuple[tuple[str, Direction], ...] = (
    ("ascending", "low"),
    ("descending", "high"),
    ("slowest", "high"),
    ("fastest", "low"),
    ("pricey", "high"),
    ("cheap", "low"),
    ("worst", "worst"),
    ("best", "best"),
    ("lowest", "low"),
    ("highest", "high"),
)
_ADJECTIVES: tuple[tuple[str, Direction], ...] = (("high_word", "high"), ("low_word", "low"))
_OF_TIME = ("slowest", "fastest")
MOVES = frozenset({"went_up", "went_down", "change"})
"""With these "fastest" measures a change and no duration."""
DEFAULT_ROWS = 10  # as many bars as stay readable


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """How rows are ordered and cut."""

    direction: Direction | None = None
    limit: int | None = None
    sort_only: bool = False
    """Only an order is asked for ("lowest first"): nothing is cut off."""
    listed: bool = False
    """A ranking or several rows are asked for by word."""
    single: bool = False
    """One row is asked for: "which shop"."""
    rank_of: bool = False
    """The rank of a named entity."""
    at: int = 0
    """Where the words stand: the metric beside them is the one that is ranked."""


def read_ranking(scan: Scan, vocab: Vocabulary) -> Ranking | None:
    """The ranking that the words ask for, or None."""
    numbers = scan.of("number")
    direction, claim = _direction(scan)
    words = scan.says("ranking") or scan.says("rank_of")
    if not numbers and direction is None and not words:
        return None
    limit, side = (numbers[0].value, numbers[0].name) if numbers else (None, "")
    if direction is None and side == "back":
        direction = "low"
    if not numbers and direction is None and not words:
        return None
    marks = (claim, *words, *numbers)
    at = next((c.start for c in marks if c is not None), 0)
    order = scan.says("ascending") or scan.says("descending")
    return Ranking(
        direction=direction,
        limit=limit,
        sort_only=bool(order) and not numbers,
        listed=bool(words) or (bool(scan.says("which_many")) and not scan.says("which_one")),
        single=_is_single(scan, claim),
        rank_of=bool(scan.says("rank_of")),
        at=at,
    )


def _direction(scan: Scan) -> tuple[Direction | None, Claim | None]:
    for name, direction in _DIRECTIONS:
        found = () if name in _OF_TIME and scan.cues & MOVES else scan.says(name)
        if found:
            return direction, found[0]
    if scan.cues & {"which_one", "which_many"} and not scan.cues & {"compare", "change"}:
        for name, direction in _ADJECTIVES:
            if scan.says(name):
                return direction, scan.says(name)[0]
    return None, None


def _is_single(scan: Scan, claim: Claim | None) -> bool:
    """Which store had the most: one row; top stores and rankings: several."""
    if claim is None or scan.says("ranking") or (scan.says("which_many") and not scan.says("which_one")):
        return False
    if any(word in scan.text.norm for word in lexicon.SEVERAL):
        return False
    levels = (*scan.of("level"), *scan.of("unit"))
    plural = any(scan.word(c).isascii() and scan.word(c).endswith("s") for c in levels)
    return not plural


def is_descending(direction: Direction | None, metric: Metric) -> bool:
    """Whether large values come first; best and worst follow the metric's polarity."""
    if direction in (None, "high"):
        return True
    if direction == "low":
        return False
    good_is_high = metric.polarity != "down"
    return good_is_high if direction == "best" else not good_is_high


def unit_of_superlative(cues: frozenset[str]) -> str | None:
    """Unit of the metric that "slowest" or "most expensive" speaks about."""
    if cues & set(_OF_TIME) and not cues & MOVES:
        return "minute"
    return "CNY" if cues & {"pricey", "cheap"} else None


def metrics_by_start(model: Model, start: str, unit: str, *, timed: bool) -> tuple[str, ...]:
    """Metrics of a unit whose name begins with (or holds) the word `start`; all of the unit for ""."""
    found = []
    for metric in model.metrics:
        ratio = metric.additivity.kind in ("ratio", "weighted_mean", "mean_per_row")
        if metric.unit != unit or metric.hidden or not ratio or (timed and metric.polarity != "down"):
            continue
        if any(w.lower().startswith(start) for w in metric.words()):
            found.append(metric.key)
    return tuple(found)
