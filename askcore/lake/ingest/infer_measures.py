"""How each measure adds up: as a sum, as a quotient of two others, or not at all. Tested, not assumed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from askcore.lake.ingest.combine import Records
from askcore.lake.ingest.infer_keys import Codes
from askcore.lake.ingest.lexicon import ALWAYS_MEAN, MEAN_PARTS, MEAN_STARTS, MEAN_WORDS, SUM_PARTS, SUM_WORDS
from askcore.lake.ingest.message import Message, message
from askcore.lake.ingest.words import longest_ending, words_of

Floats = npt.NDArray[np.float64]
_QUOTIENT_SHARE = 0.99  # rows in which a / b must give the column
_MIN_ROWS = 8  # fewer rows prove no quotient
_SAMPLE = 300
_FLAT = 0.03  # relative spread within one entity below which a series is an index, not a flow
_SPREAD = 1.5  # largest to smallest entity mean from which size matters


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """What one measure is."""

    name: str
    kind: Literal["sum", "mean_per_row", "ratio"]
    why: Message
    numerator: str | None = None
    denominator: str | None = None
    warning: Message | None = None


def infer_measures(
    records: Records, days: pa.Array, entity: Codes, names: Sequence[str]
) -> tuple[Measure, ...]:
    """Decide the measures in the order of the source."""
    values = {n: _floats(records, n) for n in names}
    percents = {n for n in names if records.numbers(n).is_percent}
    quotients = {
        n: q
        for n in names
        if (n in percents or _is_rate_like(n, values[n]))
        and (q := _quotient(n, values, records, percents)) is not None
    }
    day_codes = np.asarray(pc.cast(days, pa.int32())).astype(np.int64)
    parts = {n for a, b, _ in quotients.values() for n in (a, b)}
    found = []
    for name in names:
        if name in quotients:
            numerator, denominator, share = quotients[name]
            why = message("why_ratio", a=numerator, b=denominator, share=f"{share:.1%}")
            found.append(
                Measure(name=name, kind="ratio", why=why, numerator=numerator, denominator=denominator)
            )
        elif name in percents:
            found.append(_percent(name))
        elif name in parts and name_hint(name) is None:
            found.append(Measure(name=name, kind="sum", why=message("why_part")))
        else:
            found.append(_plain(name, values[name], day_codes, entity))
    return tuple(found)


def _percent(name: str) -> Measure:
    warning = message("percent_unweighted", column=name)
    return Measure(name=name, kind="mean_per_row", why=message("why_percent"), warning=warning)


def _floats(records: Records, name: str) -> Floats:
    plain = pc.cast(records.numbers(name).plain, pa.float64())
    return np.asarray(plain.fill_null(float("nan")), dtype=np.float64)


def name_hint(name: str) -> Literal["sum", "mean"] | None:
    """What the header's head noun says; the last word counts, "average" and "per" always."""
    words = words_of(name)
    if ALWAYS_MEAN.intersection(words) or name.strip().startswith(MEAN_STARTS):
        return "mean"
    if "total" in words:
        return "sum"
    for word in reversed(words):
        if word in MEAN_WORDS:
            return "mean"
        if word in SUM_WORDS:
            return "sum"
    mean, total = longest_ending(name, MEAN_PARTS), longest_ending(name, SUM_PARTS)
    if not mean and not total:
        return None
    return "mean" if mean >= total else "sum"


def _is_rate_like(name: str, values: Floats) -> bool:
    """Only such a column may be a quotient: a price times a count is a sum, though it is c = a / b too."""
    known = values[~np.isnan(values)]
    return name_hint(name) == "mean" and len(known) > 0


def _quotient(
    name: str, values: Mapping[str, Floats], records: Records, percents: set[str]
) -> tuple[str, str, float] | None:
    """(numerator, denominator, share of rows) where the column is one divided by the other."""
    target = values[name]
    digits = records.numbers(name).scale
    others = [n for n in values if n != name and n not in percents and name_hint(n) != "mean"]
    best: tuple[str, str, float] | None = None
    for a, b in permutations(others, 2):
        if _share(values[a], values[b], target, digits, _SAMPLE) < _QUOTIENT_SHARE:
            continue
        share = _share(values[a], values[b], target, digits, None)
        if share >= _QUOTIENT_SHARE and (best is None or share > best[2]):
            best = (a, b, share)
    return best


def _share(a: Floats, b: Floats, target: Floats, digits: int, limit: int | None) -> float:
    """Share of comparable rows with a / b = target within its rounding; 0 when it proves nothing."""
    top, bottom, wanted = a[:limit], b[:limit], target[:limit]
    known = ~(np.isnan(top) | np.isnan(bottom) | np.isnan(wanted)) & (bottom != 0)
    if known.sum() < min(_MIN_ROWS, len(target)) or known.sum() < 3:
        return 0.0
    top, bottom, wanted = top[known], bottom[known], wanted[known]
    if len(np.unique(wanted)) < 3 or len(np.unique(bottom)) < 2:
        return 0.0
    tolerance = 0.501 * 10.0**-digits + 1e-9 * np.abs(wanted)
    return float((np.abs(top / bottom - wanted) <= tolerance).mean())


def _plain(name: str, values: Floats, days: Codes, entity: Codes) -> Measure:
    """Sum or mean, by name and by how the values behave; where both speak, the name decides."""
    hint = name_hint(name)
    evidence, facts = _evidence(values, days, entity)
    if hint is not None:
        kind: Literal["sum", "mean_per_row"] = "sum" if hint == "sum" else "mean_per_row"
        return Measure(name=name, kind=kind, why=message(f"why_named_{hint}", facts=facts))
    warning = message("additivity_by_evidence", column=name, kind=evidence)
    return Measure(
        name=name,
        kind=evidence,
        why=message(f"why_behaves_{'sum' if evidence == 'sum' else 'mean'}", facts=facts),
        warning=warning,
    )


def _evidence(values: Floats, days: Codes, entity: Codes) -> tuple[Literal["sum", "mean_per_row"], Message]:
    """A flow scales with the entity and moves from day to day; an index or rate does neither."""
    known = ~np.isnan(values)
    numbers, days, entity = values[known], days[known], entity[known]
    if len(numbers) == 0:
        return "mean_per_row", message("facts_empty")
    same_day = _within(numbers, days)
    own = _within(numbers, entity)
    means = _means(numbers, entity)
    low, high = np.abs(means).min(), np.abs(means).max()
    spread = float(high / low) if low > 0 else float("inf") if high > 0 else 1.0
    facts = message("facts", spread=f"{spread:.2f}", own=f"{own:.1%}", day=f"{same_day:.1%}")
    is_whole = bool((numbers == np.rint(numbers)).all())
    bounded = not is_whole and numbers.min() >= 0 and numbers.max() <= 1
    several = len(means) > 1
    if bounded or own < _FLAT or (several and same_day < _FLAT) or numbers.min() < 0:
        return "mean_per_row", facts
    if is_whole or not several or spread >= _SPREAD:
        return "sum", facts
    return "mean_per_row", facts


def _means(values: Floats, groups: Codes) -> Floats:
    _, index = np.unique(groups, return_inverse=True)
    index = index.reshape(-1)
    return np.bincount(index, weights=values) / np.bincount(index)


def _within(values: Floats, groups: Codes) -> float:
    """Mean relative deviation of values from the mean of their group."""
    _, index = np.unique(groups, return_inverse=True)
    index = index.reshape(-1)
    means = np.bincount(index, weights=values) / np.bincount(index)
    scale = np.abs(means).mean()
    if scale == 0:
        return 0.0
    return float(np.abs(values - means[index]).mean() / scale)
